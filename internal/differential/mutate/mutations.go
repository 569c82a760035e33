package main

import (
	"bytes"
	"math/rand/v2"
	"strings"
)

// mutate makes one change of the kind that people make, or that half a keystroke leaves behind.
func mutate(r *rand.Rand, text []byte) (what string, changed []byte) {
	lines := strings.SplitAfter(string(text), "\n")
	i := r.IntN(len(lines))
	join := func() []byte { return []byte(strings.Join(lines, "")) }
	switch r.IntN(16) {
	case 0:
		lines[i] = ""
		return "a line removed", join()
	case 1:
		lines[i] += lines[i]
		return "a line doubled", join()
	case 2:
		lines[i] = " " + lines[i]
		return "a line indented by one", join()
	case 3:
		lines[i] = strings.TrimPrefix(lines[i], "  ")
		return "a line indented by two less", join()
	case 4:
		lines[i] = strings.Replace(lines[i], ":", "", 1)
		return "a colon removed", join()
	case 5:
		lines[i] = withValue(r, lines[i])
		return "another value", join()
	case 6:
		lines[i] = withTypo(r, lines[i])
		return "a typo", join()
	case 7:
		lines[i] = strings.Replace(lines[i], "- ", "", 1)
		return "a dash removed", join()
	case 8:
		return "cut off", text[:r.IntN(len(text))]
	case 9:
		return "the file removed", nil
	case 10:
		return "the file emptied", []byte{}
	case 11:
		lines[i] = "\t" + lines[i]
		return "a tab in front", join()
	case 12:
		return "appended", append(bytes.Clone(text), extras[r.IntN(len(extras))]...)
	case 13:
		end := min(len(lines), i+1+r.IntN(6))
		lines = append(lines[:i], lines[end:]...)
		return "some lines removed", join()
	case 14:
		j := r.IntN(len(lines))
		lines[i], lines[j] = lines[j], lines[i]
		return "two lines exchanged", join()
	}
	lines[i] = strings.TrimRight(lines[i], "\n") + " # kept: [yes\n"
	return "a comment added", join()
}

// values stand for a wrong type, another spelling, or something YAML 1.1 takes for something else.
var values = []string{"null", "~", "", "yes", "1", "1.5", "0x1F", "[]", "{}", "[a, b]", "{a: b}", `"quoted"`, "'it''s'",
	"*alias", "&anchor v", "2001-01-01", "|\n  text", "<<", "a: b", "on", "-", "1e3", "!!str 1", "é", "x,y"}

func withValue(r *rand.Rand, line string) string {
	key, _, ok := strings.Cut(line, ": ")
	if !ok {
		return line
	}
	return key + ": " + values[r.IntN(len(values))] + "\n"
}

func withTypo(r *rand.Rand, line string) string {
	if len(line) < 2 {
		return line
	}
	at := r.IntN(len(line) - 1)
	switch r.IntN(3) {
	case 0:
		return line[:at] + line[at+1:]
	case 1:
		return line[:at] + string(rune('a'+r.IntN(26))) + line[at:]
	}
	return line[:at] + line[at+1:at+2] + line[at:at+1] + line[at+2:]
}

var extras = []string{"\n---\n", "\n---\nkind: Kustomization\n", "resources: []\n", "namePrefix: x-\n", "namespace: other\n",
	"unknown: 1\n", "commonLabels: {a: b}\n", "images: [{name: nginx, newTag: '1'}]\n", "patches: [{patch: '[]'}]\n",
	"- more\n", "replicas: [{name: nothing, count: 1}]\n", "\x00", "\xff\xfe", "configMapGenerator: [{name: made, literals: [a=b]}]\n",
	"labels: [{pairs: {x: y}, includeSelectors: true}]\n", "# the end"}

package textmerge

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// patch is MergePatch as RFC 7396 prints it, on what a decoder gives.
func patch(target, with any) any {
	ours, ok := with.(map[string]any)
	if !ok {
		return with
	}
	merged := map[string]any{}
	if theirs, ok := target.(map[string]any); ok {
		for key, v := range theirs {
			merged[key] = v
		}
	}
	for key, v := range ours {
		if v == nil {
			delete(merged, key)
		} else {
			merged[key] = patch(merged[key], v)
		}
	}
	return merged
}

func decode(t *testing.T, content []byte, format Format) any {
	t.Helper()
	var v any
	var err error
	if format == JSON {
		err = json.Unmarshal(content, &v)
	} else {
		err = yaml.Unmarshal(content, &v)
	}
	if err != nil {
		t.Fatalf("%v in:\n%s", err, content)
	}
	return v
}

// author writes random documents, each in one random style. Every leaf is a number
// of its own, so that a line can be found again.
type author struct {
	*rand.Rand
	format  Format
	unit    string
	compact bool
	comment bool
	dash    string
	leaf    int
	// above is what may stand before a leaf line: its comment.
}

func newAuthor(r *rand.Rand, format Format, from int) *author {
	a := &author{Rand: r, format: format, leaf: from, compact: r.IntN(2) == 0, comment: format == YAML && r.IntN(2) == 0}
	a.unit = []string{"  ", "    ", "\t", " "}[r.IntN(4)]
	if format == YAML && a.unit == "\t" {
		a.unit = "   "
	}
	a.dash = []string{"", a.unit}[r.IntN(2)]
	return a
}

type entry struct {
	key   string
	value any // entries, []any or a string as it is written
}

// tree makes a random map. Keys come from few, so that two trees share some.
func (a *author) tree(depth int, nulls bool) []entry {
	var entries []entry
	for _, key := range a.Perm(7)[:a.IntN(6)] {
		entries = append(entries, entry{string(rune('a' + key)), a.value(depth, nulls)})
	}
	return entries
}

func (a *author) value(depth int, nulls bool) any {
	switch k := a.IntN(8); {
	case nulls && k == 0:
		return "null"
	case k < 3 && depth > 0:
		return a.tree(depth-1, nulls)
	case k == 3 && depth > 0:
		list := []any{}
		for range a.IntN(4) {
			list = append(list, a.value(depth-1, nulls))
		}
		return list
	}
	a.leaf++
	spelled := []string{"%d", "\"%d\"", "\"x, %d: {\\n\"", "-%d.50"}
	if a.format == YAML {
		spelled = append(spelled, "'%d'", "word%d", "say %d, and")
	}
	return fmt.Sprintf(spelled[a.IntN(len(spelled))], a.leaf)
}

// flow writes a value between brackets, on one line or several.
func (a *author) flow(v any, indent string, lines bool) string {
	open, closing, parts := "[", "]", []string{}
	switch v := v.(type) {
	case string:
		if strings.ContainsAny(v, ",") && v[0] != '"' {
			return "'" + v + "'"
		}
		return v
	case []entry:
		open, closing = "{", "}"
		for _, e := range v {
			parts = append(parts, `"`+e.key+`":`+strings.Repeat(" ", 1-a.tight())+a.flow(e.value, indent+a.unit, lines && a.IntN(3) > 0))
		}
	case []any:
		for _, item := range v {
			parts = append(parts, a.flow(item, indent+a.unit, lines && a.IntN(2) > 0))
		}
	}
	if !lines || len(parts) == 0 {
		return open + strings.Join(parts, ","+strings.Repeat(" ", 1-a.tight())) + closing
	}
	inner := "\n" + indent + a.unit
	return open + inner + strings.Join(parts, ","+inner) + "\n" + indent + closing
}

func (a *author) tight() int {
	if a.compact {
		return 1
	}
	return 0
}

// block writes the entries of a map in block style.
func (a *author) block(entries []entry, indent string) string {
	var b strings.Builder
	for _, e := range entries {
		if a.comment && a.IntN(3) == 0 {
			fmt.Fprintf(&b, "%s# about %s\n", indent, e.key)
		}
		b.WriteString(indent + e.key + ":" + a.blockValue(e.value, indent))
	}
	return b.String()
}

func (a *author) blockValue(v any, indent string) string {
	switch v := v.(type) {
	case []entry:
		if len(v) > 0 && a.IntN(5) > 0 {
			return "\n" + a.block(v, indent+a.unit)
		}
	case []any:
		if len(v) > 0 && a.IntN(3) > 0 {
			return "\n" + a.items(v, indent+a.dash)
		}
	case string:
		if strings.HasPrefix(v, "say") && a.IntN(2) == 0 {
			return " |\n" + indent + a.unit + v + "\n" + indent + a.unit + " more\n"
		}
		if a.comment && a.IntN(4) == 0 {
			return " " + v + " # of " + v[:1] + "\n"
		}
		return " " + v + "\n"
	}
	return " " + a.flow(v, indent, a.IntN(2) == 0) + "\n"
}

func (a *author) items(list []any, indent string) string {
	var b strings.Builder
	for _, item := range list {
		if entries, ok := item.([]entry); ok && len(entries) > 0 {
			b.WriteString(indent + "- " + strings.TrimLeft(a.block(entries, indent+"  "), " "))
			continue
		}
		b.WriteString(indent + "-" + a.blockValue(item, indent))
	}
	return b.String()
}

func (a *author) document(entries []entry) string {
	if a.format == JSON || a.IntN(6) == 0 || len(entries) == 0 {
		return a.flow(entries, "", a.IntN(3) > 0) + strings.Repeat("\n", a.IntN(2))
	}
	a.comment = a.comment && !hasListOfMaps(entries)
	text := a.block(entries, "")
	if a.IntN(4) == 0 {
		return strings.TrimSuffix(text, "\n")
	}
	return text
}

// hasListOfMaps: a comment before the first key of an item would tear it from its dash.
func hasListOfMaps(v any) bool {
	switch v := v.(type) {
	case []entry:
		for _, e := range v {
			if hasListOfMaps(e.value) {
				return true
			}
		}
	case []any:
		for _, item := range v {
			if _, ok := item.([]entry); ok || hasListOfMaps(item) {
				return true
			}
		}
	}
	return false
}

func TestMergedDocumentsSayWhatRFC7396Says(t *testing.T) {
	for seed := range uint64(2500) {
		r := rand.New(rand.NewPCG(seed, 7))
		format := Format(seed % 2)
		a := newAuthor(r, format, 100)
		tree := a.tree(3, false)
		base := a.document(tree)
		b := newAuthor(r, format, 500)
		overlay := b.document(b.tree(3, true))
		merged, report := Merge([]byte(base), []byte(overlay), format)
		if report.Failed() {
			t.Fatalf("seed %d: %+v\nbase:\n%s\noverlay:\n%s", seed, report, base, overlay)
		}
		want := patch(decode(t, []byte(base), format), decode(t, []byte(overlay), format))
		if got := decode(t, merged, format); !reflect.DeepEqual(got, want) {
			t.Fatalf("seed %d: got %v, want %v\nbase:\n%s\noverlay:\n%s\nmerged:\n%s", seed, got, want, base, overlay, merged)
		}
		if again, _ := Merge(merged, []byte(overlay), format); string(again) != string(merged) {
			t.Fatalf("seed %d: merging again changes\n%s\nto\n%s", seed, merged, again)
		}
		if same, _ := Merge([]byte(base), []byte("{}"), format); string(same) != base {
			t.Fatalf("seed %d: merging nothing changes\n%s\nto\n%s", seed, base, same)
		}
		checkLines(t, base, overlay, string(merged), decode(t, []byte(base), format), decode(t, []byte(overlay), format))
	}
}

// checkLines looks for the lines of the leaves that the overlay has no say in:
// each must stand in the merged text, with or without a comma, unless it shares its
// line with another.
func checkLines(t *testing.T, base, overlay, merged string, theirs, ours any) {
	t.Helper()
	kept := map[string]int{}
	for _, line := range strings.Split(merged, "\n") {
		kept[strings.TrimSuffix(line, ",")]++
	}
	touched := map[string]bool{}
	collectTouched(theirs, ours, touched)
	for _, line := range strings.Split(base, "\n") {
		numbers := leafNumbers(line)
		if len(numbers) != 1 || touched[numbers[0]] || strings.ContainsAny(strings.ReplaceAll(line, `: {\n"`, ""), "{}[]") {
			continue
		}
		if kept[strings.TrimSuffix(line, ",")] == 0 {
			t.Fatalf("the line %q is gone\nbase:\n%s\noverlay:\n%s\nmerged:\n%s", line, base, overlay, merged)
		}
	}
}

// collectTouched gathers the leaves of the base that the overlay replaces or removes.
func collectTouched(theirs, ours any, touched map[string]bool) {
	t, both := theirs.(map[string]any)
	o, ok := ours.(map[string]any)
	if !both || !ok {
		for _, number := range leafNumbers(fmt.Sprint(theirs)) {
			touched[number] = true
		}
		return
	}
	for key, v := range o {
		if old, ok := t[key]; ok {
			collectTouched(old, v, touched)
		}
	}
}

// leafNumbers are the three-digit numbers of a text.
func leafNumbers(s string) []string {
	var numbers []string
	for i := 0; i+3 <= len(s); i++ {
		if strings.Trim(s[i:i+3], "0123456789") == "" {
			numbers = append(numbers, s[i:i+3])
			i += 2
		}
	}
	return numbers
}

func FuzzMerge(f *testing.F) {
	for seed := range uint64(20) {
		a := newAuthor(rand.New(rand.NewPCG(seed, 3)), Format(seed%2), 100)
		f.Add(a.document(a.tree(3, false)), a.document(a.tree(2, true)), seed%2 == 0)
	}
	f.Add("a: &x {b: 1}\nc: *x\n", "a: {b: 2}", false)
	f.Add("{\"a\": 'x', # c\n b: [1,],}", "{a: ~}", true)
	f.Add("? a\n: |2-\n   x\n", "a:\n  b: >+\n    c\n\n", false)
	f.Fuzz(func(t *testing.T, base, overlay string, isJSON bool) {
		format := YAML
		if isJSON {
			format = JSON
		}
		merged, report := Merge([]byte(base), []byte(overlay), format)
		if report.Failed() {
			if string(merged) != base {
				t.Fatalf("it failed and changed %q to %q", base, merged)
			}
			return
		}
		for _, finding := range report.Findings {
			of := map[Side]string{Base: base, Overlay: overlay}[finding.Side]
			if finding.Span.Start < 0 || finding.Span.End < finding.Span.Start || finding.Span.End > len(of) {
				t.Fatalf("%+v is outside of %q", finding, of)
			}
		}
		again, second := Merge(merged, []byte(overlay), format)
		if second.Failed() || string(again) != string(merged) {
			t.Fatalf("%q with %q is %q, and again %q (%+v)", base, overlay, merged, again, second.Findings)
		}
	})
}

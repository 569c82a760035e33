package main

import (
	"regexp"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// notationKinds are field paths and entries as other tools have them, and what is written in a shorter form than kustomize
// takes, or twice.
func notationKinds() []kind {
	targets, sources := own("replacements/*/targets/*/fieldPaths/*"), own("replacements/*/source/fieldPath")
	return slices.Concat([]kind{
		{"a target's path as a JSON pointer", targets, edited(asPointer), false},
		{"a source's path as a JSON pointer", sources, edited(asPointer), false},
		{"a target's path with $. before it", targets, edited(withDollar), false},
		{"a source's path with $. before it", sources, edited(withDollar), false},
		{"a target's path in braces", targets, edited(inBraces), false},
		{"a source's path in braces", sources, edited(inBraces), false},
		{"an element without a dot before its bracket", targets, edited(withoutDot), false},
		{"an index in brackets", targets, edited(indexInBrackets), false},
		{"an element's name in quotes", targets, edited(quotedName), false},
		{"an element left out of a target's path", targets, edited(withoutElement), false},
		{"a key in quotes and brackets", targets, edited(quotedKey), false},
		{"an index without a delimiter in a source", sources, optionsBelow("{index: 1}"), false},
		{"an option of buildMetadata twice", own("buildMetadata/*"), repeatEntry, false},
	}, shortKinds(), twoWrongKinds())
}

// shortKinds are texts where kustomize takes a mapping or list, and the other way around.
func shortKinds() []kind {
	generators := []string{"configMapGenerator/*/", "secretGenerator/*/"}
	return []kind{
		{"a patch that is only its path", own("patches/*/path"), onlyValue, false},
		{"a replacement that is only its path", own("replacements/*/path"), onlyValue, false},
		{"an image as name:tag", own("images/*/name"), wholeEntry("nginx:1.2"), false},
		{"a replica as name=count", own("replicas/*/name"), wholeEntry("web=3"), false},
		{"a target that is only a kind", own("patches/*/target/kind"), instead("target", "Deployment"), false},
		{"a resource with path: before it", own("resources/*"), asMapping("path"), false},
		{"a component with path: before it", own("components/*"), asMapping("path"), false},
		{"literals as a mapping", own(each(generators, "literals/*")...), literalsAsMapping, false},
		{"a label that is a boolean", own("commonLabels/*", "commonAnnotations/*", "labels/*/pairs/*"), value("true"), false},
		{"an annotation that is a number", own("commonLabels/*", "commonAnnotations/*", "labels/*/pairs/*"), value("1"), false},
		{"a count that is text", own("replicas/*/count"), quoted, false},
		{"a switch that is text", own("generatorOptions/disableNameSuffixHash", "labels/*/includeSelectors", "configMapGenerator/*/options/disableNameSuffixHash"), quoted, false},
		{"one resource that is not in a list", own("resources/*"), onlyResource, false},
	}
}

// twoWrongKinds have two mistakes in one selector, or one whose reason is not the first thing that one thinks of.
func twoWrongKinds() []kind {
	return []kind{
		{"a name and a namespace that are wrong together", own("patches/*/target/name"), mistypedWith("namespace: elsewhere"), false},
		{"a name and a namespace that are wrong together, in a select", own("replacements/*/targets/*/select/name"), mistypedWith("namespace: elsewhere"), false},
		{"a version that is not there in a select", own("replacements/*/targets/*/select/kind"), field("version: v0"), false},
		{"a version that is not there in a source", own("replacements/*/source/kind"), field("version: v0"), false},
		{"a version that is not there in a patch's target", own("patches/*/target/kind"), field("version: v0"), false},
		{"a generator of a name that is taken", own("configMapGenerator/*/behavior", "secretGenerator/*/behavior"), value("create"), false},
		{"a patch as a list in brackets that is not JSON", own("patches/*/path"), asFlowPatch, false},
	}
}

func plainPath(path string) bool {
	return path != "" && !strings.ContainsAny(path, `[]\*/$"'`) && strings.Contains(path, ".") && !strings.HasPrefix(path, ".")
}

func asPointer(path string) string {
	if !plainPath(path) {
		return path
	}
	return "/" + strings.ReplaceAll(path, ".", "/")
}

func withDollar(path string) string {
	if !plainPath(path) {
		return path
	}
	return "$." + path
}

func inBraces(path string) string {
	if !plainPath(path) {
		return path
	}
	return "'{." + path + "}'"
}

func withoutDot(path string) string { return strings.Replace(path, ".[", "[", 1) }

var (
	indexed = regexp.MustCompile(`\.(\d+)(\.|$)`)
	named   = regexp.MustCompile(`\[(\w+)=([\w-]+)\]`)
	element = regexp.MustCompile(`\.(\[\w+=[\w-]+\]|\d+)\.`)
	dotted  = regexp.MustCompile(`\.\[([\w./-]+)\]`)
)

func indexInBrackets(path string) string { return indexed.ReplaceAllString(path, "[$1]$2") }

func quotedName(path string) string { return named.ReplaceAllString(path, `[$1="$2"]`) }

func withoutElement(path string) string { return element.ReplaceAllString(path, ".") }

func quotedKey(path string) string { return dotted.ReplaceAllString(path, `["$1"]`) }

// optionsBelow adds options below the field of the spot, where its mapping has none.
func optionsBelow(options string) func(spot) (change, bool) {
	return func(s spot) (change, bool) {
		lines, at := s.lines(), s.line(s.key)
		if s.value.Line != s.key.Line || strings.ContainsAny(string(lines[at-1]), "{}") {
			return change{}, false
		}
		indent := s.indent(s.key)
		for _, line := range lines[at:] {
			if text := string(line); strings.HasPrefix(text, indent+"options:") {
				return change{}, false
			} else if !strings.HasPrefix(text, indent) {
				break
			}
		}
		return s.insert(at+1, indent+"options: "+options)
	}
}

// isOnlyField tells whether the mapping of a spot is the entry of a list that has only this field, on one line.
func isOnlyField(s spot) bool {
	if s.key == nil || s.shift != 0 || s.value.Line != s.key.Line {
		return false
	}
	lines, at := s.lines(), s.line(s.key)-1
	line := string(lines[at])
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	return strings.HasPrefix(line[len(indent):], "- "+s.key.Value+":") && (at+1 >= len(lines) || !strings.HasPrefix(string(lines[at+1]), indent+"  "))
}

// onlyValue leaves the value of an entry that has one field.
func onlyValue(s spot) (change, bool) {
	if !isOnlyField(s) {
		return change{}, false
	}
	return wholeEntry(s.value.Value)(s)
}

// wholeEntry writes a text in the place of an entry that has one field, or of one with others on the lines below it, which
// go, too.
func wholeEntry(text string) func(spot) (change, bool) {
	return func(s spot) (change, bool) {
		if s.key == nil || s.shift != 0 || s.value.Line != s.key.Line {
			return change{}, false
		}
		lines, at := s.lines(), s.line(s.key)-1
		line := string(lines[at])
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if !strings.HasPrefix(line[len(indent):], "- "+s.key.Value+":") {
			return change{}, false
		}
		end := at + 1
		for end < len(lines) && strings.HasPrefix(string(lines[end]), indent+"  ") {
			end++
		}
		lines[at] = []byte(indent + "- " + text + "\n")
		return change{[]byte(joined(slices.Delete(lines, at+1, end))), at + 1}, true
	}
}

// instead writes a text in the place of the mapping that begins on the line above the spot and has one field.
func instead(field, text string) func(spot) (change, bool) {
	return func(s spot) (change, bool) {
		lines, at := s.lines(), s.line(s.key)-1
		if at < 1 || s.shift != 0 || s.value.Line != s.key.Line || strings.TrimSpace(string(lines[at-1])) != field+":" {
			return change{}, false
		}
		own := string(lines[at])
		indent := own[:len(own)-len(strings.TrimLeft(own, " "))]
		if at+1 < len(lines) && strings.HasPrefix(string(lines[at+1]), indent) {
			return change{}, false
		}
		lines[at-1] = []byte(strings.TrimRight(string(lines[at-1]), "\r\n") + " " + text + "\n")
		return change{[]byte(joined(slices.Delete(lines, at, at+1))), at}, true
	}
}

// asMapping writes a key before an entry of a list.
func asMapping(key string) func(spot) (change, bool) {
	return func(s spot) (change, bool) {
		lines, at := s.lines(), s.line(s.value)-1
		line := string(lines[at])
		if s.value.Kind != yaml.ScalarNode || s.value.Style != 0 || !strings.HasPrefix(strings.TrimLeft(line, " "), "- "+s.value.Value) {
			return change{}, false
		}
		lines[at] = []byte(strings.Replace(line, "- ", "- "+key+": ", 1))
		return change{[]byte(joined(lines)), at + 1}, true
	}
}

// literalsAsMapping writes the one literal of a generator as a mapping's entry.
func literalsAsMapping(s spot) (change, bool) {
	lines, at := s.lines(), s.line(s.value)-1
	key, text, ok := strings.Cut(s.value.Value, "=")
	if !ok || s.value.Style != 0 || strings.ContainsAny(text, ":#{}[]'\",\n") || text == "" || at == 0 || strings.TrimSpace(string(lines[at-1])) != "literals:" {
		return change{}, false
	}
	line := string(lines[at])
	indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
	if at+1 < len(lines) && strings.HasPrefix(string(lines[at+1]), indent+"- ") && strings.Contains(string(lines[at+1]), "=") {
		return change{}, false // the others would be a list below a mapping
	}
	above := string(lines[at-1])
	deeper := above[:len(above)-len(strings.TrimLeft(above, " -"))]
	lines[at] = []byte(strings.Repeat(" ", len(deeper)+2) + key + `: "` + text + "\"\n")
	return change{[]byte(joined(lines)), at + 1}, true
}

func quoted(s spot) (change, bool) {
	if s.value.Style != 0 {
		return change{}, false
	}
	return s.replace(s.value, `"`+s.value.Value+`"`)
}

// onlyResource writes the only resource behind its key.
func onlyResource(s spot) (change, bool) {
	lines, at := s.lines(), s.line(s.value)-1
	resources := s.find("resources")
	if len(resources) != 1 || len(resources[0].value.Content) != 1 || at < 1 || strings.TrimSpace(string(lines[at-1])) != "resources:" || s.value.Style != 0 {
		return change{}, false
	}
	lines[at-1] = []byte("resources: " + s.value.Value + "\n")
	return change{[]byte(joined(slices.Delete(lines, at, at+1))), at}, true
}

// mistypedWith mistypes a value and adds a field below it.
func mistypedWith(text string) func(spot) (change, bool) {
	return func(s spot) (change, bool) {
		c, ok := mistypeValue(s)
		if !ok {
			return change{}, false
		}
		s.text = c.text
		return field(text)(s)
	}
}

// asFlowPatch writes a patch in the place of the path of one, in YAML's brackets.
func asFlowPatch(s spot) (change, bool) {
	lines, at := s.lines(), s.line(s.key)-1
	line := string(lines[at])
	if s.shift != 0 || s.value.Line != s.key.Line || strings.ContainsAny(line, "{}") {
		return change{}, false
	}
	if at+1 >= len(lines) || strings.TrimSpace(string(lines[at+1])) != "target:" {
		return change{}, false // it would lack a target, too
	}
	before := line[:strings.Index(line, "path:")]
	lines[at] = []byte(before + `patch: "[{op: add, path: /metadata/labels, value: {a: b}}]"` + "\n")
	return change{[]byte(joined(lines)), at + 1}, true
}

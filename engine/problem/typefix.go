package problem

import (
	"bytes"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// mendType offers to write a value of the wrong type as one of the right type, where
// only one thing can be meant by it.
func mendType(table *syntax.Table, p kustomization.Problem, out *Problem) {
	file, span := syntax.NodeSpan(table, p.Node)
	source := table.Source(file)
	if source == nil || p.Node == nil || p.Node.Kind == yaml.AliasNode || span.Len() == 0 {
		return
	}
	v := valueOfWrongType{p: p, field: lastField(p.Path), written: source.Text()[span.Start:span.End]}
	v.lineStart = bytes.LastIndexByte(source.Text()[:span.Start], '\n') + 1
	v.column = span.Start - v.lineStart
	v.inFlow = strings.TrimLeft(string(source.Text()[v.lineStart:span.Start]), " -") != ""
	if mended := v.mended(); mended != "" {
		first, _, _ := strings.Cut(mended, "\n")
		out.Fixes = []Fix{{Title: "Write " + strings.TrimRight(first, "\r"), File: file, Span: span, New: mended, Safe: true}}
		if first != mended {
			out.Fixes[0].Title += " …"
		}
	}
}

// valueOfWrongType is a value and how it stands in its file.
type valueOfWrongType struct {
	p         kustomization.Problem
	field     string // the last name of the path, with [] for an entry of a list
	written   []byte
	lineStart int
	column    int // 0-based, in bytes
	// inFlow is true where more than indentation and dashes stands before the value on
	// its line, so that it cannot take several lines.
	inFlow bool
}

// lastField returns "patches[]" for "patches[2]", and "target" for "patches[2].target".
func lastField(path string) string {
	last := path[strings.LastIndexByte(path, '.')+1:]
	if at := strings.IndexByte(last, '['); at >= 0 {
		return last[:at] + "[]"
	}
	return last
}

// mended returns what to write in the place of the value, or "".
func (v valueOfWrongType) mended() string {
	switch got, want := v.p.Got, v.p.Want; {
	case want == kustomization.TypeText && (got == kustomization.TypeBool || got == kustomization.TypeNumber):
		return `"` + string(v.written) + `"`
	case want == kustomization.TypeBool && got == kustomization.TypeText && (v.p.Node.Value == "true" || v.p.Node.Value == "false"),
		want == kustomization.TypeInteger && got == kustomization.TypeText && isInteger().MatchString(v.p.Node.Value):
		return v.p.Node.Value
	case want == kustomization.TypeList && got == kustomization.TypeText:
		return v.listOfText()
	case want == kustomization.TypeList && got == kustomization.TypeObject:
		return v.listOfMapping()
	case got == kustomization.TypeText && (want == kustomization.TypeObject || want == kustomization.TypeTextMap):
		return v.mapping()
	case got == kustomization.TypeObject && want == kustomization.TypeText:
		return v.path()
	}
	return ""
}

// isInteger matches what is an integer in any version of YAML.
var isInteger = text.Regexp(`^(0|[1-9][0-9]{0,8})$`)

// listOfText makes a list of the one text that stands for it.
func (v valueOfWrongType) listOfText() string {
	f := listField(v.field)
	if f == nil || f.Element != kustomization.TypeText || strings.Contains(v.p.Node.Value, "\n") {
		return ""
	}
	if f.Path && !isPath().MatchString(v.p.Node.Value) && !strings.Contains(v.p.Node.Value, "/") {
		return "" // a word that is hardly a path
	}
	return "[" + scalar.Write(v.p.Node.Value, v.p.Node.Style, true) + "]"
}

// listOfMapping makes a list of a mapping: of one that is an entry, and of literals and
// labels that stand below each other.
func (v valueOfWrongType) listOfMapping() string {
	f := listField(v.field)
	switch {
	case f == nil || len(v.p.Node.Content) == 0:
		return ""
	case f.Struct != nil && allKeys(v.p.Node, func(key string) bool { known, _ := f.Struct.Field(key); return known != nil }):
		return v.asEntry("")
	case v.field == "labels" && f.Struct != nil && allKeys(v.p.Node, func(key string) bool { known, _ := f.Struct.Field(key); return known == nil }):
		return v.asEntry("pairs")
	case v.field == "literals":
		return v.literals()
	}
	return ""
}

// listField returns the field of a name that is a list, in whatever mapping it stands.
func listField(name string) *kustomization.Field {
	for _, s := range kustomization.Structs() {
		if f, exact := s.Field(name); exact && f.Type == kustomization.TypeList {
			return f
		}
	}
	return nil
}

func allKeys(m *yaml.Node, holds func(string) bool) bool {
	for i := 0; i+1 < len(m.Content); i += 2 {
		if !holds(m.Content[i].Value) {
			return false
		}
	}
	return true
}

// asEntry writes the mapping as the entry of a list, or below a field of it.
func (v valueOfWrongType) asEntry(field string) string {
	if v.p.Node.Style&yaml.FlowStyle != 0 {
		if field != "" {
			return "[{" + field + ": " + string(v.written) + "}]"
		}
		return "[" + string(v.written) + "]"
	}
	if v.inFlow {
		return ""
	}
	if field == "" {
		return "- " + v.indented("  ")
	}
	return "- " + field + ":\n" + strings.Repeat(" ", v.column+4) + v.indented("    ")
}

// indented returns what is written with its lines but the first further to the right.
func (v valueOfWrongType) indented(by string) string {
	lines := strings.Split(string(v.written), "\n")
	for i := 1; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) != "" {
			lines[i] = by + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// literals writes the entries of a mapping as key=value.
func (v valueOfWrongType) literals() string {
	var list []string
	for i := 0; i+1 < len(v.p.Node.Content); i += 2 {
		value := v.p.Node.Content[i+1]
		if value.Kind != yaml.ScalarNode || strings.Contains(value.Value, "\n") {
			return ""
		}
		list = append(list, scalar.Write(v.p.Node.Content[i].Value+"="+value.Value, 0, true))
	}
	if v.p.Node.Style&yaml.FlowStyle != 0 {
		return "[" + strings.Join(list, ", ") + "]"
	}
	if v.inFlow {
		return ""
	}
	return "- " + strings.Join(list, "\n"+strings.Repeat(" ", v.column)+"- ")
}

// mapping writes a text that is short for a mapping.
func (v valueOfWrongType) mapping() string {
	value := v.p.Node.Value
	var pairs []string
	switch v.field {
	case "patches[]", "replacements[]":
		if isPath().MatchString(value) {
			pairs = []string{"path", value}
		}
	case "images[]":
		if m := image().FindStringSubmatch(value); m != nil {
			pairs = []string{"name", m[1], "newTag", m[2]}
		}
	case "replicas[]":
		if m := replica().FindStringSubmatch(value); m != nil {
			pairs = []string{"name", m[1], "count", m[2]}
		}
	case "target", "select", "reject[]":
		if m := kindAndName().FindStringSubmatch(value); m != nil {
			pairs = []string{"kind", m[1]}
			if m[2] != "" {
				pairs = append(pairs, "name", m[2])
			}
		}
	case "labels[]":
		if m := label().FindStringSubmatch(value); m != nil {
			return "{pairs: {" + m[1] + ": " + scalar.Write(m[2], 0, true) + "}}"
		}
	case "commonLabels", "commonAnnotations", "pairs", "annotations":
		if m := label().FindStringSubmatch(value); m != nil {
			return "{" + m[1] + ": " + scalar.Write(m[2], 0, true) + "}"
		}
	}
	return v.pairs(pairs)
}

// The forms in which people write one text for a mapping.
var (
	isPath      = text.Regexp(`^[\w./-]+\.(ya?ml|json)$`)
	image       = text.Regexp(`^([\w./-]+(?::\d+/[\w./-]+)?):([\w.-]+)$`)
	replica     = text.Regexp(`^([a-z0-9.-]+)[=:] ?(\d{1,6})$`)
	kindAndName = text.Regexp(`^([A-Z][A-Za-z0-9]+)(?:/([a-z0-9.-]+))?$`)
	label       = text.Regexp(`^([\w./-]+)[=:] ?([\w.-]+)$`)
)

// pairs writes keys and values as a mapping: on lines of its own where it can.
func (v valueOfWrongType) pairs(pairs []string) string {
	var list []string
	for i := 0; i+1 < len(pairs); i += 2 {
		written := scalar.Write(pairs[i+1], 0, v.inFlow)
		if pairs[i] == "count" {
			written = pairs[i+1]
		}
		list = append(list, pairs[i]+": "+written)
	}
	switch {
	case len(list) == 0:
		return ""
	case v.inFlow:
		return "{" + strings.Join(list, ", ") + "}"
	}
	return strings.Join(list, "\n"+strings.Repeat(" ", v.column))
}

// path writes the path of an entry that is a mapping where kustomize takes the path.
func (v valueOfWrongType) path() string {
	n := v.p.Node
	lists := []string{"resources[]", "components[]", "patchesStrategicMerge[]", "crds[]", "files[]", "envs[]"}
	if !slices.Contains(lists, v.field) || len(n.Content) != 2 || n.Content[0].Value != "path" || n.Content[1].Kind != yaml.ScalarNode {
		return ""
	}
	return scalar.Write(n.Content[1].Value, n.Content[1].Style, v.inFlow)
}

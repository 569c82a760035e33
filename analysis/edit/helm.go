package edit

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// inflationKeys maps the fields of helmChartInflationGenerator to those of helmCharts,
// or to none where they have no effect (types.makeHelmChartFromHca). Those that are
// not here keep their names.
var inflationKeys = map[string]string{
	"chartName": "name", "chartVersion": "version", "chartRepoUrl": "repo", "values": "valuesFile", "valuesLocal": "valuesInline",
	"chartRepoName": "", "releaseNamespace": "", "helmBin": "", "extraArgs": "", "chartHome": "", "helmHome": "",
}

// convertInflations gives the fields of each chart their newer names first, adds
// helmGlobals, and then moves the list: each step sees the lines that the one before
// it left.
func convertInflations(f *File, x *field) ([]text.Edit, string) {
	if x.value.Kind != yaml.SequenceNode || !f.inBlock() {
		return nil, unknownForm
	}
	edits, globals, ok := f.renameInflations(x)
	if !ok {
		return nil, unknownForm
	}
	after, reason := f.apply(edits)
	if reason == "" && f.field("helmGlobals") == nil && len(globals) > 0 {
		lines := append([]string{"helmGlobals:"}, shift(globals, 2)...)
		edit := after.insertLines(after.field(x.name).last, shift(lines, f.column(x.key)))
		after, reason = after.apply([]text.Edit{edit})
	}
	if reason != "" {
		return nil, reason
	}
	if edits, reason = after.moveList(after.field(x.name), "helmCharts", nil, false); reason != "" {
		return nil, reason
	}
	if after, reason = after.apply(edits); reason != "" {
		return nil, reason
	}
	return between(f, after), ""
}

// renameInflations also returns the lines of helmGlobals: the last of each counts.
func (f *File) renameInflations(x *field) (edits []text.Edit, globals []string, ok bool) {
	home := map[string]string{}
	for _, chart := range x.value.Content {
		if chart.Kind != yaml.MappingNode || isFlow(chart) || chart.Style&yaml.TaggedStyle != 0 {
			return nil, nil, false
		}
		for i := 0; i+1 < len(chart.Content); i += 2 {
			key, value := chart.Content[i], chart.Content[i+1]
			name, known := inflationKeys[key.Value]
			switch {
			case !known:
			case name != "":
				edits = append(edits, f.rename(key, name))
			default:
				if value.Kind == yaml.ScalarNode && value.Value != "" {
					home[key.Value] = f.source(value)
				}
				removed, ok := f.removeEntry(chart, key, value)
				if !ok {
					return nil, nil, false
				}
				edits = append(edits, removed)
			}
		}
	}
	for _, of := range [][2]string{{"chartHome", "chartHome"}, {"helmHome", "configHome"}} {
		if value, ok := home[of[0]]; ok {
			globals = append(globals, of[1]+": "+value)
		}
	}
	return edits, globals, true
}

// between makes one edit of the difference of two versions.
func between(before, after *File) []text.Edit {
	a, b := before.text, after.text
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return []text.Edit{{Span: text.Span{Start: start, End: len(a) - end}, New: string(slices.Clone(b[start : len(b)-end]))}}
}

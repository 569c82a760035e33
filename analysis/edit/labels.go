package edit

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// kustomize applies commonLabels after labels: they become the last entry. An empty
// commonLabels has no effect and goes.

func expectCommonLabelsLast(k *kustomization.Kustomization) {
	if len(k.CommonLabels) > 0 {
		k.Labels = slices.Concat(k.Labels, []kustomization.Label{{Pairs: k.CommonLabels, IncludeSelectors: true}})
	}
	k.CommonLabels = nil
}

func convertCommonLabels(f *File, x *field) ([]text.Edit, string) {
	if !f.inBlock() || !f.isOwnLine(x) {
		return nil, "the file is written with braces"
	}
	if isNull(x.value) || x.value.Kind == yaml.MappingNode && len(x.value.Content) == 0 {
		return []text.Edit{f.removeField(x, false)}, ""
	}
	target := f.field("labels")
	if target != nil && !f.isOwnLine(target) {
		return nil, unknownForm
	}
	lines := f.asLabel(x)
	if target == nil {
		indent := f.column(x.key)
		lines = shift(lines, indent+f.dashIndent())
		lines = append([]string{blank(indent) + "labels:"}, lines...)
		return []text.Edit{f.replaceLines(x.line, x.last, lines)}, ""
	}
	above := f.commentsIn(f.headComments(x), x.line-1)
	edits, ok := f.extend(target, slices.Concat(above, lines), false)
	if !ok {
		return nil, "labels is written in a form that kls cannot add to"
	}
	return append(edits, f.removeField(x, true)), ""
}

// asLabel returns the lines of an entry of labels, its dash at column 0: the field
// as it is written, under the key pairs.
func (f *File) asLabel(x *field) []string {
	indent := f.column(x.key)
	var lines []string
	for line := x.line; line <= x.last; line++ {
		lines = append(lines, f.lineText(line))
	}
	after := f.valueGap(x) - f.lineStart(x.line)
	lines[0] = blank(indent) + "pairs:" + strings.TrimRight(lines[0][after:], " \t")
	return append([]string{"- includeSelectors: true"}, shift(lines, 2-indent)...)
}

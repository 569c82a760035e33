package edit

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// patchesStrategicMerge run before patches: they go in front.

func expectMergesFirst(k *kustomization.Kustomization) {
	var patches []kustomization.Patch
	for _, t := range k.PatchesStrategicMerge {
		if isPatchText(t.Value) {
			patches = append(patches, kustomization.Patch{Patch: t})
		} else {
			patches = append(patches, kustomization.Patch{Path: t})
		}
	}
	k.Patches, k.PatchesStrategicMerge = append(patches, k.Patches...), nil
}

// isPatchText tells a patch from the path of a file: kustomize reads an entry as a
// patch where it can (PatchStrategicMergeTransformerPlugin.Config).
func isPatchText(value string) bool {
	if strings.Contains(strings.TrimSpace(value), "\n") {
		return true
	}
	n := parseOne(value)
	return n != nil && n.Kind == yaml.MappingNode
}

func convertStrategicMerges(f *File, x *field) ([]text.Edit, string) {
	switch shapeOf(x.value) {
	case shapeBlock:
		lines, reason := f.mergesAsPatches(x)
		if reason != "" {
			return nil, reason
		}
		return f.moveList(x, "patches", lines, true)
	case shapeBracket:
		return f.bracketedMergesAsPatches(x)
	case shapeEmpty:
		return f.moveList(x, "patches", nil, true)
	}
	return nil, unknownForm
}

// mergesAsPatches returns the lines of a block list with "path: " or "patch: " in
// front of each entry. The further lines of an entry move to the right, since they
// have to stand further in than the new key.
func (f *File) mergesAsPatches(x *field) (lines []string, reason string) {
	indent := f.bodyIndent(x)
	done := x.line + 1
	for _, n := range x.value.Content {
		key, ok := patchKey(n)
		if !ok {
			return nil, unknownForm
		}
		start := f.span(n).Start
		first, last := f.lineAt(start), min(x.last, f.lineAt(max(start, f.contentEnd(n)-1)))
		for ; done < first; done++ {
			lines = append(lines, f.lineText(done))
		}
		line, column := f.lineText(first), f.column(n)
		lines = append(lines, line[:column]+key+line[column:])
		rest := []string{}
		for done++; done <= last; done++ {
			rest = append(rest, f.lineText(done))
		}
		lines = append(lines, shift(rest, column-indent)...)
	}
	return shift(lines, -indent), ""
}

func patchKey(n *yaml.Node) (key string, ok bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch {
	case n == nil || n.Kind != yaml.ScalarNode || n.Value == "" || isNull(n):
		return "", false
	case isPatchText(n.Value):
		return "patch: ", true
	}
	return "path: ", true
}

func (f *File) bracketedMergesAsPatches(x *field) ([]text.Edit, string) {
	var edits []text.Edit
	var lines []string
	for _, n := range x.value.Content {
		key, ok := patchKey(n)
		if !ok {
			return nil, unknownForm
		}
		span := f.span(n)
		key = quotedAs(x.key, strings.TrimSuffix(key, ": ")) + ": "
		edits = append(edits, text.Edit{Span: text.Span{Start: span.Start, End: span.Start}, New: "{" + key},
			text.Edit{Span: text.Span{Start: span.End, End: span.End}, New: "}"})
		lines = append(lines, "- "+key+f.source(n))
	}
	if f.field("patches") != nil {
		if shapeOf(f.field("patches").value) == shapeBracket {
			for i := range lines {
				lines[i] = "- {" + strings.TrimPrefix(lines[i], "- ") + "}"
			}
		}
		return f.moveList(x, "patches", lines, true)
	}
	return append(edits, f.rename(x.key, "patches")), ""
}

// patchesJson6902 run after patches, and after the fields that set namespace, names,
// labels and annotations, which is why a conversion can change a build.

func expectJSONPatchesLast(k *kustomization.Kustomization) {
	k.Patches, k.PatchesJSON6902 = slices.Concat(k.Patches, k.PatchesJSON6902), nil
}

func convertJSONPatches(f *File, x *field) ([]text.Edit, string) {
	return f.moveList(x, "patches", nil, false)
}

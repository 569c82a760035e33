package edit

import (
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
)

// Conversion rewrites one deprecated field as what replaced it.
type Conversion struct {
	// Field is the deprecated field, By the one that replaces it.
	Field, By string
	// Equal is true where kustomize makes the same of both when it reads the file,
	// whatever else is built: then no build has to be compared.
	Equal bool

	// edits makes the edits, unchecked. They may have to be made in two steps,
	// where the second is a conversion of the first one's result.
	edits func(f *File, x *field) (edits []text.Edit, reason string)
	// expect changes what was read of the file to what is to be read afterwards.
	expect func(k *kustomization.Kustomization)
}

// Conversions returns every conversion but that of vars, which takes builds to
// make, in the order in which they are made: kustomize applies
// patchesStrategicMerge before patches, and patchesJson6902 and commonLabels last.
func Conversions() []Conversion {
	return []Conversion{
		renaming("bases", "resources"),
		renaming("imageTags", "images"),
		{Field: "env", By: "envs", Equal: true, edits: convertEnvs},
		{Field: "helmChartInflationGenerator", By: "helmCharts", Equal: true, edits: convertInflations},
		{Field: "patchesStrategicMerge", By: "patches", edits: convertStrategicMerges, expect: expectMergesFirst},
		{Field: "patchesJson6902", By: "patches", edits: convertJSONPatches, expect: expectJSONPatchesLast},
		{Field: "commonLabels", By: "labels", edits: convertCommonLabels, expect: expectCommonLabelsLast},
	}
}

// InFile tells whether the file has what is converted.
func (c Conversion) InFile(f *File) bool {
	if c.Field == "env" {
		return len(f.envs()) > 0
	}
	return f.field(c.Field) != nil
}

// Edits makes the edits; there are none where the file does not have the field. They
// let kustomize read what it should, and keep every comment. Unless Equal says so,
// a build can still come out differently: see Fix. The reason says why the field
// cannot be converted.
func (c Conversion) Edits(f *File) (edits []text.Edit, reason string) {
	if !c.InFile(f) {
		return nil, ""
	}
	x := f.field(c.Field)
	for _, name := range []string{c.Field, c.By} {
		if other := f.field(name); other != nil && other.twice {
			return nil, twiceReason(name)
		}
	}
	if edits, reason = c.edits(f, x); reason != "" {
		return nil, reason
	}
	return edits, c.check(f, edits)
}

// check lets edits pass after which the file says what it should.
func (c Conversion) check(f *File, edits []text.Edit) (reason string) {
	after, reason := f.apply(edits)
	if reason != "" {
		return reason
	}
	want, wrong := f.read()
	is, wrongNow := after.read()
	if c.expect != nil {
		c.expect(want)
	}
	switch {
	case c.InFile(after):
		return unknownForm
	case !same(want, is) || countFatal(wrong) != countFatal(wrongNow):
		return unknownForm
	case !sameComments(f, after):
		return "a comment in it would be lost"
	}
	return ""
}

func countFatal(problems []kustomization.Problem) int {
	n := 0
	for _, p := range problems {
		if p.Fatal {
			n++
		}
	}
	return n
}

// renaming converts a list that kustomize appends to another when it reads the file
// (types.Kustomization.FixKustomization).
func renaming(old, by string) Conversion {
	return Conversion{Field: old, By: by, Equal: true, edits: func(f *File, x *field) ([]text.Edit, string) {
		return f.moveList(x, by, nil, false)
	}}
}

// moveList moves the entries of a list into another, behind its entries or in front
// of them, or gives the field the other's name where there is none. The rewritten
// lines, where they are not nil, stand for the list's own.
func (f *File) moveList(x *field, by string, rewritten []string, front bool) ([]text.Edit, string) {
	target := f.field(by)
	switch {
	case target == nil:
		edits := []text.Edit{f.rename(x.key, by)}
		if rewritten != nil {
			edits = append(edits, f.replaceLines(x.line+1, x.last, shift(rewritten, f.bodyIndent(x))))
		}
		return edits, ""
	case !f.inBlock() || !f.isOwnLine(x) || !f.isOwnLine(target):
		return nil, fmt.Sprintf("%s is there too, and the file is written with braces", by)
	}
	lines := rewritten
	if lines == nil {
		var ok bool
		if lines, ok = f.body(x); !ok {
			return nil, unknownForm
		}
	}
	return f.moveLines(x, target, lines, front)
}

// moveLines puts lines into another list and takes the field away. The comments of
// the field's key go with the lines.
func (f *File) moveLines(x, target *field, lines []string, front bool) ([]text.Edit, string) {
	above := f.commentsIn(f.headComments(x), x.line)
	if isFlow(x.value) || shapeOf(x.value) == shapeEmpty {
		above = f.commentsIn(f.headComments(x), x.last)
	}
	lines = slices.Concat(above, lines)
	edits, ok := f.extend(target, lines, front)
	if !ok {
		return nil, fmt.Sprintf("%s is written in a form that kls cannot add to", target.name)
	}
	return append(edits, f.removeField(x, true)), ""
}

package cursor

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// Part is what of an entry a cursor is in.
type Part int

const (
	OtherPart   Part = iota
	Source           // the source of a replacement, but for its field path
	SourcePath       // the field path of the source
	Select           // what selects the resources of a target of a replacement
	TargetPath       // a field path of the target
	PatchTarget      // what selects the resources of a patch
	PatchHead        // what names the resource in a strategic merge patch that is a file of its own
)

// PartAt returns what of the entry the cursor is in. The target is the index of a replacement's target for Select and
// TargetPath.
func (e *Entry) PartAt(c Cursor) (part Part, target int) {
	inner, inside := c.In(e.Node)
	keys := inner.keys()
	if e.Replacement == nil {
		switch strings.Join(c.keys(), ".") {
		case "kind", "metadata", "metadata.name", "metadata.namespace", "apiVersion":
			if !inside {
				return PatchHead, 0
			}
		}
		if inside && slices.Contains(keys, "target") {
			return PatchTarget, 0
		}
		return OtherPart, 0
	}
	if !inside {
		inner, keys = c, c.keys() // a file with one replacement
	}
	if len(keys) == 0 {
		return OtherPart, 0
	}
	switch isPath := c.Scalar() != nil; keys[0] {
	case "source":
		if keys[len(keys)-1] == "fieldPath" && isPath {
			return SourcePath, 0
		}
		return Source, 0
	case "targets":
		target = slices.IndexFunc(e.Replacement.Targets, func(t kustomization.ReplacementTarget) bool { return inner.At(t.Node) })
		switch {
		case target < 0 || len(keys) < 3:
		case keys[2] == "select":
			return Select, target
		case keys[2] == "fieldPaths":
			return TargetPath, target
		}
	}
	return OtherPart, 0
}

package load

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// Path parses a field path, once per build for each text.
func (b *Loader) Path(text string) fieldpath.Path {
	p, ok := b.paths[text]
	if !ok {
		p = fieldpath.Parse(text)
		if b.paths == nil {
			b.paths = map[string]fieldpath.Path{}
		}
		b.paths[text] = p
	}
	return p
}

func (b *Loader) PathOptions(o *kustomization.FieldOptions) fieldpath.Options {
	options := fieldpath.Options{Explain: b.Options.Analyze, Keys: &b.keys}
	if b.Options.Analyze {
		options.Memory = &b.Sources.Cache.inStrings
	}
	if o != nil {
		options.Delimiter, options.Index, options.Create = o.Delimiter.Value, o.Index, o.Create
	}
	if b.Options.Analyze || b.Options.Recorder != nil {
		options.Embedded = b.Sources.AddEmbedded
	}
	return options
}

// DefaultFieldPath is what a replacement reads or writes where no path is given.
const DefaultFieldPath = "metadata.name"

// FieldOfPath is the field of a resource that a walk along a path may change; empty
// for any.
func FieldOfPath(path fieldpath.Path) string {
	if len(path.Segments) == 0 || slices.ContainsFunc(path.Segments, func(s fieldpath.Segment) bool { return s.Kind == fieldpath.Blank }) ||
		path.Segments[0].Kind != fieldpath.Key || strings.TrimSpace(path.Segments[0].Text) != path.Segments[0].Text {
		return ""
	}
	return path.Segments[0].Text
}

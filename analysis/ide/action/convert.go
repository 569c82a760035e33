package action

import (
	"context"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// convertActions offers to write a strategic merge patch as a JSON6902 patch and the
// reverse, where every build stays the same: at the entry and in the patch's file.
func convertActions(ctx context.Context, s *scene) ([]*Action, error) {
	owner, p, err := s.inlinable(ctx)
	if err != nil || p == nil {
		return nil, err
	}
	if owner != s.File {
		at := *s
		at.File = owner
		s = &at
	}
	source, ok := s.patchSource(p)
	if !ok {
		return nil, nil
	}
	a := &Action{ID: "convert", Title: "Convert to a JSON6902 patch", Kind: RefactorRewrite, Costs: true}
	if source.root.Kind == yaml.SequenceNode {
		a.Title = "Convert to a strategic merge patch"
	}
	a.make = func(ctx context.Context) (*workspace.Edit, string, error) { return s.convert(ctx, p, source) }
	return []*Action{a}, nil
}

// patchSource is the text of a patch, in the entry or in a file.
type patchSource struct {
	file string // absolute, empty for the entry
	text string
	root *yaml.Node
}

// patchSource returns the text of an entry that has one document, a mapping or a list.
func (s *scene) patchSource(p *edit.PatchEntry) (patchSource, bool) {
	source := patchSource{text: p.Text}
	if p.Path != "" {
		source.file = s.view.RealPath(filepath.Join(filepath.Dir(s.File), filepath.FromSlash(p.Path)))
		f, err := s.view.Files().ReadFile(source.file)
		if err != nil {
			return source, false
		}
		source.text = string(f.Data)
	}
	table := syntax.NewTable()
	parsed := syntax.Parse(table, table.Add("", []byte(source.text)))
	if len(parsed.Problems) > 0 || len(parsed.Documents) != 1 || parsed.Documents[0].Root == nil {
		return source, false
	}
	source.root = parsed.Documents[0].Root
	return source, source.root.Kind == yaml.MappingNode || source.root.Kind == yaml.SequenceNode
}

func (s *scene) convert(ctx context.Context, p *edit.PatchEntry, source patchSource) (*workspace.Edit, string, error) {
	effects, reason, err := s.effects(ctx, p)
	if err != nil || reason != "" {
		return nil, reason, err
	}
	if source.root.Kind == yaml.MappingNode {
		written, reason := operationsOf(effects, source.root)
		switch {
		case p.Changes:
			return nil, "it may change names or kinds", nil
		case reason != "":
			return nil, reason, nil
		}
		return s.rewritten(ctx, p, source, written, targetFields(source.root))
	}
	if slices.ContainsFunc(source.root.Content, isTest) {
		return nil, "it tests a value, which a merge cannot", nil
	}
	written, reason := mergeOf(effects, source.root)
	if reason != "" {
		return nil, reason, nil
	}
	return s.rewritten(ctx, p, source, written, nil)
}

func isTest(operation *yaml.Node) bool {
	_, kind := syntax.Field(operation, "op")
	return kind != nil && kind.Value == "test"
}

// effect is what a patch did to a resource.
type effect struct {
	id            resource.ID
	before, after *yaml.Node // nil for what was deleted
}

// effects watches what the entry does, in the root that shows the file best.
func (s *scene) effects(ctx context.Context, p *edit.PatchEntry) (effects []effect, reason string, err error) {
	used, err := s.view.Scope(ctx, s.File)
	if err != nil {
		return nil, "", err
	}
	if used == nil {
		return nil, "no kustomization that was looked at builds this", nil
	}
	c, ok := cursor.New(used.Build.Session(), s.File, p.Span.Start)
	e := cursor.EntryAt(used, c)
	if !ok || e == nil {
		return nil, "it is not applied", nil
	}
	at := map[*resource.Resource]int{}
	err = cursor.Replay(ctx, used, e, func(r *resource.Resource) {
		if _, again := at[r]; !again {
			at[r] = len(effects)
			effects = append(effects, effect{id: r.ID(), before: settled(r)})
		}
	}, func(r *resource.Resource) bool {
		effects[at[r]].after = settled(r)
		return true
	})
	for _, f := range effects {
		if f.after == nil {
			return nil, "it deletes " + f.id.String(), err
		}
	}
	if len(effects) == 0 {
		reason = "it is not applied to any resource"
	}
	return effects, reason, err
}

// settled copies a resource as it is now, nil for one that is deleted.
func settled(r *resource.Resource) *yaml.Node {
	if r.Node == nil {
		return nil
	}
	return syntax.Copy(cursor.WithoutEmptyAnnotations(r.Node))
}

const notAlike = "it does not do the same to each of its targets"

func operationsOf(effects []effect, merge *yaml.Node) (written, reason string) {
	for i, f := range effects {
		one, reason := edit.Operations(f.before, f.after, merge)
		if reason != "" {
			return "", reason
		}
		if i > 0 && one != written {
			return "", notAlike
		}
		written = one
	}
	return written, ""
}

func mergeOf(effects []effect, operations *yaml.Node) (written, reason string) {
	for i, f := range effects {
		one, reason := edit.MergePatch(f.before, f.after, operations, effects[0].id.APIVersion(), effects[0].id.Kind, effects[0].id.Name)
		if reason != "" {
			return "", reason
		}
		if i > 0 && one != written {
			return "", notAlike
		}
		written = one
	}
	return written, ""
}

// targetFields are the lines of a target that selects what a merge patch names.
func targetFields(merge *yaml.Node) []string {
	var fields []string
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, name+": "+scalar.Write(value, 0, true))
		}
	}
	text := func(path ...string) string {
		if n := syntax.Lookup(merge, path...); n != nil {
			return n.Value
		}
		return ""
	}
	version := text("apiVersion")
	if group, rest, ok := strings.Cut(version, "/"); ok {
		add("group", group)
		version = rest
	}
	add("version", version)
	add("kind", text("kind"))
	// Names are regular expressions here.
	add("name", regexp.QuoteMeta(text("metadata", "name")))
	add("namespace", regexp.QuoteMeta(text("metadata", "namespace")))
	return fields
}

// rewritten makes the edit that gives the entry, or its file, another text, and a
// target where there is none.
func (s *scene) rewritten(ctx context.Context, p *edit.PatchEntry, source patchSource, written string, target []string) (*workspace.Edit, string, error) {
	comments := edit.Comments([]byte(source.text))
	if len(comments) > 0 {
		written = strings.Join(comments, "\n") + "\n" + written
	}
	e := &workspace.Edit{}
	if source.file == "" {
		edits, reason := p.SetText(written)
		if reason != "" {
			return nil, reason, nil
		}
		e.Edits = workspace.InFile(s.File, edits)
	} else {
		if json.Valid([]byte(source.text)) && filepath.Ext(source.file) == ".json" {
			asJSON, ok := edit.JSON(written)
			if !ok {
				return nil, "JSON cannot say it, and the file is one of JSON", nil
			}
			written = asJSON
		}
		newline := workspace.NewlineOf([]byte(source.text))
		e.Edits = workspace.Replacing(source.file, []byte(source.text), []byte(strings.ReplaceAll(written, "\n", newline)))
	}
	if target != nil {
		edits, reason := p.AddTarget(target)
		if reason != "" {
			return nil, reason, nil
		}
		e.Edits = append(e.Edits, workspace.InFile(s.File, edits)...)
	}
	compared, err := sameRender(ctx, s.view, e, false)
	return e, compared.reason, err
}

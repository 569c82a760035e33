// Package change has what editors need to change rendered values: where one could be written, and the edit that does so.
package change

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide/preview"
	"github.com/kustomize-lsp/kls/analysis/rewrite"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/rogpeppe/go-internal/diff"
)

// Choice is a kustomization in which a value could be changed.
type Choice struct {
	// Title says what is chosen, as in "Change in overlays/prod".
	Title string
	// Root renders the value, and Layer is the kustomization to write in; both are folders.
	Root, Layer string
	// Address names the value, and Value is what it is now.
	Address, Value string
}

// OfRendered returns the choices for a value of what a root renders: the root, and what it includes.
func OfRendered(ctx context.Context, v *workspace.View, root string, e *explain.Explanation) ([]Choice, error) {
	if e == nil || e.Field == "" {
		return nil, nil
	}
	roots, err := v.Roots(ctx)
	if err != nil || roots[root] == nil {
		return nil, err
	}
	built, err := v.Build(ctx, roots[root])
	if err != nil {
		return nil, err
	}
	result, err := v.Trace(ctx, built)
	if err != nil || result == nil {
		return nil, err
	}
	var choices []Choice
	for _, l := range workspace.Layers(result) {
		isKnown := slices.ContainsFunc(choices, func(c Choice) bool { return c.Layer == l.Dir })
		if l.Clone == "" && l.Repository == nil && !isKnown && v.IsInFolders(l.Dir) {
			choices = append(choices, choice(v, "Change in ", root, l.Dir, e))
		}
	}
	return choices, nil
}

// OfFile returns the choices for the value at a byte offset of a file: the roots that use it, each of which can override it.
func OfFile(ctx context.Context, v *workspace.View, file string, offset int) ([]Choice, error) {
	uses, err := preview.ExplainFile(ctx, v, file, offset)
	if err != nil {
		return nil, err
	}
	var choices []Choice
	for _, use := range uses {
		for _, e := range use.Fields {
			if e.Field != "" && e.Value.Present() {
				title := "Override in "
				if filepath.Dir(file) == use.Dir {
					title = "Change in "
				}
				choices = append(choices, choice(v, title, use.Dir, use.Dir, e))
				break
			}
		}
	}
	return choices, nil
}

func choice(v *workspace.View, title, root, layer string, e *explain.Explanation) Choice {
	return Choice{title + v.PathFromFolder(layer), root, layer, e.Resource + ":" + e.Field, e.Value.Text()}
}

// Wish is a value that somebody wants.
type Wish struct {
	Root, Layer, Address string
	// Value is YAML; Unset takes the value away.
	Value string
	Unset bool
	Only  bool
}

// Answer is what is to be written.
type Answer struct {
	Edit *workspace.Edit
	// Diff shows it, and Said tells what was done and what changes along.
	Diff string
	Said []string
	// Refused says why nothing is written; empty where something is.
	Refused string
}

// Plan finds what to write.
func Plan(ctx context.Context, v *workspace.View, wish Wish) (*Answer, error) {
	set := rewrite.Set{Address: wish.Address, Text: wish.Value}
	if !wish.Unset {
		value, err := rewrite.ParseValue(wish.Value)
		if err != nil {
			return &Answer{Refused: err.Error()}, nil
		}
		set.Value = value
	}
	options := v.Options()
	planner := rewrite.New(v.Files(), options.Of)
	planner.Scope, planner.Name = v.FolderOf(wish.Root), v.PathFromFolder
	planned, refusal, err := planner.Plan(ctx, rewrite.Request{Root: wish.Root, Layer: wish.Layer, Sets: []rewrite.Set{set}, Only: wish.Only})
	if err != nil {
		return nil, err
	}
	if refusal != nil {
		reason := refusal.Address + ": " + refusal.Reason
		if refusal.Nearest != "" {
			reason += "; nearest: " + refusal.Nearest
		}
		return &Answer{Refused: reason}, nil
	}
	answer := &Answer{Edit: &workspace.Edit{}}
	for _, f := range planned.Files {
		if f.Before == nil {
			answer.Edit.Create = append(answer.Edit.Create, workspace.NewFile{Path: f.Path, Text: string(f.After)})
		} else {
			answer.Edit.Edits = append(answer.Edit.Edits, workspace.Replacing(f.Path, f.Before, f.After)...)
		}
		name := v.PathFromFolder(f.Path)
		answer.Diff += strings.TrimPrefix(string(diff.Diff(name, f.Before, name, f.After)), "diff "+name+" "+name+"\n")
	}
	for _, d := range planned.Done {
		if d.How != "" {
			answer.Said = append(answer.Said, v.PathFromFolder(d.File)+": "+d.How)
		}
	}
	for _, d := range planned.Follows {
		answer.Said = append(answer.Said, "follows: "+d.Address+"  "+d.Shown())
	}
	for _, r := range planned.Others {
		if r.Unknown != "" {
			answer.Said = append(answer.Said, fmt.Sprintf("%s may change, too: %s", v.PathFromFolder(r.Dir), r.Unknown))
			continue
		}
		answer.Said = append(answer.Said, fmt.Sprintf("%s changes, too, in %d values", v.PathFromFolder(r.Dir), len(r.Changes)))
	}
	return answer, nil
}

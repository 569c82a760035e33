// Package action offers changes of files at a place: the fixes of diagnostics, and
// rewritings that keep what is rendered.
package action

import (
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/edit"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
)

// Kind says what an action is good for. A dot separates a kind from the kinds
// within it.
type Kind string

// The kinds of actions.
const (
	QuickFix        Kind = "quickfix"
	RefactorExtract Kind = "refactor.extract"
	RefactorInline  Kind = "refactor.inline"
	RefactorRewrite Kind = "refactor.rewrite"
	FixAll          Kind = "source.fixAll.kls"
)

// Kinds are all kinds that there are.
func Kinds() []Kind {
	return []Kind{QuickFix, RefactorExtract, RefactorInline, RefactorRewrite, FixAll}
}

// Within tells whether the kind is the other one or one of those within it.
func (k Kind) Within(other Kind) bool {
	return k == other || other == "" || strings.HasPrefix(string(k), string(other)+".")
}

// Action is a change that an editor can offer at a place.
type Action struct {
	// ID tells it from the other actions at its place, in later views too.
	ID    string
	Title string
	Kind  Kind
	// Mends is the diagnostic that goes away with it; nil for none.
	Mends *analysis.Diagnostic
	// Preferred is true for what is most likely wanted, and safe.
	Preferred bool
	// Costs is true where Edit has to build, perhaps many roots.
	Costs bool

	make func(context.Context) (edit *workspace.Edit, reason string, err error)
}

// Edit returns what the action changes. The reason says why it cannot be done. The
// error is for cancellation and our own mistakes.
func (a *Action) Edit(ctx context.Context) (edit *workspace.Edit, reason string, err error) {
	edit, reason, err = a.make(ctx)
	if err == nil && reason == "" && edit.IsEmpty() {
		reason = "nothing would change"
	}
	return edit, reason, err
}

// Query says where actions are asked for, and which.
type Query struct {
	File string
	// Span is the selection, in bytes of the file.
	Span text.Span
	// Shown are the places of the diagnostics that the editor has in mind, besides
	// those that the selection touches.
	Shown []text.Span
	// Only are the kinds that are wanted; none for all.
	Only []Kind
}

func (q Query) wants(kind Kind) bool {
	return len(q.Only) == 0 || slices.ContainsFunc(q.Only, kind.Within)
}

// actionMaker finds the actions of one sort.
type actionMaker struct {
	kinds []Kind
	make  func(context.Context, *scene) ([]*Action, error)
}

// actionMakers are all that there are, in the order in which their actions are shown.
var actionMakers = []actionMaker{
	{[]Kind{QuickFix}, fixActions},
	{[]Kind{QuickFix}, createActions},
	{[]Kind{QuickFix, RefactorRewrite}, migrateActions},
	{[]Kind{QuickFix}, suppressActions},
	{[]Kind{RefactorExtract}, extractActions},
	{[]Kind{RefactorInline}, inlineActions},
	{[]Kind{RefactorRewrite}, convertActions},
	{[]Kind{RefactorRewrite}, addActions},
	{[]Kind{RefactorRewrite}, tidyActions},
	{[]Kind{FixAll}, fixAllActions},
}

// scene is what the actions at one place are made of.
type scene struct {
	Query
	view    *workspace.View
	content []byte
	// report is what reportOn returns for the file, nil before it is asked for.
	report *analysis.Report
	// patch is what patchEntry returns, once taken is true.
	patch *edit.PatchEntry
	taken bool
}

// At returns what can be done at a place.
func At(ctx context.Context, v *workspace.View, q Query) ([]*Action, error) {
	f, err := v.Files().ReadFile(q.File)
	if err != nil {
		return nil, nil // there is nothing to change
	}
	scene := &scene{Query: q, view: v, content: f.Data}
	var all []*Action
	for _, maker := range actionMakers {
		if !slices.ContainsFunc(maker.kinds, q.wants) {
			continue
		}
		actions, err := maker.make(ctx, scene)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(actions, func(a *Action) bool { return !q.wants(a.Kind) })...)
	}
	return all, nil
}

// diagnostics are those of the file that the question is about.
func (s *scene) diagnostics(ctx context.Context) ([]analysis.Diagnostic, error) {
	all, err := s.diagnosticsOfFile(ctx)
	return slices.DeleteFunc(all, func(d analysis.Diagnostic) bool {
		touches := d.Span.Start <= s.Span.End && s.Span.Start <= d.Span.End
		return !touches && !slices.Contains(s.Shown, d.Span)
	}), err
}

// diagnosticsOfFile are those of the file, in all roots that it belongs to.
func (s *scene) diagnosticsOfFile(ctx context.Context) ([]analysis.Diagnostic, error) {
	if s.report == nil {
		report, err := reportOn(ctx, s.view, s.File)
		if err != nil {
			return nil, err
		}
		s.report = report
	}
	var own []analysis.Diagnostic
	for _, d := range s.report.Diagnostics {
		if d.File == s.File {
			own = append(own, d)
		}
	}
	return own, nil
}

// fixedEdit is an edit that is there already.
func fixedEdit(e *workspace.Edit) func(context.Context) (*workspace.Edit, string, error) {
	return func(context.Context) (*workspace.Edit, string, error) { return e, "", nil }
}

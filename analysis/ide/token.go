package ide

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Token is a part of a field path.
type Token struct {
	Span text.Span
	Kind TokenKind
}

// TokenKind is what a part of a field path is, in the words that editors have for
// the parts of programs.
type TokenKind string

const (
	// KeyToken is a key of a mapping.
	KeyToken TokenKind = "property"
	// IndexToken chooses an element by its position.
	IndexToken TokenKind = "number"
	// ValueToken is what an element is chosen by; in a target it is a pattern.
	ValueToken TokenKind = "regexp"
	// OperatorToken is what stands between, and the star.
	OperatorToken TokenKind = "operator"
)

// TokenKinds are all that there are.
func TokenKinds() []TokenKind { return []TokenKind{KeyToken, IndexToken, ValueToken, OperatorToken} }

// Tokens returns the parts of the field paths in a file, in order.
func (v *View) Tokens(ctx context.Context, file string) ([]Token, error) {
	f, err := v.files.ReadFile(file)
	if err != nil {
		return nil, nil
	}
	t := &tokenizer{table: v.session.Table()}
	if isKustomizationName(file) {
		parsed := syntax.Parse(t.table, v.session.FileID(f))
		if len(parsed.Documents) > 0 {
			k, _ := kustomization.Read(parsed.Documents[0].Root)
			t.kustomization(k)
		}
	} else if err := v.replacementTokens(ctx, file, t); err != nil {
		return nil, err
	}
	slices.SortStableFunc(t.tokens, func(a, b Token) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return t.tokens, nil
}

// replacementTokens adds the paths of a file of replacements. Only a build tells that
// it is one.
func (v *View) replacementTokens(ctx context.Context, file string, t *tokenizer) error {
	if known, err := v.isKnown(ctx, file); err != nil || !known {
		return err
	}
	used, err := v.use(ctx, file)
	if err != nil || used == nil {
		return err
	}
	t.table = used.built.session.Table()
	for _, l := range layersOf(used.result) {
		for _, f := range l.Facts.Replacements {
			if place, ok := used.place(f.Entry.Node); ok && place.File == file {
				t.replacement(f.Entry)
			}
		}
	}
	return nil
}

// tokenizer takes field paths apart.
type tokenizer struct {
	table  *syntax.Table
	tokens []Token
}

func (t *tokenizer) kustomization(k *kustomization.Kustomization) {
	for i := range k.Replacements {
		t.replacement(&k.Replacements[i])
	}
	for i := range k.Vars {
		t.path(k.Vars[i].FieldPath)
	}
}

func (t *tokenizer) replacement(r *kustomization.Replacement) {
	if r.Source != nil {
		t.path(r.Source.FieldPath)
	}
	for _, target := range r.Targets {
		for _, path := range target.FieldPaths {
			t.path(path)
		}
	}
}

func (t *tokenizer) path(written kustomization.Text) {
	if written.Node == nil || written.Node.Kind != yaml.ScalarNode {
		return
	}
	toFile := t.table.InValue(written.Node)
	add := func(start, end int, kind TokenKind) {
		if start >= end {
			return
		}
		if id, _, span := toFile(text.Span{Start: start, End: end}); id != 0 {
			t.tokens = append(t.tokens, Token{span, kind})
		}
	}
	path := fieldpath.Parse(written.Value)
	last := 0
	for _, segment := range path.Segments {
		add(last, segment.Span.Start, OperatorToken)
		last = segment.Span.End
		addSegment(written.Value, segment, add)
	}
}

func addSegment(path string, s fieldpath.Segment, add func(start, end int, kind TokenKind)) {
	start, end := s.Span.Start, s.Span.End
	switch s.Kind {
	case fieldpath.Index, fieldpath.Last:
		add(start, end, IndexToken)
	case fieldpath.Wildcard:
		add(start, end, OperatorToken)
	case fieldpath.Element:
		equals := strings.IndexByte(path[start:end], '=')
		if equals < 0 || path[start] != '[' {
			return
		}
		equals += start
		add(start, start+1, OperatorToken)
		add(start+1, equals, KeyToken)
		add(equals, equals+1, OperatorToken)
		add(equals+1, end-1, ValueToken)
		add(end-1, end, OperatorToken)
	case fieldpath.Key:
		add(start, end, KeyToken)
	}
}

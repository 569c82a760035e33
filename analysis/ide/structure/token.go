package structure

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
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

// Tokens returns the parts of the field paths in a file, in order: those of
// replacements and vars, the pointers of JSON6902 patches, also of those that stand in
// a text, and the paths of field specs. Nothing is built for them: what a file is, is
// seen by what stands in it.
func Tokens(ctx context.Context, v *workspace.View, file string) ([]Token, error) {
	f, err := v.Files().ReadFile(file)
	if err != nil {
		return nil, nil
	}
	t := &tokenizer{session: v.Session(), table: v.Session().Table()}
	parsed := v.Session().Tree(f)
	for i, d := range parsed.Documents {
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !workspace.IsKustomization(file):
			t.other(d.Root)
		case i == 0: // kustomize reads no other
			k, _ := kustomization.Read(d.Root)
			t.kustomization(k)
		}
	}
	slices.SortStableFunc(t.tokens, func(a, b Token) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return t.tokens, nil
}

// tokenizer takes field paths apart.
type tokenizer struct {
	session *builder.Session
	table   *syntax.Table
	tokens  []Token
}

func (t *tokenizer) kustomization(k *kustomization.Kustomization) {
	t.replacements(k.Replacements)
	for i := range k.Vars {
		t.path(k.Vars[i].FieldPath)
	}
	for _, p := range slices.Concat(k.Patches, k.PatchesJSON6902) {
		t.patch(p.Patch)
	}
	for i := range k.Labels {
		t.fieldSpecs(k.Labels[i].FieldSpecs)
	}
}

// other is a document of a file that is no kustomization.
func (t *tokenizer) other(root *yaml.Node) {
	if root == nil {
		return
	}
	has := func(n *yaml.Node, names ...string) bool {
		return !slices.ContainsFunc(names, func(name string) bool { _, value := syntax.Field(n, name); return value == nil })
	}
	switch {
	case cursor.IsPatchList(root):
		t.operations(root)
	case root.Kind == yaml.SequenceNode && slices.ContainsFunc(root.Content, func(n *yaml.Node) bool { return has(n, "source", "targets") }),
		has(root, "source", "targets") && !has(root, "kind"):
		list, _ := kustomization.ReadReplacements(root)
		t.replacements(list)
	case has(root, "apiVersion", "kind"):
		if plugin, _ := kustomization.ReadPlugin(syntax.FieldText(root, "kind"), root); plugin != nil {
			t.replacements(plugin.Replacements)
			t.patch(plugin.Patch.Patch)
			t.patch(plugin.JSONOp)
			t.fieldSpecs(plugin.FieldSpecs)
		}
	case isConfiguration(root):
		for _, list := range root.Content {
			t.configuration(list)
		}
	}
}

// isConfiguration tells of what may be a configuration of transformers: it has nothing
// but their fields.
func isConfiguration(root *yaml.Node) bool {
	if root.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(root.Content); i += 2 {
		if f, _ := kustomization.TransformerConfigFields().Field(root.Content[i].Value); f == nil {
			return false
		}
	}
	return true
}

// configuration looks for field specs in a part of a configuration of transformers,
// the references in nameReference included.
func (t *tokenizer) configuration(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		if _, path := syntax.Field(n, "path"); path != nil {
			t.parts(path, `\`, addSpecPart)
		}
	}
	for _, child := range n.Content {
		t.configuration(child)
	}
}

func (t *tokenizer) replacements(list []kustomization.Replacement) {
	for i := range list {
		r := &list[i]
		if r.Source != nil {
			t.path(r.Source.FieldPath)
		}
		for _, target := range r.Targets {
			for _, path := range target.FieldPaths {
				t.path(path)
			}
		}
	}
}

func (t *tokenizer) fieldSpecs(list []kustomization.FieldSpec) {
	for i := range list {
		t.configuration(list[i].Node)
	}
}

// patch is one that stands in a text.
func (t *tokenizer) patch(written kustomization.Text) {
	if written.Node == nil || written.Node.Kind != yaml.ScalarNode {
		return
	}
	for _, d := range syntax.Parse(t.table, t.session.AddEmbedded(written.Node, written.Value)).Documents {
		if d.Root != nil && cursor.IsPatchList(d.Root) {
			t.operations(d.Root)
		}
	}
}

func (t *tokenizer) operations(list *yaml.Node) {
	for _, operation := range list.Content {
		for _, name := range []string{"path", "from"} {
			_, n := syntax.Field(operation, name)
			t.parts(n, "", addPointerPart)
		}
	}
}

// parts adds the tokens of a text between slashes, each by a function. What stands
// behind an escape, where there is one, is no separator.
func (t *tokenizer) parts(n *yaml.Node, escape string, addPart func(part string, at int, add addToken)) {
	if n == nil || n.Kind != yaml.ScalarNode {
		return
	}
	add := t.adding(n)
	at := 0
	for end := range len(n.Value) + 1 {
		switch {
		case end == len(n.Value):
			addPart(n.Value[at:], at, add)
		case n.Value[end] == '/' && (escape == "" || !strings.HasSuffix(n.Value[at:end], escape)):
			addPart(n.Value[at:end], at, add)
			add(end, end+1, OperatorToken)
			at = end + 1
		}
	}
}

// addPointerPart adds a part of a JSON pointer; - is the place behind a list's last.
func addPointerPart(part string, at int, add addToken) {
	kind := KeyToken
	if part == "-" || part != "" && strings.Trim(part, "0123456789") == "" {
		kind = IndexToken
	}
	add(at, at+len(part), kind)
}

// addSpecPart adds a part of a field spec's path; [] tells of a list.
func addSpecPart(part string, at int, add addToken) {
	key := strings.TrimSuffix(part, "[]")
	add(at, at+len(key), KeyToken)
	add(at+len(key), at+len(part), OperatorToken)
}

// addToken adds a token by where it is in a text, in bytes.
type addToken func(start, end int, kind TokenKind)

// adding returns what adds tokens of a scalar.
func (t *tokenizer) adding(n *yaml.Node) addToken {
	toFile := t.table.InValue(n)
	return func(start, end int, kind TokenKind) {
		if start >= end {
			return
		}
		if id, _, span := toFile(text.Span{Start: start, End: end}); id != 0 {
			t.tokens = append(t.tokens, Token{span, kind})
		}
	}
}

func (t *tokenizer) path(written kustomization.Text) {
	if written.Node == nil || written.Node.Kind != yaml.ScalarNode {
		return
	}
	add := t.adding(written.Node)
	path := fieldpath.Parse(written.Value)
	last := 0
	for _, segment := range path.Segments {
		add(last, segment.Span.Start, OperatorToken)
		last = segment.Span.End
		addSegment(written.Value, segment, add)
	}
}

func addSegment(path string, s fieldpath.Segment, add addToken) {
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

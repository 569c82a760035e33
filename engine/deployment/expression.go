package deployment

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/fluxcd/pkg/envsubst"
	"github.com/kustomize-lsp/kls/engine/text"
)

// Expression is a ${…} in a text.
type Expression struct {
	Name string
	// Span is that of the whole, NameSpan that of the name, in bytes.
	Span, NameSpan text.Span
	// HasDefault says that it has a value of its own for what is missing.
	HasDefault bool
	// Depth is 0 for one that stands in no other.
	Depth int
}

// Expressions finds the expressions in a text, as github.com/fluxcd/pkg/envsubst reads
// them, each before those in it. What is not closed goes to the end.
func Expressions(value string) []Expression {
	var found []Expression
	var open []int
	for at := 0; at < len(value); {
		rest := value[at:]
		switch {
		case len(open) == 0 && strings.HasPrefix(rest, "$$"):
			at += len("$$")
		case strings.HasPrefix(rest, "${"):
			e := newExpression(value, at)
			e.Depth = len(open)
			open = append(open, len(found))
			found = append(found, e)
			at = max(e.NameSpan.End, at+len("${"))
		case len(open) > 0 && rest[0] == '}':
			at++
			found[open[len(open)-1]].Span.End = at
			open = open[:len(open)-1]
		default:
			at++
		}
	}
	return found
}

func newExpression(value string, at int) Expression {
	start := at + len("${")
	if strings.HasPrefix(value[start:], "#") {
		start++
	}
	end := start
	for end < len(value) {
		r, size := utf8.DecodeRuneInString(value[end:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			break
		}
		end += size
	}
	after := value[end:]
	hasDefault := strings.HasPrefix(after, "=") || len(after) > 1 && after[0] == ':' && strings.IndexByte("=-?+", after[1]) >= 0
	return Expression{Name: value[start:end], Span: text.Span{Start: at, End: len(value)}, NameSpan: text.Span{Start: start, End: end}, HasDefault: hasDefault}
}

// hasExpressions tells whether substitution changes a text at all.
func hasExpressions(value string) bool {
	return strings.Contains(value, "${") || strings.Contains(value, "$$")
}

// evaluate substitutes variables in a text.
func evaluate(value string, lookup func(name string) (string, bool)) (result string, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("%v", reason)
		}
	}()
	return envsubst.Eval(value, lookup)
}

// placeholders keep expressions whose value is not known as they are.
type placeholders struct{ kept []string }

const placeholderMark = "KlsPlaceholder"

// hide puts a word in the place of each outermost expression that has a name which is not
// known in it.
func (p *placeholders) hide(value string, isUnknown func(name string) bool) string {
	expressions := Expressions(value)
	var b strings.Builder
	at := 0
	for i, e := range expressions {
		if e.Depth > 0 {
			continue
		}
		inner := slices.IndexFunc(expressions[i+1:], func(x Expression) bool { return x.Depth == 0 })
		if inner < 0 {
			inner = len(expressions) - i - 1
		}
		if !slices.ContainsFunc(expressions[i:i+1+inner], func(x Expression) bool { return isUnknown(x.Name) }) {
			continue
		}
		b.WriteString(value[at:e.Span.Start])
		fmt.Fprintf(&b, "%s%dX", placeholderMark, len(p.kept))
		p.kept = append(p.kept, value[e.Span.Start:e.Span.End])
		at = e.Span.End
	}
	b.WriteString(value[at:])
	return b.String()
}

// show puts back what was hidden.
func (p *placeholders) show(value string) string {
	if !strings.Contains(value, placeholderMark) {
		return value
	}
	for i, kept := range p.kept {
		value = strings.ReplaceAll(value, fmt.Sprintf("%s%dX", placeholderMark, i), kept)
	}
	return value
}

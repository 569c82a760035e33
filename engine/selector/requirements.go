package selector

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// requirements is a parsed label selector: all of them must hold. The language
// is Kubernetes' (apimachinery's labels package, of which kyaml has a copy).
type requirements []requirement

type requirement struct {
	key, operator string // operator: = != in notin > < exists !
	values        []string
}

func (rs requirements) match(labels map[string]string) bool {
	for _, r := range rs {
		if !r.match(labels) {
			return false
		}
	}
	return true
}

func (r requirement) match(labels map[string]string) bool {
	value, has := labels[r.key]
	switch r.operator {
	case "in":
		return has && slices.Contains(r.values, value)
	case "notin":
		return !has || !slices.Contains(r.values, value)
	case "exists":
		return has
	case "!":
		return !has
	}
	number, err := strconv.ParseInt(value, 10, 64)
	limit, limitErr := strconv.ParseInt(r.values[0], 10, 64)
	if !has || err != nil || limitErr != nil {
		return false
	}
	return r.operator == ">" && number > limit || r.operator == "<" && number < limit
}

// parseSelector parses a label selector; an empty text selects everything.
func parseSelector(text string) (requirements, error) {
	if text == "" {
		return nil, nil
	}
	p := selectorParser{tokens: selectorTokens(text)}
	var rs requirements
	for p.peek() != "" {
		if p.isSymbol(p.peek()) && p.peek() != "!" {
			return nil, fmt.Errorf("%q is where a label key is expected", p.peek())
		}
		r, err := p.requirement()
		if err != nil {
			return nil, err
		}
		rs = append(rs, r)
		if p.peek() == "" {
			return rs, nil
		}
		if next := p.next(); next != "," {
			return nil, fmt.Errorf("%q is where a comma is expected", next)
		}
		if p.peek() == "" || p.isSymbol(p.peek()) && p.peek() != "!" {
			return nil, errors.New("a comma must be followed by a label key")
		}
	}
	return rs, nil
}

type selectorParser struct {
	tokens []string
	at     int
}

func (p *selectorParser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *selectorParser) next() string {
	t := p.peek()
	p.at++
	return t
}

func (p *selectorParser) isSymbol(t string) bool {
	return t != "" && strings.Contains("=!(),><", t[:1])
}

func (p *selectorParser) requirement() (requirement, error) {
	absent := p.peek() == "!"
	if absent {
		p.next()
	}
	r := requirement{key: p.next()}
	if r.key == "" || p.isSymbol(r.key) {
		return r, errors.New("a label key is missing")
	}
	if !isQualifiedName(r.key) {
		return r, fmt.Errorf("%q is not a valid label key", r.key)
	}
	switch {
	case absent:
		r.operator = "!"
		return r, nil
	case p.peek() == "" || p.peek() == ",":
		r.operator = "exists"
		return r, nil
	}
	return r, p.comparison(&r)
}

func (p *selectorParser) comparison(r *requirement) error {
	switch operator := p.next(); operator {
	case "in", "notin":
		r.operator = operator
		if err := p.list(r); err != nil {
			return err
		}
	case "=", "==":
		r.operator = "in"
		if err := p.value(r); err != nil {
			return err
		}
	case "!=":
		r.operator = "notin"
		if err := p.value(r); err != nil {
			return err
		}
	case ">", "<":
		r.operator = operator
		if err := p.value(r); err != nil {
			return err
		}
		if _, err := strconv.ParseInt(r.values[0], 10, 64); err != nil {
			return fmt.Errorf("%s compares with a whole number, not with %q", operator, r.values[0])
		}
	default:
		return fmt.Errorf("%q is not an operator; use one of = == != in notin > <", operator)
	}
	for _, v := range r.values {
		if !isLabelValue(v) {
			return fmt.Errorf("%q is not a valid label value", v)
		}
	}
	return nil
}

func (p *selectorParser) value(r *requirement) error {
	if p.peek() == "" || p.peek() == "," {
		r.values = []string{""}
		return nil
	}
	v := p.next()
	if p.isSymbol(v) {
		return fmt.Errorf("%q is where a value is expected", v)
	}
	r.values = []string{v}
	return nil
}

// list parses "(a,b)"; an empty place between commas is the empty value.
func (p *selectorParser) list(r *requirement) error {
	if open := p.next(); open != "(" {
		return fmt.Errorf("%q is where ( is expected", open)
	}
	if p.peek() == ")" {
		p.next()
		r.values = []string{""}
		return nil
	}
	for {
		v := ""
		if t := p.peek(); t != "," && t != ")" {
			if t == "" || p.isSymbol(t) {
				return fmt.Errorf("%q is where a value is expected", t)
			}
			v = p.next()
		}
		r.values = append(r.values, v)
		switch t := p.next(); t {
		case ")":
			return nil
		case ",":
		default:
			return fmt.Errorf("%q is where a comma or ) is expected", t)
		}
	}
}

func selectorTokens(text string) []string {
	var tokens []string
	const blank, symbols = " \t\r\n", "=!(),><"
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case strings.IndexByte(blank, c) >= 0:
			i++
		case strings.IndexByte(symbols, c) >= 0:
			n := 1
			if two := text[i:min(i+2, len(text))]; two == "==" || two == "!=" {
				n = 2
			}
			tokens = append(tokens, text[i:i+n])
			i += n
		default:
			end := i
			for end < len(text) && strings.IndexByte(blank+symbols, text[end]) < 0 {
				end++
			}
			tokens = append(tokens, text[i:end])
			i = end
		}
	}
	return tokens
}

// Lengths in bytes that Kubernetes allows: of a key's prefix, and of a key's
// name or a value.
const (
	maxPrefix = 253
	maxName   = 63
)

func isQualifiedName(key string) bool {
	name := key
	if prefix, rest, ok := strings.Cut(key, "/"); ok {
		if len(prefix) > maxPrefix || !isDomain(prefix) {
			return false
		}
		name = rest
	}
	return name != "" && isLabelValue(name)
}

// isLabelValue: letters, digits, and between them also - _ and dots.
func isLabelValue(v string) bool {
	if v == "" {
		return true
	}
	if len(v) > maxName || !isAlphanumeric(v[0]) || !isAlphanumeric(v[len(v)-1]) {
		return false
	}
	for i := range len(v) {
		if c := v[i]; !isAlphanumeric(c) && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

// isDomain: parts of lower-case letters, digits and inner hyphens, between dots.
func isDomain(s string) bool {
	for _, part := range strings.Split(s, ".") {
		if part == "" || part[0] == '-' || part[len(part)-1] == '-' {
			return false
		}
		for i := range len(part) {
			if c := part[i]; c != '-' && (!isAlphanumeric(c) || 'A' <= c && c <= 'Z') {
				return false
			}
		}
	}
	return true
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

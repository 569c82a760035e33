package config

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// glob is a pattern for paths with forward slashes: * and ? stand for what has no
// slash, ** for any folders, […] for one of some characters. What matches a folder
// matches everything in it.
type glob struct {
	// names are the patterns of the names along the path, as path.Match has them; ** is
	// any number of names, at the end one.
	names []string
	// pattern is for a glob that cannot be said by names; nil for the others.
	pattern *regexp.Regexp
}

// parseGlob reads a pattern; ok is false for one that has no meaning.
func parseGlob(text string) (g glob, ok bool) {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "./"), "/")
	if text == "" || strings.HasPrefix(text, "/") || strings.HasPrefix(text, "../") {
		return glob{}, false
	}
	for name := range strings.SplitSeq(text, "/") {
		if name != anyNames && strings.Contains(name, anyNames) {
			return acrossNames(text)
		}
		name = strings.ReplaceAll(strings.ReplaceAll(name, `\`, `\\`), "[!", "[^")
		if _, err := path.Match(name, ""); err != nil {
			return acrossNames(text)
		}
		g.names = append(g.names, name)
	}
	if last := len(g.names) - 1; g.names[last] == anyNames {
		g.names[last] = "*"
	}
	return g, true
}

const (
	anyNames = "**"
	special  = `*?[\` // what means something to path.Match
)

// acrossNames reads a pattern in which ** stands within a name, or a class has
// characters that path.Match gives another meaning.
func acrossNames(text string) (g glob, ok bool) {
	var b strings.Builder
	b.WriteString(`\A`)
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(rest, "**"):
			b.WriteString(`.*`)
			i++
		case text[i] == '*':
			b.WriteString(`[^/]*`)
		case text[i] == '?':
			b.WriteString(`[^/]`)
		case text[i] == '[':
			end := strings.IndexByte(rest[1:], ']')
			if end < 1 {
				return glob{}, false
			}
			b.WriteString(class(rest[1 : end+1]))
			i += end + 1
		default:
			next := len(rest)
			if at := strings.IndexAny(rest, "*?["); at > 0 {
				next = at
			}
			b.WriteString(regexp.QuoteMeta(rest[:next]))
			i += next - 1
		}
	}
	b.WriteString(`(?:/.*)?\z`)
	pattern, err := regexp.Compile(b.String())
	return glob{pattern: pattern}, err == nil
}

// class is a set of characters as a regex has it.
func class(text string) string {
	text = strings.ReplaceAll(text, `\`, `\\`)
	text = strings.ReplaceAll(text, "[", `\[`)
	if strings.HasPrefix(text, "!") {
		text = "^" + text[1:]
	}
	return "[" + text + "]"
}

// globs are patterns, as a tree of names: what matching takes depends on how many of
// them begin as the path does, and not on how many there are.
type globs struct {
	root   globNode
	others []*regexp.Regexp
}

// globNode is where patterns are that begin alike.
type globNode struct {
	end   bool                  // one ends here
	any   bool                  // any names may stand before those that follow
	plain map[string]*globNode  // by the name that follows
	wild  map[string][]wildName // by what they begin with
	rest  *globNode             // after **; nil for nothing
}

type wildName struct {
	pattern string
	next    *globNode
}

func (g *globs) add(more ...glob) {
	for _, one := range more {
		if one.pattern != nil {
			g.others = append(g.others, one.pattern)
			continue
		}
		at := &g.root
		for _, name := range one.names {
			at = at.follow(name)
		}
		at.end = true
	}
}

// follow returns the node after a name's pattern, which it makes where there is none.
func (n *globNode) follow(name string) *globNode {
	switch {
	case name == anyNames && n.any: // ** twice
		return n
	case name == anyNames:
		if n.rest == nil {
			n.rest = &globNode{any: true}
		}
		return n.rest
	case !strings.ContainsAny(name, special):
		if n.plain == nil {
			n.plain = map[string]*globNode{}
		}
		if n.plain[name] == nil {
			n.plain[name] = &globNode{}
		}
		return n.plain[name]
	}
	beginning := name[:strings.IndexAny(name, special)]
	if n.wild == nil {
		n.wild = map[string][]wildName{}
	}
	next := &globNode{}
	n.wild[beginning] = append(n.wild[beginning], wildName{name, next})
	return next
}

// match tells whether a pattern matches the path or a folder that it is in.
func (g *globs) match(name string) bool {
	if g == nil {
		return false
	}
	at := appendNode(nil, map[*globNode]bool{}, &g.root)
	for part := range strings.SplitSeq(name, "/") {
		var next []*globNode
		met := map[*globNode]bool{}
		for _, n := range at {
			if n.any {
				next = appendNode(next, met, n)
			}
			if plain := n.plain[part]; plain != nil {
				next = appendNode(next, met, plain)
			}
			for _, w := range n.wildFor(part) {
				next = appendNode(next, met, w)
			}
		}
		if slices.ContainsFunc(next, func(n *globNode) bool { return n.end }) {
			return true
		}
		at = next
	}
	return slices.ContainsFunc(g.others, func(p *regexp.Regexp) bool { return p.MatchString(name) })
}

// wildFor returns what follows patterns that match a name.
func (n *globNode) wildFor(name string) (found []*globNode) {
	if len(n.wild) == 0 {
		return nil
	}
	for i := range len(name) + 1 {
		for _, w := range n.wild[name[:i]] {
			if ok, _ := path.Match(w.pattern, name); ok {
				found = append(found, w.next)
			}
		}
	}
	return found
}

// appendNode adds a node, and the one after a ** that may stand for nothing.
func appendNode(list []*globNode, met map[*globNode]bool, n *globNode) []*globNode {
	for ; n != nil && !met[n]; n = n.rest {
		met[n] = true
		list = append(list, n)
	}
	return list
}

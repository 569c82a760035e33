package analysis

import (
	"bytes"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// diagnostic makes a problem of a build into what people are told.
func (c *checker) diagnostic(p builder.Problem, root string) Diagnostic {
	d := Diagnostic{
		Rule:     string(p.Code),
		Severity: c.severity(p),
		Place:    c.placeOf(p, root),
		Message:  text.Message(p.Message, c.valueOf(p)),
		Help:     text.Message(p.Help, c.valueOf(p)),
	}
	if r := c.rules[d.Rule]; r != nil {
		d.NeverFails, d.Mendable = r.NeverFails && !p.Fatal, r.Includers == InAny && !p.Fatal
		if isShared(r, p) {
			d.Shared = p.Layer.Dir
		}
	}
	if p.Guess != problem.NoGuess && p.Node != nil {
		d.Guess, d.Guessed = p.Guess, p.Node.Value
	}
	for _, related := range p.Related {
		if place, ok := c.nodePlace(related.Node); ok && place != d.Place {
			d.Related = append(d.Related, Related{place, text.Message(related.Message)})
		}
	}
	for _, f := range p.Fixes {
		if edit, ok := c.edit(p, f); ok {
			d.Fixes = append(d.Fixes, Fix{Title: text.Message(f.Title), Safe: f.Safe, Edits: []FileEdit{edit}})
		}
	}
	return d
}

// isShared tells whether all roots that include the kustomization with a problem have
// to have it.
func isShared(r *Rule, p builder.Problem) bool {
	if p.Fatal || p.Layer == nil {
		return false
	}
	return r.Includers == InEvery || r.Includers == InEveryUse && p.Layer.Component
}

// valueOf returns what stands where a problem is, which its message may quote.
func (c *checker) valueOf(p builder.Problem) string {
	if p.Node != nil && p.Node.Kind == yaml.ScalarNode {
		return text.WithoutCredentials(p.Node.Value)
	}
	source := c.session.Table().Source(p.File)
	if p.File == 0 || source == nil {
		return ""
	}
	content := source.Text()
	end := max(0, min(p.Span.End, len(content)))
	return string(content[max(0, min(p.Span.Start, end)):end])
}

// severity is an error exactly where the build fails because of the problem.
func (c *checker) severity(p builder.Problem) Severity {
	if p.Fatal || p.Code == problem.BuildLimit {
		return Error // in an attack nobody should overlook it, though the verdict is not known
	}
	if r := c.rules[string(p.Code)]; r != nil && r.Severity < Error {
		if p.Minor {
			return min(r.Severity, Info)
		}
		return r.Severity
	}
	return Warning
}

// placeOf finds the best place that is known for a problem: its node or span,
// else the entry by which its kustomization was included, else the beginning of
// the kustomization file.
//
// What is wrong in a repository that was fetched is shown at the entry that names
// it, since nobody edits the clone.
func (c *checker) placeOf(p builder.Problem, root string) Place {
	if entry := repositoryEntry(p.Layer); entry != nil {
		if place, ok := c.nodePlace(entry); ok {
			return place
		}
	}
	if p.Node != nil && p.Part.End > p.Part.Start {
		if place, ok := c.partPlace(p.Node, p.Part); ok {
			return place
		}
	}
	if place, ok := c.nodePlace(p.Node); ok {
		return place
	}
	if p.File != 0 {
		if place, ok := c.resolve(p.File, p.Span); ok {
			return place
		}
	}
	for _, related := range p.Related {
		if place, ok := c.nodePlace(related.Node); ok {
			return place
		}
	}
	for l := p.Layer; l != nil; l = l.Parent {
		if place, ok := c.resolve(l.File, text.Span{}); ok {
			return place
		}
		if place, ok := c.nodePlace(l.Entry); ok {
			return place
		}
	}
	return Place{File: c.fileOf(root)}
}

// isElsewhere tells whether a problem is for those to mend who keep the repository
// that it is in: what breaks or hides the build is for everybody.
func isElsewhere(p builder.Problem) bool {
	return p.Layer != nil && p.Layer.Clone != "" && !p.Fatal && p.Code != problem.RemoteNotLoaded && p.Code != problem.ExternalNotRun
}

// repositoryEntry returns the entry, on this side, that names the repository which
// a layer is in; nil for a layer that is in none.
func repositoryEntry(l *builder.Layer) *yaml.Node {
	for ; l != nil && l.Clone != ""; l = l.Parent {
		if l.Repository != nil && (l.Parent == nil || l.Parent.Clone == "") {
			return l.Entry
		}
	}
	return nil
}

func (c *checker) nodePlace(n *yaml.Node) (Place, bool) {
	id, span := syntax.NodeSpan(c.session.Table(), n)
	return c.resolve(id, span)
}

// partPlace is the place of some bytes of a scalar's value.
func (c *checker) partPlace(n *yaml.Node, part text.Span) (Place, bool) {
	if n.Kind != yaml.ScalarNode || part.End > len(n.Value) {
		return Place{}, false
	}
	table := c.session.Table()
	return c.resolve(table.AddEmbedded(n, n.Value), part)
}

// resolve returns the place in a file on disk of a span of a text that may be
// embedded in others, cut to its first line.
func (c *checker) resolve(id text.FileID, span text.Span) (Place, bool) {
	table := c.session.Table()
	file, path, span := table.Resolve(id, span)
	if file == 0 || isURL(path) {
		return Place{}, false
	}
	content := table.Source(file).Text()
	span.Start = max(0, min(span.Start, len(content)))
	span.End = max(span.Start, min(span.End, len(content)))
	return Place{path, firstLine(content, span)}, true
}

// isURL tells a text that was loaded over http(s), which is no file to show.
func isURL(path string) bool {
	return strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://")
}

// firstLine cuts a span at the end of the first line that it takes, without
// blanks: nobody wants ten lines underlined.
func firstLine(content []byte, span text.Span) text.Span {
	line := content[span.Start:span.End]
	if at := bytes.IndexAny(line, "\r\n"); at >= 0 {
		line = bytes.TrimRight(line[:at], " \t")
	}
	return text.Span{Start: span.Start, End: span.Start + len(line)}
}

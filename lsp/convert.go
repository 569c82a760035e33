package lsp

import (
	"path/filepath"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// The coordinate systems: the client's positions are 0-based lines and 0-based
// characters in the encoding that was agreed on, its files are URIs; everywhere
// else positions are 0-based byte offsets and files are paths with symbolic links
// resolved. Functions are named after what they convert to or from.

// docsURL is where the rules are described.
const docsURL = "https://github.com/kustomize-lsp/kls/blob/main/docs/rules/"

// tagOf says how editors show the marks of rules.
var tagOf = map[analysis.Mark]protocol.DiagnosticTag{
	analysis.Deprecated:  protocol.DiagnosticTagDeprecated,
	analysis.Unnecessary: protocol.DiagnosticTagUnnecessary,
}

// folder is a workspace folder.
type folder struct {
	uri         uri.URI
	given, real string // paths: as the client spells it, and without symbolic links
}

// encodings are those that are understood, the one preferred first: offsets in
// bytes need no conversion.
var encodings = []struct {
	name     protocol.PositionEncodingKind
	encoding text.Encoding
}{
	{protocol.PositionEncodingKindUTF8, text.UTF8},
	{protocol.PositionEncodingKindUTF16, text.UTF16},
	{protocol.PositionEncodingKindUTF32, text.UTF32},
}

// chooseEncoding takes the first of the client's that is known; the protocol's
// default where there is none.
func chooseEncoding(offered []protocol.PositionEncodingKind) text.Encoding {
	for _, name := range offered {
		for _, e := range encodings {
			if e.name == name {
				return e.encoding
			}
		}
	}
	return text.UTF16
}

func encodingName(encoding text.Encoding) protocol.PositionEncodingKind {
	for _, e := range encodings {
		if e.encoding == encoding {
			return e.name
		}
	}
	return protocol.PositionEncodingKindUTF16
}

func toPosition(p protocol.Position) text.Position {
	return text.Position{Line: clampToInt(p.Line), Character: clampToInt(p.Character)}
}

// clampToInt keeps a number that no text is long enough for from overflowing.
func clampToInt(n uint32) int { return int(min(n, 1<<31-1)) }

func fromOffset(lines *text.Lines, offset int, encoding text.Encoding) protocol.Position {
	p := lines.OffsetToPosition(offset, encoding)
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}

func fromSpan(lines *text.Lines, span text.Span, encoding text.Encoding) protocol.Range {
	return protocol.Range{Start: fromOffset(lines, span.Start, encoding), End: fromOffset(lines, span.End, encoding)}
}

// filePath returns the path of a file's URI; false for any other URI.
func filePath(u uri.URI) (string, bool) {
	if !u.IsFile() {
		return "", false
	}
	path := filepath.Clean(filepath.FromSlash(u.FsPath()))
	return path, filepath.IsAbs(path)
}

// realPath resolves symbolic links, of the nearest folder above that is there where the
// file is not.
func realPath(view *workspace.View, path string) string {
	missing := ""
	for at := path; ; at = filepath.Dir(at) {
		if real, err := view.Files().EvalSymlinks(at); err == nil {
			return filepath.Join(real, missing)
		}
		if at == filepath.Dir(at) {
			return path
		}
		missing = filepath.Join(filepath.Base(at), missing)
	}
}

// uri returns the URI of a path as the client would spell it: as it did when it
// opened the file, else within the folder that it opened.
func (s *server) uri(path string) uri.URI {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if open := s.shownAt(path); open != nil {
		return open.uri
	}
	if d := s.untitledAt(path); d != nil {
		return d.uri
	}
	for _, f := range s.folders {
		if f.real != f.given && vfs.Below(f.real, path) {
			return uri.File(f.given + path[len(f.real):])
		}
	}
	return uri.File(path)
}

func readFile(view *workspace.View, path string) ([]byte, error) {
	f, err := view.Files().ReadFile(path)
	if err != nil {
		return nil, err
	}
	return f.Data, nil
}

// converter converts places of many files of one view.
type converter struct {
	abilities
	server *server
	view   *workspace.View
	lines  map[string]*text.Lines
}

func (s *server) newConverter(view *workspace.View) *converter {
	return &converter{s.abilities, s, view, map[string]*text.Lines{}}
}

// toRange returns where a place is; the beginning of a file that cannot be read.
func (c *converter) toRange(place analysis.Place) protocol.Range {
	return fromSpan(c.linesOf(place.File), place.Span, c.encoding)
}

func (c *converter) linesOf(path string) *text.Lines {
	lines, ok := c.lines[path]
	if !ok {
		content, _ := readFile(c.view, path) // what cannot be read is empty
		lines = text.NewLines(content)
		c.lines[path] = lines
	}
	return lines
}

// toPosition converts a 1-based line and column in code points.
func (c *converter) toPosition(p explain.Place) protocol.Position {
	lines := c.linesOf(p.File)
	return fromOffset(lines, lines.LineColumnToOffset(p.Line, p.Column), c.encoding)
}

func (c *converter) toLocation(place analysis.Place) protocol.Location {
	return protocol.Location{URI: c.server.uri(place.File), Range: c.toRange(place)}
}

func (c *converter) diagnostics(list []analysis.Diagnostic) []protocol.Diagnostic {
	converted := make([]protocol.Diagnostic, len(list))
	for i, d := range list {
		converted[i] = c.fromDiagnostic(d)
	}
	return converted
}

func (c *converter) fromDiagnostic(d analysis.Diagnostic) protocol.Diagnostic {
	out := protocol.Diagnostic{
		Range:    c.toRange(d.Place),
		Severity: severities[d.Severity],
		Code:     protocol.String(d.Rule),
		Source:   protocol.NewOptional("kls"),
		Message:  protocol.String(d.Text()),
	}
	if c.codeDescription {
		out.CodeDescription = protocol.CodeDescription{Href: uri.URI(docsURL + d.Rule + ".md")}
	}
	if tag, ok := tagOf[c.server.marks[d.Rule]]; ok && can(c.tags, tag) {
		out.Tags = protocol.NewDiagnosticTags(tag)
	}
	if c.relatedInformation {
		for _, r := range d.Related {
			out.RelatedInformation = append(out.RelatedInformation,
				protocol.DiagnosticRelatedInformation{Location: c.toLocation(r.Place), Message: r.Message})
		}
	}
	return out
}

var severities = map[analysis.Severity]protocol.DiagnosticSeverity{
	analysis.Error:   protocol.DiagnosticSeverityError,
	analysis.Warning: protocol.DiagnosticSeverityWarning,
	analysis.Info:    protocol.DiagnosticSeverityInformation,
	analysis.Hint:    protocol.DiagnosticSeverityHint,
}

func (s *server) fromDefinition(q question, d *ide.Definition) protocol.DefinitionResult {
	c := s.newConverter(q.view)
	if !q.links {
		var locations protocol.LocationSlice
		for _, place := range d.Places {
			locations = append(locations, c.toLocation(place))
		}
		return locations
	}
	origin := fromSpan(q.lines, d.Origin, q.encoding)
	var links protocol.DefinitionLinkSlice
	for _, place := range d.Places {
		at := c.toLocation(place)
		links = append(links, protocol.DefinitionLink{
			OriginSelectionRange: &origin, TargetURI: at.URI, TargetRange: at.Range, TargetSelectionRange: at.Range})
	}
	return links
}

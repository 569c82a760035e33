package advice

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/patch"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/textmerge"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// ReportSourcePath reports a source's field path that does not lead to a value.
func (b *Adviser) ReportSourcePath(l *trace.Layer, r *kustomization.Replacement, path kustomization.Text, source *resource.Resource, outcome fieldpath.Outcome) {
	if b.Unfinished && dependsOnContent(outcome.Failure.Kind) {
		return
	}
	p := b.pathProblem(problem.ReplacementSourcePathUnresolved, path, source, outcome.Failure)
	if broken, ok := b.brokenDocument(path, outcome.Failure); ok {
		b.Report(l, broken)
		return
	}
	if p.Node == nil {
		p.Node = SelectorNode(&r.Source.Selector, r.Node)
	}
	if outcome.Failure.Kind == fieldpath.IndexOutOfBoundsForSource {
		if _, index := syntax.Field(r.Source.Options.Node, "index"); index != nil {
			p.Node, p.Part = index, text.Span{}
		}
	}
	b.Report(l, p)
}

// ReportWrite reports what came of writing one field path of a target: a refusal,
// or what kustomize does without a word.
func (b *Adviser) ReportWrite(l *trace.Layer, acc *accumulator.Accumulator, path trace.TargetPath, t *kustomization.ReplacementTarget, x *resource.Resource, outcome fieldpath.Outcome) {
	if outcome.Failure != nil {
		if (acc.Unknown || b.Unfinished) && dependsOnContent(outcome.Failure.Kind) {
			return
		}
		p := b.pathProblem(problem.ReplacementTargetPathUnresolved, path.Text, x, outcome.Failure)
		if broken, ok := b.brokenDocument(path.Text, outcome.Failure); ok {
			b.Report(l, broken)
			return
		}
		if p.Node == nil {
			p.Node = SelectorNode(t.Select, t.Node)
		}
		if outcome.Failure.Kind == fieldpath.MissingKey && p.Help == "" && isPlainKey().MatchString(path.Segments[outcome.Failure.Segment].Text) {
			p.Help = "set options.create to true to add the field"
		}
		b.Report(l, p)
		return
	}
	if !b.Options.Analyze {
		return
	}
	l.NoteTargetFeatures(path, t, outcome)
	for _, e := range outcome.Effects {
		b.reportEffect(l, path, x, e)
	}
	if m := outcome.Misspelt; m != nil {
		segment := path.Segments[m.Segment]
		p := problem.Problem{Code: problem.ReplacementCreatesNearField, Node: path.Text.Node, Part: segment.Span,
			Message: fmt.Sprintf("this creates a field %s in a document of %s", segment.Text, x.ID())}
		b.Report(l, p.Suggest(fieldpath.Escape(m.Meant)))
	}
	for _, loose := range outcome.Loose {
		segment := path.Segments[loose.Segment]
		if isAnchored(segment.Text) {
			continue // whoever writes that means a pattern
		}
		b.Report(l, problem.Problem{Code: problem.ReplacementMatchesMore, Node: path.Text.Node, Part: segment.Span,
			Message: fmt.Sprintf("%s is a regular expression and matches parts of names: it also matches %s in %s",
				segment.Text, strings.Join(loose.Values, ", "), x.ID()),
			Help: "anchor it: [key=^value$]"})
	}
}

// isPlainKey matches what people name fields and keys.
var isPlainKey = text.Regexp(`^[\w./-]+$`)

// Gists returns what reportWrite looks at in outcomes without a failure: the rest
// holds whole documents.
func Gists(outcomes []fieldpath.Outcome) []fieldpath.Outcome {
	gists := make([]fieldpath.Outcome, len(outcomes))
	for i, o := range outcomes {
		gist := fieldpath.Outcome{DrillDown: o.DrillDown, Changed: o.Changed, Misspelt: o.Misspelt}
		for _, e := range o.Effects {
			if e.Unwritten != fieldpath.Written || e.Damaged != 0 {
				gist.Effects = append(gist.Effects, fieldpath.Effect{Unwritten: e.Unwritten, Damaged: e.Damaged})
			}
		}
		for _, d := range o.Documents {
			if d.Reformatted != 0 || d.Damaged != 0 {
				gist.Documents = append(gist.Documents, &fieldpath.Document{Format: d.Format, Reformatted: d.Reformatted, Damaged: d.Damaged})
			}
		}
		for _, l := range o.Loose {
			gist.Loose = append(gist.Loose, fieldpath.Loose{Segment: l.Segment, Values: l.Values})
		}
		gists[i] = gist
	}
	return gists
}

// dependsOnContent tells whether the path could be right if the resource had
// something that it now lacks.
func dependsOnContent(kind fieldpath.FailureKind) bool {
	switch kind {
	case fieldpath.InvalidRegex, fieldpath.WildcardInSource, fieldpath.NegativeIndex, fieldpath.MalformedElement:
		return false
	}
	return true
}

// isAnchored tells whether the pattern of "[key=^pattern$]" matches whole values.
func isAnchored(segment string) bool {
	_, pattern, _ := strings.Cut(strings.TrimSuffix(segment, "]"), "=")
	return strings.HasPrefix(pattern, "^") && strings.HasSuffix(pattern, "$")
}

func (b *Adviser) reportEffect(l *trace.Layer, path trace.TargetPath, x *resource.Resource, e fieldpath.Effect) {
	p := problem.Problem{Node: path.Text.Node, Related: []problem.Related{{Node: x.Entry, Message: "in " + x.ID().String()}}}
	switch {
	case e.Unwritten != fieldpath.Written:
		p.Code, p.Message = problem.ReplacementWritesNothing, "kustomize builds, but writes nothing here: "+unwritten(e.Unwritten)
	case e.Damaged != 0:
		p.Code, p.Message = problem.ReplacementDamages, "writing here damages the value: "+Damaged(e.Damaged)
	default:
		return
	}
	b.Report(l, p)
}

func unwritten(u fieldpath.Unwritten) string {
	switch u {
	case fieldpath.DocumentInDocument:
		return "the document is nested in another document"
	case fieldpath.WildcardBeforeDocument:
		return "the path to the document goes through a *"
	case fieldpath.PatternBeforeDocument:
		return "the path to the document goes through a [key=pattern] that no element equals"
	case fieldpath.DuplicateKeys:
		return "the document has a key twice"
	case fieldpath.ValueDoesNotFit:
		return "the value is text, and the field of the JSON document is a number or boolean"
	case fieldpath.CollectionDoesNotFit:
		return "the value is a mapping or list, and the field of the JSON document is a number or boolean"
	case fieldpath.CreatedUnderNull:
		return "the new field would hang under a null"
	}
	return "the result would no longer be a document"
}

func Damaged(d fieldpath.Damage) string {
	var parts []string
	for _, x := range []struct {
		bit  fieldpath.Damage
		text string
	}{
		{fieldpath.TagMismatch, "the text keeps the tag of the number or boolean that it replaces"},
		{fieldpath.EmptiedByCollection, "a mapping or list written into a single value leaves it empty"},
		{fieldpath.LaterDocumentsLost, "the documents after the first --- are lost"},
		{fieldpath.PrecisionLost, "a number of the JSON document loses digits"},
		{fieldpath.RestOfPathIgnored, "the path after [=value] is ignored, and the element itself is written"},
		{fieldpath.AliasesExpanded, "anchors and aliases of the document become copies"},
		{fieldpath.EmptiedByBlank, "a blank segment empties the value before it"},
		{fieldpath.BecomesBoolean, "the text has no quotes there, and YAML 1.1 parsers read it as a boolean"},
	} {
		if d&x.bit != 0 {
			parts = append(parts, x.text)
		}
	}
	return strings.Join(parts, "; ")
}

func Reformatted(r fieldpath.Reformatting, several bool) string {
	its := "its"
	if several {
		its = "their"
	}
	var parts []string
	for _, x := range []struct {
		bit  fieldpath.Reformatting
		text string
	}{
		{fieldpath.KeyOrder, "sorts " + its + " keys"},
		{fieldpath.Whitespace, "changes " + its + " indentation or line breaks"},
		{fieldpath.TrailingNewline, "drops the line break at " + its + " end"},
		{fieldpath.Comments, "drops " + its + " comments"},
		{fieldpath.Escapes, "escapes <, > and &"},
		{fieldpath.Spelling, "spells other values differently"},
	} {
		if r&x.bit != 0 {
			parts = append(parts, x.text)
		}
	}
	return strings.Join(parts, ", ")
}

// pathProblem says which segment of a path failed and why.
func (b *Adviser) pathProblem(code problem.Code, path kustomization.Text, x *resource.Resource, f *fieldpath.Failure) problem.Problem {
	p := problem.Problem{Code: code, Fatal: true, Node: path.Node}
	parsed := b.Path(path.Value)
	segment := ""
	if f.Segment < len(parsed.Segments) {
		p.Part = parsed.Segments[f.Segment].Span
		segment = parsed.Segments[f.Segment].Text
	}
	p.Message = fmt.Sprintf("%s in %s", pathFailure(f, segment), x.ID())
	if f.Document != nil {
		p.Message = fmt.Sprintf("%s in the %s document of %s", pathFailure(f, segment), f.Document.Format, x.ID())
	}
	b.mendPath(&p, path, f)
	if f.Node != nil && f.Node.Line != 0 {
		p.Related = append(p.Related, problem.Related{Node: f.Node, Message: "searched here"})
	}
	return p
}

// mendPath offers the path that was probably meant. It never offers one that leads to
// more than what is written.
func (b *Adviser) mendPath(p *problem.Problem, path kustomization.Text, f *fieldpath.Failure) {
	change := func(mended string) {
		p.Fixes = []problem.Fix{{Title: "Change to " + mended, Node: path.Node, New: mended}}
	}
	if isForeign(p, path) {
		return
	}
	if f.Kind == fieldpath.NotAMap && f.Node != nil && f.Node.Kind == yaml.SequenceNode && p.Part.End > p.Part.Start {
		mendListPath(p, path, f.Node)
		return
	}
	if f.Escaped != "" {
		p.Help, p.Part = fmt.Sprintf("a dot that belongs to a key is escaped: %s", f.Escaped), text.Span{}
		change(f.Escaped)
		return
	}
	for _, mended := range []string{otherSeparator(path.Value, p.Part, f), openBracket(path.Value, p.Part, f)} {
		if mended != "" {
			p.Help = fmt.Sprintf("did you mean %s?", mended)
			change(mended)
			return
		}
	}
	if segment := path.Value[p.Part.Start:p.Part.End]; strings.ContainsAny(segment, "/[]\"'=") || !b.MayHaveMeant() {
		return
	}
	if near := f.Nearest(); near != "" {
		p.Help = fmt.Sprintf("did you mean %s?", near)
		change(path.Value[:p.Part.Start] + fieldpath.Escape(near) + path.Value[p.Part.End:])
	}
}

// mendListPath says how a path leads into a list, and offers the element where there is
// only one.
func mendListPath(p *problem.Problem, path kustomization.Text, list *yaml.Node) {
	elements := elementsByName(list)
	switch len(elements) {
	case 0:
		p.Help = "name an element by its position, such as 0, or all of them with *"
	case 1:
		mended := path.Value[:p.Part.Start] + elements[0] + "." + path.Value[p.Part.Start:]
		p.Help = fmt.Sprintf("name an element: %s", mended)
		p.Fixes = []problem.Fix{{Title: "Change to " + mended, Node: path.Node, New: mended}}
	default:
		p.Help = fmt.Sprintf("name an element: %s; or all of them with *", strings.Join(elements[:min(len(elements), MaxCandidates)], ", "))
	}
}

// elementsByName are the segments that lead to the elements of a list that have names,
// or none where one of them has none.
func elementsByName(list *yaml.Node) (segments []string) {
	for _, element := range list.Content {
		_, name := syntax.Field(element, "name")
		if name == nil || name.Kind != yaml.ScalarNode || name.Value == "" || strings.ContainsAny(name.Value, "[]") {
			return nil
		}
		segments = append(segments, "[name="+name.Value+"]")
	}
	return segments
}

// isForeign tells whether a path is written in the notation of something else, and
// offers what kustomize has for it.
func isForeign(p *problem.Problem, path kustomization.Text) bool {
	translated, other := fieldpath.Translate(path.Value)
	if other == "" || translated == "" || translated == path.Value {
		return false
	}
	p.Help = fmt.Sprintf("this is %s notation; kustomize writes %s", other, translated)
	p.Part = text.Span{}
	p.Fixes = []problem.Fix{{Title: "Change to " + translated, Node: path.Node, New: translated}}
	return true
}

// openBracket returns the path with the bracket that is missing behind a key with a
// dot; "" where that is not what is wrong.
func openBracket(path string, part text.Span, f *fieldpath.Failure) string {
	if f.Kind != fieldpath.MissingKey || f.Node == nil || f.Node.Kind != yaml.MappingNode || part.End > len(path) {
		return ""
	}
	inner, ok := strings.CutPrefix(path[part.Start:], "[")
	if !ok || strings.Contains(inner, "]") {
		return ""
	}
	for i := 0; i+1 < len(f.Node.Content); i += 2 {
		key := f.Node.Content[i].Value
		if rest, ok := strings.CutPrefix(inner, key); ok && strings.Contains(key, ".") && (rest == "" || rest[0] == '.') {
			return path[:part.Start] + "[" + key + "]" + rest
		}
	}
	return ""
}

// otherSeparator returns the path with a dot in place of another character that
// stands between two keys, each of which is there; "" where that is not so.
func otherSeparator(path string, part text.Span, f *fieldpath.Failure) string {
	if f.Kind != fieldpath.MissingKey || f.Node == nil || part.End > len(path) {
		return ""
	}
	segment := path[part.Start:part.End]
	for i, c := range segment {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune(`-_.\[]`, c) {
			continue
		}
		first, second := segment[:i], segment[i+utf8.RuneLen(c):]
		_, child := syntax.Field(f.Node, first)
		if _, deeper := syntax.Field(child, second); deeper != nil {
			return path[:part.Start] + fieldpath.Escape(first) + "." + fieldpath.Escape(second) + path[part.End:]
		}
	}
	return ""
}

// brokenDocument reports a document that a path leads into and that cannot be
// parsed, at the place where it is broken; false where that place is not known.
func (b *Adviser) brokenDocument(path kustomization.Text, f *fieldpath.Failure) (problem.Problem, bool) {
	if f.Kind != fieldpath.UnparsableDocument || f.Node == nil {
		return problem.Problem{}, false
	}
	format, value := textmerge.YAML, []byte(f.Node.Value)
	if trimmed := bytes.TrimSpace(value); len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') {
		format = textmerge.JSON
	}
	at := b.WhereWritten(f.Node, f.Node.Value)
	for _, found := range textmerge.Check(value, format) {
		if !found.Fatal() || !at.Exact {
			continue
		}
		p := problem.Problem{Code: problem.EmbeddedDocumentUnparsable, Fatal: true, File: at.File, Span: at.Span(found.Span),
			Message: "the document cannot be parsed: " + found.Message,
			Related: []problem.Related{{Node: path.Node, Message: "this path leads into it"}}}
		p.Fixes = DocumentFixes(found, p)
		return p, true
	}
	return problem.Problem{}, false
}

func pathFailure(f *fieldpath.Failure, segment string) string {
	switch f.Kind {
	case fieldpath.MissingKey:
		return fmt.Sprintf("there is no field %q", segment)
	case fieldpath.IndexOutOfRange:
		return fmt.Sprintf("there is no element %s, only %d,", segment, f.Length)
	case fieldpath.NoElementMatches:
		return fmt.Sprintf("no element matches %s", segment)
	case fieldpath.NotAMap:
		return fmt.Sprintf("%q is looked up in a list", segment)
	case fieldpath.NotAList:
		return fmt.Sprintf("%q is looked up in a mapping, which has no elements", segment)
	case fieldpath.ScalarContinues:
		return fmt.Sprintf("the path continues with %q, but the value is neither a mapping nor a document", segment)
	case fieldpath.EmptyDocument:
		return fmt.Sprintf("the path continues with %q, but the value is empty", segment)
	case fieldpath.UnparsableDocument:
		return fmt.Sprintf("the document that holds %q cannot be parsed (line %d: %s)", segment, f.Line, f.Message)
	case fieldpath.EmptyList:
		return "the list is empty"
	case fieldpath.WildcardInSource:
		return "a source takes no *"
	case fieldpath.NegativeIndex:
		return "an index cannot be negative"
	case fieldpath.MalformedElement:
		return fmt.Sprintf("%s is not of the form [key=value]", segment)
	case fieldpath.InvalidRegex:
		return fmt.Sprintf("%s is not a valid regular expression (%s)", segment, f.Message)
	case fieldpath.DelimiterOnNonScalar:
		return "a delimiter needs a single value, and this is a mapping or list"
	case fieldpath.IndexOutOfBoundsForSource:
		if f.Length == 1 {
			return "options.index is out of bounds: the delimiter does not occur"
		}
		return fmt.Sprintf("options.index is out of bounds: the delimiter gives %d parts, counted from 0,", f.Length)
	case fieldpath.EmptySource:
		return "the value is empty"
	}
	return fmt.Sprintf("the path fails at %q", segment)
}

// ReportMergeFailure reports a strategic merge patch that does not fit.
func (b *Adviser) ReportMergeFailure(l *trace.Layer, entry *yaml.Node, r *resource.Resource, refusal *patch.Refusal) {
	p := problem.Problem{Code: problem.PatchFails, Fatal: true, Node: entry,
		Message: fmt.Sprintf("%s: %s", r.ID(), refusal.Message())}
	if n := refusal.Patch; n != nil && n.Line != 0 {
		p.Node = n
		if _, directive := syntax.Field(n, "$patch"); refusal.Reason == patch.UnknownDirective && directive != nil && directive.Line != 0 {
			p.Node = directive
		}
	}
	if n := refusal.Dest; n != nil && n.Line != 0 {
		p.Related = append(p.Related, problem.Related{Node: n, Message: "patched here"})
	}
	b.Report(l, p)
}

package edit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// fieldOrder is the order in which kustomize edit writes the fields of a file
// (fieldMarshallingOrder of kustfile in kustomize v5.8.2). Within a field it sorts the
// keys by name.
var fieldOrder = []string{
	"apiVersion", "kind", "metadata", "sortOptions", "resources", "bases", "namePrefix", "nameSuffix", "namespace", "crds",
	"commonLabels", "labels", "commonAnnotations", "patchesStrategicMerge", "patchesJson6902", "patches", "configMapGenerator",
	"secretGenerator", "helmCharts", "helmChartInflationGenerator", "helmGlobals", "generatorOptions", "vars", "images",
	"replacements", "replicas", "configurations", "generators", "transformers", "validators", "components", "openapi",
	"buildMetadata",
}

// Format returns the text with its fields in the order in which kustomize edit writes
// them, dashes below their key and two blanks for each level. Comments, quotes, and
// what is written in brackets or braces stay as they are. The reason says why the file
// is left alone.
func (f *File) Format() (formatted []byte, reason string) {
	if f.root == nil || len(f.root.Content) == 0 || isFlow(f.root) {
		return f.text, ""
	}
	if reason := f.unformattable(); reason != "" {
		return nil, reason
	}
	l := f.layOut()
	l.mapping(f.root, kustomization.Fields(), 0, "")
	l.comments(l.footer, 0, false)
	lines := l.lines
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	out := []byte(strings.Join(lines, f.newline) + f.newline)
	if f.lines.LineSpan(0).Start > 0 {
		out = append(slices.Clone(f.text[:f.lines.LineSpan(0).Start]), out...) // the byte order mark
	}
	after, reason := Open(f.path, out)
	if reason != "" || l.broken {
		return nil, unknownForm
	}
	was, wrong := f.read()
	is, wrongNow := after.read()
	if !same(was, is) || len(wrong) != len(wrongNow) || !sameComments(f, after) {
		return nil, unknownForm
	}
	return out, ""
}

// unformattable tells what keeps lines from being moved: nodes that others refer to,
// fields of which the last one counts, several documents.
func (f *File) unformattable() (reason string) {
	if rest := strings.TrimSpace(string(f.text[f.end:])); rest != "" {
		return "it has several documents"
	}
	for line := range f.lines.Count() {
		if shown := f.lineText(line); strings.HasPrefix(shown, "...") || strings.HasPrefix(shown, "%") {
			return "it has directives"
		}
	}
	var check func(n *yaml.Node)
	check = func(n *yaml.Node) {
		if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && strings.Contains(f.blockHeader(n), "+") {
			reason = "it has a text that keeps the empty lines behind it"
		}
		if isFlow(n) || n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode {
			return
		}
		if n.Anchor != "" || n.Style&yaml.TaggedStyle != 0 {
			reason = "it has anchors or tags"
		}
		seen := map[string]bool{}
		for i, child := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 0 {
				if child.Kind != yaml.ScalarNode || child.Value == "<<" || seen[strings.ToLower(child.Value)] {
					reason = "it has keys twice, or merge keys"
				}
				seen[strings.ToLower(child.Value)] = true
				continue
			}
			check(child)
		}
	}
	check(f.root)
	if strings.Contains(string(f.withoutScalars()), "\t") {
		reason = "it has tabs"
	}
	return reason
}

// blockHeader returns the indicators of a block scalar.
func (f *File) blockHeader(n *yaml.Node) string {
	_, span := syntax.ValueSpan(f.table, n)
	source := f.text[span.Start:span.End]
	return string(source[:min(len(source), headerLength(source))])
}

// layout writes the lines of a file anew.
type layout struct {
	file *File
	// heads are the comments and blank lines above what begins with a key or, in a
	// list, with a value; feet those below it.
	heads, feet map[*yaml.Node][]string
	footer      []string
	lines       []string
	// broken is true once something did not fit.
	broken bool
}

// unit is an entry of a mapping, by its key, or of a list, by its value.
type unit struct {
	node         *yaml.Node
	line, column int // 0-based, of the key or the dash
	last         int // the last line of its own text, but for what it holds
}

// units lists the entries of block collections in the order of the text.
func (f *File) units() []unit {
	var all []unit
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind != yaml.MappingNode && n.Kind != yaml.SequenceNode || isFlow(n) {
			return
		}
		step := 1
		if n.Kind == yaml.MappingNode {
			step = 2
		}
		for i := 0; i+step <= len(n.Content); i += step {
			begin, value := n.Content[i], n.Content[i+step-1]
			start := f.span(begin).Start
			if step == 1 {
				start = f.dashBefore(begin)
			}
			u := unit{node: begin, line: f.lineAt(start)}
			u.column, u.last = start-f.lineStart(u.line), u.line
			if value.Kind == yaml.ScalarNode || value.Kind == yaml.AliasNode || isFlow(value) {
				span := f.span(value)
				u.last = max(u.line, f.lineAt(max(span.Start, span.End-1)))
			}
			all = append(all, u)
			walk(value)
		}
	}
	walk(f.root)
	return all
}

// layOut gives the comments and blank lines of the file to what they belong to.
func (f *File) layOut() *layout {
	l := &layout{file: f, heads: map[*yaml.Node][]string{}, feet: map[*yaml.Node][]string{}}
	units := f.units()
	for i, u := range units {
		if i == 0 {
			l.begin(u)
			continue
		}
		before := units[i-1]
		if u.line > before.last {
			l.between(units[:i], before.last+1, u)
		}
	}
	last := units[len(units)-1]
	end := unit{line: f.lineAt(max(0, len(f.text)-1)) + 1, column: 0}
	l.between(units, last.last+1, end)
	l.footer = l.heads[nil]
	l.space()
	return l
}

// space sets the first field off like all others, where they are set off by an empty
// line, unless it stays the first.
func (l *layout) space() {
	fields := l.file.fields
	if l.sorted(l.file.root, kustomization.Fields())[0] == 0 {
		return
	}
	for _, x := range fields[1:] {
		if head := l.heads[x.key]; len(head) == 0 || head[0] != "" {
			return
		}
	}
	l.heads[fields[0].key] = append([]string{""}, l.heads[fields[0].key]...)
}

// begin takes what stands above the first unit: what is set off by an empty line, or
// begins the file, speaks of the whole file.
func (l *layout) begin(u unit) {
	split := 0
	for line := 0; line < u.line; line++ {
		if l.file.isBlank(line) {
			split = line + 1
		}
	}
	if split == 0 {
		split = u.line
	}
	for line := range split {
		l.comments([]string{strings.TrimSpace(l.file.lineText(line))}, 0, len(l.lines) == 0)
	}
	for line := split; line < u.line; line++ {
		l.heads[u.node] = append(l.heads[u.node], strings.TrimSpace(l.file.lineText(line)))
	}
}

// between gives the lines from one on to the next unit to that unit, but to those before
// what is indented like them, or follows them without an empty line and has one below.
func (l *layout) between(before []unit, first int, next unit) {
	f := l.file
	feet := first
	for line := first; line < next.line; line++ {
		column := len(f.lineText(line)) - len(strings.TrimLeft(f.lineText(line), " "))
		if !f.isBlank(line) && column > next.column {
			feet = line + 1
		}
	}
	if feet == first && next.node != nil {
		for feet < next.line && !f.isBlank(feet) {
			feet++
		}
		if feet == next.line {
			feet = first
		}
	}
	for line := first; line < feet; line++ {
		shown := strings.TrimSpace(f.lineText(line))
		if shown == "" {
			continue
		}
		column := len(f.lineText(line)) - len(strings.TrimLeft(f.lineText(line), " "))
		owner := innermost(before, column)
		l.feet[owner] = append(l.feet[owner], shown)
	}
	for line := feet; line < next.line; line++ {
		l.heads[next.node] = append(l.heads[next.node], strings.TrimSpace(f.lineText(line)))
	}
}

// innermost returns the last unit that stands no further in than a column, without
// going back beyond one that stands further out.
func innermost(units []unit, column int) *yaml.Node {
	for i := len(units) - 1; i > 0; i-- {
		if units[i].column <= column {
			return units[i].node
		}
	}
	return units[0].node
}

// mapping writes the entries of a mapping in a column. The first of them follows what
// is given, a dash.
func (l *layout) mapping(n *yaml.Node, s *kustomization.Struct, column int, dash string) {
	for i, at := range l.sorted(n, s) {
		key, value := n.Content[at], n.Content[at+1]
		prefix := blank(column)
		if i == 0 && dash != "" {
			prefix = dash // its comments stand above the dash already
		} else {
			l.comments(l.heads[key], column, i == 0)
		}
		l.entry(prefix+l.file.source(key)+":", key, value, structOf(s, key), column)
		l.comments(l.feet[key], column, false)
	}
}

func structOf(s *kustomization.Struct, key *yaml.Node) *kustomization.Struct {
	if s != nil {
		if field, _ := s.Field(key.Value); field != nil && field.Type != kustomization.TypeTextMap {
			return field.Struct
		}
	}
	return nil
}

// sorted returns the indexes of the keys in the order in which they are written. That
// of keys that are no fields stays.
func (l *layout) sorted(n *yaml.Node, s *kustomization.Struct) []int {
	var indexes []int
	for i := 0; i+1 < len(n.Content); i += 2 {
		indexes = append(indexes, i)
	}
	if s == nil {
		return indexes
	}
	slices.SortStableFunc(indexes, func(a, b int) int {
		return compareFields(s, n.Content[a].Value, n.Content[b].Value)
	})
	return indexes
}

func compareFields(s *kustomization.Struct, a, b string) int {
	if s != kustomization.Fields() {
		return cmp.Compare(a, b)
	}
	return cmp.Compare(rank(s, a), rank(s, b))
}

func rank(s *kustomization.Struct, name string) int {
	if field, _ := s.Field(name); field != nil {
		name = field.Name
	}
	if at := slices.Index(fieldOrder, name); at >= 0 {
		return at
	}
	return len(fieldOrder)
}

// entry writes what follows a key or a dash, which are the prefix. owner is the node
// that begins the unit.
func (l *layout) entry(prefix string, owner, value *yaml.Node, s *kustomization.Struct, column int) {
	switch {
	case value.Kind == yaml.MappingNode && !isFlow(value) && len(value.Content) > 0:
		l.lines = append(l.lines, prefix+l.lineComment(owner))
		l.mapping(value, s, column+2, "")
	case value.Kind == yaml.SequenceNode && !isFlow(value) && len(value.Content) > 0:
		l.lines = append(l.lines, prefix+l.lineComment(owner))
		l.list(value, s, column)
	default:
		l.leaf(prefix, owner, value, column)
	}
}

// list writes the entries of a list with their dashes in a column.
func (l *layout) list(n *yaml.Node, s *kustomization.Struct, column int) {
	for i, item := range n.Content {
		l.comments(l.heads[item], column, i == 0)
		dash := blank(column) + "- "
		switch {
		case item.Kind == yaml.MappingNode && !isFlow(item) && len(item.Content) > 0:
			if l.file.lineAt(l.file.dashBefore(item)) != l.file.lineAt(l.file.span(item).Start) {
				l.broken = true // a dash on a line of its own
			}
			if first := item.Content[l.sorted(item, s)[0]]; first != item.Content[0] {
				l.comments(withoutEmpty(l.heads[first]), column, true)
			}
			l.mapping(item, s, column+2, dash)
		case item.Kind == yaml.SequenceNode && !isFlow(item):
			l.broken = true
		default:
			l.leaf(strings.TrimRight(dash, " "), item, item, column)
		}
		l.comments(l.feet[item], column, false)
	}
}

func withoutEmpty(lines []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return line == "" })
}

// leaf writes a value that is not taken apart, with the comment behind it.
func (l *layout) leaf(prefix string, owner, value *yaml.Node, column int) {
	f := l.file
	span := f.span(value)
	if span.Len() == 0 {
		l.lines = append(l.lines, prefix+l.lineComment(owner))
		return
	}
	first, last := f.lineAt(span.Start), f.lineAt(span.End-1)
	if first != f.lineAt(f.span(owner).Start) && l.lineComment(owner) != "" {
		l.broken = true // a comment stands between key and value
	}
	lines := strings.Split(strings.ReplaceAll(string(f.text[span.Start:f.lines.LineSpan(last).End]), "\r\n", "\n"), "\n")
	for i := 1; i < len(lines); i++ {
		lines[i] = l.moved(lines[i], owner, value, column)
	}
	block := value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
	lines[0] = prefix + " " + lines[0]
	if !block || len(lines) == 1 {
		lines[len(lines)-1] = strings.TrimRight(lines[len(lines)-1], " ")
	}
	l.lines = append(l.lines, lines...)
}

// moved shifts a further line of a value as far as its entry moves, or that of a block
// scalar so that it stands two further in.
func (l *layout) moved(line string, owner, value *yaml.Node, column int) string {
	f := l.file
	old := f.column(owner)
	if owner == value {
		start := f.dashBefore(owner)
		old = start - f.lineStart(f.lineAt(start))
	}
	by := column - old
	if value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && !strings.ContainsAny(f.blockHeader(value), "123456789") {
		_, inner := syntax.InnerSpan(f.table, value)
		by = column + 2 - (inner.Start - f.lineStart(f.lineAt(inner.Start)))
	}
	if by < 0 && len(line)-len(strings.TrimLeft(line, " ")) < -by && strings.TrimSpace(line) != "" {
		l.broken = true
	}
	return shift([]string{line}, by)[0]
}

// lineComment returns the comment behind a key whose value follows on other lines.
func (l *layout) lineComment(owner *yaml.Node) string {
	f := l.file
	at := f.span(owner).End
	rest := string(f.text[at:f.lines.LineSpan(f.lineAt(f.span(owner).Start)).End])
	if start := commentStart([]byte(rest)); start >= 0 && strings.Trim(rest[:start], " :") == "" {
		return " " + strings.TrimRight(rest[start:], " ")
	}
	return ""
}

// comments writes the lines that stand above or below something: of empty ones one at
// a time, and none at the beginning of what is indented.
func (l *layout) comments(lines []string, column int, first bool) {
	for _, line := range lines {
		switch {
		case line != "":
			l.lines = append(l.lines, blank(column)+line)
		case len(l.lines) > 0 && l.lines[len(l.lines)-1] != "" && (!first || column == 0):
			l.lines = append(l.lines, "")
		}
	}
}

package explain

import (
	"context"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Use is what becomes of a line in one build.
type Use struct {
	// Dir is the folder of the root that was built, as it was given.
	Dir    string
	Result *builder.Result
	// Fields are the fields that have their value from the line, those whose value
	// stood there before something changed it, and those that the line's entry of a
	// kustomization changes; in the order of the output. The value of one that is
	// not in the output any more is not present.
	Fields []*Explanation
	// Dropped is true where the line belongs to a resource that the output does not
	// have.
	Dropped bool
}

// ExplainLines says what becomes of a line in each of the roots that read its file, in
// their order: see ExplainLine.
func ExplainLines(ctx context.Context, session *builder.Session, roots []string, file string, line int, options func(dir string) builder.Options) ([]*Use, error) {
	var uses []*Use
	for _, dir := range roots {
		use, err := ExplainLine(ctx, session, dir, file, line, options(dir))
		if err != nil {
			return nil, err
		}
		if use != nil {
			uses = append(uses, use)
		}
	}
	return uses, nil
}

// ExplainLine builds the kustomization in a folder and says what becomes of the
// 1-based line of a file, an absolute path without symbolic links. It is nil where
// the build does not read the file. The error is that of builder.Session.Build.
func ExplainLine(ctx context.Context, session *builder.Session, dir, file string, line int, options builder.Options) (*Use, error) {
	entries := &entryWatch{table: session.Table(), file: file, line: line, covers: map[*yaml.Node]bool{}, changed: map[*resource.Resource][]change{}}
	options.Recorder = entries
	result, err := session.Build(ctx, dir, options)
	if err != nil || !result.Reads.Has(file) {
		return nil, err
	}
	use := &Use{Dir: dir, Result: result}
	questions := entries.fields(result)
	place := sourceLine{session: session, file: file, line: line}
	place.addRendered(result, questions)
	use.Dropped = place.addRead(result, questions)
	if questions.count == 0 {
		return use, nil
	}
	w := newWatch(questions.concerns(result))
	options.Recorder = w
	if use.Result, err = session.Build(ctx, dir, options); err != nil {
		return nil, err
	}
	x := explainer{session.Table(), use.Result, w}
	for i, r := range use.Result.Resources {
		for _, field := range questions.fields[i] {
			use.Fields = append(use.Fields, x.explainAnyway(r, field))
		}
	}
	return use, nil
}

// explainAnyway explains a field that may not be there any more.
func (x *explainer) explainAnyway(r *resource.Resource, field string) *Explanation {
	e, missing := x.explain(r, field)
	if missing == nil {
		return e
	}
	e, _ = x.explain(r, "")
	e.Field, e.Value, e.Written, e.Steps = field, Value{}, Place{}, nil
	e.addSteps(x.table, x.watch.histories[r], field, fieldpath.Parse(field))
	return e
}

// questions are the fields that are asked about, by the index of their resource.
type questions struct {
	fields map[int][]string
	known  map[question]bool
	count  int
}

type question struct {
	index int
	field string
}

func (q *questions) add(index int, field string) {
	if asked := (question{index, field}); !q.known[asked] {
		q.known[asked] = true
		q.fields[index] = append(q.fields[index], field)
		q.count++
	}
}

// concerns tells of the resources that are asked about, in another build.
func (q *questions) concerns(result *builder.Result) func(*resource.Resource) bool {
	names := map[string]bool{}
	entries := map[[2]int]bool{}
	for i := range q.fields {
		r := result.Resources[i]
		for _, id := range r.AllIDs() {
			names[id.Name] = true
		}
		if r.Entry != nil {
			entries[[2]int{r.Entry.Line, r.Entry.Column}] = true
		}
	}
	return func(r *resource.Resource) bool {
		return names[r.ID().Name] || names[r.OriginalID().Name] || r.Entry != nil && entries[[2]int{r.Entry.Line, r.Entry.Column}]
	}
}

// entryWatch is a builder.Recorder that remembers what the entries on one line of a
// kustomization do.
type entryWatch struct {
	table   *syntax.Table
	file    string
	line    int
	covers  map[*yaml.Node]bool
	changed map[*resource.Resource][]change
	// now is what took the place of a resource.
	now map[*resource.Resource]*resource.Resource
}

// Before implements builder.Recorder.
func (w *entryWatch) Before(step builder.Step, r *resource.Resource) func() {
	covers, known := w.covers[step.Entry]
	if !known {
		covers = w.isOnLine(step.Entry) || w.isOnLine(entryOf(step))
		w.covers[step.Entry] = covers
	}
	if !covers {
		return nil
	}
	before := syntax.Copy(r.Node)
	return func() {
		now := r
		if next := w.now[r]; next != nil {
			now = next
		}
		w.changed[now] = append(w.changed[now], change{step, before, syntax.Copy(now.Node)})
	}
}

// Succeeds implements builder.Successor.
func (w *entryWatch) Succeeds(old, r *resource.Resource) {
	if w.now == nil {
		w.now = map[*resource.Resource]*resource.Resource{}
	}
	w.now[old] = r
	w.changed[r] = append(w.changed[r], w.changed[old]...)
}

func (w *entryWatch) isOnLine(entry *yaml.Node) bool {
	id, span := syntax.NodeSpan(w.table, entry)
	file, path, span := w.table.Resolve(id, span)
	if path != w.file || file == 0 {
		return false
	}
	lines := w.table.Source(file).Lines()
	first, _ := lines.OffsetToLineColumn(span.Start)
	last, _ := lines.OffsetToLineColumn(span.End)
	return first <= w.line && w.line <= last
}

// fields returns the fields that the entries changed.
func (w *entryWatch) fields(result *builder.Result) *questions {
	q := &questions{fields: map[int][]string{}, known: map[question]bool{}}
	for i, r := range result.Resources {
		for _, c := range w.changed[r] {
			old := map[string]string{}
			eachScalar(c.before, func(path string, n *yaml.Node) { old[path] = n.Value })
			eachScalar(c.after, func(path string, n *yaml.Node) {
				if value, ok := old[path]; !ok || value != n.Value {
					q.add(i, path)
				}
				delete(old, path)
			})
			eachScalar(c.before, func(path string, _ *yaml.Node) {
				if _, gone := old[path]; gone {
					q.add(i, path)
				}
			})
		}
	}
	return q
}

// sourceLine is a line that is asked about.
type sourceLine struct {
	session *builder.Session
	file    string
	line    int
}

// addRendered adds the fields of the output that were written on the line: those of which Blame says so of the
// first line or, of a text of several, of any, and documents on one line that have a value from there.
func (l sourceLine) addRendered(result *builder.Result, q *questions) {
	table := l.session.Table()
	inFile := map[text.FileID]bool{}
	for i, r := range result.Resources {
		parts := partPlaces{table: table, result: result, of: r}
		eachScalar(r.Node, func(path string, n *yaml.Node) {
			id, _, _ := syntax.Place(n)
			is, known := inFile[id]
			if !known {
				_, root, _ := table.Resolve(id, text.Span{})
				is = root == l.file
				inFile[id] = is
			}
			if is && PlaceOf(table, n).Line == l.line || l.hasLineOf(n, &parts) {
				q.add(i, path)
			}
		})
	}
}

// hasLineOf tells whether a line of a text was written on the line, or a value of a document on one line.
func (l sourceLine) hasLineOf(n *yaml.Node, parts *partPlaces) bool {
	isHere := func(p Place) bool { return p.File == l.file && p.Line == l.line }
	found := false
	switch {
	case strings.Contains(n.Value, "\n"):
		for part := range strings.Count(strings.TrimSuffix(n.Value, "\n"), "\n") + 1 {
			found = found || isHere(parts.place(n, part))
		}
	case strings.HasPrefix(n.Value, "{"), strings.HasPrefix(n.Value, "["):
		newInside(parts.table, parts.result, parts.of, n).eachPlace(func(_ *yaml.Node, p Place) { found = found || isHere(p) })
	}
	return found
}

// addRead adds the fields of the resource that the line belongs to, if the build
// read the file for resources, and tells whether that resource is not in the output.
func (l sourceLine) addRead(result *builder.Result, q *questions) (dropped bool) {
	f, err := l.session.Files().ReadFile(l.file)
	if err != nil {
		return false
	}
	table := syntax.NewTable()
	nodes, _ := syntax.ReadDocuments(table, table.Add(l.file, f.Data))
	var doc *yaml.Node
	for _, n := range nodes {
		if _, line, _ := syntax.Place(n); line <= l.line {
			doc = n
		}
	}
	if doc == nil {
		return false
	}
	paths := l.pathsIn(doc)
	found := false
	for i, r := range result.Resources {
		if p := PlaceOf(l.session.Table(), r.Node); p.File == l.file && p == PlaceOf(table, doc) {
			found = true
			for _, path := range paths {
				q.add(i, path)
			}
		}
	}
	return !found && len(paths) > 0 && l.isResourceFile(result)
}

// pathsIn returns the field paths of what stands on the line: of its values, or of
// the list or mapping that a key on the line has below it.
func (l sourceLine) pathsIn(doc *yaml.Node) []string {
	var paths []string
	eachScalar(doc, func(path string, n *yaml.Node) {
		_, first, _ := syntax.Place(n)
		if first <= l.line && l.line <= first+blockLines(n) {
			paths = append(paths, path)
		}
	})
	if path, ok := l.pathOfKey(doc, nil); ok && len(paths) == 0 {
		paths = append(paths, path)
	}
	return paths
}

// pathOfKey returns the field path of the first key on the line.
func (l sourceLine) pathOfKey(n *yaml.Node, path []string) (string, bool) {
	for i, child := range n.Content {
		step, isValue := stepTo(n, i)
		if !isValue {
			if _, line, _ := syntax.Place(child); line == l.line {
				step, _ = stepTo(n, i+1)
				return strings.Join(append(path, step), "."), true
			}
			continue
		}
		if found, ok := l.pathOfKey(child, append(path, step)); ok {
			return found, true
		}
	}
	return "", false
}

// blockLines is how many lines a block scalar takes after its header.
func blockLines(n *yaml.Node) int {
	if n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		return 0
	}
	return text.CountMarkLines([]byte(n.Value))
}

// isResourceFile tells whether a layer of the build includes the file as one of its
// resources.
func (l sourceLine) isResourceFile(result *builder.Result) bool {
	var includes func(*builder.Layer) bool
	includes = func(layer *builder.Layer) bool {
		for _, in := range layer.Facts.Included {
			if in.Layer == nil && in.Path == l.file || in.Layer != nil && includes(in.Layer) {
				return true
			}
		}
		return false
	}
	return result.Root != nil && includes(result.Root)
}

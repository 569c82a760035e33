package explain

import (
	"context"
	"encoding/base64"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"
)

var trees = flag.String("trees", "", "count the places of the trees in this folder too")

// TestWrittenNamesWhereTheValueStands counts how many scalars of what the examples
// and the fixtures render were written where they are said to be.
func TestWrittenNamesWhereTheValueStands(t *testing.T) {
	c := newCensus()
	c.disk(t, "../../examples")
	eachTree(t, func(_ string, files map[string][]byte) { c.tree(t, vfs.NewSnapshot(vfs.Memory(files)), "/") })
	c.report(t, 1000)
}

// TestWrittenOverTrees does the same for a folder: go test -run OverTrees -v -args -trees DIR.
func TestWrittenOverTrees(t *testing.T) {
	if *trees == "" {
		t.Skip("no -trees")
	}
	c := newCensus()
	c.disk(t, *trees)
	c.report(t, 1)
}

// census counts scalars by how their place checks out.
type census struct {
	right map[string]int
	wrong map[string][]string
}

func newCensus() *census { return &census{map[string]int{}, map[string][]string{}} }

func (c *census) report(t *testing.T, least int) {
	right, wrong := 0, 0
	for _, kind := range slices.Sorted(maps.Keys(c.right)) {
		right += c.right[kind]
		t.Logf("%7d %s", c.right[kind], kind)
	}
	for _, kind := range slices.Sorted(maps.Keys(c.wrong)) {
		list := c.wrong[kind]
		wrong += len(list)
		t.Logf("%7d WRONG %s, such as\n  %s", len(list), kind, strings.Join(list[:min(len(list), 20)], "\n  "))
	}
	t.Logf("%d of %d are right", right, right+wrong)
	if right < least || wrong*100 > right+wrong {
		t.Errorf("%d right, %d wrong: at least 99 %% of at least %d are wanted", right, wrong, least)
	}
}

func (c *census) disk(t *testing.T, dir string) {
	t.Helper()
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	c.tree(t, vfs.NewSnapshot(vfs.Disk()), dir)
}

// marker is a line of a fixture that says what is expected of the line above.
var marker = regexp.MustCompile(`(?m)^[ \t]*\^+ [a-z]+.*\n?`)

func (c *census) tree(t *testing.T, files *vfs.Snapshot, dir string) {
	t.Helper()
	targets, err := analysis.Discover(t.Context(), files, dir)
	if err != nil {
		return // a fixture without a kustomization
	}
	session := builder.NewSession(files)
	for _, target := range targets {
		if !target.Component {
			c.root(t.Context(), t, session, target.Dir)
		}
	}
}

func (c *census) root(ctx context.Context, t *testing.T, session *builder.Session, dir string) {
	t.Helper()
	w := newWatch(func(*resource.Resource) bool { return true })
	result, err := session.Build(ctx, dir, builder.Options{Instruments: builder.Instruments{Recorder: w}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := result.YAML(ctx); err != nil || result.Failed() {
		return
	}
	x := explainer{session.Table(), result, w}
	sources := map[Place]map[string]bool{}
	for _, r := range result.Resources {
		e := examiner{table: session.Table(), of: r, history: w.histories[r]}
		eachScalar(r.Node, func(path string, n *yaml.Node) {
			if maker := e.maker(path); maker != "ReplacementTransformer" && maker != "NameReferenceTransformer" {
				p := PlaceOf(session.Table(), n)
				if sources[p] == nil {
					sources[p] = map[string]bool{}
				}
				sources[p][n.Value] = true
			}
		})
	}
	for _, r := range result.Resources {
		e := examiner{session.Table(), r, w.histories[r], sources}
		eachScalar(r.Node, func(path string, n *yaml.Node) {
			if n.Kind != yaml.ScalarNode {
				return
			}
			place := PlaceOf(session.Table(), n)
			if explanation, missing := x.explain(r, path); missing == nil {
				place = explanation.Written
			}
			kind, ok := e.examine(path, n, place)
			if ok {
				c.right[kind]++
				return
			}
			c.wrong[kind] = append(c.wrong[kind], fmt.Sprintf("%s %s:%s %q written at %s:%d:%d", dir, r.ID(), path, n.Value, place.File, place.Line, place.Column))
		})
	}
}

// examiner holds the places of one resource against the texts and the steps.
type examiner struct {
	table   *syntax.Table
	of      *resource.Resource
	history *history
	// sources are the values of the output by where they were written, but for those
	// that were copied.
	sources map[Place]map[string]bool
}

func (e *examiner) examine(path string, n *yaml.Node, place Place) (kind string, ok bool) {
	if !place.Known() {
		return "no place: " + e.maker(path), false
	}
	text, _ := e.table.WrittenText(n)
	if place != PlaceOf(e.table, n) {
		text = "another place than that of the node"
	}
	switch maker := e.maker(path); {
	case text == n.Value:
		return "the value stands there", true
	case number(text) == number(n.Value):
		return "the value stands there, spelled differently", true
	case decoded(n.Value) == text:
		return "the value stands there, not encoded", true
	case e.isInEntry(path, place):
		return "made by the entry of " + maker, true
	case (maker == "NameReferenceTransformer" || maker == "ReplacementTransformer") && e.sources[place][n.Value]:
		return "copied from where " + maker + " found it", true
	case strings.HasSuffix(path, `config\.kubernetes\.io/origin`) && strings.HasPrefix(text, "originAnnotations"):
		return "made by the option of buildMetadata", true
	case e.isInGenerator(place, n, text):
		return "generated", true
	}
	return "made by " + e.maker(path), false
}

// lastChange returns the last step that changed the field.
func (e *examiner) lastChange(path string) (last *change) {
	if e.history == nil {
		return nil
	}
	parsed := fieldpath.Parse(path)
	for i, c := range e.history.steps {
		before, after := at(c.before, path, parsed), at(c.after, path, parsed)
		if !(Value{before}).equal(Value{after}) {
			last = &e.history.steps[i]
		}
	}
	return last
}

func (e *examiner) maker(path string) string {
	if c := e.lastChange(path); c != nil {
		return c.step.Transformer
	}
	return "nothing"
}

// isInEntry tells whether the place lies in the entry that asks for the last change.
func (e *examiner) isInEntry(path string, place Place) bool {
	c := e.lastChange(path)
	return c != nil && (e.covers(c.step.Entry, place) || e.covers(entryOf(c.step), place))
}

func (e *examiner) covers(entry *yaml.Node, place Place) bool {
	id, span := syntax.NodeSpan(e.table, entry)
	file, root, span := e.table.Resolve(id, span)
	if file == 0 || root != place.File {
		return false
	}
	offset := e.table.Source(file).Lines().LineColumnToOffset(place.Line, place.Column)
	return span.Start <= offset && offset <= span.End
}

// isInGenerator tells whether a generator wrote the value: a literal's text holds it,
// or it is a word of the generator's own at its entry.
func (e *examiner) isInGenerator(place Place, n *yaml.Node, text string) bool {
	for _, value := range []string{n.Value, decoded(n.Value)} {
		if _, literal, ok := strings.Cut(text, "="); ok && e.of.Generated && strings.HasPrefix(strings.Trim(literal, `"'`), strings.Trim(value, `"'`)) {
			return true
		}
	}
	own := []string{"v1", "ConfigMap", "Secret", "Opaque", "true"}
	return slices.Contains(own, n.Value) && e.covers(e.of.Entry, place)
}

// number is a whole number as it prints, the text itself where it is none.
func number(text string) string {
	var n int
	if yaml.Unmarshal([]byte(text), &n) != nil {
		return text
	}
	return fmt.Sprint(n)
}

func decoded(value string) string {
	text, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(value, "\n", ""))
	if err != nil {
		return "no base64"
	}
	return string(text)
}

// eachTree calls use for the trees of all fixtures.
func eachTree(t *testing.T, use func(name string, files map[string][]byte)) {
	t.Helper()
	for _, room := range []string{"../rules", "../ide", "../../engine", "../../lsp", "../../cmd"} {
		eachFile(t, room, func(path string) {
			if filepath.Ext(path) != ".txtar" {
				return
			}
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string][]byte{}
			for _, file := range archive.Files {
				if !strings.HasPrefix(file.Name, "want/") {
					files["/"+file.Name] = marker.ReplaceAll(file.Data, nil)
				}
			}
			use(path, files)
		})
	}
}

func eachFile(t *testing.T, folder string, use func(path string)) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			use(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

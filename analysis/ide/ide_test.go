package ide_test

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/fixture"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

var update = flag.Bool("update", false, "rewrite what hovers show")

// trees is a folder of real trees.
var trees = flag.String("trees", "", "try the actions on the trees in this folder too")

// TestFixtures runs the scenarios of testdata. A line that begins with ^ and a verb
// marks the place above it and is taken out. The verbs are described where they
// are registered; NAME stands for the file want/NAME.md, nothing for no answer:
//
//	^ hover NAME             the hover there is want/NAME.md
//	^ definition PLACE, …    it leads to these places: FILE:LINE "text"
//	^ format NAME            what formatting changes is want/NAME.md
//	^ linked LINE "text", …  what is typed at once with it
//	^ actions TITLE; …       the actions there; (why) follows what cannot be done
//	^ complete NAME          want/NAME.md has the suggestions and what each writes
//	^ completes A, B         the labels of the suggestions, in their order
//	^ offers A, B            labels that are among those of the suggestions
//	^ withholds A, B         labels that are not
//	^ action TITLE → NAME    what that action changes is want/NAME.md
func TestFixtures(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { runFixture(t, file) })
	}
}

const root = "/tree"

// verbs are what a marker can ask for, each in the test file of its feature.
var verbs = map[string]verb{
	"action":     {answer: actionAt, golden: true},
	"actions":    {answer: actionsAt},
	"complete":   {answer: completeAt, golden: true},
	"completes":  {answer: completesAt},
	"offers":     {answer: offersAt},
	"withholds":  {answer: withholdsAt},
	"format":     {answer: formatAt, golden: true},
	"linked":     {answer: linkedAt},
	"hover":      {answer: hoverAt, golden: true},
	"about":      {answer: aboutAt},
	"definition": {answer: definitionAt},
}

// verb asks one question at a marker. The answer is held against the detail of the
// marker, or where it is golden, against the file that the detail names; where there
// is none, it is empty.
type verb struct {
	answer func(t *testing.T, scene *scene, m marker) string
	golden bool
}

// scene is the tree of a fixture, without its markers.
type scene struct {
	view *workspace.View
	tree map[string][]byte // by absolute path
}

type marker struct {
	file string
	fixture.Question
}

func runFixture(t *testing.T, path string) {
	f, err := fixture.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	tree := map[string][]byte{}
	var markers []marker
	for _, file := range f.Files {
		name := filepath.Join(root, file.Path)
		tree[name] = file.Data
		for _, q := range file.Questions {
			markers = append(markers, marker{name, q})
		}
		if len(file.Markers) > 0 {
			t.Errorf("%s expects diagnostics, which belong to a fixture of the rules", file.Path)
		}
	}
	if len(markers) == 0 {
		t.Fatal("no marker")
	}
	view := workspace.New(vfs.NewSnapshot(vfs.Memory(tree)), []string{root}, analysis.Options{Rules: rules.All()})
	for _, m := range markers {
		v, known := verbs[m.Verb]
		if !known {
			t.Errorf("%s: there is no such verb", m)
			continue
		}
		got := v.answer(t, &scene{view, tree}, m)
		_, name, ok := strings.Cut(m.Detail, " → ")
		if !ok {
			name = m.Detail
		}
		name += ".md"
		switch want, written := f.Want[name]; {
		case m.Detail == "nothing":
			if got != "" {
				t.Errorf("%s: an answer where there is none:\n%s", m, got)
			}
		case !v.golden:
			if got != m.Detail {
				t.Errorf("%s\n got %s", m, got)
			}
		case *update:
			f.Want[name] = got
		case !written:
			t.Errorf("no want/%s", name)
		default:
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: -want +got\n%s", m, diff)
			}
		}
	}
	if *update {
		if err := f.Update(path, f.Want); err != nil {
			t.Fatal(err)
		}
	}
}

func (m marker) String() string {
	return fmt.Sprintf("%s@%d %s %s", m.file, m.Offset, m.Verb, m.Detail)
}

func hoverAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	hover, err := ide.HoverAt(context.Background(), scene.view, m.file, m.Offset)
	if err != nil {
		t.Fatal(err)
	}
	if hover == nil {
		return ""
	}
	if !hover.Span.Contains(m.Offset) {
		t.Errorf("%s: the hover is about %v", m, hover.Span)
	}
	if hover.Description != "" {
		return strings.TrimPrefix(hover.Markdown+ide.Divider, ide.Divider) + hover.Description + "\n"
	}
	return hover.Markdown + "\n"
}

// aboutAt returns what the hover is about.
func aboutAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	hover, err := ide.HoverAt(context.Background(), scene.view, m.file, m.Offset)
	if err != nil || hover == nil {
		return fmt.Sprint(err)
	}
	return fmt.Sprintf("%q", scene.tree[m.file][hover.Span.Start:hover.Span.End])
}

func definitionAt(t *testing.T, scene *scene, m marker) string {
	t.Helper()
	definition, err := ide.DefinitionAt(context.Background(), scene.view, m.file, m.Offset)
	if err != nil {
		t.Fatal(err)
	}
	if definition == nil {
		return ""
	}
	if !definition.Origin.Contains(m.Offset) {
		t.Errorf("%s: the origin is %v", m, definition.Origin)
	}
	return scene.show(definition.Places)
}

// show lists places: FILE:LINE "text", the text left out where there is none.
func (s *scene) show(places []analysis.Place) string {
	var shown []string
	for _, p := range places {
		data := s.tree[p.File]
		line, _ := text.NewLines(data).OffsetToLineColumn(p.Span.Start)
		place := strings.TrimPrefix(p.File, root+"/") + ":" + fmt.Sprint(line)
		if p.Span.Len() > 0 {
			place += fmt.Sprintf(" %q", data[p.Span.Start:p.Span.End])
		}
		shown = append(shown, place)
	}
	return strings.Join(shown, ", ")
}

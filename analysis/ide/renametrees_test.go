package ide_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/fixture"
	"github.com/kustomize-lsp/kls/analysis/ide"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestRenamesOnTrees gives names and paths of the examples, and of the trees that -trees
// names, other names, taken at random: each root renders the same afterwards, once the
// old name is put in the place of the new one, hashes of contents apart.
func TestRenamesOnTrees(t *testing.T) {
	folders := []string{"../../examples/shop", "../../examples/structured-data"}
	if *trees != "" {
		entries, err := os.ReadDir(*trees)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			folders = append(folders, filepath.Join(*trees, e.Name()))
		}
	}
	done := 0
	for _, folder := range folders {
		s := &renameSweep{t: t, random: rand.New(rand.NewSource(7)), refused: map[string]int{}}
		s.load(folder)
		s.run(60, time.Now().Add(5*time.Minute))
		done += s.done
		t.Logf("%s: %d of %d places, at most %v each", folder, s.done, s.asked, s.longest)
		for _, reason := range slices.Sorted(maps.Keys(s.refused)) {
			t.Logf("  not renamed, %d times: %s", s.refused[reason], reason)
		}
	}
	if done < 10 {
		t.Errorf("only %d renames were made", done)
	}
}

type renameSweep struct {
	t           *testing.T
	random      *rand.Rand
	tree        map[string][]byte // by absolute path
	view        *workspace.View
	places      []renamePlace
	done, asked int
	refused     map[string]int
	session     *builder.Session
	before      map[string]string // what each root renders
	longest     time.Duration
}

// renamePlace is an offset where there may be a name.
type renamePlace struct {
	file   string
	offset int
}

// namePattern finds values that may be names: of resources and generators, of keys and
// paths.
var namePattern = regexp.MustCompile(`(?m)^(?:  name: |- name: |    name: |- path: |- )["']?([-a-zA-Z0-9._/]+)`)

// TestRenamesOnFixtures does the same with the trees of the rules' fixtures, which have
// every mistake that there is.
func TestRenamesOnFixtures(t *testing.T) {
	fixtures, err := filepath.Glob("../rules/testdata/*.txtar")
	if err != nil || len(fixtures) == 0 {
		t.Fatal("no fixtures", err)
	}
	done := 0
	for i, path := range fixtures {
		f, err := fixture.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		s := &renameSweep{t: t, random: rand.New(rand.NewSource(int64(i))), refused: map[string]int{}, tree: map[string][]byte{}}
		for name, content := range f.Contents() {
			s.tree[root+strings.TrimPrefix(name, fixture.Root)] = content
		}
		s.start()
		s.run(8, time.Now().Add(5*time.Minute))
		done += s.done
	}
	if t.Logf("%d renames in %d fixtures", done, len(fixtures)); done < len(fixtures) {
		t.Error("that is too few")
	}
}

func (s *renameSweep) load(folder string) {
	s.tree = map[string][]byte{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !entry.Type().IsRegular() {
			return err
		}
		relative, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil || info.Size() > 1<<20 {
			return err
		}
		content, err := os.ReadFile(path)
		s.tree[filepath.Join(root, relative)] = content
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	s.start()
}

// start finds the places in the tree.
func (s *renameSweep) start() {
	s.view = workspace.New(vfs.NewSnapshot(vfs.Memory(s.tree)), []string{root}, analysis.Options{Rules: rules.All()})
	s.session, s.before = builder.NewSession(s.view.Files()), map[string]string{}
	for _, file := range slices.Sorted(maps.Keys(s.tree)) {
		if extension := filepath.Ext(file); extension != ".yaml" && extension != ".yml" && extension != ".env" {
			continue
		}
		for _, match := range namePattern.FindAllSubmatchIndex(s.tree[file], -1) {
			s.places = append(s.places, renamePlace{file, match[3] - 1})
		}
	}
	s.random.Shuffle(len(s.places), func(i, j int) { s.places[i], s.places[j] = s.places[j], s.places[i] })
}

func (s *renameSweep) run(enough int, until time.Time) {
	ctx := context.Background()
	for i, p := range s.places {
		if s.done >= enough || time.Now().After(until) {
			return
		}
		renamable, reason, err := ide.PrepareRename(ctx, s.view, p.file, p.offset)
		if err != nil {
			s.t.Fatal(err)
		}
		s.asked++
		if reason != "" {
			s.refused["prepared: "+reason]++
			continue
		}
		name := fmt.Sprintf("zq%dqz", i)
		if strings.Contains(renamable.Text, ".") {
			name += filepath.Ext(renamable.Text)
		}
		start := time.Now()
		edit, reason, err := ide.Rename(ctx, s.view, p.file, p.offset, name)
		s.longest = max(s.longest, time.Since(start))
		if err != nil {
			s.t.Fatal(err)
		}
		if reason != "" {
			s.refused[reason]++
			continue
		}
		s.done++
		s.compare(p, edit, renamable.Text, name)
	}
}

// compare builds every kustomization before and after.
func (s *renameSweep) compare(p renamePlace, edit *workspace.Edit, was, is string) {
	scene := &scene{view: s.view, tree: s.tree}
	after := scene.after(s.t, edit)
	files := s.view.Files()
	if len(edit.Move) > 0 {
		files = vfs.NewSnapshot(vfs.Memory(after))
	} else {
		for _, e := range edit.Edits {
			files = files.With(e.File, after[e.File])
		}
	}
	changed := s.session.Derive(files)
	for file := range s.tree {
		if filepath.Base(file) != "kustomization.yaml" {
			continue
		}
		dir := filepath.Dir(file)
		to := dir
		for _, m := range edit.Move {
			if vfs.Below(m.From, dir) {
				to = m.To + dir[len(m.From):]
			}
		}
		want, known := s.before[dir]
		if !known {
			want = s.render(s.session, dir)
			s.before[dir] = want
		}
		got := strings.ReplaceAll(s.render(changed, to), is, was)
		if len(edit.Move) == 0 {
			want, got = sortedDocuments(want), sortedDocuments(got)
		}
		if want != got {
			s.t.Errorf("%s@%d, %q renamed %q: %s\n%s\nbefore:\n%s\nafter:\n%s", p.file, p.offset, was, is, dir, scene.diff(s.t, edit), want, got)
			return
		}
	}
}

// render returns what a root renders, without hashes in names.
func (s *renameSweep) render(session *builder.Session, dir string) string {
	result, err := session.Build(context.Background(), dir, builder.Options{})
	if err != nil {
		s.t.Fatal(err)
	}
	rendered, err := result.YAML(context.Background())
	if err != nil {
		return "" // kustomize refuses it
	}
	text := string(rendered)
	for _, r := range result.Resources {
		if n := len(r.Previous); r.NeedsHash && n > 0 {
			text = strings.ReplaceAll(text, r.ID().Name, r.Previous[n-1].Name)
		}
	}
	return text
}

// sortedDocuments sorts documents and lines: some things are sorted by name.
func sortedDocuments(rendered string) string {
	lines := strings.Split(rendered, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

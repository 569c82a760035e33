package rules

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path"
	"slices"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/fixture"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/differential"
)

// patience is how long one broken tree may take; the slowest takes a fraction of a second.
const patience = 30 * time.Second

// Whatever happens to a file, there is an answer: no panic, no hang, and every
// root that fails says why at a place that exists.
func TestBrokenFixtures(t *testing.T) {
	for _, p := range fixturePaths(t) {
		f, err := fixture.Load(p)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(f.Name, func(t *testing.T) {
			t.Parallel()
			for _, file := range f.Files {
				for _, broken := range breakages(file.Data) {
					checkBroken(t, f, file.Path, broken)
					if t.Failed() {
						return
					}
				}
			}
		})
	}
}

// breakages cuts a text at places spread over it, and changes bytes of it.
func breakages(data []byte) [][]byte {
	const cuts, flips = 6, 6
	random := rand.New(rand.NewPCG(1, uint64(len(data))))
	var broken [][]byte
	for i := range cuts {
		broken = append(broken, data[:len(data)*i/cuts])
	}
	nasty := []byte("\x00\t\xff\"'[]{}:-#&*!|>%@`\n\r ~?,<")
	for range flips {
		changed := bytes.Clone(data)
		if len(changed) > 0 {
			changed[random.IntN(len(changed))] = nasty[random.IntN(len(nasty))]
		}
		broken = append(broken, changed)
	}
	return broken
}

func checkBroken(t *testing.T, f *fixture.Fixture, name string, data []byte) {
	t.Helper()
	files := f.Contents()
	files[path.Join(fixture.Root, name)] = data
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	snapshot := vfs.NewSnapshot(vfs.Memory(files))
	targets, err := analysis.Discover(ctx, snapshot, fixture.Root)
	if err != nil {
		t.Fatal(err)
	}
	report, err := analysis.Check(ctx, builder.NewSession(snapshot), targets, analysis.Options{Rules: All()})
	if err != nil {
		t.Fatalf("%s is\n%s\n%v", name, data, err)
	}
	if f.Oracle() == "" {
		askKustomizeAboutBroken(ctx, t, f, name, data, report.Roots)
	}
	for _, d := range report.Diagnostics {
		if d.Rule == analysis.InternalError {
			t.Errorf("%s is\n%s\n%s", name, data, d.Message)
		}
		checkPlaces(t, files, d)
	}
	for _, r := range report.Roots {
		if r.Verdict == analysis.Fails && !slices.ContainsFunc(report.Diagnostics, func(d analysis.Diagnostic) bool {
			return d.Severity == analysis.Error && slices.Contains(d.Roots, r.Dir)
		}) {
			t.Errorf("%s is\n%s\n%s fails, and no diagnostic says why", name, data, r.Dir)
		}
		checkPlainBuild(ctx, t, snapshot, r)
	}
}

// askKustomizeAboutBroken holds every root's verdict against kustomize.
func askKustomizeAboutBroken(ctx context.Context, t *testing.T, f *fixture.Fixture, name string, data []byte, roots []analysis.Root) {
	t.Helper()
	files := differential.Tree{}
	for _, file := range f.Files {
		files[file.Path] = file.Data
	}
	files[name] = data
	for _, r := range roots {
		if r.Verdict == analysis.IsComponent {
			continue
		}
		if compared := files.Compare(ctx, folderOf(r)); compared.Kind.Wrong() {
			t.Errorf("%s: %s is\n%s\n%s", folderOf(r), name, data, compared)
		}
	}
}

// checkPlainBuild holds that kls build refuses what kls check calls failing, and
// nothing else.
func checkPlainBuild(ctx context.Context, t *testing.T, snapshot *vfs.Snapshot, r analysis.Root) {
	t.Helper()
	if r.Verdict == analysis.IsComponent {
		return
	}
	result, err := builder.NewSession(snapshot).Build(ctx, r.Dir, builder.Options{})
	if err != nil {
		t.Fatal(err)
	}
	refused := result.Failed()
	if !refused {
		_, err := result.YAML(ctx)
		refused = err != nil
	}
	if refused != (r.Verdict == analysis.Fails) {
		t.Errorf("%s: the verdict is %s, and a plain build refused is %t", r.Dir, r.Verdict, refused)
	}
}

// checkPlaces holds that a diagnostic and all that belongs to it is somewhere.
func checkPlaces(t *testing.T, files map[string][]byte, d analysis.Diagnostic) {
	t.Helper()
	places := []analysis.Place{d.Place}
	for _, r := range d.Related {
		places = append(places, r.Place)
	}
	for _, fix := range d.Fixes {
		for _, e := range fix.Edits {
			places = append(places, e.Place)
		}
	}
	for _, p := range places {
		data, ok := files[p.File]
		if !ok || p.Span.Start < 0 || p.Span.End < p.Span.Start || p.Span.End > len(data) {
			t.Errorf("%s: %q is at %v of %q, which has %d bytes", d.Rule, d.Message, p.Span, p.File, len(data))
		}
	}
	if d.Message == "" {
		t.Errorf("%s has no message", d.Rule)
	}
}

// Command fluxfaults puts mistakes into a checkout with Flux Kustomizations, one at a
// time, and looks whether kls reports each at its line, and nothing that was not there
// before elsewhere.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

func main() {
	limit := flag.Int("limit", 5, "mistakes of each kind, at most")
	verbose := flag.Bool("v", false, "print what is not reported")
	flag.Parse()
	results, err := measure(context.Background(), flag.Arg(0), *limit)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	for _, r := range results {
		fmt.Printf("%3d of %3d  %s\n", r.told, r.made, r.kind)
		if *verbose {
			for _, missed := range r.missed {
				fmt.Println("           " + missed)
			}
		}
	}
}

// result is what came of the mistakes of one kind.
type result struct {
	kind       string
	made, told int
	missed     []string
}

func measure(ctx context.Context, root string, limit int) ([]result, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	b := &bench{ctx: ctx, root: root, files: map[string]string{}}
	if err := b.load(); err != nil {
		return nil, err
	}
	b.clean = b.check(vfs.NewSnapshot(vfs.Disk()))
	var results []result
	for _, k := range kinds() {
		results = append(results, b.kind(k, limit))
	}
	return results, nil
}

type bench struct {
	ctx   context.Context
	root  string
	files map[string]string
	clean map[string]bool
	// deployed has the files that deployments read, used the lines with a variable.
	deployed, used map[string]bool
}

func (b *bench) load() error {
	return filepath.WalkDir(b.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		text, err := os.ReadFile(path)
		b.files[path] = string(text)
		return err
	})
}

// check returns what is reported: file, line and rule.
func (b *bench) check(files *vfs.Snapshot) map[string]bool {
	session := builder.NewSession(files).Remember(100_000)
	set, err := deployments.Find(b.ctx, session, b.root, nil, nil)
	if err != nil {
		panic(err)
	}
	if b.deployed == nil {
		b.look(session, set)
	}
	found := map[string]bool{}
	for _, d := range deployments.Check(session, set, analysis.Options{Rules: rules.All()}) {
		f, err := files.ReadFile(d.File)
		if err != nil {
			continue
		}
		line, _ := text.NewLines(f.Data).OffsetToLineColumn(d.Span.Start)
		found[fmt.Sprintf("%s:%d: %s", d.File, line, d.Rule)] = true
	}
	return found
}

// look notes what is deployed.
func (b *bench) look(session *builder.Session, set *deployment.Set) {
	b.deployed, b.used = map[string]bool{}, map[string]bool{}
	for _, d := range set.Deployments {
		if path, _ := d.PathOf(session); path != "" {
			b.deployed[path] = true
		}
		if d.Build == nil {
			continue
		}
		for _, path := range d.Build.Reads.Files() {
			b.deployed[path] = true
		}
		for _, out := range d.Outputs {
			for _, u := range out.Uses {
				file, path, span := session.NodeSpan(u.Node)
				if source := session.Table().Source(file); source != nil {
					first, _ := source.Lines().OffsetToLineColumn(span.Start)
					last, _ := source.Lines().OffsetToLineColumn(span.End)
					for line := first; line <= last; line++ {
						b.used[fmt.Sprintf("%s:%d", path, line)] = true
					}
				}
			}
		}
	}
}

// kind makes mistakes of a kind, those of different files first.
func (b *bench) kind(k kind, limit int) result {
	r := result{kind: k.name}
	var made [][]fault
	var paths []string
	for path := range b.files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		made = append(made, k.make(path, b.files[path]))
	}
	for round := 0; round < limit && r.made < limit; round++ {
		for i, path := range paths {
			if round < len(made[i]) && r.made < limit && b.matters(path, k, made[i][round]) {
				b.try(&r, path, made[i][round])
			}
		}
	}
	return r
}

// matters tells whether what is deployed depends on the line.
func (b *bench) matters(path string, k kind, f fault) bool {
	return b.deployed[path] && (!onUse[k.name] || b.used[fmt.Sprintf("%s:%d", path, f.lines[0])])
}

func (b *bench) try(r *result, path string, f fault) {
	now := b.check(vfs.NewSnapshot(vfs.Disk()).With(path, []byte(f.text)))
	r.made++
	told := false
	var others []string
	for at := range now {
		if b.clean[at] {
			continue
		}
		isHere := len(f.lines) == 0
		for _, line := range f.lines {
			isHere = isHere || strings.HasPrefix(at, fmt.Sprintf("%s:%d:", path, line))
		}
		told = told || isHere
		others = append(others, strings.TrimPrefix(at, b.root+"/"))
	}
	if told {
		r.told++
		return
	}
	slices.Sort(others)
	r.missed = append(r.missed, fmt.Sprintf("%s:%v, only %v", strings.TrimPrefix(path, b.root+"/"), f.lines, others[:min(3, len(others))]))
}

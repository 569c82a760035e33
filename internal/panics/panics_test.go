//go:build faults

package panics

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/gentree"
	"github.com/kustomize-lsp/kls/schema"
)

// TestEachWorkerPanicsOnce makes every loop and lazy value that a check comes to panic
// once, on the goroutine of the caller and in a worker. The process goes on; either the
// check says that it broke down over a root, or nothing was lost; and the next check with
// the same session is as it should be.
func TestEachWorkerPanicsOnce(t *testing.T) {
	tree := newTree()
	want := tree.check(t, tree.session())
	if strings.Contains(want.text, analysis.InternalError) || want.err != nil {
		t.Fatal(want)
	}
	tree.check(t, tree.session().Derive(tree.files, "/nothing"))
	places := slices.Sorted(slices.Values(parallel.Faults.Seen()))
	workers := 0
	for _, place := range places {
		if strings.HasSuffix(place, "(worker)") {
			workers++
		}
		t.Run(place, func(t *testing.T) { tree.panicAt(t, place, want) })
	}
	if workers < 6 || len(places)-workers < 12 {
		t.Errorf("only %d loops with workers, and %d places in all: %q", workers, len(places), places)
	}
}

type tree struct {
	files   *vfs.Snapshot
	schemas *schema.Kubernetes
}

// checked is what a check said.
type checked struct {
	text string
	err  error
}

func (x *tree) panicAt(t *testing.T, place string, want checked) {
	tree := newTree() // in which nothing was read yet
	session := tree.session()
	parallel.Faults.Arm(place)
	got := tree.check(t, session)
	if parallel.Faults.Armed() {
		t.Fatal("nothing panicked")
	}
	broken := strings.Contains(got.text, analysis.InternalError) && strings.Contains(got.text, "injected at")
	var panicked *parallel.Panic
	if got != want && !broken && !errors.As(got.err, &panicked) {
		t.Errorf("it is not said that something broke down:\n%v", got)
	}
	for range 2 {
		if got := tree.check(t, session); got != want {
			t.Errorf("the next check says\n%v\nwant\n%v", got, want)
		}
	}
}

func (x *tree) session() *builder.Session { return builder.NewSession(x.files).Remember(50_000) }

// check returns all that a check of the tree says, and what it renders to.
func (x *tree) check(t *testing.T, session *builder.Session) checked {
	targets, err := analysis.Discover(t.Context(), x.files, "/t")
	if err != nil {
		return checked{err: err}
	}
	printed := map[string]string{}
	report, err := analysis.Check(t.Context(), session, targets, analysis.Options{Rules: rules.All(),
		Kubernetes: func(string) *schema.Kubernetes { return x.schemas }})
	if err != nil {
		return checked{err: err}
	}
	for _, target := range targets {
		printed[target.Dir] = render(t.Context(), session, target.Dir)
	}
	var text strings.Builder
	for _, r := range report.Roots {
		fmt.Fprintln(&text, r.Dir, r.Verdict)
	}
	for _, d := range report.Diagnostics {
		fmt.Fprintln(&text, d.File, d.Span, d.Severity, d.Rule, d.Message)
	}
	for _, dir := range slices.Sorted(maps.Keys(printed)) {
		fmt.Fprintln(&text, dir, printed[dir])
	}
	return checked{text: text.String()}
}

// render returns what a root renders to; a panic of it is one of the root.
func render(ctx context.Context, session *builder.Session, dir string) (text string) {
	defer func() {
		if panicked := recover(); panicked != nil {
			text = fmt.Sprint(analysis.InternalError, " ", panicked)
		}
	}()
	result, err := session.Build(ctx, dir, builder.Options{})
	if err != nil {
		return err.Error()
	}
	printed, err := result.YAML(ctx)
	if err != nil {
		return err.Error()
	}
	return string(printed)
}

// newTree is large enough for all loops to have workers, and has some of everything.
func newTree() *tree {
	files := map[string][]byte{}
	for path, text := range gentree.Files(130) {
		files["/t/"+path] = text
	}
	var many strings.Builder
	for i := range 300 {
		fmt.Fprintf(&many, "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w%d}\nspec: {image: nginx, config: w0, text: '{\"a\": 1}'}\n---\n", i)
	}
	files["/t/base/many/many.yaml"] = []byte(many.String())
	files["/t/base/many/crd.yaml"] = []byte(definition)
	files["/t/base/many/kustomization.yaml"] = []byte("resources: [many.yaml, crd.yaml]\n")
	files["/t/top/kustomization.yaml"] = []byte(top)
	files["/t/other/kustomization.yaml"] = []byte("resources: [../overlay]\nnameSuffix: -x\n")
	files["/t/third/kustomization.yaml"] = []byte("resources: [missing.yaml]\n")
	schemas, err := schema.New("")
	if err != nil {
		panic(err)
	}
	return &tree{files: vfs.NewSnapshot(vfs.Memory(files)), schemas: schemas}
}

const top = `resources: [../base/many, ../overlay]
namePrefix: p-
commonAnnotations: {a: b}
labels: [{pairs: {c: d}}]
images: [{name: nginx, newTag: "2"}]
configMapGenerator: [{name: generated, literals: [a=b]}]
patches:
- target: {kind: Widget}
  patch: '[{"op": "add", "path": "/spec/more", "value": 1}]'
- target: {kind: Widget}
  patch: |
    {apiVersion: any, kind: any, metadata: {name: any}, spec: {other: 2}}
replacements:
- source: {kind: Widget, name: w1, fieldPath: spec.image}
  targets:
  - select: {kind: Widget}
    fieldPaths: [spec.color]
    options: {create: true}
`

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {image: {type: integer}}}
`

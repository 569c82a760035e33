// Package differential holds the engine against kustomize itself, in the same process: of the same tree, both have to
// print the same bytes, or both have to refuse. The trees are the repository's examples and fixtures, and random ones.
//
// What a refusal says is not compared: kls has its own words.
package differential

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/transform"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// Kind is the way in which two builds differ, as a phrase to print.
type Kind string

const (
	Same          Kind = "both do the same"
	Skipped       Kind = "nothing to compare"
	OtherBytes    Kind = "both build, to different bytes"
	OnlyKls       Kind = "kls builds what kustomize refuses"
	OnlyKustomize Kind = "kls refuses what kustomize builds"
	Broken        Kind = "kls fails of itself"
)

// Wrong tells whether the two should have done the same and did not.
func (k Kind) Wrong() bool { return k != Same && k != Skipped }

// Comparison is what the two builds of one folder gave.
type Comparison struct {
	Kind           Kind
	Kls, Kustomize Outcome
}

// Outcome is what one side made of a folder: what it printed, or why it refused.
type Outcome struct {
	Printed []byte
	Refusal error
	Beyond  bool // kls says that it did what kustomize cannot
	schema  bool // a kustomization has a schema of its own
	// unstable are the names with a hash that kls says it cannot tell.
	unstable []string
}

// errUnknown is what kls says of a build that needs a remote base, a chart or a function.
var errUnknown = errors.New("needs what is switched off")

// errBroken marks an error of kls's own, a panic included.
var errBroken = errors.New("kls is broken")

// errPanic is a panic of kustomize's, which says nothing about what a build should do.
var errPanic = errors.New("kustomize panics")

// Compare builds the folder from both file systems, which hold the same files. kustomize is not asked about a folder
// of which kls says that it needs what is switched off: kustomize would go and fetch it.
func Compare(ctx context.Context, files vfs.Source, fSys filesys.FileSystem, folder string) Comparison {
	c := Comparison{Kls: buildWithKls(ctx, files, folder)}
	switch {
	case errors.Is(c.Kls.Refusal, errUnknown):
		c.Kind = Skipped
		return c
	case errors.Is(c.Kls.Refusal, errBroken):
		c.Kind = Broken
		return c
	}
	c.Kustomize = buildWithKustomize(fSys, folder, c.Kls.schema)
	c.Kind = c.compare()
	return c
}

func (c Comparison) compare() Kind {
	switch ours, theirs := c.Kls.Refusal == nil, c.Kustomize.Refusal == nil; {
	case errors.Is(c.Kustomize.Refusal, errPanic):
		return Skipped
	case ours && !theirs && c.Kls.Beyond:
		return Same
	case ours && !theirs:
		return OnlyKls
	case !ours && theirs:
		return OnlyKustomize
	case ours && !bytes.Equal(c.Kls.Printed, c.Kustomize.Printed) && !c.sameButHashes():
		return OtherBytes
	}
	return Same
}

// sameButHashes tells whether only those hashes differ that kls says it cannot tell. Resources that have a name in
// common may be in another order then.
func (c Comparison) sameButHashes() bool {
	if len(c.Kls.unstable) == 0 {
		return false
	}
	ours, theirs := c.Kls.Printed, c.Kustomize.Printed
	for _, name := range c.Kls.unstable {
		stem := regexp.QuoteMeta(name[:len(name)-len("2456789bcd")])
		hashed := regexp.MustCompile(`\b` + stem + `[2456789bcdfghkmt]{10}\b`)
		ours, theirs = hashed.ReplaceAll(ours, []byte("HASHED")), hashed.ReplaceAll(theirs, []byte("HASHED"))
	}
	return slices.Equal(sortedDocuments(ours), sortedDocuments(theirs))
}

func sortedDocuments(printed []byte) []string {
	documents := strings.Split(string(printed), "---\n")
	slices.Sort(documents)
	return documents
}

// String explains the comparison to who has to mend it.
func (c Comparison) String() string {
	var text strings.Builder
	fmt.Fprintln(&text, c.Kind)
	if c.Kls.Refusal != nil {
		fmt.Fprintf(&text, "kls: %v\n", c.Kls.Refusal)
	}
	if c.Kustomize.Refusal != nil {
		fmt.Fprintf(&text, "kustomize: %v\n", c.Kustomize.Refusal)
	}
	if c.Kind == OtherBytes {
		text.WriteString("-kustomize +kls\n")
		text.WriteString(cmp.Diff(string(c.Kustomize.Printed), string(c.Kls.Printed)))
	}
	return text.String()
}

func buildWithKls(ctx context.Context, files vfs.Source, folder string) (outcome Outcome) {
	defer func() {
		if panicked := recover(); panicked != nil {
			outcome = Outcome{Refusal: fmt.Errorf("%w: panic: %v", errBroken, panicked)}
		}
	}()
	result, err := builder.NewSession(vfs.NewSnapshot(files)).Build(ctx, folder, builder.Options{})
	defer func() { outcome.schema = err == nil && ownSchema(result.Root) }()
	switch {
	case err != nil:
		return Outcome{Refusal: fmt.Errorf("%w: %w", errBroken, err)}
	case result.Unknown:
		return Outcome{Refusal: errUnknown}
	case result.Failed():
		return Outcome{Refusal: problems(result)}
	}
	printed, err := result.YAML(ctx)
	switch refused := new(render.Refusal); {
	case errors.As(err, &refused):
		return Outcome{Refusal: err}
	case err != nil:
		return Outcome{Refusal: fmt.Errorf("%w: %w", errBroken, err)}
	}
	beyond := slices.ContainsFunc(result.Problems, func(p builder.Problem) bool { return p.Beyond })
	outcome = Outcome{Printed: printed, Beyond: beyond}
	for _, r := range result.Resources {
		if !transform.HashIsKnown(r) {
			outcome.unstable = append(outcome.unstable, r.ID().Name)
		}
	}
	return outcome
}

// ownSchema tells whether a layer, or one below it, has the field openapi.
func ownSchema(l *builder.Layer) bool {
	if l == nil {
		return false
	}
	if l.Kustomization != nil && len(l.Kustomization.OpenAPI) > 0 {
		return true
	}
	return slices.ContainsFunc(l.Facts.Included, func(in builder.Included) bool { return ownSchema(in.Layer) })
}

func problems(result *builder.Result) error {
	var all []error
	for _, problem := range result.Problems {
		if problem.Fatal {
			all = append(all, fmt.Errorf("%s: %s", problem.Code, problem.Message))
		}
	}
	return errors.Join(all...)
}

// kustomizeTurn serialises kustomize's builds: it keeps the schema in a global.
var kustomizeTurn sync.Mutex

// buildWithKustomize builds as `kustomize build` does without flags. A build with a schema of its own gets the global one
// as it is in a new process, and leaves nothing in it.
func buildWithKustomize(fSys filesys.FileSystem, folder string, schema bool) (outcome Outcome) {
	kustomizeTurn.Lock()
	defer kustomizeTurn.Unlock()
	if schema {
		openapi.ResetOpenAPI()
		defer openapi.ResetOpenAPI()
	}
	defer func() {
		if panicked := recover(); panicked != nil {
			outcome = Outcome{Refusal: fmt.Errorf("%w: %v", errPanic, panicked)}
		}
	}()
	options := krusty.MakeDefaultOptions()
	options.Reorder = krusty.ReorderOptionUnspecified
	resources, err := krusty.MakeKustomizer(options).Run(fSys, folder)
	if err != nil {
		return Outcome{Refusal: err}
	}
	printed, err := resources.AsYaml()
	if err != nil {
		return Outcome{Refusal: err}
	}
	return Outcome{Printed: bytes.ReplaceAll(printed, []byte(unreleased), []byte(released))}
}

// The label managed-by names kustomize's version, which a module that is built into another program does not know.
const (
	unreleased = "app.kubernetes.io/managed-by: kustomize-(devel)\n"
	released   = "app.kubernetes.io/managed-by: kustomize-v5.8.2\n"
)

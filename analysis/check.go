package analysis

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/schema"
)

// InternalError is the rule of a fault of kls itself.
const InternalError = "internal-error"

// Options say how a check is done.
type Options struct {
	// Rules are the rules by which problems are judged: rules.All().
	Rules []*Rule
	// Build are the options of every build; Analyze is always on.
	Build builder.Options
	// Config, where it is not nil, has the configurations of the session's files.
	// Their mistakes are reported, and a build depends on the one that counts for it.
	// What the release of kustomize that it names does not have makes a root fail.
	Config *config.Set
	// MaxMemory is about how many bytes an editor's view may take; 0 for 1 GiB. Checks
	// do not go by it.
	MaxMemory int
	// BuildOf, where it is not nil, makes the options of a build out of what the
	// configuration says about it, in the place of Build. It is called from several
	// goroutines.
	BuildOf func(config.Build) builder.Options
	// Kubernetes, where it is not nil, returns the schemas against which the
	// resources of the root in a folder are held; it may return nil for none.
	// Kubernetes in this package makes one. It is called from several goroutines.
	Kubernetes func(dir string) *schema.Kubernetes
	// Schemas, where it is not nil, takes the place of Kubernetes for those who check
	// many snapshots one after the other, each with its configurations.
	Schemas *Schemas
	// Log, where it is not nil, gets the stack of a panic.
	Log io.Writer
	// Built, where it is not nil, is handed every build once it is done: the
	// folder and the result, which is nil where the build broke down. It is called
	// from several goroutines.
	Built func(dir string, result *builder.Result)
}

// Of returns the build options of a root, by its folder.
func (o Options) Of(dir string) builder.Options {
	if o.Config != nil && o.BuildOf != nil {
		return o.BuildOf(o.Config.Build(dir))
	}
	return o.Build
}

// Check builds the targets and reports what is wrong with them. Components are
// checked inside the roots that include them; one that none includes is built by
// itself, as part of something unknown. The error is for cancellation.
func Check(ctx context.Context, session *builder.Session, targets []Target, options Options) (*Report, error) {
	c := newChecker(session, options)
	var roots, components []Target
	for _, t := range targets {
		if t.Component {
			components = append(components, t)
		} else {
			roots = append(roots, t)
		}
	}
	checked, err := c.checkAll(ctx, roots, false)
	if err != nil {
		return nil, err
	}
	included := map[string]bool{}
	for _, r := range checked {
		for _, dir := range r.components {
			included[dir] = true
		}
	}
	alone := slices.DeleteFunc(slices.Clone(components), func(t Target) bool { return included[c.realPath(t.Dir)] })
	checkedAlone, err := c.checkAll(ctx, alone, true)
	if err != nil {
		return nil, err
	}
	return newReport(checked, components, checkedAlone), nil
}

// CheckRoot builds one root and returns its verdict and its own diagnostics, as
// Check would report them if there were no other roots.
func CheckRoot(ctx context.Context, session *builder.Session, target Target, options Options) (*Report, error) {
	return Check(ctx, session, []Target{target}, options)
}

// checker checks roots of one session.
type checker struct {
	session *builder.Session
	options Options
	rules   map[string]*Rule
	configs config.Reader
}

func newChecker(session *builder.Session, options Options) *checker {
	c := &checker{session: session, options: options, rules: map[string]*Rule{},
		configs: config.Reader{Table: session.Table(), ID: session.FileID}}
	for _, r := range options.Rules {
		c.rules[r.Name] = r
	}
	return c
}

// checkedRoot is what came of one target.
type checkedRoot struct {
	Root
	diagnostics []Diagnostic
	components  []string // the folders of the components in it
}

// checkAll builds the targets on all cores, those that others include before these.
func (c *checker) checkAll(ctx context.Context, targets []Target, alone bool) ([]checkedRoot, error) {
	checked := make([]checkedRoot, len(targets))
	order := c.order(targets)
	return checked, parallel.Do(ctx, len(order), func(ctx context.Context, turn int) (err error) {
		i := order[turn]
		checked[i], err = c.check(ctx, targets[i], alone)
		return err
	})
}

func (c *checker) order(targets []Target) (order []int) {
	dirs := make([]string, len(targets))
	for i, t := range targets {
		dirs[i] = t.Dir
		order = append(order, i)
	}
	if len(dirs) == 1 {
		return order
	}
	defer func() {
		_ = recover() // any order will do: who checks the target that is to blame reports it
	}()
	return c.session.InclusionOrder(dirs)
}

// check builds one target. A panic is this target's error and nobody else's.
func (c *checker) check(ctx context.Context, t Target, alone bool) (root checkedRoot, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			root, err = c.brokenDown(t, fmt.Sprint(panicked), parallel.Stack(panicked)), nil
		}
	}()
	options := c.options.Of(t.Dir)
	options.Analyze, options.Incomplete = true, alone
	result, err := c.session.Build(ctx, t.Dir, options)
	switch {
	case ctx.Err() != nil:
		return checkedRoot{}, ctx.Err()
	case err != nil:
		return c.brokenDown(t, err.Error(), nil), nil
	}
	if err := c.render(ctx, result); err != nil {
		if ctx.Err() != nil {
			return checkedRoot{}, ctx.Err()
		}
		return c.brokenDown(t, err.Error(), nil), nil
	}
	if c.options.Built != nil {
		c.options.Built(t.Dir, result)
	}
	problems := append(slices.Clone(result.Problems), c.runRules(ctx, t.Dir, result)...)
	problems = append(problems, c.configure(t.Dir, result)...)
	judged := c.judge(t, result, c.judgeByRelease(t.Dir, result, problems), alone)
	return c.withoutEffects(ctx, judged, t, result, alone), nil
}

// render finds out whether the resources can be printed: kustomize refuses some
// only then. Of a build that fails that says little, but a key that stands twice
// is a mistake all the same.
func (c *checker) render(ctx context.Context, result *builder.Result) error {
	problems, err := result.Unprintable(ctx)
	if result.Failed() {
		problems = slices.DeleteFunc(problems, func(p builder.Problem) bool { return p.Code != problem.DuplicateKey })
	}
	result.Problems = append(result.Problems, problems...)
	return err
}

func (c *checker) judge(t Target, result *builder.Result, problems []builder.Problem, alone bool) checkedRoot {
	root := checkedRoot{Root: Root{Dir: t.Dir, Verdict: verdict(result, problems)}}
	pass := Pass{Result: result}
	uses := map[string]int{}
	for i, l := range pass.Layers() {
		uses[l.Dir]++
		if i == 0 {
			root.Layer, root.File = l.Dir, l.Path
		} else {
			root.Includes = append(root.Includes, l.Dir)
		}
		if l.Component {
			root.components = append(root.components, l.Dir)
		}
	}
	inUses := usesWith{}
	for _, p := range problems {
		if isElsewhere(p) {
			continue
		}
		root.Beyond = root.Beyond || p.Beyond
		d := c.diagnostic(p, t.Dir)
		if !alone {
			d.Roots = []string{t.Dir}
		}
		inUses.add(d, p.Layer)
		root.diagnostics = append(root.diagnostics, d)
	}
	root.diagnostics = slices.DeleteFunc(onePerPlace(root.diagnostics), func(d Diagnostic) bool {
		return d.Shared != "" && inUses.count(d) < uses[d.Shared]
	})
	return root
}

// usesWith are the layers of one build that have a diagnostic: a component that is
// included twice below one root may match in one place and not in the other.
type usesWith map[sameness]map[*builder.Layer]bool

func (u usesWith) add(d Diagnostic, l *builder.Layer) {
	key := sameness{d.Rule, d.Place}
	if u[key] == nil {
		u[key] = map[*builder.Layer]bool{}
	}
	u[key][l] = true
}

func (u usesWith) count(d Diagnostic) int { return len(u[sameness{d.Rule, d.Place}]) }

func verdict(result *builder.Result, problems []builder.Problem) Verdict {
	switch {
	case slices.ContainsFunc(problems, func(p builder.Problem) bool { return p.Fatal }):
		return Fails
	case result.Unknown:
		return Unknown
	}
	return Builds
}

func (c *checker) runRules(ctx context.Context, dir string, result *builder.Result) []builder.Problem {
	var found []builder.Problem
	common := &shared{ctx: ctx}
	if c.options.Kubernetes != nil {
		common.kubernetes = c.options.Kubernetes(dir)
	}
	for _, r := range c.options.Rules {
		pass := &Pass{Session: c.session, Result: result, rule: r, shared: common}
		pass.run()
		found = append(found, pass.found...)
	}
	return found
}

func (c *checker) brokenDown(t Target, message string, stack []byte) checkedRoot {
	if c.options.Log != nil {
		fmt.Fprintf(c.options.Log, "%s: %s\n%s\n", t.Dir, message, stack)
	}
	if c.options.Built != nil {
		c.options.Built(t.Dir, nil)
	}
	return checkedRoot{Root: Root{Dir: t.Dir, Verdict: Fails}, diagnostics: []Diagnostic{{
		Rule: InternalError, Severity: Error, Place: Place{File: c.fileOf(t.Dir)},
		Message: "kls crashed on this kustomization: " + message,
		Help:    "this is a bug in kls, not in your files; please report it",
		Roots:   []string{t.Dir},
	}}}
}

// fileOf returns the kustomization file of a folder, or the folder.
func (c *checker) fileOf(dir string) string {
	for _, name := range kustomization.FileNames() {
		path := filepath.Join(dir, name)
		if isDir, err := c.session.Files().IsDir(path); err == nil && !isDir {
			return path
		}
	}
	return dir
}

func (c *checker) realPath(dir string) string {
	if real, err := c.session.Files().EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// newReport puts the results together: what several roots share is one
// diagnostic.
func newReport(roots []checkedRoot, components []Target, alone []checkedRoot) *Report {
	r := &Report{}
	merged := merger{}
	for _, root := range roots {
		r.Roots = append(r.Roots, root.Root)
		merged.add(root.diagnostics)
	}
	for _, t := range components {
		r.Roots = append(r.Roots, Root{Dir: t.Dir, Verdict: IsComponent})
	}
	for _, component := range alone {
		merged.add(component.diagnostics)
	}
	slices.SortFunc(r.Roots, func(a, b Root) int { return cmp.Compare(a.Dir, b.Dir) })
	r.Diagnostics = withoutMended(merged.sorted(), r.Roots)
	return r
}

package analysis

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// emptyEntry is the rule of an entry, or a field of one, without a value.
const emptyEntry = "empty-entry"

// unfinished is an entry that is not complete yet: it does more to the build than it will.
type unfinished struct {
	place Place // of the entry, all of its lines
	// at is where something is missing, and message says what.
	at      *yaml.Node
	message string
	// mayBeWanted is true for what is said only where the build fails because of it.
	mayBeWanted bool
}

// unfinishedEntries finds them in all kustomizations of a build.
func (c *checker) unfinishedEntries(result *builder.Result) (found []unfinished) {
	add := func(entry *yaml.Node, e unfinished) {
		table := c.session.Table()
		id, span := syntax.NodeSpan(table, entry)
		if file, path, span := table.Resolve(id, span); e.at != nil && file != 0 && !isURL(path) {
			e.place = Place{path, span}
			found = append(found, e)
		}
	}
	pass := Pass{Result: result}
	for _, l := range pass.Layers() {
		k := l.Kustomization
		for _, p := range slices.Concat(k.Patches, k.PatchesJSON6902) {
			add(p.Node, unfinishedPatch(p))
		}
		for _, r := range k.Replacements {
			add(r.Node, unfinishedReplacement(r))
		}
		for _, g := range slices.Concat(k.ConfigMapGenerator, k.SecretGenerator) {
			add(g.Node, unfinishedGenerator(g))
		}
	}
	return found
}

func withoutValue(entry *yaml.Node) unfinished {
	key := keyWithoutValue(entry)
	if key == nil {
		return unfinished{}
	}
	return unfinished{at: key, message: key.Value + " has no value: the entry is not complete"}
}

// openPointer is an operation whose path ends in a slash, where no key or index can be.
var openPointer = text.Regexp(`(?m)path["']?:[ \t]*["']?(/[^\s"',}]*)?/["']?[ \t]*$`)

func unfinishedPatch(p kustomization.Patch) unfinished {
	if e := withoutValue(p.Node); e.at != nil || !openPointer().MatchString(p.Patch.Value) {
		return e
	}
	return unfinished{at: p.Patch.Node, message: "the path of an operation ends in a slash: it is not complete"}
}

// unfinishedReplacement: a target without fieldPaths replaces metadata.name, which hardly
// anybody wants.
func unfinishedReplacement(r kustomization.Replacement) unfinished {
	if e := withoutValue(r.Node); e.at != nil {
		return e
	}
	for _, t := range r.Targets {
		if len(t.FieldPaths) == 0 && t.Node != nil {
			return unfinished{at: t.Node, message: "a target without fieldPaths replaces metadata.name", mayBeWanted: true}
		}
		for _, path := range t.FieldPaths {
			if slices.Contains([]string{"metadata", "spec", "spec.template", "spec.template.spec"}, strings.TrimRight(path.Value, ".")) {
				return unfinished{at: path.Node, message: "this path replaces the whole " + path.Value + ": it is not complete", mayBeWanted: true}
			}
		}
	}
	return unfinished{}
}

// unfinishedGenerator: a generator that has nothing but a name makes an empty ConfigMap,
// under a name that may not be whole.
func unfinishedGenerator(g kustomization.Generator) unfinished {
	e := withoutValue(g.Node)
	hasSource := slices.ContainsFunc([]string{"literals", "files", "envs", "env", "mergeValues"}, func(field string) bool {
		_, source := syntax.Field(g.Node, field)
		return source != nil // one of a wrong type is a mistake of its own
	})
	if e.at == nil && !hasSource && g.Behavior.Value == "" {
		e = unfinished{at: g.Name.Node, message: "the generator has no literals, files or envs: it is not complete", mayBeWanted: true}
	}
	return e
}

// keyWithoutValue returns a key in a tree that nothing is written behind, not even null.
func keyWithoutValue(n *yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	for i, child := range n.Content {
		isValue := n.Kind == yaml.MappingNode && i%2 == 1
		if isValue && child.Kind == yaml.ScalarNode && child.Tag == "!!null" && child.Value == "" {
			return n.Content[i-1]
		}
		if key := keyWithoutValue(child); key != nil {
			return key
		}
	}
	return nil
}

// withoutEffects leaves out what unfinished entries do to the build, and says of each
// one thing: that it is not complete. What is also found without them stays.
func (c *checker) withoutEffects(ctx context.Context, root checkedRoot, t Target, result *builder.Result, alone bool) checkedRoot {
	entries := c.unfinishedEntries(result)
	isSyntax := func(d Diagnostic) bool { return d.Rule == string(problem.SyntaxError) }
	if len(entries) == 0 || slices.ContainsFunc(root.diagnostics, isSyntax) { // these are left out of the build already
		return root
	}
	files := c.session.Files()
	for _, e := range entries {
		f, err := files.ReadFile(e.place.File)
		if err != nil || e.place.Span.End > len(f.Data) {
			return root
		}
		files = files.With(e.place.File, blanked(f.Data, e.place.Span))
	}
	other := newChecker(c.session.Derive(files), c.options)
	without, err := other.check(ctx, t, alone)
	if err != nil {
		return root
	}
	known := map[sameness]bool{}
	for _, d := range without.diagnostics {
		known[sameness{d.Rule, d.Place}] = true
	}
	root.diagnostics = slices.DeleteFunc(root.diagnostics, func(d Diagnostic) bool { return !known[sameness{d.Rule, d.Place}] })
	isError := func(d Diagnostic) bool { return d.Severity == Error }
	breaks := root.Verdict == Fails && !slices.ContainsFunc(root.diagnostics, isError)
	for _, e := range entries {
		if e.mayBeWanted && !breaks {
			continue
		}
		d := c.diagnostic(problem.Problem{Code: emptyEntry, Node: e.at, Message: e.message}, t.Dir)
		if d.Severity = Warning; breaks {
			d.Severity = Error
		}
		if !alone {
			d.Roots = []string{t.Dir}
		}
		root.diagnostics = append(root.diagnostics, d)
	}
	return root
}

// blanked returns a text with blanks in the place of an entry, its dash included, so that
// everything else stays where it is.
func blanked(content []byte, span text.Span) []byte {
	out := bytes.Clone(content)
	start := span.Start
	for i := start - 1; i >= 0 && (out[i] == ' ' || out[i] == '-'); i-- {
		if out[i] == '-' {
			start = i
			break
		}
	}
	for i := start; i < span.End; i++ {
		if out[i] != '\n' && out[i] != '\r' {
			out[i] = ' '
		}
	}
	return out
}

// onePerPlace leaves out what else is said at the place of an entry that has no value at
// all, and of one whose file does not exist.
func onePerPlace(list []Diagnostic) []Diagnostic {
	speaks := map[Place]*Diagnostic{}
	for _, rule := range []string{string(problem.MissingPath), emptyEntry} {
		for i := range list {
			if list[i].Rule == rule {
				speaks[list[i].Place] = &list[i]
			}
		}
	}
	if len(speaks) == 0 {
		return list
	}
	for _, d := range list {
		if one := speaks[d.Place]; one != nil {
			one.Severity = max(one.Severity, d.Severity)
		}
	}
	return slices.DeleteFunc(list, func(d Diagnostic) bool {
		one := speaks[d.Place]
		return one != nil && d.Rule != one.Rule && (one.Rule == emptyEntry || d.Rule == string(problem.MalformedPatchEntry))
	})
}

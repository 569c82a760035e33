package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rewrite"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/rogpeppe/go-internal/diff"
	yaml "go.yaml.in/yaml/v3"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

type options struct {
	count, texts    int
	seed            uint64
	unset, refusals bool
	fixtures        bool
	kustomize       string
}

// Count is what came of the changes.
type Count struct {
	Done, Refused, Wrong int
	// Followed are those of Done by which other values changed, too, and were told of.
	Followed int
}

// String gives the share of what was done.
func (c Count) String() string {
	all := max(1, c.Done+c.Refused+c.Wrong)
	return fmt.Sprintf("%d done (%.1f %%, with other values that follow %d), %d refused, %d wrong", c.Done, 100*float64(c.Done)/float64(all), c.Followed, c.Refused, c.Wrong)
}

// tree is a tree of files that is changed and put back for each case.
type tree struct {
	files map[string][]byte // by absolute path
	roots []string
	// build is kustomize: it prints a root of the tree in which some files are others.
	build func(changed map[string][]byte, root string) ([]byte, error)
	// before is what the roots print as they are.
	before map[string][]any
}

func run(ctx context.Context, out io.Writer, o options, folders []string) (Count, error) {
	var count Count
	var trees []*tree
	if o.fixtures {
		for _, folder := range folders {
			more, err := readFixtures(ctx, folder)
			if err != nil {
				return count, err
			}
			trees = append(trees, more...)
		}
		return random(ctx, out, o, trees)
	}
	for _, folder := range folders {
		t, err := readTree(ctx, folder)
		if err != nil {
			return count, err
		}
		if o.kustomize != "" {
			done, err := t.useProgram(o.kustomize)
			if err != nil {
				return count, err
			}
			defer done()
		}
		trees = append(trees, t)
	}
	return random(ctx, out, o, trees)
}

// random changes values of trees at random.
func random(ctx context.Context, out io.Writer, o options, trees []*tree) (Count, error) {
	var count Count
	random := rand.New(rand.NewPCG(o.seed, 22))
	for tries := 0; count.Done+count.Refused+count.Wrong < o.count && tries < 20*o.count; tries++ {
		t := trees[random.IntN(len(trees))]
		if len(t.roots) == 0 {
			continue
		}
		c, err := t.choose(ctx, random, o.unset)
		if err != nil {
			return count, err
		}
		if c == nil {
			continue
		}
		if err := c.run(ctx, &count, out, &o); err != nil {
			return count, err
		}
	}
	return count, nil
}

func readTree(ctx context.Context, folder string) (*tree, error) {
	dir, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == ".git":
			return filepath.SkipDir
		case !entry.Type().IsRegular() || strings.ContainsAny(path[len(dir):], " +@~()[]{}"):
			return nil
		}
		local, err := filepath.Rel(dir, path)
		if err == nil {
			files[filepath.Join(top, local)], err = os.ReadFile(path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return newTree(ctx, top, files)
}

// top is where a tree stands in memory: kustomize's files in memory cannot have some of the names that a disk can.
const top = "/tree"

// marker is a line of a fixture that says what is expected of the line above; it is no part of the tree.
var marker = regexp.MustCompile(`(?m)^[ \t]*\^+ [a-z]+.*\n?`)

// readFixtures reads the trees of the fixtures in a folder: they have what trees are seldom made of.
func readFixtures(ctx context.Context, folder string) ([]*tree, error) {
	var trees []*tree
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".txtar" {
			return err
		}
		archive, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		files := map[string][]byte{}
		for _, file := range archive.Files {
			if !strings.HasPrefix(file.Name, "want/") {
				files[top+"/"+file.Name] = marker.ReplaceAll(file.Data, nil)
			}
		}
		if t, err := newTree(ctx, top, files); err == nil && len(t.roots) > 0 {
			trees = append(trees, t)
		}
		return nil
	})
	return trees, err
}

// newTree makes a tree of files by absolute path, which the library of kustomize builds.
func newTree(ctx context.Context, dir string, files map[string][]byte) (*tree, error) {
	t := &tree{files: files, before: map[string][]any{}}
	targets, err := analysis.Discover(ctx, vfs.NewSnapshot(vfs.Memory(files)), dir)
	if err != nil {
		return nil, err
	}
	for _, target := range targets {
		if !target.Component {
			t.roots = append(t.roots, target.Dir)
		}
	}
	inMemory := filesys.MakeFsInMemory()
	for path, content := range files {
		if err := inMemory.WriteFile(path, content); err != nil {
			return nil, err
		}
	}
	t.build = func(changed map[string][]byte, root string) (printed []byte, err error) {
		defer func() {
			if reason := recover(); reason != nil {
				err = fmt.Errorf("kustomize panics: %v", reason)
			}
		}()
		for path, content := range changed {
			if err := inMemory.WriteFile(path, content); err != nil {
				return nil, err
			}
			defer func() {
				if old, ok := files[path]; ok {
					_ = inMemory.WriteFile(path, old)
				} else {
					_ = inMemory.RemoveAll(path)
				}
			}()
		}
		options := krusty.MakeDefaultOptions()
		options.Reorder = krusty.ReorderOptionUnspecified
		resources, err := krusty.MakeKustomizer(options).Run(inMemory, root)
		if err != nil {
			return nil, err
		}
		return resources.AsYaml()
	}
	return t, nil
}

// useProgram has a program build the tree, in a copy of the files.
func (t *tree) useProgram(program string) (done func(), err error) {
	dir, err := os.MkdirTemp("", "setting")
	if err != nil {
		return nil, err
	}
	write := func(path string, content []byte) error {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		return os.WriteFile(path, content, 0o600)
	}
	for path, content := range t.files {
		if err := write(path, content); err != nil {
			return nil, err
		}
	}
	t.build = func(changed map[string][]byte, root string) ([]byte, error) {
		defer func() {
			for path := range changed {
				if old, ok := t.files[path]; ok {
					_ = write(path, old)
				} else {
					_ = os.Remove(filepath.Join(dir, path))
				}
			}
		}()
		for path, content := range changed {
			if err := write(path, content); err != nil {
				return nil, err
			}
		}
		printed, err := exec.Command(program, "build", filepath.Join(dir, root)).Output()
		if exit := new(exec.ExitError); errors.As(err, &exit) {
			err = errors.New(string(exit.Stderr))
		}
		return printed, err
	}
	return func() { _ = os.RemoveAll(dir) }, nil
}

// change is one value of a root that is to become another one.
type change struct {
	*tree
	root     string
	document int
	path     []any // of keys and indexes
	address  string
	old      any
	value    *yaml.Node // nil to take it away
}

// choose picks a scalar at random; nil where the root that was picked has none or does not build.
func (t *tree) choose(ctx context.Context, random *rand.Rand, unset bool) (*change, error) {
	root := t.roots[random.IntN(len(t.roots))]
	documents, known := t.before[root]
	if !known {
		result, err := builder.NewSession(vfs.NewSnapshot(vfs.Memory(t.files))).Build(ctx, root, builder.Options{})
		if err != nil {
			return nil, err
		}
		if !result.Unknown && !result.Failed() { // kustomize would go and fetch what is missing
			if printed, err := t.build(nil, root); err == nil {
				documents = decode(printed)
			}
		}
		t.before[root] = documents
	}
	if len(documents) == 0 {
		return nil, nil
	}
	c := &change{tree: t, root: root, document: random.IntN(len(documents))}
	var paths [][]any
	var values []any
	scalars(documents[c.document], nil, func(path []any, value any) bool {
		paths, values = append(paths, slices.Clone(path)), append(values, value)
		return true
	})
	if len(paths) == 0 {
		return nil, nil
	}
	i := random.IntN(len(paths))
	c.path, c.old = paths[i], values[i]
	field, ok := fieldOf(c.path)
	if !ok {
		return nil, nil
	}
	c.address = idOf(documents[c.document]) + ":" + field
	if !unset {
		c.value = other(c.old)
		if name, ok := c.old.(string); ok && c.isName() {
			c.value.Value = hashed.ReplaceAllString(name, "") + "-other"
		}
	} else if isIdentity(c.path) {
		return nil, nil // a resource without a name is none
	}
	return c, nil
}

func (c *change) isName() bool {
	return len(c.path) == 2 && c.path[0] == "metadata" && c.path[1] == "name"
}

func isIdentity(path []any) bool {
	return len(path) == 1 && (path[0] == "kind" || path[0] == "apiVersion") || len(path) == 2 && path[0] == "metadata" && path[1] == "name"
}

// other is another value of the same type.
func other(old any) *yaml.Node {
	n := &yaml.Node{}
	switch v := old.(type) {
	case bool:
		_ = n.Encode(!v)
	case int:
		_ = n.Encode(v + 1)
	case float64:
		_ = n.Encode(v + 1.5)
	case string:
		_ = n.Encode(v + "-other")
	default:
		_ = n.Encode("other")
	}
	return n
}

func decode(printed []byte) []any {
	var documents []any
	decoder := yaml.NewDecoder(strings.NewReader(string(printed)))
	for {
		var one any
		if err := decoder.Decode(&one); err != nil {
			return documents
		}
		documents = append(documents, one)
	}
}

func scalars(value any, path []any, yield func(path []any, value any) bool) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if !scalars(v[key], append(path, key), yield) {
				return false
			}
		}
		return true
	case []any:
		for i, element := range v {
			if !scalars(element, append(path, i), yield) {
				return false
			}
		}
		return true
	}
	return yield(path, value)
}

// fieldOf writes a path as an address has it; false for keys that no path can name.
func fieldOf(path []any) (string, bool) {
	var steps []string
	for _, s := range path {
		switch s := s.(type) {
		case int:
			steps = append(steps, strconv.Itoa(s))
		case string:
			if !fieldpath.CanEscape(s) {
				return "", false
			}
			steps = append(steps, fieldpath.Escape(s))
		}
	}
	return strings.Join(steps, "."), len(steps) > 0
}

func idOf(document any) string {
	id := resource.ID{Kind: textAt(document, "kind"), Name: textAt(document, "metadata", "name"), Namespace: textAt(document, "metadata", "namespace")}
	id.Group, id.Version = resource.SplitAPIVersion(textAt(document, "apiVersion"))
	return id.String()
}

func textAt(value any, path ...string) string {
	for _, key := range path {
		m, _ := value.(map[string]any)
		value = m[key]
	}
	text, _ := value.(string)
	return text
}

// run plans the change and asks kustomize what comes of it.
func (c *change) run(ctx context.Context, count *Count, out io.Writer, o *options) error {
	planner := rewrite.New(vfs.NewSnapshot(vfs.Memory(c.files)), func(string) builder.Options { return builder.Options{} })
	planned, refusal, err := planner.Plan(ctx, rewrite.Request{Root: c.root, Sets: []rewrite.Set{{Address: c.address, Value: c.value}}})
	if err != nil {
		return fmt.Errorf("%s %s: %w", c.root, c.address, err)
	}
	if refusal != nil {
		count.Refused++
		if o.refusals {
			fmt.Fprintf(out, "refused: %s %s: %s; %s\n", c.root, c.address, refusal.Reason, refusal.Nearest)
		}
		return nil
	}
	changed := map[string][]byte{}
	for _, f := range planned.Files {
		changed[f.Path] = f.After
	}
	printed, err := c.build(changed, c.root)
	problem := ""
	if err != nil {
		problem = "kustomize refuses: " + err.Error()
	} else {
		problem = c.compare(decode(printed), planned.Follows)
	}
	if problem == "" {
		count.Done++
		if len(planned.Follows) > 0 {
			count.Followed++
		}
	} else {
		count.Wrong++
		fmt.Fprintf(out, "WRONG: %s %s: %s\n", c.root, c.address, problem)
	}
	if problem != "" || o.texts > 0 {
		o.texts--
		fmt.Fprintf(out, "== %s %s: %v (%s)\n", c.root, c.address, c.old, planned.Done[0].How)
		for _, f := range planned.Files {
			fmt.Fprintf(out, "%s", diff.Diff(f.Path, f.Before, f.Path, f.After))
		}
	}
	return nil
}

// hashed is what kustomize puts behind the names of generated resources.
var hashed = regexp.MustCompile(`-[2456789bcdfghkmt]{10}\b`)

// compare says what else changed than what was asked for and what was told of; empty for nothing.
func (c *change) compare(after []any, follows []rewrite.Difference) string {
	before := c.before[c.root]
	if len(before) != len(after) {
		return fmt.Sprintf("%d resources became %d", len(before), len(after))
	}
	told := map[string]bool{}
	for _, d := range follows {
		told[d.Address] = true
	}
	done := false
	for i, j := range c.pairs(before, after) {
		id := idOf(before[i])
		for _, d := range differences(before[i], after[j], nil) {
			field, _ := fieldOf(d.path)
			switch {
			case i == c.document && c.isAsked(d):
				done = true
			case told[id+":"+field]:
			case sameText(d.before, d.after):
			default:
				return fmt.Sprintf("%s:%s changes from %v to %v", id, field, d.before, d.after)
			}
		}
	}
	if !done {
		return "nothing changes"
	}
	return ""
}

// pairs returns for each resource where it is afterwards: with another kind or name it may stand elsewhere.
func (c *change) pairs(before, after []any) []int {
	stem := func(document any) string {
		return hashed.ReplaceAllString(idOf(document), "") + textAt(document, "apiVersion")
	}
	pairs, taken := make([]int, len(before)), map[int]bool{}
	var lost []int
	for i := range before {
		pairs[i] = slices.IndexFunc(after, func(other any) bool { return stem(other) == stem(before[i]) })
		for pairs[i] >= 0 && taken[pairs[i]] {
			next := slices.IndexFunc(after[pairs[i]+1:], func(other any) bool { return stem(other) == stem(before[i]) })
			if next >= 0 {
				next += pairs[i] + 1
			}
			pairs[i] = next
		}
		if pairs[i] < 0 {
			lost = append(lost, i)
		} else {
			taken[pairs[i]] = true
		}
	}
	for _, i := range lost {
		for j := range after {
			if !taken[j] {
				pairs[i], taken[j] = j, true
				break
			}
		}
	}
	return pairs
}

func sameText(a, b any) bool {
	x, ok := a.(string)
	y, also := b.(string)
	return ok && also && hashed.ReplaceAllString(x, "") == hashed.ReplaceAllString(y, "")
}

// isAsked tells whether a difference is what was asked for. Where a mapping has nothing left, it may be gone, too, if it
// held labels or annotations.
func (c *change) isAsked(d difference) bool {
	if reflect.DeepEqual(d.path, c.path) {
		if c.value == nil {
			return d.after == missing{}
		}
		var want any
		_ = c.value.Decode(&want)
		if text, ok := want.(string); ok && c.isName() && hashed.MatchString(fmt.Sprint(d.before)) {
			return hashed.ReplaceAllString(fmt.Sprint(d.after), "") == text
		}
		return reflect.DeepEqual(d.after, want)
	}
	if c.value != nil {
		return false
	}
	if n := len(c.path) - 1; reflect.DeepEqual(d.path, c.path[:n]) {
		if _, isList := c.path[n].(int); isList {
			was, _ := d.before.([]any)
			is, _ := d.after.([]any)
			return len(was) == len(is)+1 && reflect.DeepEqual(slices.Delete(slices.Clone(was), c.path[n].(int), c.path[n].(int)+1), append([]any{}, is...))
		}
		last := c.path[n-1]
		m, _ := d.before.(map[string]any)
		return d.after == missing{} && len(m) == 1 && (last == "labels" || last == "annotations")
	}
	return false
}

// missing stands for a value that is not there.
type missing struct{}

type difference struct {
	path          []any
	before, after any
}

func differences(a, b any, path []any) []difference {
	if reflect.DeepEqual(a, b) {
		return nil
	}
	path = path[:len(path):len(path)]
	var all []difference
	if x, ok := a.(map[string]any); ok {
		if y, ok := b.(map[string]any); ok {
			keys := maps.Clone(x)
			maps.Copy(keys, y)
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				was, had := x[key]
				is, has := y[key]
				if !had {
					was = missing{}
				}
				if !has {
					is = missing{}
				}
				all = append(all, differences(was, is, append(path, key))...)
			}
			return all
		}
	}
	if x, ok := a.([]any); ok {
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				all = append(all, differences(x[i], y[i], append(path, i))...)
			}
			return all
		}
	}
	return []difference{{path, a, b}}
}

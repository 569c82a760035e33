package rewrite

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Difference is a value of a root that changes.
type Difference struct {
	// Address names it by the resource's name before the change; of a resource that comes or goes it has no field.
	Address string
	// Before and After are the values, nil for none.
	Before, After *yaml.Node
}

// Shown writes both values on a line; of texts with several lines the first line that differs.
func (d Difference) Shown() string {
	before, after := d.Before, d.After
	if before != nil && after != nil && before.Kind == yaml.ScalarNode && after.Kind == yaml.ScalarNode {
		was, is := strings.Split(before.Value, "\n"), strings.Split(after.Value, "\n")
		for i := range min(len(was), len(is)) {
			if len(was)+len(is) > 2 && was[i] != is[i] {
				return "line " + strconv.Itoa(i+1) + ": " + shortValue(word(strings.TrimSpace(was[i]))) + " → " + shortValue(word(strings.TrimSpace(is[i])))
			}
		}
	}
	return shortValue(before) + " → " + shortValue(after)
}

// rendered is what a root comes to. Nodes of a builder's result are never changed.
type rendered struct {
	result *builder.Result
	list   []*resource.Resource
}

func (p *Planner) render(ctx context.Context, files *vfs.Snapshot, dir string) (*rendered, error) {
	result, err := p.session.Derive(files).Build(ctx, dir, p.options(dir))
	if err != nil {
		return nil, err
	}
	return &rendered{result, result.Resources}, nil
}

// whyUnusable says why nothing can be proven with a build; empty where something can.
func whyUnusable(result *builder.Result) string {
	for _, problem := range result.Problems {
		if problem.Fatal {
			return "it does not build: " + problem.Message
		}
	}
	if result.Unknown {
		return "it needs what kls does not load or run without being allowed to, so what else changes cannot be known"
	}
	return ""
}

// difference is where two trees are not the same.
type difference struct {
	resource      int // by the order before; -1 for one that was added
	path          []string
	before, after *yaml.Node
}

// compare returns where what is rendered differs from what is expected. Resources are distinguished by their order, or by
// their names where that changed.
func compare(before []*resource.Resource, expected []*yaml.Node, after []*resource.Resource) []difference {
	var all []difference
	pairs := pair(before, after)
	used := map[int]bool{}
	for i, j := range pairs {
		if j < 0 {
			all = append(all, difference{resource: i, before: before[i].Node})
			continue
		}
		used[j] = true
		all = differences(all, i, nil, expected[i], after[j].Node)
	}
	for j, r := range after {
		if !used[j] {
			all = append(all, difference{resource: -1, path: []string{r.ID().String()}, after: r.Node})
		}
	}
	return all
}

// pair returns for each resource its index afterwards, -1 for none.
func pair(before, after []*resource.Resource) []int {
	pairs := make([]int, len(before))
	same := len(before) == len(after)
	for i := range before {
		same = same && before[i].OriginalID() == after[i].OriginalID()
		pairs[i] = i
	}
	if same {
		return pairs
	}
	known := map[resource.ID][]int{}
	for j, r := range after {
		known[r.OriginalID()] = append(known[r.OriginalID()], j)
	}
	lost, found := []int{}, len(after)
	for i, r := range before {
		pairs[i] = -1
		if list := known[r.OriginalID()]; len(list) > 0 {
			pairs[i], known[r.OriginalID()] = list[0], list[1:]
			found--
			continue
		}
		lost = append(lost, i)
	}
	if len(lost) == 1 && found == 1 { // it has another name or kind where it is written
		for _, list := range known {
			if len(list) == 1 {
				pairs[lost[0]] = list[0]
			}
		}
	}
	return pairs
}

// differences adds where two trees differ. Of a key that is twice in a mapping the last one counts.
func differences(all []difference, index int, path []string, a, b *yaml.Node) []difference {
	if equal.Values(a, b) {
		return all
	}
	at := path[:len(path):len(path)]
	switch {
	case a != nil && b != nil && a.Kind == yaml.MappingNode && b.Kind == yaml.MappingNode:
		for i := 0; i+1 < len(a.Content); i += 2 {
			key := a.Content[i].Value
			all = differences(all, index, append(at, fieldpath.Escape(key)), a.Content[i+1], valueOf(b, key))
		}
		for i := 0; i+1 < len(b.Content); i += 2 {
			if key := b.Content[i].Value; fieldIndex(a, key) < 0 {
				all = differences(all, index, append(at, fieldpath.Escape(key)), nil, b.Content[i+1])
			}
		}
		return all
	case a != nil && b != nil && a.Kind == yaml.SequenceNode && b.Kind == yaml.SequenceNode && len(a.Content) == len(b.Content):
		for i := range a.Content {
			all = differences(all, index, append(at, strconv.Itoa(i)), a.Content[i], b.Content[i])
		}
		return all
	}
	return append(all, difference{index, at, a, b})
}

func valueOf(n *yaml.Node, key string) *yaml.Node {
	if i := fieldIndex(n, key); i >= 0 {
		return n.Content[i]
	}
	return nil
}

// proof is what a build says of a candidate.
type proof struct {
	// failure says why the candidate is none; empty where it does what was asked.
	failure string
	// kind orders failures by how near they are.
	kind failureKind
	// follows are the values that change along.
	follows []Difference
	after   *rendered
}

type failureKind int

const (
	proven failureKind = iota
	changesMore
	hasNoEffect
	comesOutOtherwise
	breaksBuild
)

// prove renders the root with the files, and says whether that is what was asked.
func (p *Planner) prove(ctx context.Context, w *work, files *vfs.Snapshot) (proof, error) {
	after, err := p.render(ctx, files, w.root)
	if err != nil {
		return proof{}, err
	}
	if reason := whyUnusable(after.result); reason != "" {
		return proof{failure: reason, kind: breaksBuild}, nil
	}
	return w.judge(after), nil
}

// judge says whether what is rendered is what was asked.
func (w *work) judge(after *rendered) proof {
	expected := make([]*yaml.Node, len(w.before.list))
	for i, r := range w.before.list {
		expected[i] = r.Node
	}
	t := w.target
	host := w.outerValue()
	expected[t.resource] = put(t.r.Node, t.steps, host)
	result := proof{after: after}
	allowed := w.consequences(after)
	asked := pathOf(t.steps)
	for _, d := range compare(w.before.list, expected, after.list) {
		isAsked := d.resource == t.resource && (startsWith(d.path, asked) || startsWith(asked, d.path))
		switch {
		case isAsked && w.isDone(d):
		case isAsked:
			result.kind, result.failure = comesOutOtherwise, fmt.Sprintf("it would come out as %s", shortValue(d.after))
			if equal.Values(at(t.r.Node, t.steps), w.valueAfter(after)) {
				result.kind, result.failure = hasNoEffect, "it would not change the value"
			}
			return result
		case allowed(d):
			result.follows = append(result.follows, w.differenceOf(d))
		default:
			more := w.differenceOf(d)
			result.kind, result.failure = changesMore, fmt.Sprintf("%s would change, too", more.Address)
			return result
		}
	}
	return result
}

// isDone tells whether a difference at the asked value is one of writing only: the document that the value stands in says
// what it should, what held nothing but the value is gone with it, or a name has a hash behind it.
func (w *work) isDone(d difference) bool {
	t := w.target
	if w.isName() && w.value != nil && d.after != nil {
		return w.hasHash(d.after.Value)
	}
	if len(t.inside) > 0 && len(d.path) == len(t.steps) && d.before != nil && d.after != nil && d.after.Kind == yaml.ScalarNode {
		before, after := documents([]byte(at(t.r.Node, t.steps).Value)), documents([]byte(d.after.Value))
		return len(before) == 1 && len(after) == 1 && equal.Values(orEmpty(put(before[0].root, t.inside, w.value)), after[0].root)
	}
	if w.value == nil && d.after == nil && d.before != nil && d.before.Kind == yaml.MappingNode && len(d.before.Content) == 0 && len(d.path) > 0 {
		// Labels and annotations that are empty are as good as none.
		last := d.path[len(d.path)-1]
		return last == "labels" || last == "annotations"
	}
	return false
}

// isName tells whether the name of the resource is asked for.
func (w *work) isName() bool {
	steps := w.target.steps
	return len(steps) == 2 && len(w.target.inside) == 0 && steps[0].key == "metadata" && steps[1].key == "name"
}

// hasHash tells whether a name is the asked one with a hash behind it, of a resource whose name has one.
func (w *work) hasHash(name string) bool {
	was := w.target.node.Value
	return name == w.value.Value+name[len(name)-min(len(name), hashLength):] && hashed().MatchString(name) && hashed().MatchString(was)
}

// hashed is a name with a hash behind it, in the letters that kustomize has for that.
var hashed = text.Regexp(`-[2456789bcdfghkmt]{10}$`)

func orEmpty(n *yaml.Node) *yaml.Node {
	if n == nil {
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	return n
}

// at returns the value at the end of the steps, nil where there is none.
func at(n *yaml.Node, steps []step) *yaml.Node {
	for _, s := range steps {
		switch {
		case n == nil:
			return nil
		case s.isIndex && (n.Kind != yaml.SequenceNode || s.index >= len(n.Content)):
			return nil
		case s.isIndex:
			n = n.Content[s.index]
		default:
			n = valueOf(n, s.key)
		}
	}
	return n
}

// valueAfter is what stands at the address afterwards, nil for nothing.
func (w *work) valueAfter(after *rendered) *yaml.Node {
	if j := pair(w.before.list, after.list)[w.target.resource]; j >= 0 {
		return at(after.list[j].Node, w.target.steps)
	}
	return nil
}

func pathOf(steps []step) []string {
	path := make([]string, len(steps))
	for i, s := range steps {
		path[i] = fieldpath.Escape(s.key)
		if s.isIndex {
			path[i] = strconv.Itoa(s.index)
		}
	}
	return path
}

func startsWith(path, beginning []string) bool {
	if len(path) < len(beginning) {
		return false
	}
	for i := range beginning {
		if path[i] != beginning[i] {
			return false
		}
	}
	return true
}

func (w *work) differenceOf(d difference) Difference { return named(w.before.list, d) }

func named(list []*resource.Resource, d difference) Difference {
	if d.resource < 0 {
		return Difference{Address: d.path[0], After: d.after}
	}
	address := list[d.resource].ID().String()
	if len(d.path) > 0 {
		address += ":" + strings.Join(d.path, ".")
	}
	return Difference{address, d.before, d.after}
}

// consequences tells which differences must follow: names with another hash, the references to what is renamed, and what
// replacements and vars copy from what changes.
func (w *work) consequences(after *rendered) func(d difference) bool {
	renamed, copied := map[string]string{}, map[int][]copied{}
	for i, j := range pair(w.before.list, after.list) {
		if j < 0 {
			continue
		}
		old, now := w.before.list[i].ID().Name, after.list[j].ID().Name
		asked := i == w.target.resource && w.isName()
		if old != now && (asked || sameButHash(old, now)) {
			renamed[old] = now
		}
	}
	w.addCopies(copied, after)
	return func(d difference) bool {
		if d.resource < 0 || d.before == nil || d.after == nil || d.before.Kind != yaml.ScalarNode || d.after.Kind != yaml.ScalarNode {
			return false
		}
		from, to := d.before.Value, d.after.Value
		if now, ok := renamed[from]; ok && now == to {
			return true
		}
		for _, c := range copied[d.resource] {
			if c.to == to || c.from != "" && strings.ReplaceAll(from, c.from, c.to) == to || strings.Contains(to, c.to) && strings.Contains(from, c.from) {
				return true
			}
		}
		for old, now := range renamed {
			if sameButHash(old, now) && strings.ReplaceAll(from, old, now) == to {
				return true
			}
		}
		return false
	}
}

// hashLength is that of the hash that kustomize puts behind the names of generated resources, with its dash.
const hashLength = 11

func sameButHash(a, b string) bool {
	return len(a) > hashLength && len(a) == len(b) && a[:len(a)-hashLength] == b[:len(b)-hashLength] && hashed().MatchString(a) && hashed().MatchString(b)
}

// copied is a text that is copied into a resource, before and after.
type copied struct{ from, to string }

// addCopies finds the values that replacements and vars copy and that are others now.
func (w *work) addCopies(into map[int][]copied, after *rendered) {
	was, is := layersOf(w.before.result.Root), layersOf(after.result.Root)
	if len(was) != len(is) {
		return
	}
	index := map[*resource.Resource]int{}
	for i, r := range w.before.list {
		index[r] = i
	}
	for i, l := range was {
		old, now := l.Facts.Replacements, is[i].Facts.Replacements
		if len(old) != len(now) {
			continue
		}
		for j := range old {
			if old[j].Value == nil || now[j].Value == nil || equal.Values(old[j].Value, now[j].Value) {
				continue
			}
			changed := old[j].Targets
			if slices.Contains(old[j].Targets, w.target.r) {
				changed = append(slices.Clone(changed), old[j].Source) // the copy was asked for
			}
			for _, r := range changed {
				if k, ok := index[r]; ok {
					into[k] = append(into[k], copied{old[j].Value.Value, now[j].Value.Value})
				}
			}
		}
		for _, v := range l.Facts.Vars {
			if v.Source != w.target.r || w.target.node == nil || w.value == nil {
				continue
			}
			for k := range w.before.list {
				into[k] = append(into[k], copied{w.target.node.Value, w.value.Value})
			}
		}
	}
}

// layersOf returns a layer and those that it includes, each before what it includes.
func layersOf(l *builder.Layer) []*builder.Layer {
	if l == nil {
		return nil
	}
	all := []*builder.Layer{l}
	for _, in := range l.Facts.Included {
		if in.Layer != nil {
			all = append(all, layersOf(in.Layer)...)
		}
	}
	return all
}

// shortValue writes a value on one line for a message.
func shortValue(n *yaml.Node) string {
	if n == nil {
		return "nothing"
	}
	written, ok := flowText(n, 0, false)
	if !ok {
		return "something else"
	}
	if runes := []rune(written); len(runes) > 60 {
		return string(runes[:59]) + "…"
	}
	return written
}

func within(dir, path string) bool {
	rest, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rest)
}

// Package rewrite changes rendered values: it finds the line to write so that a root renders another value, as a careful
// person would write it, and proves it by rendering. What is asked for must change in the root and nothing else but what
// follows from it; otherwise nothing is handed out but the reason. It writes no file.
package rewrite

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/affected"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/equal"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Set asks for a value: Value is nil where it is to be taken away.
type Set struct {
	Address string
	Value   *yaml.Node
	// Text is what the value was read from. A field that holds a text gets it where the value is no scalar, as with JSON in
	// an annotation, and always where it is that of a file.
	Text   string
	IsFile bool
}

// Request asks for values of what a root renders.
type Request struct {
	// Root is the folder of the root, and Layer that of the kustomization that is to be changed; absolute paths without
	// symbolic links. An empty Layer is the root's.
	Root, Layer string
	Sets        []Set
	// Only refuses what changes another root, apart from the kustomizations that the root consists of.
	Only bool
}

// File is a file that changes. Before is nil for a new one.
type File struct {
	Path          string
	Before, After []byte
}

// Done is how a value was changed.
type Done struct {
	Address string
	// How says in words what is written, and File where; both are empty where the value is there already.
	How, File string
}

// Root is what changes in another root, or in another deployment, which has its ID in place of a folder.
type Root struct {
	Dir, ID string
	Changes []Difference
	// Unknown says why that cannot be said; empty where it can.
	Unknown string
}

// Change is what is to be written.
type Change struct {
	Files []File
	Done  []Done
	// Follows are the values of the root that change along: names with another hash, references and copies.
	Follows []Difference
	// Others are the other roots that change.
	Others []Root
}

// Refusal says why a value cannot be changed.
type Refusal struct {
	Address, Reason string
	// Nearest is what comes nearest to what was asked; may be empty. Candidates are addresses that may have been meant.
	Nearest    string
	Candidates []string
}

// Planner plans changes of the files of one snapshot. It is not safe for concurrent use.
type Planner struct {
	files   *vfs.Snapshot
	session *builder.Session
	options func(dir string) builder.Options
	// Scope is the folder in which other roots are looked for; empty for none.
	Scope string
	// Name shows a path in a reason; the path itself where it is nil.
	Name func(path string) string

	rendered map[string]*rendered // of the files as they are, by root
}

// New returns a planner. Options returns the options of the build of a root.
func New(files *vfs.Snapshot, options func(dir string) builder.Options) *Planner {
	return &Planner{files: files, session: builder.NewSession(files), rendered: map[string]*rendered{},
		options: func(dir string) builder.Options {
			o := options(dir)
			o.Recorder = explain.Unwatched // places in documents that are embedded in strings
			return o
		}}
}

func (p *Planner) name(path string) string {
	if p.Name == nil {
		return path
	}
	return p.Name(path)
}

// Plan finds what to write. The error is for cancellation, IO and our own mistakes.
func (p *Planner) Plan(ctx context.Context, request Request) (*Change, *Refusal, error) {
	if request.Layer == "" {
		request.Layer = request.Root
	}
	change, now := &Change{}, p.files
	texts := map[string][]byte{}
	for _, set := range request.Sets {
		w, refusal, err := p.begin(ctx, now, request, set)
		if refusal != nil || err != nil {
			return nil, refusal, err
		}
		if w.isThere() {
			change.Done = append(change.Done, Done{Address: set.Address})
			continue
		}
		found, refusal, err := w.find(ctx)
		if refusal != nil || err != nil {
			return nil, refusal, err
		}
		for path, content := range found.files {
			now = now.With(path, content)
			texts[path] = content
		}
		change.Done = append(change.Done, Done{set.Address, found.how, found.main})
		change.Follows = append(change.Follows, found.proof.follows...)
	}
	for path, content := range texts {
		f := File{Path: path, After: content}
		if old, err := p.files.ReadFile(path); err == nil {
			f.Before = old.Data
		}
		change.Files = append(change.Files, f)
	}
	slices.SortFunc(change.Files, func(a, b File) int { return compareText(a.Path, b.Path) })
	var err error
	change.Others, err = p.others(ctx, p.files, now, request.Root, change.Files)
	return change, nil, err
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// work is one value that is to be changed.
type work struct {
	*Planner
	files       *vfs.Snapshot // as they are before this change
	root, layer string
	only        bool
	value       *yaml.Node
	target      *target
	before      *rendered
	session     *builder.Session
	// layers are those of the folder in which is written: several where it is included more than once.
	layers []*builder.Layer
	// tried are the candidates that were refused.
	tried []attempt
}

func (p *Planner) begin(ctx context.Context, files *vfs.Snapshot, request Request, set Set) (*work, *Refusal, error) {
	w := &work{Planner: p, files: files, root: request.Root, layer: request.Layer, only: request.Only, session: p.session.Derive(files)}
	result, err := w.session.Build(ctx, w.root, p.options(w.root))
	if err != nil {
		return nil, nil, err
	}
	if reason := whyUnusable(result); reason != "" {
		return nil, &Refusal{Address: set.Address, Reason: p.name(w.root) + ": " + reason}, nil
	}
	w.before = &rendered{result, result.Resources}
	index, field, missing := explain.Find(result.Resources, set.Address)
	if missing != nil {
		return nil, &Refusal{Address: set.Address, Reason: missing.Message, Candidates: missing.Candidates}, nil
	}
	t, reason := resolve(index, result.Resources[index], field)
	if reason != "" {
		return nil, &Refusal{Address: set.Address, Reason: reason}, nil
	}
	w.target = t
	switch w.value = fit(set, t); {
	case w.value == nil && t.node == nil:
		return nil, &Refusal{Address: set.Address, Reason: "there is no such value to take away"}, nil
	case w.value == nil && t.isIdentity():
		return nil, &Refusal{Address: set.Address, Reason: "without it there is no resource"}, nil
	}
	for _, l := range layersOf(result.Root) {
		if l.Dir == w.layer {
			w.layers = append(w.layers, l)
		}
	}
	if len(w.layers) == 0 {
		return nil, &Refusal{Address: set.Address, Reason: p.name(w.layer) + " is not a part of " + p.name(w.root)}, nil
	}
	if w.layers[0].Repository != nil || w.layers[0].Clone != "" {
		return nil, &Refusal{Address: set.Address, Reason: p.name(w.layer) + " lies in another repository"}, nil
	}
	return w, nil, nil
}

// fit gives a value the type of the one in whose place it comes: what was a text stays one, unless a tag says what it is to
// be.
func fit(set Set, t *target) *yaml.Node {
	value := set.Value
	switch {
	case value == nil || !t.isText():
		return value
	case set.IsFile || value.Kind != yaml.ScalarNode:
		return word(set.Text)
	case value.ShortTag() == "!!str" || value.Style&yaml.TaggedStyle != 0:
		return value
	}
	return word(value.Value)
}

// isText tells whether the value is a text now or, where it is missing, has to be one.
func (t *target) isText() bool {
	if t.node != nil {
		return t.node.Kind == yaml.ScalarNode && t.node.ShortTag() == "!!str"
	}
	n := len(t.steps)
	if len(t.inside) > 0 || n < 2 {
		return false
	}
	id, parent := t.r.ID(), t.steps[n-2].key
	if id.APIVersion() == "v1" && (id.Kind == "ConfigMap" || id.Kind == "Secret") && n == 2 {
		return parent == "data" || parent == "stringData" || parent == "binaryData"
	}
	return parent == "annotations" || parent == "labels" || parent == "matchLabels" || parent == "nodeSelector"
}

// isIdentity tells whether the value is one that every resource has to have.
func (t *target) isIdentity() bool {
	path := strings.Join(pathOf(t.steps), ".")
	return len(t.inside) == 0 && (path == "kind" || path == "apiVersion" || path == "metadata" || path == "metadata.name")
}

// isThere tells whether the value is what it should be already.
func (w *work) isThere() bool {
	return w.value != nil && w.target.node != nil && equal.Values(w.target.node, w.value)
}

// outerValue is what the field of the resource should be: of a document in a text that text, as it was, since how it is
// written is left open.
func (w *work) outerValue() *yaml.Node {
	if len(w.target.inside) > 0 {
		return at(w.target.r.Node, w.target.steps)
	}
	return w.value
}

// candidate is one way to write the value.
type candidate struct {
	how string
	// files are the new texts of files, main the path of the one that matters.
	files map[string][]byte
	main  string
	proof proof
}

// attempt is a candidate that was refused.
type attempt struct {
	how, main string
	proof     proof
}

// find returns the first candidate that is proven. One that makes copies change, or other roots by a file outside of the
// layer's folder, is taken only where there is no other.
func (w *work) find(ctx context.Context) (*candidate, *Refusal, error) {
	var second *candidate
	for i, strategy := range w.strategies() {
		if second != nil && i >= lastWords && len(second.proof.follows) > 0 {
			break // the source of a copy is the better place than one more word after it
		}
		for _, c := range strategy(w) {
			if w.changesNothing(c) {
				continue
			}
			files := w.files
			for path, content := range c.files {
				files = files.With(path, content)
			}
			var err error
			if c.proof, err = w.prove(ctx, w, files); err != nil {
				return nil, nil, err
			}
			if c.proof.kind == proven && w.only {
				if err := w.refuseOthers(ctx, files, &c); err != nil {
					return nil, nil, err
				}
			}
			if c.proof.kind != proven {
				w.tried = append(w.tried, attempt{c.how, c.main, c.proof})
				continue
			}
			leads, err := w.leadsElsewhere(ctx, files, c)
			if err != nil {
				return nil, nil, err
			}
			if !leads {
				return &c, nil, nil
			}
			if second == nil {
				second = &c
			}
		}
	}
	if second != nil {
		return second, nil, nil
	}
	refusal, err := w.refusal(ctx)
	return nil, refusal, err
}

func (w *work) changesNothing(c candidate) bool {
	for path, content := range c.files {
		if old, err := w.files.ReadFile(path); err != nil || string(old.Data) != string(content) {
			return false
		}
	}
	return true
}

// leadsElsewhere tells whether a candidate changes what a careful person would rather leave alone.
func (w *work) leadsElsewhere(ctx context.Context, files *vfs.Snapshot, c candidate) (bool, error) {
	for _, d := range c.proof.follows {
		if d.Before == nil || d.After == nil || !isRename(d) {
			return true, nil
		}
	}
	for path := range c.files {
		if !within(w.layer, path) {
			others, err := w.others(ctx, w.files, files, w.root, c.asFiles())
			return len(others) > 0, err
		}
	}
	return false, nil
}

// isRename tells of a name, or a reference to one, that has another hash.
func isRename(d Difference) bool {
	return sameButHash(d.Before.Value, d.After.Value)
}

func (c *candidate) asFiles() []File {
	var files []File
	for path, content := range c.files {
		files = append(files, File{Path: path, After: content})
	}
	return files
}

// refuseOthers refuses a candidate by which another root changes. The kustomizations that the root consists of are none
// that somebody has to be afraid for.
func (w *work) refuseOthers(ctx context.Context, files *vfs.Snapshot, c *candidate) error {
	others, err := w.others(ctx, w.files, files, w.root, c.asFiles())
	parts := layersOf(w.before.result.Root)
	for _, other := range others {
		if !slices.ContainsFunc(parts, func(l *builder.Layer) bool { return l.Dir == other.Dir }) {
			c.proof.kind, c.proof.failure = changesMore, w.name(other.Dir)+" would change, too"
		}
	}
	return err
}

// others renders the other roots of the scope that read the files, before and after.
func (p *Planner) others(ctx context.Context, before, after *vfs.Snapshot, root string, files []File) ([]Root, error) {
	if p.Scope == "" || len(files) == 0 {
		return nil, nil
	}
	request := affected.Request{Dir: p.Scope, Now: affected.Side{Session: p.session.Derive(after), Options: p.options}}
	for _, f := range files {
		request.Files = append(request.Files, affected.File{Path: f.Path})
	}
	found, err := affected.Find(ctx, request)
	if err != nil {
		return nil, err
	}
	var changed []Root
	for _, r := range found {
		if r.Dir == root {
			continue
		}
		other, err := p.other(ctx, before, after, r.Dir)
		if err != nil {
			return nil, err
		}
		if len(other.Changes) > 0 || other.Unknown != "" {
			changed = append(changed, other)
		}
	}
	return changed, nil
}

func (p *Planner) other(ctx context.Context, before, after *vfs.Snapshot, dir string) (Root, error) {
	was, err := p.render(ctx, before, dir)
	if err != nil {
		return Root{}, err
	}
	is, err := p.render(ctx, after, dir)
	if err != nil {
		return Root{}, err
	}
	root := Root{Dir: dir}
	old, now := whyUnusable(was.result), whyUnusable(is.result)
	switch {
	case old != "" && now != "":
		root.Unknown = old
		if was.result.Failed() && is.result.Failed() {
			root.Unknown = "" // it does not build either way
		}
		return root, nil
	case now != "":
		root.Unknown = now
		return root, nil
	}
	expected := make([]*yaml.Node, len(was.list))
	for i, r := range was.list {
		expected[i] = r.Node
	}
	for _, d := range compare(was.list, expected, is.list) {
		root.Changes = append(root.Changes, named(was.list, d))
	}
	return root, nil
}

// reads tells whether the layer itself reads a file: its kustomization, resources, patches and what generators take.
func (w *work) reads(path string) bool {
	for _, l := range w.layers {
		if l.Path == path {
			return true
		}
		for _, in := range l.Facts.Included {
			if in.Layer == nil && in.Path == path {
				return true
			}
		}
		for _, in := range l.Facts.Inputs {
			if in.Path == path {
				return true
			}
		}
	}
	return false
}

func (w *work) read(path string) []byte {
	f, err := w.files.ReadFile(filepath.Clean(path))
	if err != nil {
		return nil
	}
	return f.Data
}

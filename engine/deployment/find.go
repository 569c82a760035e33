package deployment

import (
	"cmp"
	"context"
	"maps"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// tool is something that deploys kustomizations.
type tool interface {
	// markers are texts one of which every file with one of its objects holds.
	markers() []string
	isObject(id resource.ID) bool
	// deployments returns what an object says; more than one of a generator, none of an
	// object that is not complete.
	deployments(c *checkout, object *resource.Resource) []*Deployment
	// render fills in the verdict, the build and the outputs of a deployment whose folder
	// is known. It returns false where it has to wait for objects that others may render.
	render(s *search, d *Deployment) (ready bool, err error)
}

// Find finds what is deployed from the checkout in the folder root, an absolute path,
// and renders it. What the previous set has is taken over as far as none of the changed
// paths touches it; nil is for none.
func Find(ctx context.Context, session *builder.Session, root string, settings Settings, previous *Set, changed ...string) (*Set, error) {
	if real, err := session.Files().EvalSymlinks(root); err == nil {
		root = real
	}
	s := &search{ctx: ctx, session: session, settings: settings, set: &Set{Root: root},
		known: map[place]*Deployment{}, objects: map[place][]*Output{}, rendered: map[*Deployment]int{}}
	s.checkout = newCheckout(session, root, []tool{flux{}, argoCD{}})
	if len(s.checkout.candidates) == 0 {
		return s.set, ctx.Err()
	}
	s.remember(previous, changed)
	s.origins = newOrigins(s.checkout, settings)
	s.origins.assume(session, s.checkout.candidates)
	s.checkout.origins, s.checkout.settings = s.origins, settings
	if err := s.all(); err != nil {
		return nil, err
	}
	s.finish()
	return s.set, nil
}

// place is an object on a cluster.
type place struct {
	cluster string
	id      ID
}

// need is an object of another deployment that one was rendered with.
type need struct {
	id    ID
	found string // as it was printed; empty where it was not there
}

// search finds deployments.
type search struct {
	ctx      context.Context
	session  *builder.Session
	settings Settings
	checkout *checkout
	origins  *origins
	set      *Set

	known map[place]*Deployment
	// objects are the ConfigMaps and Secrets that deployments render.
	objects map[place][]*Output
	// queue are to be rendered; waiting wait for objects that others may render, unless
	// final is set: then those are not there.
	queue, waiting []*Deployment
	final          bool
	// rendered counts how often each was.
	rendered map[*Deployment]int
	previous map[place]*Deployment
}

// remember makes what an earlier search found known to this one, without what changes
// touch.
func (s *search) remember(previous *Set, changed []string) {
	s.previous = map[place]*Deployment{}
	if previous == nil {
		return
	}
	for _, d := range previous.Deployments {
		touched := d.Build == nil && d.reads == nil || slices.ContainsFunc(changed, d.IsTouched)
		if !touched {
			s.previous[place{d.Cluster, d.ID}] = d
		}
	}
}

// all renders what nothing else renders, and then what that renders, until nothing is new.
func (s *search) all() error {
	for _, object := range s.checkout.projects {
		s.noteProject(object)
	}
	b := newBeginnings(s.checkout, s.dirsOf)
	folders := map[string]bool{}
	var later []*candidate
	for _, x := range b.first() {
		if x.object.ID().Namespace == "" {
			later = append(later, x)
			continue
		}
		if err := s.begin(b, x, folders); err != nil {
			return err
		}
	}
	if err := s.drain(); err != nil {
		return err
	}
	// Nobody applies an object without a namespace by hand. Where it lies in what is
	// deployed and is not part of that, somebody has taken it out, or not put it in yet.
	slices.SortStableFunc(later, func(x, y *candidate) int { return cmp.Compare(b.depth(x.path), b.depth(y.path)) })
	for _, x := range later {
		if s.isCovered(x.path) {
			s.set.LeftOut = append(s.set.LeftOut, x.object)
			continue
		}
		if err := s.begin(b, x, folders); err != nil {
			return err
		}
		if err := s.drain(); err != nil {
			return err
		}
	}
	// What is left renders each other in a circle, or a patch moves what should lead to it.
	for _, x := range s.checkout.candidates {
		if len(b.renderersOf(x.path)) == 0 || s.isRead(x.path) {
			continue
		}
		if err := s.begin(b, x, folders); err != nil {
			return err
		}
		if err := s.drain(); err != nil {
			return err
		}
	}
	return nil
}

// isCovered tells whether a path lies in a folder that is deployed.
func (s *search) isCovered(path string) bool {
	for _, d := range s.known {
		if d.Dir != "" && vfs.Below(d.Dir, path) {
			return true
		}
	}
	return false
}

// isRead tells whether a deployment read the file: what it made of it, it has decided.
func (s *search) isRead(path string) bool {
	for _, d := range s.known {
		if d.Reads(path) {
			return true
		}
	}
	return false
}

// dirsOf returns the folders that an object deploys as it stands in its file.
func (s *search) dirsOf(x *candidate) []string {
	var dirs []string
	for _, d := range x.tool.deployments(s.checkout, x.object) {
		for _, dir := range s.origins.dirsOf(s.session, d) {
			if real := realPath(s.session.Files(), dir); !slices.Contains(dirs, real) {
				dirs = append(dirs, real)
			}
		}
	}
	return dirs
}

func realPath(files *vfs.Snapshot, path string) string {
	if real, err := files.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// begin adds an object that nothing else renders: as it is, or as the kustomizations make
// it that lead to it.
func (s *search) begin(b *beginnings, x *candidate, folders map[string]bool) error {
	dirs := b.outermost(x.path)
	if len(dirs) == 0 {
		if len(s.checkout.listedIn[x.path]) == 0 {
			s.add(nil, "", filepath.Dir(x.path), x.object)
		}
		return nil
	}
	for _, dir := range dirs {
		if folders[dir] {
			continue
		}
		folders[dir] = true
		result, err := s.session.Build(s.ctx, dir, builder.Options{})
		if err != nil {
			return err
		}
		for _, object := range result.Resources {
			s.noteProject(object)
			s.add(nil, dir, dir, object)
		}
	}
	return nil
}

// add adds the deployments that an object makes, which the parent renders.
func (s *search) add(parent *Deployment, folder, cluster string, object *resource.Resource) {
	for _, t := range s.checkout.tools {
		if !t.isObject(object.ID()) {
			continue
		}
		for _, d := range t.deployments(s.checkout, object) {
			printed, err := render.Document(nil, d.Object.Node)
			if err != nil {
				continue
			}
			d.Parent, d.Folder, d.Cluster, d.rendered = parent, folder, cluster, string(printed)
			s.addOne(d)
		}
	}
}

// maxRendered is how often one is rendered anew since others changed it.
const maxRendered = 3

func (s *search) addOne(d *Deployment) {
	at := place{d.Cluster, d.ID}
	known := s.known[at]
	switch {
	case known == nil:
		s.known[at] = d
		s.queue = append(s.queue, d)
	case d.Parent == nil || known.Parent != nil && known.Parent.ID != d.Parent.ID:
		return // two render it: the first stays
	case known.rendered != d.rendered && s.rendered[known] < maxRendered:
		// It renders itself, or what renders it comes from it: that is what stays.
		rendered := s.rendered[known]
		if d.Parent == known || known.isAbove(d.Parent) {
			d.Parent = known.Parent
		}
		*known = *d
		s.rendered[known] = rendered
		if !slices.Contains(s.queue, known) {
			s.queue = append(s.queue, known)
		}
	case known.Parent == nil && d.Parent != known && !known.isAbove(d.Parent):
		known.Parent = d.Parent
	}
}

// isAbove tells whether a deployment comes from this one.
func (d *Deployment) isAbove(other *Deployment) bool {
	for up := other; up != nil; up = up.Parent {
		if up == d {
			return true
		}
	}
	return false
}

// drain renders what is queued, and what that leads to.
func (s *search) drain() error {
	for len(s.queue) > 0 || len(s.waiting) > 0 {
		if len(s.queue) == 0 {
			waiting := len(s.waiting)
			s.queue, s.waiting = s.waiting, nil
			if err := s.renderQueue(); err != nil {
				return err
			}
			// Where nothing came of it, what they wait for is not there.
			s.final = len(s.waiting) == waiting
			continue
		}
		if err := s.renderQueue(); err != nil {
			return err
		}
		s.final = false
	}
	return nil
}

func (s *search) renderQueue() error {
	for len(s.queue) > 0 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		d := s.queue[0]
		s.queue = s.queue[1:]
		s.rendered[d]++
		ready, err := s.render(d)
		if err != nil {
			return err
		}
		if !ready {
			s.waiting = append(s.waiting, d)
			continue
		}
		for _, out := range d.Outputs {
			s.note(d, out)
		}
	}
	return nil
}

// note takes in what a deployment renders.
func (s *search) note(d *Deployment, out *Output) {
	id := out.ID()
	if id.Group == "" && (id.Kind == "ConfigMap" || id.Kind == "Secret") {
		at := place{d.Cluster, ID{id.Kind, id.Namespace, id.Name}}
		s.objects[at] = append(s.objects[at], out)
	}
	s.noteProject(out.Resource)
	if d.RemoteCluster == "" {
		s.add(d, "", d.Cluster, out.Resource)
	}
}

// noteProject takes in an AppProject of Argo CD.
func (s *search) noteProject(object *resource.Resource) {
	if id := object.ID(); id.Group == ArgoGroup && id.Kind == "AppProject" {
		if id.Namespace == "" {
			id.Namespace = argoNamespace
		}
		if s.set.projects == nil {
			s.set.projects = map[ID]*resource.Resource{}
		}
		s.set.projects[ID{id.Kind, id.Namespace, id.Name}] = object
	}
}

// render renders a deployment, or takes over what it came to before.
func (s *search) render(d *Deployment) (ready bool, err error) {
	if old := s.previous[place{d.Cluster, d.ID}]; old != nil && old.rendered == d.rendered && s.rendered[d] == 1 && s.sameNeeds(old) {
		parent := d.Parent
		*d = *old
		d.Parent = parent
		return true, nil
	}
	if len(d.Sources) > 0 { // each may be in another repository
		return d.tool.render(s, d)
	}
	dir, reason, assumption := s.origins.resolve(s.session, d)
	if assumption != "" {
		d.Assumptions = []string{assumption}
	}
	if dir == "" {
		d.Verdict, d.Reason = Unknown, reason
		return true, nil
	}
	d.Dir = realPath(s.session.Files(), dir)
	return d.tool.render(s, d)
}

func (s *search) sameNeeds(d *Deployment) bool {
	return !slices.ContainsFunc(d.needs, func(n need) bool {
		return s.printed(s.lookup(d.Cluster, n.id)) != n.found
	})
}

func (s *search) printed(out *Output) string {
	if out == nil {
		return ""
	}
	text, err := render.Document(nil, out.Node)
	if err != nil {
		return "?"
	}
	return string(text)
}

// lookup returns a ConfigMap or Secret that a deployment of the cluster renders.
func (s *search) lookup(cluster string, id ID) *Output {
	if found := s.objects[place{cluster, id}]; len(found) > 0 {
		return found[len(found)-1]
	}
	return nil
}

// finish puts what was found in order.
func (s *search) finish() {
	s.unfill()
	s.set.Deployments = slices.SortedFunc(maps.Values(s.known), compare)
	s.set.Sources = s.checkout.sources
	for _, x := range s.checkout.candidates {
		s.set.written = append(s.set.written, x.object)
	}
	seen := map[string]bool{}
	for _, d := range s.set.Deployments {
		for _, a := range d.Assumptions {
			if !seen[a] {
				seen[a] = true
				s.set.Assumptions = append(s.set.Assumptions, a)
			}
		}
	}
}

// PathOf returns where the object of a deployment stands.
func (d *Deployment) PathOf(session *builder.Session) (path string, line int) {
	n := syntax.Lookup(d.Object.Node, "metadata", "name")
	file, path, span := session.NodeSpan(n)
	source := session.Table().Source(file)
	if source == nil {
		return "", 0
	}
	line, _ = source.Lines().OffsetToLineColumn(span.Start)
	return path, line
}

// Package deployment finds what Flux and Argo CD deploy from a checkout, and renders it: a
// kustomization with the options of the object that deploys it, through the same engine
// and with the same trace as a build of its folder alone.
//
// What is deployed is found in rendered output, from the objects that nothing else
// renders: a Flux Kustomization is what its parent makes of it, not what stands in a
// file. What cannot be known without the cluster is left as it is and said so; nothing
// is guessed. The package knows nothing of editors or rules and uses no network.
//
// # Another kind of deployment
//
// A tool is an implementation of the interface tool, listed in tools. It says by which
// text a file with its objects is known, makes deployments of an object that was met in
// rendered output (one, or as many as a generator lists), and renders one. To render, it
// puts the options of the object into a builder.Overlay, whose Edit changes the
// kustomization before it is built, and then hands over the outputs; see flux.go. All
// else, that is which objects are met first, whose output they are in, which repository
// a source is and what is kept between edits, is the same for all.
package deployment

import (
	"cmp"
	"slices"

	"github.com/kustomize-lsp/kls/engine/applicationset"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// Verdict says how much of what a deployment renders is known.
type Verdict string

const (
	// Exact: what was rendered is what the cluster gets.
	Exact Verdict = "exact"
	// Partial: but for the places that Deployment.Reason speaks of.
	Partial Verdict = "partial"
	// Unknown: it is not known what it renders.
	Unknown Verdict = "unknown"
	// Fails: the tool refuses to render it.
	Fails Verdict = "fails"
)

// ID names the object of a deployment.
type ID struct{ Kind, Namespace, Name string }

// String returns the ID as people write it: Kustomization/flux-system/apps.
func (id ID) String() string { return id.Kind + "/" + id.Namespace + "/" + id.Name }

// Deployment is an object that deploys a folder of this checkout, and what it renders.
type Deployment struct {
	ID ID
	// Object is the object as it was rendered; its nodes carry the places where it was
	// written.
	Object *resource.Resource
	// Parent is the deployment whose output the object is in; nil for one that none
	// renders. Folder is then the kustomization whose build it is in, if it is in one.
	Parent *Deployment
	Folder string
	// Cluster is the same for deployments that are known to be on one cluster: the folder
	// that the one without a parent is found in. RemoteCluster names another one that the
	// object deploys to.
	Cluster, RemoteCluster string

	// Source names the object that says which repository Path lies in.
	Source Source
	// Path is the folder as the object has it; Dir the folder on this machine, absolute,
	// empty where it is not known.
	Path kustomization.Text
	Dir  string
	// DependsOn are the deployments that have to be ready before.
	DependsOn []Reference
	// HealthChecks are the objects that are waited for.
	HealthChecks []Reference
	// Prune says that what is not rendered any more is deleted from the cluster.
	Prune bool
	// TargetNamespace is where everything that has a namespace is put.
	TargetNamespace kustomization.Text

	// Sources are those of an Application.
	Sources []ApplicationSource
	// DestinationNamespace is where an Application puts what has no namespace of its own.
	DestinationNamespace string
	// Set is the ApplicationSet that makes the Application; nil for none. Element says which of its elements it is.
	Set     *resource.Resource
	Element applicationset.Element

	Verdict Verdict
	// Reason says why the verdict is not Exact.
	Reason string
	// Assumptions are what had to be taken for true, in sentences.
	Assumptions []string

	// Build is the build of the folder with the options of the object; nil where none
	// was made. Options are those that it was made with.
	Build   *builder.Result
	Options builder.Options
	// Builds are those of the further sources of an Application.
	Builds []*builder.Result
	// Outputs are what is deployed, in order.
	Outputs []*Output
	// Problems are what is wrong with the deployment itself; those of the build are in
	// Build.
	Problems []builder.Problem
	// Variables are what the object supplies for substitution, those that a later source
	// overrides left out, sorted by name.
	Variables []*Variable

	// supplied is what was substituted, substitutes whether anything was.
	supplied    variables
	substitutes bool
	// used are the names in all expressions; nil where they are not known.
	used map[string]bool
	// rendered is the text of the object, by which one is known to be the same.
	rendered string
	tool     tool
	// needs are objects of other deployments that were looked up, as they were found.
	needs []need
	// reads is what was looked at besides the builds; nil for nothing.
	reads *vfs.Reads
}

// Source names a source object: a repository, a bucket, an artifact.
type Source struct {
	ID   ID
	Node *yaml.Node // where it is named
}

// String returns the URL of a source of Argo CD, and the ID of the object of one of Flux.
func (s Source) String() string {
	if s.ID.Kind == "" {
		return s.ID.Name
	}
	return s.ID.String()
}

// Reference names an object.
type Reference struct {
	ID ID
	// Node is the name, Namespace the namespace where one is written.
	Node, Namespace *yaml.Node
}

// Output is a resource that a deployment renders.
type Output struct {
	*resource.Resource
	// Before is the resource before variables were substituted: the same one where none
	// were.
	Before *resource.Resource
	// Uses are the variables that stand in it.
	Uses []Use
	// filled says that it has its namespace from the destination of an Application.
	filled bool
}

// Variable is a value that a deployment supplies for ${NAME}.
type Variable struct {
	Name, Value string
	// Node is the value where it was written, or File and Span for one that does not
	// stand in YAML. Key is the name's node; nil where there is none.
	Key, Node *yaml.Node
	File      text.FileID
	Span      text.Span
	// From is the object that it comes from, as Secret/flux-system/cluster-secrets; empty
	// for one that stands in the deployment itself.
	From string
	// Hidden says that it is a secret, Known whether the value is known.
	Hidden, Known bool
}

// Use is a variable in a scalar of a resource.
type Use struct {
	Name string
	// Node is the scalar before substitution, Span where in its value the expression is.
	Node *yaml.Node
	Span text.Span
	// After is the scalar that it became; nil where it became none of its own.
	After *yaml.Node
	// Variable is nil where nothing that is known supplies it.
	Variable *Variable
	// HasDefault says that the expression has a value of its own for what is missing.
	HasDefault bool
	// Unknown says that the value is not known.
	Unknown bool
}

// Set is all deployments of a checkout.
type Set struct {
	// Root is the checkout's folder.
	Root string
	// Deployments are sorted by ID. Those of several clusters may have the same.
	Deployments []*Deployment
	// Conflicts are objects that two deployments of one cluster render.
	Conflicts []Conflict
	// Assumptions are those of all deployments, each once.
	Assumptions []string

	// Sources are the source objects in the checkout.
	Sources []*resource.Resource
	// LeftOut are objects that lie in what is deployed and that nothing deploys.
	LeftOut []*resource.Resource

	// written are the objects that deploy, as they stand in files.
	written []*resource.Resource
	// projects are the AppProjects of Argo CD, as they are rendered or, where nothing renders them, written.
	projects map[ID]*resource.Resource
}

// Conflict is an object that two deployments of one cluster render.
type Conflict struct {
	First, Second     *Deployment
	FirstOut, Another *Output
}

// Find returns the deployments with an ID as it is written; several for clusters that
// have the same.
func (s *Set) Find(id string) []*Deployment {
	var found []*Deployment
	for _, d := range s.Deployments {
		if d.ID.String() == id {
			found = append(found, d)
		}
	}
	return found
}

// Of returns the deployments of a folder, absolute: whose path it is, or that include it.
func (s *Set) Of(dir string) []*Deployment {
	var found []*Deployment
	for _, d := range s.Deployments {
		if d.Dir == dir || slices.ContainsFunc(d.AllBuilds(), func(r *builder.Result) bool { return r.Root != nil && includes(r.Root, dir) }) {
			found = append(found, d)
		}
	}
	return found
}

// AllBuilds returns the builds of all sources; none where none was made.
func (d *Deployment) AllBuilds() []*builder.Result {
	if d.Build == nil {
		return nil
	}
	return append([]*builder.Result{d.Build}, d.Builds...)
}

// Reads tells whether a path, absolute, was looked at to render the deployment.
func (d *Deployment) Reads(path string) bool {
	return d.reads != nil && d.reads.Has(path) || slices.ContainsFunc(d.AllBuilds(), func(r *builder.Result) bool { return r.Reads.Has(path) })
}

// IsTouched tells whether a change of a path changes what the deployment renders.
func (d *Deployment) IsTouched(path string) bool {
	return d.reads != nil && d.reads.Touches(path) || slices.ContainsFunc(d.AllBuilds(), func(r *builder.Result) bool { return r.Reads.Touches(path) })
}

func includes(l *builder.Layer, dir string) bool {
	return l.Dir == dir || slices.ContainsFunc(l.Facts.Included, func(i builder.Included) bool {
		return i.Layer != nil && includes(i.Layer, dir)
	})
}

func compare(a, b *Deployment) int {
	return cmp.Or(cmp.Compare(a.ID.String(), b.ID.String()), cmp.Compare(a.Cluster, b.Cluster))
}

// Settings say what cannot be seen in the checkout.
type Settings struct {
	// Repositories are further URLs of this repository, besides those of git's remotes.
	Repositories []string
	// Sources say by the ID of a source object which folder, absolute, it is.
	Sources map[string]string
	// Substitutions are files with the values of ConfigMaps and Secrets that are not in
	// git, absolute, by the ID of the object.
	Substitutions map[string]string
	// Lenient says that a variable that nothing supplies is empty, as it was by default
	// before Flux 2.9.
	Lenient bool
	// Clusters are those that are registered with Argo CD; nil where that is not known.
	Clusters []applicationset.Cluster
	// Analyze records what only diagnostics need.
	Analyze bool
}

// Codes of problems of deployments.
const (
	MissingFolder       builder.Code = "deployment-missing-path"
	MissingComponent    builder.Code = "deployment-missing-component"
	MalformedObject     builder.Code = "deployment-malformed-object"
	UnknownDependency   builder.Code = "deployment-unknown-dependency"
	DependencyCycle     builder.Code = "deployment-dependency-cycle"
	MissingVariable     builder.Code = "deployment-missing-variable"
	InvalidVariable     builder.Code = "deployment-invalid-variable"
	MalformedExpression builder.Code = "deployment-malformed-expression"
	UnusedVariable      builder.Code = "deployment-unused-variable"
	TextBecomesValue    builder.Code = "deployment-text-becomes-value"
	TwoOwners           builder.Code = "deployment-two-owners"
	OtherNamespace      builder.Code = "deployment-other-namespace"
	MissingHealthCheck  builder.Code = "deployment-missing-health-check"
	Unreadable          builder.Code = "deployment-unreadable-output"
	OptionLost          builder.Code = "deployment-option-lost"
	RefusedOption       builder.Code = "deployment-refused-option"
	LabelConflict       builder.Code = "deployment-label-conflict"
	MalformedSet        builder.Code = "deployment-malformed-set"
	DeniedByProject     builder.Code = "deployment-denied-by-project"
)

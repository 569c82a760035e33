package config

import (
	"github.com/kustomize-lsp/kls/engine/load"
	yaml "go.yaml.in/yaml/v3"
)

// kind is what a field's value is.
type kind int

const (
	kindText kind = iota
	kindVersion
	kindChoice
	kindBool
	kindTexts
	kindGlobs
	kindRules
	kindObject
	kindObjects
	// kindPaths maps names to files or folders, relative to the file.
	kindPaths
	// kindLabels maps names to texts.
	kindLabels
)

// field is one field of the file. By this table it is read, and its JSON Schema is
// made.
type field struct {
	name string
	kind kind
	doc  string
	// choices are the values of a kindChoice.
	choices []string
	// object has the fields of a kindObject and of each entry of a kindObjects.
	object []field
	// entry reads one entry of a kindObjects.
	entry func(d *draft, n *yaml.Node, f field)
	set   func(*draft, value)
}

// levels are what can be said about a rule.
var levels = []string{"off", "hint", "info", "warning", "error"}

// fileFields are the fields of the file.
func fileFields() []field {
	return []field{
		{name: "kustomize", kind: kindVersion, doc: `The version of kustomize that deploys, as "5.8": what it does not have is an error.`,
			set: func(d *draft, v value) { d.kustomize(v) }},
		{name: "kubernetes", kind: kindVersion, doc: `The version of Kubernetes that is deployed to, as "1.36".`,
			set: func(d *draft, v value) { d.kubernetes(v) }},
		rulesField(),
		{name: "exclude", kind: kindGlobs, doc: "Folders and files in which nothing is checked or reported.",
			set: func(d *draft, v value) { d.config.exclude = v.globs }},
		buildField(),
		deploymentsField(),
		{name: "overrides", kind: kindObjects, doc: "What is different for some paths; of several, the last one counts.", entry: (*draft).override,
			object: []field{
				{name: "paths", kind: kindGlobs, doc: "The files to which the rules apply, and the folders of the roots to which the build options do.",
					set: func(d *draft, v value) { d.paths = v.globs }},
				rulesField(),
				buildField(),
			}},
	}
}

func deploymentsField() field {
	return field{name: "deployments", kind: kindObject, doc: "What the checkout does not say about what Flux and Argo CD deploy from it.",
		object: []field{
			{name: "repositories", kind: kindTexts, doc: "URLs of this repository, besides those of git's remotes.",
				set: func(d *draft, v value) { d.config.Deployments.Repositories = v.texts }},
			{name: "sources", kind: kindPaths, doc: "The folder that a source object stands for, as GitRepository/flux-system/flux-system: .",
				set: func(d *draft, v value) { d.config.Deployments.Sources = v.paths }},
			{name: "substitutions", kind: kindPaths, doc: "The file with the values of a ConfigMap or Secret that is not in git, as Secret/flux-system/cluster-secrets: ci/secrets.env",
				set: func(d *draft, v value) { d.config.Deployments.Substitutions = v.paths }},
			{name: "strict", kind: kindBool, doc: "Whether a variable that nothing supplies is an error, as it is since Flux 2.9; false: it is empty.",
				set: func(d *draft, v value) { d.config.Deployments.Lenient = !v.truth }},
			{name: "clusters", kind: kindObjects, doc: "The clusters that are registered with Argo CD; without it, Applications of cluster generators exist only if a cluster does.",
				entry: (*draft).cluster,
				object: []field{
					{name: "name", kind: kindText, doc: "The name of the cluster.", set: func(d *draft, v value) { d.registered.Name = v.text }},
					{name: "server", kind: kindText, doc: "The URL of its API server.", set: func(d *draft, v value) { d.registered.Server = v.text }},
					{name: "labels", kind: kindLabels, doc: "The labels of its Secret, which generators select by.",
						set: func(d *draft, v value) { d.registered.Labels = v.paths }},
					{name: "annotations", kind: kindLabels, doc: "The annotations of its Secret, which templates can use.",
						set: func(d *draft, v value) { d.registered.Annotations = v.paths }},
				}},
			{name: "undeployed", kind: kindChoice, choices: levels, doc: "The most that a finding counts which concerns only roots that nothing deploys; off leaves it out.",
				set: func(d *draft, v value) { d.config.Deployments.Undeployed = Level(v.text) }},
		}}
}

func rulesField() field {
	return field{name: "rules", kind: kindRules, doc: "The severity of each rule: off, hint, info, warning or error. No verdict depends on it.",
		set: func(d *draft, v value) { d.scope.rules = v.rules }}
}

func buildField() field {
	flag := func(name, doc string, at func(*Build) **bool) field {
		return field{name: name, kind: kindBool, doc: doc, set: func(d *draft, v value) { *at(&d.scope.build) = &v.truth }}
	}
	return field{name: "build", kind: kindObject, doc: "The options by which roots are built. Whoever starts kls has to allow what is fetched, run or read from elsewhere, too.",
		object: []field{
			{name: "loadRestrictor", kind: kindChoice, choices: []string{load.RootOnly, load.NoRestrictions},
				doc: "kustomize build --load-restrictor. LoadRestrictionsNone has to be allowed by whoever starts kls, too.",
				set: func(d *draft, v value) { d.scope.build.LoadRestrictor = v.text }},
			flag("enableManagedByLabel", "kustomize build --enable-managedby-label.", func(b *Build) **bool { return &b.EnableManagedByLabel }),
			flag("enableRemote", "Load git repositories and files over http(s).", func(b *Build) **bool { return &b.EnableRemote }),
			flag("enableHelm", "kustomize build --enable-helm.", func(b *Build) **bool { return &b.EnableHelm }),
			{name: "helmKubeVersion", kind: kindText, doc: "kustomize build --helm-kube-version.",
				set: func(d *draft, v value) { d.scope.build.HelmKubeVersion = v.text }},
			{name: "helmApiVersions", kind: kindTexts, doc: "kustomize build --helm-api-versions.",
				set: func(d *draft, v value) { d.scope.build.HelmAPIVersions = v.texts }},
			flag("enableAlphaPlugins", "kustomize build --enable-alpha-plugins.", func(b *Build) **bool { return &b.EnableAlphaPlugins }),
			flag("enableExec", "kustomize build --enable-exec.", func(b *Build) **bool { return &b.EnableExec }),
			flag("network", "kustomize build --network.", func(b *Build) **bool { return &b.Network }),
		}}
}

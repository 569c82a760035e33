package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// makers are kinds that name the Secret that they make, and not one that is there.
var makers = map[string]bool{"Certificate": true, "ExternalSecret": true, "ClusterExternalSecret": true, "SealedSecret": true, "VaultStaticSecret": true}

// checkReferencesNotUpdated looks in custom resources for the former names of
// ConfigMaps and Secrets, in fields whose names speak of such, and for those of
// anything beside its kind.
func checkReferencesNotUpdated(p *analysis.Pass) {
	if !slices.ContainsFunc(p.Result.Resources, mayKeepName) {
		return
	}
	f := &formerNames{former: map[[2]string]*resource.Resource{}, current: map[[2]string]bool{}}
	for _, r := range p.Result.Resources {
		f.enter(r)
	}
	if len(f.former) == 0 {
		return
	}
	for _, r := range p.Result.Resources {
		if !mayKeepName(r) {
			continue
		}
		if !makers[r.ID().Kind] {
			f.walk(p, r.Node, "")
		}
		var named []foundName
		collectTyped(r.Node, r.Node, "", &named)
		for _, name := range named {
			if _, kind := syntax.Field(name.around, "kind"); kind != nil {
				f.report(p, name.kind, name.node)
			}
		}
	}
}

func mayKeepName(r *resource.Resource) bool { return isCustom(r.ID()) }

// formerNames are the names that resources have no more, by kind.
type formerNames struct {
	former  map[[2]string]*resource.Resource
	current map[[2]string]bool
}

func (f *formerNames) enter(r *resource.Resource) {
	id := r.ID()
	f.current[[2]string{id.Kind, id.Name}] = true
	r.PreviousIDs(func(old resource.ID) bool {
		if old.Name != id.Name {
			f.former[[2]string{id.Kind, old.Name}] = r
		}
		return true
	})
}

// walk goes through a resource; path are the keys so far, in lower case.
func (f *formerNames) walk(p *analysis.Pass, n *yaml.Node, path string) {
	switch n.Kind {
	case yaml.ScalarNode:
		f.check(p, n, path)
	case yaml.SequenceNode:
		for _, element := range n.Content {
			f.walk(p, element, path)
		}
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			f.walk(p, n.Content[i+1], path+"/"+strings.ToLower(n.Content[i].Value))
		}
	}
}

func (f *formerNames) check(p *analysis.Pass, n *yaml.Node, path string) {
	for _, kind := range []string{"ConfigMap", "Secret"} {
		if speaksOf(path, strings.ToLower(kind)) {
			f.report(p, kind, n)
		}
	}
}

func (f *formerNames) report(p *analysis.Pass, kind string, n *yaml.Node) {
	r := f.former[[2]string{kind, n.Value}]
	if r == nil || f.current[[2]string{kind, n.Value}] {
		return
	}
	p.Report(builder.Problem{Node: n, Layer: p.Result.Root,
		Message: fmt.Sprintf("the %s %s is now %s, and kustomize does not write that here", kind, n.Value, r.ID().Name),
		Help:    "add the field to nameReference in a file of configurations, or use a replacement",
		Related: []builder.Related{{Node: namePlace(r), Message: r.ID().String()}}})
}

// speaksOf tells whether a path ends with a name of that kind: .../configmapname,
// .../secretref/name, .../configmap.
func speaksOf(path, kind string) bool {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	before := parts[max(0, len(parts)-2)]
	switch last {
	case kind, kind + "name", kind + "ref", kind + "refname":
		return true
	}
	return last == "name" && strings.Contains(before, kind)
}

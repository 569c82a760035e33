package schema

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Removal tells of a kind that Kubernetes no longer serves in this version of
// its API.
type Removal struct {
	// Removed is the version of Kubernetes that no longer has it: "1.25".
	Removed string
	// APIVersion and Kind are its successor; empty where there is none.
	APIVersion, Kind string
}

// Removed tells whether the version of Kubernetes no longer serves a kind which
// earlier ones served. A custom definition of it makes it served.
func (k *Kubernetes) Removed(apiVersion, kind string) (Removal, bool) {
	name := kindName{apiVersion, kind}
	life, ok := k.builtin.lives[name]
	if _, custom := k.custom[name]; custom || !ok || !k.isGone(name) {
		return Removal{}, false
	}
	successor := life.successor
	for steps := 0; steps < 10 && k.isGone(successor); steps++ {
		successor = k.builtin.lives[successor].successor
	}
	if group, _, ok := strings.Cut(apiVersion, "/"); ok && successor == (kindName{}) {
		if stable := (kindName{group + "/v1", kind}); k.builtin.kinds[stable] != "" {
			successor = stable
		}
	}
	return Removal{fmt.Sprintf("1.%d", life.removed), successor.apiVersion, successor.kind}, true
}

func (k *Kubernetes) isGone(name kindName) bool {
	life, ok := k.builtin.lives[name]
	if _, served := k.builtin.kinds[name]; served || !ok {
		return false
	}
	_, minor, _ := strings.Cut(k.builtin.version, ".")
	now, err := strconv.Atoi(minor)
	return err == nil && life.removed <= now
}

// life says when a version of an API ends: the N of 1.N. The source is the
// prerelease-lifecycle code of k8s.io/api, and for a few kinds the deprecation
// guide: https://kubernetes.io/docs/reference/using-api/deprecation-guide/
type life struct {
	removed   int
	successor kindName
}

func readLives(archive *archive) (map[kindName]life, error) {
	lines, err := archive.lines("lives")
	lives := map[kindName]life{}
	for _, line := range lines {
		removed, _ := strconv.Atoi(line[3])
		lives[kindName{line[0], line[1]}] = life{removed, kindName{line[4], line[5]}}
	}
	return lives, err
}

// judgeKind is about kinds without a schema: removed ones, and misspelt ones.
func (k *Kubernetes) judgeKind(resource *yaml.Node, name kindName) []Violation {
	if removal, ok := k.Removed(name.apiVersion, name.kind); ok {
		_, node := syntax.Field(resource, "apiVersion")
		return []Violation{removal.violation(name, node)}
	}
	if at := k.homeOf(name); at != "" {
		_, node := syntax.Field(resource, "apiVersion")
		return []Violation{{
			Kind: UnknownKind, Path: []string{"apiVersion"}, Node: node, Nearest: at, Expected: []string{at},
			Message: fmt.Sprintf("%s has no %s; did you mean `%s`?", name.apiVersion, name.kind, at),
		}}
	}
	known := k.kindsOf(name.apiVersion)
	nearest, ok := text.Nearest(name.kind, known)
	if !ok || !isMisspelt(name, nearest) {
		return nil
	}
	_, node := syntax.Field(resource, "kind")
	return []Violation{{
		Kind: UnknownKind, Path: []string{"kind"}, Node: node, Nearest: nearest, Expected: known,
		Message: fmt.Sprintf("%s has no kind `%s`; did you mean `%s`?", name.apiVersion, name.kind, nearest),
	}}
}

func (k *Kubernetes) kindsOf(apiVersion string) []string {
	var kinds []string
	for name := range k.builtin.kinds {
		if name.apiVersion == apiVersion && !strings.HasSuffix(name.kind, "List") {
			kinds = append(kinds, name.kind)
		}
	}
	for name := range k.builtin.lives { // a version that was removed had kinds too
		if name.apiVersion == apiVersion && !strings.HasSuffix(name.kind, "List") {
			kinds = append(kinds, name.kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// isMisspelt tells whether a kind is meant to be the one that is near. Nobody
// else can add kinds to Kubernetes' own versions, except that OpenShift once did
// so to v1 (Role, Template): there more likeness is asked for.
func isMisspelt(name kindName, near string) bool {
	if strings.HasSuffix(name.kind, "List") {
		return false
	}
	length := len(name.kind) - len(near)
	return name.apiVersion != "v1" || length >= -1 && length <= 1 && strings.EqualFold(name.kind[:1], near[:1])
}

func (r Removal) violation(name kindName, node *yaml.Node) Violation {
	v := Violation{
		Kind: RemovedVersion, Path: []string{"apiVersion"}, Node: node,
		Message: fmt.Sprintf("Kubernetes %[3]s removed %[1]s from %[2]s", name.kind, name.apiVersion, r.Removed),
	}
	if r.APIVersion != "" {
		v.Expected = []string{r.APIVersion}
		v.Message += fmt.Sprintf("; its successor is %s %s", r.APIVersion, r.Kind)
	}
	return v
}

// Package schema knows what resources look like: those of Kubernetes, from its
// OpenAPI of several minor versions, and custom ones, from the definitions that
// are found in a tree. It validates rendered resources and the fields of
// patches, and describes fields for hovers and completion. It also makes the
// JSON Schema of the kustomization file.
//
// It validates as strictly as `kubectl apply --validate=strict`: what the API
// server would refuse, drop or warn of is a Violation. It does not know what
// only the API server's own code checks (that two ports have different names),
// what admission webhooks do, or expressions in CEL. Kinds that nobody defined
// are not judged. It does no IO.
//
// The data is made by internal/genkubernetes and embedded; it is decompressed
// and compiled for the kinds that are asked about, when they are.
package schema

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// Kubernetes knows the kinds of one version of Kubernetes, and custom kinds.
// It is safe for concurrent use.
type Kubernetes struct {
	builtin *library
	custom  map[kindName]*customKind
}

// kindName names a kind as a resource does.
type kindName struct{ apiVersion, kind string }

// New returns the kinds of a version such as "1.36", "v1.36.2" or
// "1.36.2-gke.1"; only the minor version counts, and "" is the newest. The
// error says which versions are known.
func New(version string) (*Kubernetes, error) {
	archive, err := openArchive()
	if err != nil {
		return nil, err
	}
	known, err := archive.versions()
	if err != nil {
		return nil, err
	}
	at := len(known) - 1
	if version != "" {
		at = slices.Index(known, minorOf(version))
	}
	if at < 0 {
		return nil, fmt.Errorf("the schemas of Kubernetes %s are not known, only those of %s to %s",
			version, known[0], known[len(known)-1])
	}
	builtin, err := newLibrary(archive, known[at], uint64(1)<<at)
	if err != nil {
		return nil, err
	}
	return &Kubernetes{builtin: builtin}, nil
}

// Versions returns the minor versions that New knows, the oldest first: "1.30".
func Versions() []string {
	archive, err := openArchive()
	if err != nil {
		return nil
	}
	known, _ := archive.versions()
	return known
}

// Version returns the minor version: "1.36".
func (k *Kubernetes) Version() string { return k.builtin.version }

// minorOf cuts a version behind its minor part.
func minorOf(version string) string {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	if len(parts) < 2 {
		return version
	}
	digits := len(parts[1]) - len(strings.TrimLeft(parts[1], "0123456789"))
	return parts[0] + "." + parts[1][:digits]
}

// nameOf returns the kind of a resource; empty strings where it has none.
func nameOf(resource *yaml.Node) kindName {
	return kindName{textOf(resource, "apiVersion"), textOf(resource, "kind")}
}

func textOf(mapping *yaml.Node, field string) string {
	if _, value := syntax.Field(mapping, field); value != nil && value.Kind == yaml.ScalarNode {
		return value.Value
	}
	return ""
}

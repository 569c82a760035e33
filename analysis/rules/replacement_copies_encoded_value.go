package rules

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// checkCopiedBase64 looks for values of a Secret's data that are copied to where text is
// expected.
func checkCopiedBase64(p *analysis.Pass) {
	for _, l := range p.Layers() {
		for _, fact := range l.Facts.Replacements {
			if fact.Entry.Source == nil || !isSecretData(fact.Source, fact.Entry.Source.FieldPath.Value) || !isEncodedText(fact.Value) {
				continue
			}
			for i, t := range fact.Entry.Targets {
				if i < len(fact.Selected) {
					reportCopiedBase64(p, l, t.FieldPaths, fact.Selected[i])
				}
			}
		}
	}
}

func reportCopiedBase64(p *analysis.Pass, l *builder.Layer, paths []kustomization.Text, targets []*resource.Resource) {
	for _, path := range paths {
		at := slices.IndexFunc(targets, func(r *resource.Resource) bool { return takesText(r, path.Value) })
		if at < 0 {
			continue
		}
		p.Report(builder.Problem{Node: path.Node, Layer: l,
			Message: fmt.Sprintf("this writes base64 into %s: the data of a Secret is encoded, and kustomize copies it as it is", targets[at].ID()),
			Help:    "have the container read the Secret, or copy from where the value is text"})
	}
}

func isSecretData(r *resource.Resource, path string) bool {
	return r != nil && r.ID().Kind == "Secret" && r.ID().APIVersion() == "v1" && firstSegment(path) == "data"
}

func firstSegment(path string) string {
	for _, s := range fieldpath.Parse(path).Segments {
		if s.Kind != fieldpath.Blank {
			return s.Text
		}
	}
	return ""
}

// isEncodedText tells whether a value is text in base64, and not, as a certificate in DER
// is, something that can only be handed on encoded.
func isEncodedText(n *yaml.Node) bool {
	if n == nil || n.Kind != yaml.ScalarNode || n.Value == "" {
		return false
	}
	decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
	return err == nil && utf8.Valid(decoded) && !strings.Contains(string(decoded), "-----BEGIN ")
}

// takesText tells whether a field is one that Kubernetes or a program reads as text: a
// value of a ConfigMap or of stringData, an annotation, or what a container is started
// with.
func takesText(r *resource.Resource, path string) bool {
	switch first := firstSegment(path); {
	case r.Node == nil:
		return false
	case first == "data":
		return r.ID().Kind == "ConfigMap" && r.ID().APIVersion() == "v1"
	case first == "stringData":
		return r.ID().Kind == "Secret" && r.ID().APIVersion() == "v1"
	}
	_, spec := syntax.Field(r.Node, "spec")
	if spec == nil || !strings.Contains(path, "containers") {
		return false
	}
	segments := strings.Split(path, ".")
	last := segments[len(segments)-1]
	return last == "value" && slices.Contains(segments, "env") || slices.Contains(segments, "args") || slices.Contains(segments, "command")
}

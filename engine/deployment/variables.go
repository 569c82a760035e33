package deployment

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// variables are what a deployment substitutes.
type variables struct {
	known map[string]*Variable
	// missing are the objects that supply more, of which nothing is known.
	missing []string
	// lenient says that what nothing supplies is empty.
	lenient bool
}

// variables collects what substituteFrom and substitute supply (LoadVariables of
// github.com/fluxcd/pkg/kustomize). It returns false where an object is not there yet.
func (s *search) variables(d *Deployment, postBuild *yaml.Node) (v variables, ready bool) {
	v.known, v.lenient = map[string]*Variable{}, s.settings.Lenient
	in := &spec{node: postBuild}
	d.needs = nil
	for _, ref := range in.objects(postBuild, "substituteFrom") {
		id := ID{value(ref, "kind").Value, d.ID.Namespace, value(ref, "name").Value}
		if id.Kind != "ConfigMap" && id.Kind != "Secret" {
			continue
		}
		if path, ok := s.settings.Substitutions[id.String()]; ok {
			if !s.readValues(&v, id, path) {
				v.missing = append(v.missing, id.String())
			}
			continue
		}
		out := s.lookup(d.Cluster, id)
		if out == nil && !s.final {
			return v, false
		}
		if out == nil {
			out = ownOutput(d, id)
		}
		d.needs = append(d.needs, need{id, s.printed(out)})
		if out == nil {
			v.missing = append(v.missing, id.String())
			continue
		}
		v.addObject(id, out.Before)
	}
	v.addInline(in, postBuild)
	d.Problems = append(d.Problems, in.problems...)
	for _, name := range slices.Sorted(maps.Keys(v.known)) {
		d.Variables = append(d.Variables, v.known[name])
	}
	return v, true
}

// ownOutput returns an object that the deployment itself renders: the cluster has it once
// it was applied.
func ownOutput(d *Deployment, id ID) *Output {
	for _, out := range d.Outputs {
		if own := out.ID(); own.Group == "" && own.Kind == id.Kind && own.Namespace == id.Namespace && own.Name == id.Name {
			return out
		}
	}
	return nil
}

// addInline adds what stands in the deployment itself.
func (v *variables) addInline(in *spec, postBuild *yaml.Node) {
	_, list := syntax.Field(postBuild, "substitute")
	switch {
	case isNull(list):
		return
	case list.Kind != yaml.MappingNode:
		in.wrong(list, "substitute", "a mapping")
		return
	}
	for i := 0; i+1 < len(list.Content); i += 2 {
		key, n := list.Content[i], list.Content[i+1]
		if !isText(n) {
			in.problems = append(in.problems, builder.Problem{Code: MalformedObject, Fatal: true, Node: n,
				Message: fmt.Sprintf("the value of %s must be text", key.Value), Help: "put it in quotes"})
			continue
		}
		v.known[key.Value] = &Variable{Name: key.Value, Value: withoutBreaks(n.Value), Key: key, Node: n, Known: true}
	}
}

func withoutBreaks(text string) string { return strings.ReplaceAll(text, "\n", "") }

// addObject adds the data of a ConfigMap or Secret. The values of one that SOPS encrypts
// are not known.
func (v *variables) addObject(id ID, r *resource.Resource) {
	encrypted := isEncrypted(r)
	for _, field := range []string{"data", "stringData"} {
		_, data := syntax.Field(r.Node, field)
		if data == nil || data.Kind != yaml.MappingNode || field == "stringData" && id.Kind != "Secret" {
			continue
		}
		for i := 0; i+1 < len(data.Content); i += 2 {
			key, n := data.Content[i], data.Content[i+1]
			x := &Variable{Name: key.Value, Value: n.Value, Key: key, Node: n, From: id.String(), Hidden: id.Kind == "Secret",
				Known: !encrypted && !strings.HasPrefix(n.Value, "ENC[")}
			if field == "data" && id.Kind == "Secret" && x.Known {
				decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(n.Value), ""))
				x.Value, x.Known = string(decoded), err == nil
			}
			x.Value = withoutBreaks(x.Value)
			v.known[x.Name] = x
		}
	}
}

// isEncrypted tells whether SOPS encrypted a resource.
func isEncrypted(r *resource.Resource) bool {
	_, sops := syntax.Field(r.Node, "sops")
	return sops != nil && sops.Kind == yaml.MappingNode
}

// readValues adds the values of a file that the settings name: an object in YAML, or
// lines of NAME=value.
func (s *search) readValues(v *variables, id ID, path string) bool {
	f, err := s.session.Files().ReadFile(path)
	if err != nil {
		return false
	}
	if strings.HasSuffix(path, ".yaml") || strings.HasSuffix(path, ".yml") {
		for _, object := range s.session.Objects(f) {
			v.addObject(id, object)
		}
		return true
	}
	file, at := s.session.FileID(f), 0
	for line := range strings.Lines(string(f.Data)) {
		start := at
		at += len(line)
		name, val, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "=")
		if name = strings.TrimSpace(name); !ok || name == "" || name[0] == '#' {
			continue
		}
		name = strings.TrimPrefix(name, "export ")
		span := text.Span{Start: start + strings.IndexByte(line, '=') + 1, End: start + len(strings.TrimRight(line, "\r\n"))}
		v.known[name] = &Variable{Name: name, Value: unquoted(val), File: file, Span: span, From: id.String(), Hidden: id.Kind == "Secret", Known: true}
	}
	return true
}

func unquoted(val string) string {
	val = strings.TrimSpace(val)
	if len(val) >= 2 && (val[0] == '"' || val[0] == '\'') && val[len(val)-1] == val[0] {
		return val[1 : len(val)-1]
	}
	return val
}

// printedNode returns the text that kustomize prints of a resource.
func printedNode(n *yaml.Node) (string, error) {
	printed, err := render.Document(nil, n)
	return string(printed), err
}

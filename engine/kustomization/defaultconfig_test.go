package kustomization

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	sigsyaml "sigs.k8s.io/yaml"
)

var update = flag.Bool("update", false, "write defaultconfig.go from kustomize's source")

// upstreamConfig is builtinconfig.TransformerConfig, which is internal.
type upstreamConfig struct {
	NamePrefix                types.FsSlice      `json:"namePrefix,omitempty"`
	NameSuffix                types.FsSlice      `json:"nameSuffix,omitempty"`
	Namespace                 types.FsSlice      `json:"namespace,omitempty"`
	CommonLabels              types.FsSlice      `json:"commonLabels,omitempty"`
	Labels                    types.FsSlice      `json:"labels,omitempty"`
	TemplateLabels            types.FsSlice      `json:"templateLabels,omitempty"`
	VolumeClaimTemplateLabels types.FsSlice      `json:"volumeClaimTemplateLabels,omitempty"`
	CommonAnnotations         types.FsSlice      `json:"commonAnnotations,omitempty"`
	NameReference             upstreamReferences `json:"nameReference,omitempty"`
	VarReference              types.FsSlice      `json:"varReference,omitempty"`
	Images                    types.FsSlice      `json:"images,omitempty"`
	Replicas                  types.FsSlice      `json:"replicas,omitempty"`
}

type upstreamReference struct {
	resid.Gvk `json:",inline,omitempty"`
	Referrers types.FsSlice `json:"fieldSpecs,omitempty"`
}

type upstreamReferences []upstreamReference

func (s upstreamReferences) Len() int           { return len(s) }
func (s upstreamReferences) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }
func (s upstreamReferences) Less(i, j int) bool { return s[i].IsLessThan(s[j].Gvk) }

func (c *upstreamConfig) lists() map[string]types.FsSlice {
	return map[string]types.FsSlice{
		"namePrefix": c.NamePrefix, "nameSuffix": c.NameSuffix, "namespace": c.Namespace,
		"commonLabels": c.CommonLabels, "labels": c.Labels, "templateLabels": c.TemplateLabels,
		"volumeClaimTemplateLabels": c.VolumeClaimTemplateLabels, "commonAnnotations": c.CommonAnnotations,
		"varReference": c.VarReference, "images": c.Images, "replicas": c.Replicas,
	}
}

func (c *upstreamConfig) sort() {
	for _, list := range c.lists() {
		sort.Sort(list)
	}
	sort.Sort(c.NameReference)
}

func readUpstreamConfig(data []byte) (*upstreamConfig, error) {
	c := &upstreamConfig{}
	if err := sigsyaml.UnmarshalStrict(data, c); err != nil {
		return nil, err
	}
	c.sort()
	return c, nil
}

// inOurs converts kustomize's configuration to our type.
func (c *upstreamConfig) inOurs() *TransformerConfig {
	ours := &TransformerConfig{}
	lists := c.lists()
	for _, list := range ours.fieldSpecLists() {
		*list.specs = specsInOurs(lists[list.name])
	}
	for _, r := range c.NameReference {
		ours.NameReference = append(ours.NameReference, NameReference{
			Group: r.Group, Version: r.Version, Kind: r.Kind, FieldSpecs: specsInOurs(r.Referrers),
		})
	}
	return ours
}

func specsInOurs(list types.FsSlice) []FieldSpec {
	var specs []FieldSpec
	for _, f := range list {
		specs = append(specs, FieldSpec{
			Group: f.Group, Version: f.Version, Kind: f.Kind, Path: f.Path, Create: f.CreateIfNotPresent,
		})
	}
	return specs
}

// upstreamDefaults reads the defaults out of kustomize's source, since they are
// in an internal package.
func upstreamDefaults(t *testing.T) *upstreamConfig {
	t.Helper()
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kustomize/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(strings.TrimSpace(string(out)), "internal", "konfig", "builtinpluginconsts")
	consts := map[string]ast.Expr{}
	var joined []string
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no source in %s: %v", folder, err)
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, value := range n.Values {
					consts[n.Names[i].Name] = value
				}
			case *ast.CallExpr:
				// []byte(name), in the order of GetDefaultFieldSpecs.
				if _, ok := n.Fun.(*ast.ArrayType); ok && len(n.Args) == 1 {
					if arg, ok := n.Args[0].(*ast.Ident); ok {
						joined = append(joined, arg.Name)
					}
				}
			}
			return true
		})
	}
	var text []string
	for _, name := range joined {
		text = append(text, constText(t, consts, consts[name]))
	}
	c, err := readUpstreamConfig([]byte(strings.Join(text, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func constText(t *testing.T, consts map[string]ast.Expr, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		if err != nil {
			t.Fatal(err)
		}
		return s
	case *ast.BinaryExpr:
		return constText(t, consts, e.X) + constText(t, consts, e.Y)
	case *ast.Ident:
		return constText(t, consts, consts[e.Name])
	}
	t.Fatalf("cannot read constant %T", e)
	return ""
}

func TestDefaultTransformerConfigIsKustomizes(t *testing.T) {
	want := upstreamDefaults(t).inOurs()
	if len(want.NameReference) < 10 || len(want.CommonLabels) < 20 {
		t.Fatalf("kustomize's source was not understood: %d, %d", len(want.NameReference), len(want.CommonLabels))
	}
	if *update {
		writeDefaults(t, want)
		return
	}
	if got := DefaultTransformerConfig(); !reflect.DeepEqual(got, want) {
		t.Errorf("differs from kustomize's; run go test -run DefaultTransformerConfig -update")
	}
}

func writeDefaults(t *testing.T, c *TransformerConfig) {
	var b bytes.Buffer
	b.WriteString("// Code generated by TestDefaultTransformerConfigIsKustomizes -update; DO NOT EDIT.\n\n" +
		"package kustomization\n\nvar defaultConfig = TransformerConfig{\n")
	for _, list := range c.fieldSpecLists() {
		if len(*list.specs) > 0 {
			fmt.Fprintf(&b, "%s: specs(\n", strings.ToUpper(list.name[:1])+list.name[1:])
			writeSpecs(&b, *list.specs)
			b.WriteString("),\n")
		}
	}
	b.WriteString("NameReference: []NameReference{\n")
	for _, r := range c.NameReference {
		fmt.Fprintf(&b, "{Group: %q, Version: %q, Kind: %q, FieldSpecs: specs(\n", r.Group, r.Version, r.Kind)
		writeSpecs(&b, r.FieldSpecs)
		b.WriteString(")},\n")
	}
	b.WriteString("},\n}\n")
	source, err := format.Source(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("defaultconfig.go", source, 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeSpecs(b *bytes.Buffer, list []FieldSpec) {
	for _, f := range list {
		fmt.Fprintf(b, "spec{%q, %q, %q, %q, %t},\n", f.Group, f.Version, f.Kind, f.Path, f.Create)
	}
}

package kubernetes

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/resid"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// comparison walks our schema and kyaml's side by side.
type comparison struct {
	t    *testing.T
	seen map[Type]bool
}

func (c *comparison) compare(path string, got Type, want *openapi.ResourceSchema) {
	if got.Known() != (want != nil) {
		c.t.Errorf("%s: known is %v, kyaml says %v", path, got.Known(), want != nil)
	}
	if !got.Known() || want == nil || c.seen[got] {
		return
	}
	c.seen[got] = true
	strategy, wantKeys := want.PatchStrategyAndKeyList()
	wantAssociative := slices.Contains(strings.Split(strategy, ","), "merge")
	keys, associative := got.MergeKeys()
	if associative != wantAssociative || associative && !slices.Equal(keys, wantKeys) {
		c.t.Errorf("%s: merge keys %v, %v, kyaml says %v, %v", path, keys, associative, wantKeys, strategy)
	}
	if associative {
		c.compare(path+"[]", got.Elements(), want.Elements())
	}
	for name := range want.Schema.Properties {
		c.compare(path+"."+name, got.Field(name), want.Field(name))
	}
	c.compare(path+".no-such-field", got.Field("no-such-field"), want.Field("no-such-field"))
}

func (c *comparison) resource(got Schema, apiVersion, kind string) {
	meta := kyaml.TypeMeta{APIVersion: apiVersion, Kind: kind}
	c.compare(apiVersion+" "+kind, got.ForResource(apiVersion, kind), openapi.SchemaForResourceType(meta))
}

func TestBuiltinSchemaIsKyamls(t *testing.T) {
	openapi.ResetOpenAPI()
	c := comparison{t: t, seen: map[Type]bool{}}
	for _, definition := range openapi.Schema().Definitions {
		list, _ := definition.Extensions["x-kubernetes-group-version-kind"].([]any)
		for _, entry := range list {
			gvk, _ := parseGroupVersionKind(entry)
			c.resource(Schema{}, gvk.apiVersion, gvk.kind)
		}
	}
	if len(c.seen) < 500 {
		t.Errorf("only %d types were compared", len(c.seen))
	}
	c.resource(Schema{}, "example.com/v1", "Deployment")
	c.resource(Schema{}, "v1", "Deployment")
}

func TestMergeKeys(t *testing.T) {
	pod := Schema{}.ForResource("v1", "Pod")
	for _, c := range []struct {
		path        string
		keys        []string
		associative bool
	}{
		{"spec.containers", []string{"name"}, true},
		{"spec.containers[].ports", []string{"containerPort", "protocol"}, true},
		{"spec.containers[].args", nil, false},
		{"spec.containers[].envFrom", nil, false},
		{"spec.volumes", []string{"name"}, true},
		{"spec.tolerations", nil, false},
		{"metadata.finalizers", nil, true},
		{"spec.nowhere", nil, false},
	} {
		place := pod
		for _, name := range strings.Split(c.path, ".") {
			field, isList := strings.CutSuffix(name, "[]")
			if place = place.Field(field); isList {
				place = place.Elements()
			}
		}
		keys, associative := place.MergeKeys()
		if associative != c.associative || !slices.Equal(keys, c.keys) {
			t.Errorf("MergeKeys of %s = %v, %v, want %v, %v", c.path, keys, associative, c.keys, c.associative)
		}
	}
}

// The OpenAPI document that kyaml carries is a second witness beside the Go
// source that the table was made from.
func TestScopesAreThoseOfTheDocument(t *testing.T) {
	resources := bundledResources(t)
	if len(resources) < 100 {
		t.Fatalf("only %d resources in the document", len(resources))
	}
	for _, r := range resources {
		clusterScoped := r.Scope == "Cluster"
		if got := ClusterScoped(r.APIVersion, r.Kind); got != clusterScoped || KnownScope(r.APIVersion, r.Kind) != (r.Scope != "") {
			t.Errorf("ClusterScoped(%s, %s) = %v, the document says %q", r.APIVersion, r.Kind, got, r.Scope)
		}
	}
}

type bundledResource struct{ APIVersion, Kind, Scope string }

func bundledResources(t *testing.T) []bundledResource {
	t.Helper()
	matches, err := filepath.Glob(filepath.Join(kyamlFolder(t), "openapi/kubernetesapi/data/*.bundle-v1.json.gz"))
	if err != nil || len(matches) != 1 {
		t.Fatalf("bundles of kyaml: %v, %v", matches, err)
	}
	file, err := os.Open(matches[0])
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var bundle struct{ Resources []bundledResource }
	if err := json.NewDecoder(reader).Decode(&bundle); err != nil {
		t.Fatal(err)
	}
	return bundle.Resources
}

func TestClusterScoped(t *testing.T) {
	openapi.ResetOpenAPI()
	for _, c := range [][2]string{
		{"v1", "Namespace"}, {"v1", "Pod"}, {"apps/v1", "Namespace"}, {"", "Namespace"}, {"", ""}, {"example.com/v1", "Odd"},
		{"rbac.authorization.k8s.io/v1", "ClusterRole"}, {"rbac.authorization.k8s.io/v1", "Role"}, {"rbac.authorization.k8s.io/v9", "ClusterRole"},
		{"v1", "NodeProxyOptions"}, {"storage.k8s.io/v1beta1", "CSIStorageCapacity"},
	} {
		group, version := resid.ParseGroupVersion(c[0])
		want := resid.NewGvk(group, version, c[1]).IsClusterScoped()
		if got := ClusterScoped(c[0], c[1]); got != want {
			t.Errorf("ClusterScoped(%q, %q) = %v, kustomize says %v", c[0], c[1], got, want)
		}
	}
}

func BenchmarkForResource(b *testing.B) {
	for b.Loop() {
		Schema{}.ForResource("apps/v1", "Deployment").Field("spec").Field("template")
	}
}

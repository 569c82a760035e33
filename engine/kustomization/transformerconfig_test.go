package kustomization

import (
	"fmt"
	"math/rand"
	"reflect"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
)

func compareTransformerConfig(t *testing.T, text string) bool {
	t.Helper()
	doc, ok := parse(text)
	if !ok {
		return false
	}
	want, err := readUpstreamConfig([]byte(text))
	got, problems := ReadTransformerConfig(doc)
	fatal := fatalOf(problems)
	if (err != nil) != (fatal != nil) {
		t.Errorf("%q\nkustomize: %v\nours: %+v", text, err, fatal)
	} else if err == nil {
		if got := withoutNodes(got); !reflect.DeepEqual(got, want.inOurs()) {
			t.Errorf("%q\ngot  %+v\nwant %+v", text, got, want.inOurs())
		}
	}
	return err == nil
}

// withoutNodes drops nodes and what tells an empty list from none.
func withoutNodes(c *TransformerConfig) *TransformerConfig {
	bare := func(list []FieldSpec) []FieldSpec {
		var specs []FieldSpec
		for _, f := range list {
			f.Node = nil
			specs = append(specs, f)
		}
		return specs
	}
	for _, list := range c.fieldSpecLists() {
		*list.specs = bare(*list.specs)
	}
	var references []NameReference
	for _, r := range c.NameReference {
		r.Node, r.FieldSpecs = nil, bare(r.FieldSpecs)
		references = append(references, r)
	}
	c.NameReference = references
	return c
}

var transformerSeeds = []string{
	`namePrefix:
- path: metadata/name
nameSuffix: [{path: a, kind: B}]
namespace:
- {path: metadata/namespace, create: true}
commonLabels:
- &labels
  path: spec/labels
  group: apps
  version: v1
  kind: Demo
  create: true
- {path: c, kind: Deployment}
- {path: d, kind: Namespace}
- {path: e, group: z}
labels: [*labels]
templateLabels: []
volumeClaimTemplateLabels: [{path: v}]
commonAnnotations:
- {<<: *labels}
`,
	`nameReference:
- kind: ConfigMap
  version: v1
  fieldSpecs:
  - {path: spec/a, kind: A}
  - {path: spec/b, kind: Role, group: rbac}
- kind: Secret
  fieldSpecs: [{path: c}]
- kind: ConfigMap
  version: v1
  fieldSpecs: [{path: d}]
varReference:
- path: x
images:
- {path: spec/image, kind: Demo}
replicas:
- {path: spec/replicas, create: true, kind: Demo}
`,
}

func TestReadTransformerConfigAgreesWithKustomize(t *testing.T) {
	for _, text := range []string{
		"", "null", "{}", "[]", "a", "images: null", "images: []", "images: {}", "images: [null]", "images: [a]", "unknown: []",
		"images: [{path: 1}]", "images: [{path: yes}]", "images: [{path: .nan}]", "images: [{path: .inf}]", "images: [{kind: 1}]",
		"images: [{create: 'true'}]", "images: [{create: .nan}]", "images: [{path: a, path: b}]", "images: [{path: a, Path: b}]",
		"images: []\nimages: []", "IMAGES: [{path: a}]\nimages: [{kind: b}]", "images: [{name: a}]", "nameReference: [{fieldspecs: [{path: a}]}]",
		"images: [{1: a, 0x1: b}]", "images: [&a {path: b}, {<<: *a, path: c}]", "images: [&a {path: b}, {path: c, <<: *a}]",
		"images: [&a {path: b}, {<<: *a, kind: c}]", "images: [{<<: [{path: a}, {path: b}]}]", "images: [{null: a}]", "images: [{path: {a: b}}]",
		"nameReference: [{kind: 1}]", "nameReference: [{kind: A, fieldSpecs: {path: a}}]", "nameReference: [null]", "nameReference: [{fieldSpecs: null}]",
	} {
		compareTransformerConfig(t, text)
	}
	compareMutations(t, transformerSeeds, 2000, compareTransformerConfig)
}

// TestMergeAgreesWithKustomize merges random configurations of few kinds and
// paths, so that equal, selected and conflicting field specs are frequent.
func TestMergeAgreesWithKustomize(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	merged, conflicts := 0, 0
	for range 2000 {
		a, b := randomUpstream(random), randomUpstream(random)
		ours, others := a.inOurs(), b.inOurs()
		before := fmt.Sprint(ours, others)
		want, err := mergeUpstream(a, b)
		got, conflict := ours.Merge(others)
		if fmt.Sprint(ours, others) != before {
			t.Fatal("Merge changed what it was given")
		}
		if (err != nil) != (conflict != nil) {
			t.Fatalf("kustomize: %v, ours: %v\n%v\n%v", err, conflict, ours, others)
		}
		if err != nil {
			conflicts++
			continue
		}
		merged++
		if got := withoutNodes(got); !reflect.DeepEqual(got, want.inOurs()) {
			t.Fatalf("got  %v\nwant %v", got, want.inOurs())
		}
	}
	if merged < 100 || conflicts < 100 {
		t.Errorf("one-sided: %d merged, %d conflicts", merged, conflicts)
	}
}

func randomUpstream(random *rand.Rand) *upstreamConfig {
	c := &upstreamConfig{Images: randomSpecs(random), CommonLabels: randomSpecs(random)}
	for range random.Intn(4) {
		c.NameReference = append(c.NameReference, upstreamReference{Gvk: randomKind(random), Referrers: randomSpecs(random)})
	}
	c.sort()
	return c
}

func randomSpecs(random *rand.Rand) (list types.FsSlice) {
	for range random.Intn(20) {
		list = append(list, types.FieldSpec{
			Gvk:  randomKind(random),
			Path: string(rune('a' + random.Intn(12))), CreateIfNotPresent: random.Intn(20) == 0,
		})
	}
	return list
}

func randomKind(random *rand.Rand) resid.Gvk {
	one := func(words ...string) string { return words[random.Intn(len(words))] }
	return resid.Gvk{
		Group: one("", "apps", "z"), Version: one("", "v1"),
		Kind: one("", "Deployment", "Namespace", "Demo", "Other", "ValidatingWebhookConfiguration"),
	}
}

// mergeUpstream is TransformerConfig.Merge for the lists that are filled.
func mergeUpstream(a, b *upstreamConfig) (*upstreamConfig, error) {
	merged, err := &upstreamConfig{}, error(nil)
	if merged.Images, err = a.Images.MergeAll(b.Images); err != nil {
		return nil, err
	}
	if merged.CommonLabels, err = a.CommonLabels.MergeAll(b.CommonLabels); err != nil {
		return nil, err
	}
	merged.NameReference = a.NameReference
	for _, other := range b.NameReference {
		var result upstreamReferences
		found := false
		for _, r := range merged.NameReference {
			if r.Gvk.Equals(other.Gvk) {
				found = true
				if r.Referrers, err = r.Referrers.MergeAll(other.Referrers); err != nil {
					return nil, err
				}
			}
			result = append(result, r)
		}
		if !found {
			result = append(result, other)
		}
		merged.NameReference = result
	}
	merged.sort()
	return merged, nil
}

func TestFieldSpecSelectsAsGvkIsSelected(t *testing.T) {
	words := []string{"", "a", "b"}
	var kinds []resid.Gvk
	for i := range 27 {
		kinds = append(kinds, resid.Gvk{Group: words[i%3], Version: words[i/3%3], Kind: words[i/9]})
	}
	for _, spec := range kinds {
		for _, kind := range kinds {
			f := FieldSpec{Group: spec.Group, Version: spec.Version, Kind: spec.Kind}
			if got, want := f.Selects(kind.Group, kind.Version, kind.Kind), kind.IsSelected(&spec); got != want {
				t.Errorf("%v selects %v: %t, want %t", spec, kind, got, want)
			}
		}
	}
}

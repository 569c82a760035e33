package builder_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// TestFactsOfNames holds what is recorded of names against a tree in which each
// thing that can name a resource does so once.
func TestFactsOfNames(t *testing.T) {
	files := vfs.NewSnapshot(vfs.Memory(map[string][]byte{
		"/over/kustomization.yaml": []byte(`namePrefix: x-
resources: [../base]
configMapGenerator:
- name: settings
  behavior: merge
  literals: [b=2]
replicas: [{name: web, count: 2}]
images: [{name: nginx, newTag: "2"}]
vars:
- {name: NAME, objref: {apiVersion: v1, kind: Service, name: web}}
replacements:
- sourceValue: v
  targets:
  - select: {version: v1}
    reject: [{name: web}]
    fieldPaths: [metadata.annotations.a]
    options: {create: true}
`),
		"/base/kustomization.yaml": []byte("resources: [all.yaml]\nconfigMapGenerator:\n- name: settings\n  literals: [a=1]\n"),
		"/base/all.yaml": []byte(`apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 1, template: {spec: {containers: [{name: c, image: nginx:1, env: [{name: A, valueFrom: {configMapKeyRef: {name: settings, key: a}}}]}]}}}
---
apiVersion: v1
kind: Service
metadata: {name: web}
`),
		"/plain/kustomization.yaml": []byte("resources: [all.yaml]\n"),
		"/plain/all.yaml": []byte(`apiVersion: v1
kind: ConfigMap
metadata: {name: same}
---
apiVersion: v1
kind: Secret
metadata: {name: same}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec: {volumes: [{name: v, configMap: {name: same}}]}
`),
	}))
	result, err := builder.NewSession(files).Build(context.Background(), "/over", builder.Options{Analyze: true})
	if err != nil || result.Failed() {
		t.Fatal(err, result.Problems)
	}
	facts := result.Root.Facts
	var got []string
	for _, f := range facts.References {
		got = append(got, fmt.Sprintf("%s has %s, now %s", f.Referrer.OriginalID(), f.Written.Value, f.Target.OriginalID()))
	}
	for _, f := range facts.Generators {
		if f.Made.Named != f.Base.Named || f.Made.Named == f.Entry.Name.Node {
			t.Error("what a generator was merged with does not keep its own name")
		}
		got = append(got, fmt.Sprintf("%s on %s gives %s", f.Entry.Name.Value, f.Base.OriginalID(), f.Keys[0].Name))
	}
	for _, f := range facts.Replicas {
		got = append(got, fmt.Sprintf("replicas of %s", f.Targets[0].OriginalID()))
	}
	for _, f := range facts.Images {
		got = append(got, fmt.Sprintf("image %s of %s", f.Written[0].Value, f.Resources[0].OriginalID()))
	}
	for _, f := range facts.Vars {
		got = append(got, fmt.Sprintf("%s reads %s", f.Var.Name.Value, f.Source.OriginalID()))
	}
	for _, r := range facts.Replacements[0].Rejected {
		got = append(got, fmt.Sprintf("%s rejects %s", r.Reject.Name.Value, r.Resource.OriginalID().Kind))
	}
	want := []string{
		"Deployment.apps/default/web has settings, now ConfigMap/default/settings",
		"settings on ConfigMap/settings gives b",
		"replicas of Deployment.apps/default/web",
		"image nginx:1 of Deployment.apps/default/web",
		"NAME reads Service/default/web",
		"web rejects Deployment",
		"web rejects Service",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	result, err = builder.NewSession(files).Build(context.Background(), "/plain", builder.Options{Analyze: true})
	if err != nil || len(result.Root.Facts.References) != 1 || result.Root.Facts.References[0].Target.ID().Kind != "ConfigMap" {
		t.Errorf("a name that never changes: %v, %v", err, result.Root.Facts.References)
	}
}

package main

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fluxcd/pkg/kustomize"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/yaml"
)

// outcome is what Flux makes of one Kustomization: a text, or an error.
type outcome struct {
	text string
	err  error
	// resources are what the text is of.
	resources resmap.ResMap
}

// errUnknown is the error of what hangs on objects that are not in the tree.
var errUnknown = errors.New("an object to substitute from is not in the tree")

// render does what kustomize-controller does with a Kustomization
// (KustomizationReconciler.build), in the order in which it does it.
func render(root string, ks unstructured.Unstructured, cluster client.Client) (o outcome) {
	path, _, _ := unstructured.NestedString(ks.Object, "spec", "path")
	dir := filepath.Join(root, filepath.Join("/", path))
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return outcome{err: errors.New("kustomization path not found")}
	}
	restore, err := remember(dir)
	if err != nil {
		return outcome{err: err}
	}
	defer restore()
	if _, err := kustomize.NewGenerator(root, ks).WriteFile(dir); err != nil {
		return outcome{err: err}
	}
	resources, err := kustomize.SecureBuild(root, dir, false)
	if err != nil {
		return outcome{err: err}
	}
	if err := substitute(ks, resources, cluster); err != nil {
		return outcome{err: err}
	}
	text, err := resources.AsYaml()
	return outcome{string(text), err, resources}
}

// remember returns a function that takes back what is written into a folder.
func remember(dir string) (restore func(), err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	texts := map[string][]byte{}
	for _, e := range entries {
		if !e.IsDir() {
			if texts[e.Name()], err = os.ReadFile(filepath.Join(dir, e.Name())); err != nil {
				return nil, err
			}
		}
	}
	return func() {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if text, ok := texts[e.Name()]; ok {
				_ = os.WriteFile(name, text, 0o644)
			} else if !e.IsDir() {
				_ = os.Remove(name)
			}
		}
	}, nil
}

func substitute(ks unstructured.Unstructured, resources resmap.ResMap, cluster client.Client) error {
	postBuild, found, _ := unstructured.NestedMap(ks.Object, "spec", "postBuild")
	always := found && postBuild["substituteStrategy"] == "Always"
	for _, res := range resources.Resources() {
		if res.GetName() == "" || res.GetKind() == "" || res.GetApiVersion() == "" {
			return fmt.Errorf("failed to decode %s", res.String())
		}
		if !found {
			continue
		}
		out, err := kustomize.SubstituteVariables(context.Background(), cluster, ks, res,
			kustomize.SubstituteWithStrict(true), kustomize.SubstituteWithAlways(always))
		if client.IgnoreNotFound(errors.Unwrap(err)) == nil && err != nil {
			return errUnknown
		}
		if err != nil {
			return err
		}
		if out != nil {
			if _, err := resources.Replace(res); err != nil {
				return err
			}
		}
	}
	return nil
}

// newCluster returns one that has the ConfigMaps and Secrets among resources.
func newCluster(resources resmap.ResMap) client.Client {
	scheme := runtime.NewScheme()
	_ = corev1.AddToScheme(scheme)
	b := fake.NewClientBuilder().WithScheme(scheme)
	seen := map[string]bool{}
	for _, res := range resources.Resources() {
		key := res.GetKind() + "/" + res.GetNamespace() + "/" + res.GetName()
		if seen[key] {
			continue
		}
		meta := metav1.ObjectMeta{Name: res.GetName(), Namespace: res.GetNamespace()}
		switch res.GetKind() {
		case "ConfigMap":
			b = b.WithObjects(&corev1.ConfigMap{ObjectMeta: meta, Data: res.GetDataMap()})
		case "Secret":
			data := map[string][]byte{}
			for name, value := range res.GetDataMap() {
				data[name], _ = base64.StdEncoding.DecodeString(value)
			}
			b = b.WithObjects(&corev1.Secret{ObjectMeta: meta, Data: data})
		default:
			continue
		}
		seen[key] = true
	}
	return b.Build()
}

// objects returns the Flux Kustomizations among resources, as the API server has them.
func objects(text string) ([]unstructured.Unstructured, error) {
	var found []unstructured.Unstructured
	for _, document := range splitDocuments(text) {
		var u unstructured.Unstructured
		if err := yaml.Unmarshal([]byte(document), &u.Object); err != nil {
			return nil, err
		}
		if u.GetKind() == "Kustomization" && u.GroupVersionKind().Group == "kustomize.toolkit.fluxcd.io" {
			found = append(found, u)
		}
	}
	return found, nil
}

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	yaml2 "go.yaml.in/yaml/v2"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
)

// isFolder tells whether --output names a folder that exists: then each resource
// gets a file of its own, as with kustomize build.
func isFolder(path string) bool {
	info, err := os.Stat(path)
	return path != "" && err == nil && info.IsDir()
}

// intoFolder returns the counterpart of renderDir that writes the resources to files
// in a folder and prints nothing.
func intoFolder(folder string) func(context.Context, *builder.Session, string, builder.Options) ([]byte, error) {
	return func(ctx context.Context, session *builder.Session, dir string, options builder.Options) ([]byte, error) {
		result, err := session.Build(ctx, dir, options)
		if err != nil || result.Failed() || result.Unknown {
			return nil, err
		}
		if rendered, err := printed(ctx, result); rendered == nil || err != nil {
			return nil, err
		}
		return []byte{}, writeIndividually(folder, result.Resources)
	}
}

// individualFile is a resource as kustomize build writes it into a folder.
type individualFile struct {
	name    string
	content []byte
}

// writeIndividually makes all files before it writes the first.
func writeIndividually(folder string, resources []*resource.Resource) error {
	files, err := individualFiles(resources)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := writeWhole(filepath.Join(folder, f.name), f.content); err != nil {
			return err
		}
	}
	return nil
}

// individualFiles is kustomize's Writer.WriteIndividualFiles: the namespace is a part
// of the names where there are several. What has the same name is written in the
// order of the resources, those without a namespace last.
func individualFiles(resources []*resource.Resource) ([]individualFile, error) {
	namespaces := map[string]bool{}
	for _, r := range resources {
		if space := r.ID().EffectiveNamespace(); space != resource.NoNamespace {
			namespaces[space] = true
		}
	}
	var files, clusterScoped []individualFile
	for _, r := range resources {
		space := r.ID().EffectiveNamespace()
		f := individualFile{name: fileName(r)}
		var err error
		if f.content, err = individualYAML(r); err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID(), err)
		}
		if space == resource.NoNamespace {
			clusterScoped = append(clusterScoped, f)
			continue
		}
		if len(namespaces) > 1 {
			f.name = strings.ToLower(space) + "_" + f.name
		}
		files = append(files, f)
	}
	files = append(files, clusterScoped...)
	for _, f := range files {
		if strings.ContainsAny(f.name, `/\`) || !filepath.IsLocal(f.name) {
			return nil, fmt.Errorf("%q cannot be the name of a file; write to one file instead", f.name)
		}
	}
	return files, nil
}

func fileName(r *resource.Resource) string {
	id := r.ID()
	parts := slices.DeleteFunc([]string{id.Group, id.Version, id.Kind}, func(part string) bool { return part == "" })
	return strings.ToLower(strings.Join(parts, "_")) + "_" + strings.ToLower(id.Name) + ".yaml"
}

// individualYAML prints a resource through JSON, as sigs.k8s.io/yaml does: other than
// in the stream, keys are sorted everywhere, and long texts are folded.
func individualYAML(r *resource.Resource) ([]byte, error) {
	var object map[string]any
	if err := r.Node.Decode(&object); err != nil {
		return nil, err
	}
	asJSON, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	var plain any
	if err := yaml2.Unmarshal(asJSON, &plain); err != nil {
		return nil, errors.Join(errors.New("its JSON is not valid YAML"), err)
	}
	return yaml2.Marshal(plain)
}

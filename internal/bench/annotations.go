package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

// annotatedApps is the size of the tree on which the annotations are measured: 401 resources, which kustomize too
// builds in a moment.
const annotatedApps = 100

// buildMetadata asks for both annotations of KEP 21-11.
const buildMetadata = "buildMetadata: [originAnnotations, transformerAnnotations]\n"

// measureAnnotations times a build with origin and transformer annotations against the same build without, and prints
// how many times as long it takes.
func (p *programs) measureAnnotations(ctx context.Context, folder string, o options) (string, error) {
	tree := filepath.Join(folder, "annotated")
	if err := gentree.Write(tree, annotatedApps); err != nil {
		return "", err
	}
	plain := filepath.Join(tree, gentree.Overlay)
	annotated := filepath.Join(tree, "annotated")
	if err := os.CopyFS(annotated, os.DirFS(plain)); err != nil {
		return "", err
	}
	file := filepath.Join(annotated, "kustomization.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(file, append(text, buildMetadata...), 0o644); err != nil {
		return "", err
	}
	ours, err := compare(ctx, process{path: p.kls, arguments: []string{"build", annotated}}, process{path: p.kls, arguments: []string{"build", plain}}, o.rounds*3, o.limit())
	if err != nil {
		return "", err
	}
	line := fmt.Sprintf("\n## Annotations\n\nOrigin and transformer annotations at %d resources: kls takes %.2f × its build without them", gentree.Resources(annotatedApps), ours.ratio)
	if p.kustomize != "" {
		with := process{path: p.kustomize, arguments: []string{"build", annotated}}
		if _, _, err := sameOutput(ctx, process{path: p.kls, arguments: []string{"build", annotated}}, with); err != nil {
			return "", err
		}
		theirs, err := compare(ctx, with, process{path: p.kustomize, arguments: []string{"build", plain}}, o.rounds, o.limit())
		if err != nil {
			return "", err
		}
		line += fmt.Sprintf(", kustomize %.2f ×", theirs.ratio)
	}
	return line + ".\n", nil
}

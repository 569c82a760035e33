package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

const upstreamModule = "sigs.k8s.io/kustomize/api"

//go:embed krusty.go.txt
var krustyReplacement []byte

//go:embed adapter/*.go
var adapterSources embed.FS

// workspace is a temporary folder that holds upstream's module as we run it.
type workspace struct {
	root   string // the temporary folder
	module string // upstream's module below it
}

// newWorkspace copies upstream's module into a new temporary folder, puts our engine into it and ties it to this
// checkout by a go.work file, so that neither go.mod has to be edited. The caller removes root.
func newWorkspace(ctx context.Context) (*workspace, error) {
	root, err := os.MkdirTemp("", "kls-conformance-")
	if err != nil {
		return nil, err
	}
	w := &workspace{root: root, module: filepath.Join(root, "api")}
	for _, step := range []func(context.Context) error{w.copyModule, w.replaceKustomizer, w.tieToCheckout} {
		if err := step(ctx); err != nil {
			os.RemoveAll(root)
			return nil, err
		}
	}
	return w, nil
}

// copyModule copies the module out of the module cache. The tests look for a folder named plugin two levels above
// their own and stop where there is none; an empty one is enough for those that need no compiled plugin.
func (w *workspace) copyModule(ctx context.Context) error {
	source, err := moduleFolder(ctx)
	if err != nil {
		return err
	}
	if err := copyTree(source, w.module); err != nil {
		return err
	}
	return os.Mkdir(filepath.Join(w.root, "plugin"), 0o755)
}

// replaceKustomizer keeps upstream's Kustomizer under another name, for the runs that need it, and puts ours in its
// place.
func (w *workspace) replaceKustomizer(context.Context) error {
	path := filepath.Join(w.module, "krusty", "kustomizer.go")
	original, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	renamed := strings.NewReplacer(
		"*Kustomizer", "*upstreamKustomizer",
		"&Kustomizer{", "&upstreamKustomizer{",
		"type Kustomizer struct", "type upstreamKustomizer struct",
		"func MakeKustomizer(", "func makeUpstreamKustomizer(",
	).Replace(string(original))
	for name, content := range map[string][]byte{
		"kustomizer.go":          krustyReplacement,
		"upstream_kustomizer.go": []byte(renamed),
	} {
		if err := writeFile(filepath.Join(w.module, "krusty", name), content); err != nil {
			return err
		}
	}
	return w.copyAdapter()
}

// copyAdapter copies package adapter to a place where upstream's packages may import it.
func (w *workspace) copyAdapter() error {
	entries, err := adapterSources.ReadDir("adapter")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		source, err := adapterSources.ReadFile("adapter/" + entry.Name())
		if err != nil {
			return err
		}
		source = bytes.Replace(source, []byte("package adapter\n"), []byte("package kls\n"), 1)
		if err := writeFile(filepath.Join(w.module, "internal", "kls", entry.Name()), source); err != nil {
			return err
		}
	}
	return nil
}

func (w *workspace) tieToCheckout(ctx context.Context) error {
	goMod, err := output(ctx, "go", "env", "GOMOD")
	if err != nil {
		return err
	}
	version, err := output(ctx, "go", "list", "-m", "-f", "{{.GoVersion}}")
	if err != nil {
		return err
	}
	checkout := filepath.Dir(strings.TrimSpace(string(goMod)))
	text := fmt.Sprintf("go %s\n\nuse (\n\t./api\n\t%q\n)\n", strings.TrimSpace(string(version)), checkout)
	return writeFile(filepath.Join(w.root, "go.work"), []byte(text))
}

// moduleFolder returns the folder of upstream's module in the module cache, downloading it where it is missing.
func moduleFolder(ctx context.Context) (string, error) {
	version, err := output(ctx, "go", "list", "-m", "-f", "{{.Version}}", upstreamModule)
	if err != nil {
		return "", err
	}
	described, err := output(ctx, "go", "mod", "download", "-json",
		upstreamModule+"@"+strings.TrimSpace(string(version)))
	if err != nil {
		return "", err
	}
	var module struct{ Dir string }
	if err := json.Unmarshal(described, &module); err != nil {
		return "", err
	}
	return module.Dir, nil
}

// copyTree copies files only, and makes them writable: the module cache is read-only, and the tests write beside
// themselves.
func copyTree(source, target string) error {
	return filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return writeFile(filepath.Join(target, relative), content)
	})
}

func writeFile(path string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}

// output runs a command in the current folder and returns what it prints; what it complains about is in the error.
func output(ctx context.Context, name string, arguments ...string) ([]byte, error) {
	var complaint bytes.Buffer
	command := exec.CommandContext(ctx, name, arguments...)
	command.Stderr = &complaint
	printed, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(arguments, " "), err, complaint.String())
	}
	return printed, nil
}

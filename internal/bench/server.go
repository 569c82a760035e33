package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kustomize-lsp/kls/internal/gentree"
)

// serverSizes are the trees on which the server is timed, in applications: 4,001 and 12,001 resources.
var serverSizes = []int{1000, 3000}

// edits is how many times a server is asked for everything.
const edits = 60

// patience is how long a server may take.
const patience = 5 * time.Minute

// measureServer times what somebody who types waits for.
func (p *programs) measureServer(ctx context.Context, folder string, o options) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	var text strings.Builder
	text.WriteString("\n## Server\n\n`kls lsp` with the overlay open. *Edit* is the time from a typed character to the diagnostics of that text, " +
		"with the mistake that it makes or mends; the time that the server waits for the next character is part of it.\n\n" +
		"| resources | edit, median | 95th percentile | hover | completion | until the first diagnostics | memory |\n" +
		"| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n")
	for _, apps := range serverSizes {
		line, err := p.timeServer(ctx, folder, apps)
		if err != nil {
			return "", err
		}
		text.WriteString(line)
	}
	if o.yamlServer != "" {
		took, err := timeYAMLServer(ctx, folder, o.yamlServer)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&text, "\nFor a syntax error in the same file alone, yaml-language-server %s takes %s.\n", o.yamlServer, milliseconds(took))
	}
	return text.String(), nil
}

// timeServer makes a row of the table.
func (p *programs) timeServer(ctx context.Context, folder string, apps int) (string, error) {
	tree := filepath.Join(folder, fmt.Sprintf("server-%d", apps))
	if err := gentree.Write(tree, apps); err != nil {
		return "", err
	}
	file := filepath.Join(tree, gentree.Overlay, "kustomization.yaml")
	start := time.Now()
	e, err := newEditor(ctx, process{path: p.kls, arguments: []string{"lsp"}}, tree, file)
	if err != nil {
		return "", err
	}
	defer e.close()
	if err := e.await(ctx, func(d diagnostics) bool { return d.URI == e.uri }); err != nil {
		return "", err
	}
	first := time.Since(start)
	if err := e.settle(ctx); err != nil {
		return "", err
	}
	var typed, hovers, completions []time.Duration
	for range edits {
		took, err := e.breakAndMend(ctx, "kind: Deployment", "kind: Deploiment")
		if err != nil {
			return "", err
		}
		typed = append(typed, took...)
		for _, question := range []struct {
			method, at string
			took       *[]time.Duration
		}{{"textDocument/hover", "resources.yaml", &hovers}, {"textDocument/completion", "cluster.region", &completions}} {
			took, err := e.question(ctx, question.method, question.at)
			if err != nil {
				return "", err
			}
			*question.took = append(*question.took, took)
		}
	}
	return fmt.Sprintf("| %d | %s | %s | %s | %s | %s | %s |\n", gentree.Resources(apps), milliseconds(median(typed)), milliseconds(percentile(typed, 95)),
		milliseconds(median(hovers)), milliseconds(median(completions)), seconds(first), mebibytes(residentMemory(e.command.Process.Pid))), nil
}

// percentile returns the value below which that many of a hundred lie.
func percentile(values []time.Duration, of int) time.Duration {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, len(sorted)*of/100)]
}

// editor is a client with one file open.
type editor struct {
	*client
	uri, text string
	version   int
	count     int // of the diagnostics that were told last
}

func newEditor(ctx context.Context, server process, folder, file string) (*editor, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c, err := connect(ctx, server)
	if err != nil {
		return nil, err
	}
	e := &editor{client: c, uri: fileURI(file), text: string(text), version: 1}
	_, err = c.ask(ctx, "initialize", object{"processId": os.Getpid(), "rootUri": fileURI(folder),
		"workspaceFolders": []object{{"uri": fileURI(folder), "name": "tree"}},
		"capabilities":     object{"textDocument": object{"publishDiagnostics": object{"versionSupport": true}}}})
	if err == nil {
		err = c.notify("initialized", object{})
	}
	if err == nil {
		err = c.notify("textDocument/didOpen", object{"textDocument": object{"uri": e.uri, "languageId": "yaml", "version": 1, "text": e.text}})
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return e, nil
}

func fileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// breakAndMend makes a mistake and takes it back, and returns how long each took to be told.
func (e *editor) breakAndMend(ctx context.Context, right, wrong string) ([]time.Duration, error) {
	var took []time.Duration
	for _, change := range []struct {
		from, to string
		more     bool
	}{{right, wrong, true}, {wrong, right, false}} {
		before := e.count
		start := time.Now()
		if err := e.replace(change.from, change.to); err != nil {
			return nil, err
		}
		if err := e.await(ctx, func(d diagnostics) bool {
			if d.URI != e.uri || d.Version != 0 && d.Version < e.version {
				return false
			}
			e.count = len(d.Diagnostics)
			return e.count > before == change.more && e.count != before
		}); err != nil {
			return nil, err
		}
		took = append(took, time.Since(start))
	}
	return took, nil
}

// quiet is how long a server says nothing once it has said everything.
const quiet = 2 * time.Second

// settle waits until the server has said everything.
func (e *editor) settle(ctx context.Context) error {
	for {
		waiting, cancel := context.WithTimeout(ctx, quiet)
		err := e.await(waiting, func(d diagnostics) bool {
			if d.URI == e.uri {
				e.count = len(d.Diagnostics)
			}
			return true
		})
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case waiting.Err() != nil && err != nil:
			return nil
		case err != nil:
			return err
		}
	}
}

// replace changes the first occurrence of a text in the file.
func (e *editor) replace(from, to string) error {
	at := strings.Index(e.text, from)
	if at < 0 {
		return fmt.Errorf("%q is not in the file", from)
	}
	e.version++
	change := object{"range": object{"start": e.position(at), "end": e.position(at + len(from))}, "text": to}
	e.text = e.text[:at] + to + e.text[at+len(from):]
	return e.notify("textDocument/didChange", object{"textDocument": object{"uri": e.uri, "version": e.version}, "contentChanges": []object{change}})
}

// position returns where a byte of the file is; the file is ASCII.
func (e *editor) position(offset int) object {
	line := strings.Count(e.text[:offset], "\n")
	return object{"line": line, "character": offset - (strings.LastIndexByte(e.text[:offset], '\n') + 1)}
}

// question asks about a place that has an answer.
func (e *editor) question(ctx context.Context, method, at string) (time.Duration, error) {
	start := time.Now()
	result, err := e.ask(ctx, method, object{"textDocument": object{"uri": e.uri}, "position": e.position(strings.Index(e.text, at) + len(at)/2)})
	if err != nil {
		return 0, err
	}
	took := time.Since(start)
	if string(result) == "null" || len(result) < len(`{"items":[]}`)+20 {
		return 0, fmt.Errorf("%s at %q has no answer: %s", method, at, result)
	}
	return took, nil
}

// timeYAMLServer times the server that most people have for YAML, at a syntax error.
func timeYAMLServer(ctx context.Context, folder, version string) (time.Duration, error) {
	modules := filepath.Join(folder, "npm")
	if err := os.MkdirAll(modules, 0o755); err != nil {
		return 0, err
	}
	install := exec.CommandContext(ctx, "npm", "install", "--no-audit", "--no-fund", "--prefix", modules, "yaml-language-server@"+version)
	if printed, err := install.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("npm install yaml-language-server, which -yaml-language-server= leaves out: %w\n%s", err, printed)
	}
	tree := filepath.Join(folder, "yaml-server")
	if err := gentree.Write(tree, serverSizes[0]); err != nil {
		return 0, err
	}
	file := filepath.Join(tree, gentree.Overlay, "kustomization.yaml")
	server := process{path: filepath.Join(modules, "node_modules", ".bin", "yaml-language-server"), arguments: []string{"--stdio"}}
	e, err := newEditor(ctx, server, tree, file)
	if err != nil {
		return 0, err
	}
	defer e.close()
	settings := object{"yaml": object{"validate": true, "schemaStore": object{"enable": false}}}
	if err := e.notify("workspace/didChangeConfiguration", object{"settings": settings}); err != nil {
		return 0, err
	}
	if err := e.settle(ctx); err != nil {
		return 0, err
	}
	var typed []time.Duration
	for range edits / 4 {
		took, err := e.breakAndMend(ctx, "namespace: measured", "namespace: [measured")
		if err != nil {
			return 0, err
		}
		typed = append(typed, took...)
	}
	return median(typed), nil
}

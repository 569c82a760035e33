package rewrite_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/analysis/rewrite"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/rogpeppe/go-internal/diff"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write want/ anew")

// TestFixtures asks for the value that a fixture's file ask names, as ROOT ADDRESS=VALUE with flags in front, and compares
// what is written with want/diff, or why nothing is with want/refusal. `unset ROOT ADDRESS` takes a value away.
func TestFixtures(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d fixtures: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { runFixture(t, path) })
	}
}

func runFixture(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files, want, ask := map[string][]byte{}, map[string]string{}, ""
	var kept []txtar.File
	for _, f := range archive.Files {
		switch name, isWant := strings.CutPrefix(f.Name, "want/"); {
		case isWant:
			want[name] = string(f.Data)
			continue
		case f.Name == "ask":
			ask = strings.TrimSpace(string(f.Data))
		default:
			files["/tree/"+f.Name] = f.Data
		}
		kept = append(kept, f)
	}
	if len(archive.Comment) < 20 {
		t.Error("the fixture does not say what it is about")
	}
	got := answer(t, files, ask)
	if *update {
		archive.Files = kept
		for _, name := range []string{"diff", "said", "refusal"} {
			if got[name] != "" {
				archive.Files = append(archive.Files, txtar.File{Name: "want/" + name, Data: []byte(got[name])})
			}
		}
		if err := os.WriteFile(path, txtar.Format(archive), fs.FileMode(0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	for _, name := range []string{"diff", "said", "refusal"} {
		if got[name] != want[name] {
			t.Errorf("%s", diff.Diff("want/"+name, []byte(want[name]), "got", []byte(got[name])))
		}
	}
}

// answer plans what is asked for.
func answer(t *testing.T, files map[string][]byte, ask string) map[string]string {
	request := rewrite.Request{}
	words := strings.SplitN(ask, "\n", 2)
	arguments := strings.Fields(words[0])
	unset := arguments[0] == "unset"
	if unset {
		arguments = arguments[1:]
	}
	for strings.HasPrefix(arguments[0], "--") {
		if arguments[0] == "--only" {
			request.Only = true
			arguments = arguments[1:]
			continue
		}
		request.Layer, arguments = "/tree/"+arguments[1], arguments[2:] // --layer
	}
	request.Root = filepath.Join("/tree", arguments[0])
	for _, assignment := range arguments[1:] {
		set := rewrite.Set{Address: assignment}
		if !unset {
			address, text, ok := rewrite.SplitAssignment(assignment)
			value, err := rewrite.ParseValue(text)
			if !ok || err != nil {
				t.Fatalf("%s: %v", assignment, err)
			}
			set = rewrite.Set{Address: address, Value: value, Text: text}
		}
		request.Sets = append(request.Sets, set)
	}
	snapshot := vfs.NewSnapshot(vfs.Memory(files))
	planner := rewrite.New(snapshot, func(string) builder.Options { return builder.Options{} })
	planner.Scope = "/tree"
	planner.Name = func(path string) string { return strings.TrimPrefix(strings.TrimPrefix(path, "/tree"), "/") }
	change, refusal, err := planner.Plan(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if refusal != nil {
		text := fmt.Sprintf("%s: %s\n", refusal.Address, refusal.Reason)
		if refusal.Nearest != "" {
			text += "nearest: " + refusal.Nearest + "\n"
		}
		for _, c := range refusal.Candidates {
			text += "candidate: " + c + "\n"
		}
		return map[string]string{"refusal": text}
	}
	got := map[string]string{}
	for _, f := range change.Files {
		name := planner.Name(f.Path)
		got["diff"] += string(diff.Diff("a/"+name, f.Before, "b/"+name, f.After))
	}
	for _, d := range change.Done {
		got["said"] += fmt.Sprintf("%s: %s\n", planner.Name(d.File), d.How)
	}
	for _, d := range change.Follows {
		got["said"] += fmt.Sprintf("follows: %s  %s\n", d.Address, d.Shown())
	}
	for _, r := range change.Others {
		got["said"] += fmt.Sprintf("%s changes, too: %d values\n", planner.Name(r.Dir), len(r.Changes))
	}
	return got
}

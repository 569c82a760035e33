package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is the SDK's own client, connected with the program that has the command.
type agent struct {
	t       *testing.T
	session *mcp.ClientSession
}

func startAgent(t *testing.T, folders ...string) agent {
	t.Helper()
	program := filepath.Join(t.TempDir(), "kls-mcp")
	if out, err := exec.Command("go", "build", "-tags", "mcp", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: exec.Command(program, append([]string{"mcp"}, folders...)...)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	})
	return agent{t, session}
}

// call returns the text that a tool answers, and whether it is an error.
func (a agent) call(tool string, arguments map[string]any) (string, bool) {
	a.t.Helper()
	result, err := a.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		a.t.Fatalf("%s: %v", tool, err)
	}
	var text strings.Builder
	for _, c := range result.Content {
		text.WriteString(c.(*mcp.TextContent).Text)
	}
	return text.String(), result.IsError
}

func (a agent) expect(tool string, arguments map[string]any, want ...string) {
	a.t.Helper()
	text, failed := a.call(tool, arguments)
	for _, w := range want {
		if failed || !strings.Contains(text, w) {
			a.t.Errorf("%s %v has no %q:\n%s", tool, arguments, w, text)
		}
	}
}

func (a agent) expectError(tool string, arguments map[string]any, want string) {
	a.t.Helper()
	if text, failed := a.call(tool, arguments); !failed || !strings.Contains(text, want) {
		a.t.Errorf("%s %v: error %v, want one with %q:\n%s", tool, arguments, failed, want, text)
	}
}

// An agent checks a tree, reads what is rendered page by page, and asks where a value
// comes from. It cannot leave the folder, neither by a path nor by a link.
func TestAgent(t *testing.T) {
	folder := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(folder, "served", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("base/kustomization.yaml", "resources: [web.yaml]\n")
	write("base/web.yaml", "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: 80\n")
	write("prod/kustomization.yaml", "resources: [../base]\nnamePrefix: prod-\nimages:\n- name: wbe\n  newTag: '2'\n")
	var images strings.Builder
	for i := range 20 {
		fmt.Fprintf(&images, "- name: missing-%d\n  newTag: '2'\n", i)
	}
	write("many/kustomization.yaml", "resources: [../base]\nimages:\n"+images.String())
	outside := filepath.Join(folder, "outside")
	if err := os.MkdirAll(outside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(outside, "kustomization.yaml"), []byte("namePrefix: secret-\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(folder, "served", "link")); err != nil {
		t.Fatal(err)
	}

	a := startAgent(t, filepath.Join(folder, "served"))
	a.expect("check", nil, "image-no-match", "prod/kustomization.yaml:4")
	a.expect("check", map[string]any{"path": "base"}, "1 built")
	a.expect("check", map[string]any{"path": "many"}, "missing-0", "missing-19") // more than a screen of them
	a.expect("build", map[string]any{"path": "prod"}, "name: prod-web", "port: 80")
	a.expect("build", map[string]any{"path": "prod", "offset": 2, "limit": 2}, "kind: Service\nmetadata:\n\n(lines 2 to 3 of 7; ask for offset 4 to read on)")
	a.expect("explain", map[string]any{"path": "prod", "address": "Service/web:metadata.name"}, "prod-web", "prod/kustomization.yaml:2")
	a.expect("explain", map[string]any{"path": "base/web.yaml:7"}, "Service")
	a.expect("rule", map[string]any{"rule": "image-no-match"}, "image-no-match")

	a.expectError("build", map[string]any{"path": "../outside"}, "outside of what is served")
	a.expectError("build", map[string]any{"path": "link"}, "outside of what is served")
	a.expectError("explain", map[string]any{"path": outside + ":1"}, "outside of what is served")
	a.expectError("check", map[string]any{"path": "nowhere"}, "does not exist")
	a.expectError("rule", map[string]any{"rule": "--help"}, "--help")
	a.expectError("diff", map[string]any{"path": "prod"}, "git repository")
}

func TestAgentToolsOnlyRead(t *testing.T) {
	a := startAgent(t, t.TempDir())
	tools, err := a.session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(tools.Tools) != 6 {
		t.Errorf("%d tools", len(tools.Tools))
	}
	for _, tool := range tools.Tools {
		if tool.Annotations == nil || !tool.Annotations.ReadOnlyHint {
			t.Errorf("%s does not say that it only reads", tool.Name)
		}
	}
}

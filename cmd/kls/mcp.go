//go:build mcp

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

const (
	defaultPageLines = 200
	maxPageLines     = 2000
	maxPageBytes     = 64 << 10
)

// addMCPCommand adds the command that serves agents. The SDK adds 1.7 MiB to the
// program, so that it is only in one of its own: go build -tags mcp.
func addMCPCommand(root *cobra.Command, std streams) {
	root.AddCommand(&cobra.Command{
		Use:   "mcp [FOLDER…]",
		Short: "Serve agents over the Model Context Protocol on standard input and output",
		Long: `Serve agents over the Model Context Protocol on standard input and output.

The tools check, build, explain, diff, affected and rule answer what the commands of
the same names print, a page at a time. They only read, only at and below the FOLDERs
(default .), and fetch and run nothing that the files ask for; diff and affected read
commits with git.`,
		Example: `  kls mcp ~/src/cluster
  claude mcp add kustomize -- kls mcp ~/src/cluster`,
		RunE: func(command *cobra.Command, folders []string) error {
			server, err := newAgentServer(folders)
			if err != nil {
				return err
			}
			return server.Run(command.Context(), &mcp.StdioTransport{})
		},
	})
}

// agentServer answers tools by the commands of the same names.
type agentServer struct{ folders []string } // absolute, without symbolic links

// page says which lines of an answer are wanted.
type page struct {
	Offset int `json:"offset,omitempty" jsonschema:"the first line of the answer that is wanted, from 1"`
	Limit  int `json:"limit,omitempty" jsonschema:"how many lines of the answer are wanted; 200 by default, 2000 at most"`
}

type checkInput struct {
	Path     string `json:"path,omitempty" jsonschema:"a folder, or a file that kustomizations use; the served folder by default"`
	Severity string `json:"severity,omitempty" jsonschema:"error, warning, info or hint: leave out what is less severe; warning by default"`
	page
}

type buildInput struct {
	Path  string `json:"path" jsonschema:"the folder of a kustomization"`
	Blame bool   `json:"blame,omitempty" jsonschema:"show beside each line where it was written"`
	page
}

type explainInput struct {
	Path    string `json:"path" jsonschema:"the folder of a kustomization, or FILE:LINE for what becomes of a line of a file"`
	Address string `json:"address,omitempty" jsonschema:"Kind[.group]/[namespace/]name, and :FIELDPATH for one value, for example Deployment/web:spec.replicas"`
	page
}

type changeInput struct {
	Path  string `json:"path,omitempty" jsonschema:"a folder: for diff that of a kustomization; the served folder by default"`
	Since string `json:"since,omitempty" jsonschema:"compare with this commit: a branch, a tag, HEAD~2, origin/main...; HEAD by default"`
	page
}

type ruleInput struct {
	Rule string `json:"rule" jsonschema:"the name of a rule, as in the brackets of a finding"`
	page
}

func newAgentServer(folders []string) (*mcp.Server, error) {
	if len(folders) == 0 {
		folders = []string{"."}
	}
	a := &agentServer{}
	files := vfs.NewSnapshot(vfs.Disk())
	for _, folder := range folders {
		real, err := realPath(files, folder)
		if err != nil {
			return nil, err
		}
		if isDir, err := files.IsDir(real); err != nil || !isDir {
			return nil, fmt.Errorf("%s is not a folder", folder)
		}
		a.folders = append(a.folders, real)
	}
	s := mcp.NewServer(&mcp.Implementation{Name: "kls", Version: version()}, &mcp.ServerOptions{
		Instructions: "Checks, renders and explains Kustomize trees below " + strings.Join(a.folders, ", ") +
			". After a change of YAML files there, call check; call explain to learn which line to edit for a rendered value.",
	})
	add(s, "check", "Check kustomizations: every mistake with its file and line, what is meant, and whether each root builds.", a.check)
	add(s, "build", "Render a kustomization, as kustomize build prints it.", a.build)
	add(s, "explain", "Say where a rendered value was written and what changed it, or what becomes of a line of a file.", a.explain)
	add(s, "diff", "Say what changes in the rendered resources of a kustomization since a commit.", a.diff)
	add(s, "affected", "List the kustomizations that render differently since a commit.", a.affected)
	add(s, "rule", "Explain a rule by its name: what is wrong, an example, and how to mend it.", a.rule)
	return s, nil
}

// add adds a tool that returns a text. An error is the tool's answer, not the protocol's.
func add[In any](s *mcp.Server, name, description string, answer func(context.Context, In) (string, error)) {
	closed := false
	tool := &mcp.Tool{Name: name, Description: description, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &closed}}
	mcp.AddTool(s, tool, func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		text, err := answer(ctx, in)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}

func (a *agentServer) check(ctx context.Context, in checkInput) (string, error) {
	path, err := a.inside(in.Path)
	if err != nil {
		return "", err
	}
	severity := in.Severity
	if severity == "" {
		severity = "warning"
	}
	return a.run(ctx, in.page, "check", "--color=never", "--all", "--severity="+severity, "--", path)
}

func (a *agentServer) build(ctx context.Context, in buildInput) (string, error) {
	path, err := a.inside(in.Path)
	if err != nil {
		return "", err
	}
	args := []string{"build", "--color=never"}
	if in.Blame {
		args = append(args, "--blame=text")
	}
	return a.run(ctx, in.page, append(args, "--", path)...)
}

func (a *agentServer) explain(ctx context.Context, in explainInput) (string, error) {
	file, line := in.Path, ""
	if i := strings.LastIndexByte(in.Path, ':'); i >= 0 && strings.Trim(in.Path[i+1:], "0123456789") == "" {
		file, line = in.Path[:i], in.Path[i:]
	}
	path, err := a.inside(file)
	if err != nil {
		return "", err
	}
	args := []string{"explain", "--", path + line}
	if in.Address != "" {
		args = append(args, in.Address)
	}
	return a.run(ctx, in.page, args...)
}

func (a *agentServer) diff(ctx context.Context, in changeInput) (string, error) {
	path, err := a.inside(in.Path)
	if err != nil {
		return "", err
	}
	return a.run(ctx, in.page, "diff", "--color=never", "--since="+commit(in.Since), "--", path)
}

func (a *agentServer) affected(ctx context.Context, in changeInput) (string, error) {
	path, err := a.inside(in.Path)
	if err != nil {
		return "", err
	}
	return a.run(ctx, in.page, "affected", "--since="+commit(in.Since), "--dir="+path)
}

func (a *agentServer) rule(ctx context.Context, in ruleInput) (string, error) {
	return a.run(ctx, in.page, "explain-rule", "--", in.Rule)
}

func commit(since string) string {
	if since == "" {
		return "HEAD"
	}
	return since
}

// inside returns the absolute path of what an agent names, which has to be at or below
// one of the folders once all symbolic links are resolved. A relative path is one below
// the first folder.
func (a *agentServer) inside(path string) (string, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.folders[0], path)
	}
	real, err := vfs.NewSnapshot(vfs.Disk()).EvalSymlinks(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("%s does not exist", path)
	}
	if err != nil {
		return "", err
	}
	for _, folder := range a.folders {
		if vfs.Below(folder, real) {
			return real, nil
		}
	}
	return "", fmt.Errorf("%s is outside of what is served: %s", path, strings.Join(a.folders, ", "))
}

// run runs a command of kls and returns a page of what it prints. That mistakes were
// found is an answer; that the command could not do its work is an error.
func (a *agentServer) run(ctx context.Context, page page, args ...string) (string, error) {
	var out, messages bytes.Buffer
	status := run(ctx, args, streams{strings.NewReader(""), &out, &messages})
	if status == exitBroken {
		return "", errors.New(strings.TrimSpace(messages.String()))
	}
	text := out.String() + messages.String()
	if strings.TrimSpace(text) == "" {
		return "Nothing to report.", nil
	}
	return page.of(text), nil
}

// of cuts a text, and says at its end what was left out.
func (p page) of(text string) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	first := min(max(p.Offset, 1), len(lines))
	limit := p.Limit
	if limit <= 0 {
		limit = defaultPageLines
	}
	last := min(first-1+min(limit, maxPageLines), len(lines))
	size := 0
	for i := first - 1; i < last; i++ {
		if size += len(lines[i]) + 1; size > maxPageBytes && i >= first {
			last = i
			break
		}
	}
	shown := strings.Join(lines[first-1:last], "\n")
	if len(shown) > maxPageBytes {
		shown = strings.ToValidUTF8(shown[:maxPageBytes], "") + "… (the line is longer)"
	}
	if first == 1 && last == len(lines) {
		return shown
	}
	note := fmt.Sprintf("\n\n(lines %d to %d of %d", first, last, len(lines))
	if last < len(lines) {
		note += fmt.Sprintf("; ask for offset %d to read on", last+1)
	}
	return shown + note + ")"
}

package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// actionClient is a client that understands all of a code action.
func actionClient(c *protocol.ClientCapabilities) {
	c.Workspace = &protocol.WorkspaceClientCapabilities{WorkspaceEdit: &protocol.WorkspaceEditClientCapabilities{
		DocumentChanges: new(true),
		ResourceOperations: []protocol.ResourceOperationKind{
			protocol.ResourceOperationKindCreate, protocol.ResourceOperationKindRename, protocol.ResourceOperationKindDelete},
	}}
	c.TextDocument.CodeAction = &protocol.CodeActionClientCapabilities{
		CodeActionLiteralSupport: protocol.ClientCodeActionLiteralOptions{
			CodeActionKind: protocol.ClientCodeActionKindOptions{ValueSet: []protocol.CodeActionKind{protocol.CodeActionKindQuickFix}}},
		IsPreferredSupport: new(true), DisabledSupport: new(true), DataSupport: new(true),
		ResolveSupport: protocol.ClientCodeActionResolveOptions{Properties: []string{"edit"}},
	}
}

// actions asks for what can be done at a place.
func (e *editor) actions(name, needle string, only ...protocol.CodeActionKind) []*protocol.CodeAction {
	e.t.Helper()
	at := e.at(name, needle)
	// The list is decoded here, since the protocol package does not copy the texts of
	// a list of unions, and the connection uses their bytes again.
	var raw jsonrpc2.RawMessage
	_, err := e.conn.Call(e.context(), protocol.MethodTextDocumentCodeAction, &protocol.CodeActionParams{
		TextDocument: at.TextDocument, Range: protocol.Range{Start: at.Position, End: at.Position},
		Context: protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{}, Only: only}}, &raw)
	e.must(err)
	var list []json.RawMessage
	e.must(json.Unmarshal(raw, &list))
	var actions []*protocol.CodeAction
	for _, one := range list {
		a := &protocol.CodeAction{}
		e.must(protocol.Unmarshal(one, a))
		actions = append(actions, a)
	}
	return actions
}

// action asks for the action of a title, with its edit.
func (e *editor) action(name, needle, title string) *protocol.CodeAction {
	e.t.Helper()
	var titles []string
	for _, a := range e.actions(name, needle) {
		if titles = append(titles, a.Title); a.Title != title {
			continue
		}
		if a.Edit == nil && a.Disabled.Reason == "" {
			resolved, err := e.server.CodeActionResolve(e.context(), a)
			if err != nil {
				e.t.Fatal(err)
			}
			return resolved
		}
		return a
	}
	e.t.Fatalf("%s: there is no action %q among %q", name, title, titles)
	return nil
}

// show shows an edit: "create FILE", "FILE@VERSION 1:2-1:4 \"new\"", 0-based.
func showEdit(edit *protocol.WorkspaceEdit) []string {
	var lines []string
	show := func(of string, e *protocol.TextEdit) {
		lines = append(lines, fmt.Sprintf("%s %d:%d-%d:%d %q", of, e.Range.Start.Line, e.Range.Start.Character, e.Range.End.Line, e.Range.End.Character, e.NewText))
	}
	for u, edits := range edit.Changes {
		for _, e := range edits {
			show(strings.TrimPrefix(u.FsPath(), root+"/"), &e)
		}
	}
	for _, change := range edit.DocumentChanges {
		switch c := change.(type) {
		case *protocol.TextDocumentEdit:
			version := "null"
			if c.TextDocument.Version != nil {
				version = fmt.Sprint(*c.TextDocument.Version)
			}
			for _, e := range c.Edits {
				show(strings.TrimPrefix(c.TextDocument.URI.FsPath(), root+"/")+"@"+version, e.(*protocol.TextEdit))
			}
		case *protocol.CreateFile:
			lines = append(lines, c.Kind+" "+strings.TrimPrefix(c.URI.FsPath(), root+"/"))
		case *protocol.RenameFile:
			lines = append(lines, c.Kind+" "+strings.TrimPrefix(c.OldURI.FsPath(), root+"/")+" "+strings.TrimPrefix(c.NewURI.FsPath(), root+"/"))
		case *protocol.DeleteFile:
			lines = append(lines, c.Kind+" "+strings.TrimPrefix(c.URI.FsPath(), root+"/"))
		}
	}
	return lines
}

// TestFixAction mends a typo by its fix, in text that is not saved, with characters
// that a client counts otherwise than we do.
func TestFixAction(t *testing.T) {
	tree := map[string]string{
		"kustomization.yaml": "resources: [deploy.yaml] # 😀\nimages:\n- {name: wbe, newTag: \"1\"} # 😀\n",
		"deploy.yaml":        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: a, image: web}]}}}\n",
	}
	for _, versioned := range []bool{true, false} {
		e := open(t, setup{tree: tree, capabilities: func(c *protocol.ClientCapabilities) {
			actionClient(c)
			if !versioned {
				c.Workspace.WorkspaceEdit = nil
			}
		}})
		e.open("kustomization.yaml")
		e.expect("kustomization.yaml:2:9 warning image-no-match")
		e.replace("kustomization.yaml", "- {name", "- {digest: \"😀\", name")
		a := e.action("kustomization.yaml", "wbe", "Change to web")
		if *a.Kind != protocol.CodeActionKindQuickFix || len(a.Diagnostics) != 1 || a.Diagnostics[0].Code != protocol.String("image-no-match") {
			t.Errorf("the action is %+v", a)
		}
		want := "kustomization.yaml@2 2:23-2:26 \"web\""
		if !versioned {
			want = "kustomization.yaml 2:23-2:26 \"web\""
		}
		if got := showEdit(a.Edit); !slices.Equal(got, []string{want}) {
			t.Errorf("the edit is %q, not %q", got, want)
		}
		if got := e.actions("kustomization.yaml", "resources"); len(got) != 0 {
			t.Errorf("where nothing is wrong, there is %q", got[0].Title)
		}
		if got := e.actions("kustomization.yaml", "wbe", protocol.CodeActionKindRefactor); len(got) != 0 {
			t.Errorf("among refactorings there is %q", got[0].Title)
		}
		if e.encoding != text.UTF16 {
			t.Error("the test is about UTF-16")
		}
	}
}

// TestActionsOfSimpleClient: a client that knows commands only gets none.
func TestActionsOfSimpleClient(t *testing.T) {
	e := open(t, setup{tree: shop})
	e.open("overlay/kustomization.yaml")
	if got := e.actions("overlay/kustomization.yaml", "wbe"); len(got) != 0 {
		t.Errorf("there is %q", got[0].Title)
	}
}

// TestCreateFileAction: a file is created and filled in one edit, by clients that can.
func TestCreateFileAction(t *testing.T) {
	for _, creates := range []bool{true, false} {
		e := open(t, setup{tree: map[string]string{"kustomization.yaml": "resources:\n- service.yaml\n"}, capabilities: func(c *protocol.ClientCapabilities) {
			actionClient(c)
			if !creates {
				c.Workspace.WorkspaceEdit.ResourceOperations = nil
			}
		}})
		e.open("kustomization.yaml")
		a := e.action("kustomization.yaml", "service", "Create service.yaml")
		if !creates {
			if a.Edit != nil || a.Disabled.Reason == "" {
				t.Errorf("a client that cannot create files gets %+v", a)
			}
			continue
		}
		want := []string{"create service.yaml", `service.yaml@null 0:0-0:0 "apiVersion: v1\nkind: Service\nmetadata:\n  name: service\n"`}
		if got := showEdit(a.Edit); !slices.Equal(got, want) {
			t.Errorf("the edit is %q", got)
		}
	}
}

// TestResolveAction: what costs builds is made once somebody wants it, and not for a
// text that was changed meanwhile.
func TestResolveAction(t *testing.T) {
	e := open(t, setup{tree: map[string]string{
		"kustomization.yaml": "NamePrefix: a-\nNameSuffix: -b\nresources: []\n",
	}, capabilities: actionClient})
	e.open("kustomization.yaml")
	list := e.actions("kustomization.yaml", "resources", protocol.CodeActionKindSourceFixAll)
	if len(list) != 1 || list[0].Edit != nil {
		t.Fatalf("the actions are %+v", list)
	}
	resolved, err := e.server.CodeActionResolve(e.context(), list[0])
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`kustomization.yaml@1 0:0-2:0 "namePrefix: a-\nnameSuffix: -b\n"`}
	if got := showEdit(resolved.Edit); !slices.Equal(got, want) {
		t.Errorf("the edit is %q", got)
	}
	e.replace("kustomization.yaml", "[]", "[] # c")
	if _, err := e.server.CodeActionResolve(e.context(), list[0]); err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("the old action gives the error %v", err)
	}
}

// apply makes an edit as an editor does: in the order of its parts, and only where the
// versions are those that are open.
func (e *editor) apply(edit *protocol.WorkspaceEdit) {
	e.t.Helper()
	for _, change := range edit.DocumentChanges {
		switch c := change.(type) {
		case *protocol.CreateFile:
			e.open(c.URI.FsPath(), "")
		case *protocol.DeleteFile:
			e.close(c.URI.FsPath())
		case *protocol.TextDocumentEdit:
			name := c.TextDocument.URI.FsPath()
			if v := c.TextDocument.Version; v != nil && *v != e.sentVersion[name] {
				e.t.Fatalf("an edit of version %d of %s, and %d is open", *v, name, e.sentVersion[name])
			}
			for _, edit := range slices.Backward(c.Edits) { // they come in the order of the text
				lines := text.NewLines([]byte(e.buffers[name]))
				r := edit.(*protocol.TextEdit).Range
				e.edit(name, e.offset(lines, r.Start), e.offset(lines, r.End), edit.(*protocol.TextEdit).NewText)
			}
		}
	}
}

func (e *editor) offset(lines *text.Lines, p protocol.Position) int {
	return lines.PositionToOffset(text.Position{Line: int(p.Line), Character: int(p.Character)}, e.encoding)
}

// TestActionsOneAfterTheOther mends a typo, moves the patch into a file, converts it
// there and moves it back, all in text that is not saved.
func TestActionsOneAfterTheOther(t *testing.T) {
	tree := map[string]string{
		"kustomization.yaml": "resources: [deploy.yaml]\npatches:\n- patch: |-\n    # 😀\n    - op: replace\n      path: /spec/replicas\n      value: 2\n  target: {kind: Deployment, name: wbe} # ü\n",
		"deploy.yaml":        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n",
	}
	e := open(t, setup{tree: tree, capabilities: actionClient})
	const file = "kustomization.yaml"
	e.open(file)
	e.expect("kustomization.yaml:7:35 warning patch-no-target")
	e.apply(e.action(file, "wbe", "Change to web").Edit)
	e.expect()
	e.apply(e.action(file, "patch:", "Move the patch into a file").Edit)
	if got := e.buffers[e.path("deployment-web-patch.yaml")]; got != "# 😀\n- op: replace\n  path: /spec/replicas\n  value: 2\n" {
		t.Errorf("the file has %q", got)
	}
	e.apply(e.action(file, "path:", "Convert to a strategic merge patch").Edit)
	e.apply(e.action(file, "path:", "Move the patch of deployment-web-patch.yaml here").Edit)
	want := "resources: [deploy.yaml]\npatches:\n- patch: |-\n    # 😀\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata:\n      name: web\n    spec:\n      replicas: 2\n  target: {kind: Deployment, name: web} # ü\n"
	if got := e.buffers[e.path(file)]; got != want {
		t.Errorf("in the end it is\n%s", got)
	}
	if _, there := e.buffers[e.path("deployment-web-patch.yaml")]; there {
		t.Error("the file is still there")
	}
	e.expect()
	e.quit()
}

// TestSchemaFixAction mends what only the schemas of Kubernetes know.
func TestSchemaFixAction(t *testing.T) {
	e := open(t, setup{tree: map[string]string{
		"kustomization.yaml": "resources: [deploy.yaml]\n",
		"deploy.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicsa: 2\n  selector: {matchLabels: {a: b}}\n" +
			"  template:\n    metadata: {labels: {a: b}}\n    spec: {containers: [{name: a, image: b}]}\n",
	}, options: withSchemas, capabilities: actionClient})
	e.open("deploy.yaml")
	e.expect("deploy.yaml:4:2 warning unknown-field-in-resource")
	e.apply(e.action("deploy.yaml", "repl‸icsa", "Change to replicas").Edit)
	e.expect()
	e.quit()
}

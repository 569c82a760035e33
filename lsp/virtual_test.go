package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// mended is shop whose patch has its target.
func mended() map[string]string {
	tree := map[string]string{}
	for name, content := range shop {
		tree[name] = strings.ReplaceAll(content, "wbe", "web")
	}
	return tree
}

// execute runs a command and reads its result into a value.
func (e *editor) execute(into any, name string, argument any) error {
	e.t.Helper()
	encoded, err := json.Marshal(argument)
	e.must(err)
	result, err := e.server.ExecuteCommand(e.context(), &protocol.ExecuteCommandParams{Command: name, Arguments: []protocol.LSPAny{encoded}})
	if err != nil {
		return err
	}
	if len(result) == 0 {
		result = protocol.LSPAny("null")
	}
	e.must(json.Unmarshal(result, into))
	return nil
}

type preview struct {
	URI, Root, Verdict, Text, File string
	Files                          []string
	Lines                          []*[3]int
	At                             *int
}

func (e *editor) preview(argument map[string]any) preview {
	e.t.Helper()
	var p preview
	e.must(e.execute(&p, "kls.preview", argument))
	return p
}

func virtualClient(c *protocol.ClientCapabilities) {
	c.Workspace = &protocol.WorkspaceClientCapabilities{TextDocumentContent: &protocol.TextDocumentContentClientCapabilities{}}
}

// content asks for the text of a virtual document.
func (e *editor) content(u string) string {
	e.t.Helper()
	result, err := e.server.TextDocumentContent(e.context(), &protocol.TextDocumentContentParams{URI: uri.URI(u)})
	e.must(err)
	return result.Text
}

// TestPreview renders the root with unsaved text in it, and leads from each line to
// where it was written.
func TestPreview(t *testing.T) {
	e := open(t, setup{tree: mended(), capabilities: virtualClient})
	e.open("overlay/patch.yaml")
	e.replace("overlay/patch.yaml", "value: 3", "value: 7")
	p := e.preview(map[string]any{"uri": e.uri("overlay/patch.yaml"), "position": protocol.Position{Line: 0}})
	want := "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: 7\n"
	if p.Text != want || p.Verdict != "builds" || p.URI != "kls:/tree/overlay/preview.yaml" || p.Root != string(e.uri("overlay")) || p.File != "" {
		t.Errorf("the preview is %+v", p)
	}
	if len(p.Lines) != 6 {
		t.Fatalf("%d lines", len(p.Lines))
	}
	for line, place := range map[int]string{3: "base/deploy.yaml:3:8", 5: "overlay/patch.yaml:0:45"} {
		at := p.Lines[line]
		if got := fmt.Sprintf("%s:%d:%d", strings.TrimPrefix(uri.URI(p.Files[at[0]]).FsPath(), root+"/"), at[1], at[2]); got != place {
			t.Errorf("line %d was written at %s", line, got)
		}
	}
	if p.At == nil || *p.At != 5 {
		t.Errorf("the patch's line is shown at %v", p.At)
	}
	if got := e.content(p.URI); got != want {
		t.Errorf("the virtual document is\n%s", got)
	}
	at := protocol.TextDocumentPositionParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.URI(p.URI)}, Position: protocol.Position{Line: 5}}
	result, err := e.server.Definition(e.context(), &protocol.DefinitionParams{TextDocumentPositionParams: at})
	e.must(err)
	if l := result.(protocol.LocationSlice)[0]; l.URI != e.uri("overlay/patch.yaml") || l.Range.Start != (protocol.Position{Line: 0, Character: 45}) {
		t.Errorf("the line leads to %v", l)
	}
	hover, err := e.server.Hover(e.context(), &protocol.HoverParams{TextDocumentPositionParams: at})
	e.must(err)
	if got := hover.Contents.(*protocol.MarkupContent).Value; !strings.Contains(got, "`spec.replicas` = `7`") || !strings.Contains(got, "`1` → `7`") {
		t.Errorf("the hover is %s", got)
	}
	e.quit()
}

// TestPreviewRefresh tells of the document that changed and of no other, once.
func TestPreviewRefresh(t *testing.T) {
	tree := mended()
	tree["other/kustomization.yaml"] = "resources: [cm.yaml]\n"
	tree["other/cm.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"
	e := open(t, setup{tree: tree, initial: map[string]any{"virtualDocuments": true}})
	e.open("overlay/patch.yaml")
	e.settle("overlay/patch.yaml")
	other, mine := "kls:/tree/other/preview.yaml", "kls:/tree/overlay/preview.yaml?resource=Deployment%2Fweb"
	e.content(other)
	first := e.content(mine)
	e.replace("overlay/patch.yaml", "value: 3", "value: 4")
	if !e.wait(func() bool { return len(e.refreshed) > 0 }) {
		t.Fatal("nobody was told")
	}
	if second := e.content(mine); second != strings.Replace(first, "3", "4", 1) {
		t.Errorf("the second text is\n%s", second)
	}
	e.replace("overlay/patch.yaml", "value: 4", "value:  4") // the text stays
	e.settle("overlay/patch.yaml")
	e.replace("overlay/patch.yaml", "value:  4", "value: 5")
	if !e.wait(func() bool { return len(e.refreshed) > 1 }) {
		t.Fatal("nobody was told again")
	}
	for _, u := range e.refreshed {
		if !strings.Contains(string(u), "overlay") {
			t.Errorf("%s did not change", u)
		}
	}
	if len(e.refreshed) != 2 {
		t.Errorf("told %v", e.refreshed)
	}
	e.quit()
}

// TestPreviewCommandRefresh tells of a preview that was asked for by the command, too.
func TestPreviewCommandRefresh(t *testing.T) {
	e := open(t, setup{tree: mended(), initial: map[string]any{"virtualDocuments": true}})
	e.open("overlay/patch.yaml")
	e.settle("overlay/patch.yaml")
	p := e.preview(map[string]any{"uri": e.uri("overlay/patch.yaml")})
	e.replace("overlay/patch.yaml", "value: 3", "value: 4")
	if !e.wait(func() bool { return len(e.refreshed) > 0 }) {
		t.Fatal("nobody was told")
	}
	if string(e.refreshed[0]) != p.URI {
		t.Errorf("told of %s, asked for %s", e.refreshed[0], p.URI)
	}
	e.quit()
}

// TestPreviewCommandHidesNoChange tells who shows a document of a change that the
// command, which asks for the sources of its lines, has seen first.
func TestPreviewCommandHidesNoChange(t *testing.T) {
	e := open(t, setup{tree: mended(), capabilities: virtualClient, debounce: 200 * time.Millisecond})
	e.open("overlay/patch.yaml")
	e.settle("overlay/patch.yaml")
	const mine = "kls:/tree/overlay/preview.yaml"
	e.content(mine)
	e.replace("overlay/patch.yaml", "value: 3", "value: 4")
	if p := e.preview(map[string]any{"uri": mine}); !strings.Contains(p.Text, "replicas: 4") {
		t.Fatalf("the command answers\n%s", p.Text)
	}
	if !e.wait(func() bool { return len(e.refreshed) > 0 }) {
		t.Error("nobody was told")
	}
	e.quit()
}

// TestPreviewOfMistakes says in comments why it is not what would be deployed.
func TestPreviewOfMistakes(t *testing.T) {
	e := open(t, setup{tree: map[string]string{
		"kustomization.yaml": "resources: [a.yaml, gone.yaml]\n",
		"a.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
	}, capabilities: virtualClient})
	p := e.preview(map[string]any{"uri": e.uri("a.yaml")})
	comments, rest, _ := strings.Cut(p.Text, "apiVersion")
	if p.Verdict != "fails" || !strings.Contains(comments, "# kustomization.yaml:1:21: gone.yaml does not exist [missing-path]\n") || !strings.HasPrefix(rest, ": v1\nkind: ConfigMap\n") {
		t.Errorf("%s\n%s", p.Verdict, p.Text)
	}
	for i, line := range strings.Split(strings.TrimSuffix(comments, "\n"), "\n") {
		if !strings.HasPrefix(line, "#") {
			t.Errorf("line %d is no comment: %s", i, line)
		}
		if strings.Contains(line, "gone") && (p.Lines[i] == nil || p.Lines[i][2] != 20) {
			t.Errorf("the mistake leads to %v", p.Lines[i])
		}
	}
	if missing := e.preview(map[string]any{"uri": e.uri("a.yaml"), "resource": "ConfigMap/b"}); !strings.Contains(missing.Text, "# there is no resource ConfigMap/b") {
		t.Errorf("a resource that is not there gives\n%s", missing.Text)
	}
	var nothing any = "not changed"
	e.must(e.execute(&nothing, "kls.preview", map[string]any{"uri": uri.File("/elsewhere/x.yaml")}))
	if nothing != nil {
		t.Errorf("a file that is nobody's has the preview %v", nothing)
	}
	e.quit()
}

// TestPreviewDiff compares with what comes in, and with a commit, which is opened
// when somebody asks and at no other time.
func TestPreviewDiff(t *testing.T) {
	opened := 0
	committed := map[string][]byte{}
	for name, content := range mended() {
		committed[filepath.Join(root, name)] = []byte(strings.ReplaceAll(content, "value: 3", "value: 2"))
	}
	e := open(t, setup{tree: mended(), capabilities: virtualClient, options: func(o *lsp.Options) {
		o.Commit = func(_ context.Context, dir, ref string) (vfs.Source, func() error, error) {
			if opened++; dir != filepath.Join(root, "overlay") || ref != "HEAD" {
				return nil, nil, fmt.Errorf("%s of %s", ref, dir)
			}
			return vfs.Memory(committed), func() error { return nil }, nil
		}
	}})
	e.open("overlay/patch.yaml")
	e.expect()
	for against, was := range map[string]string{"base": "1", "head": "2"} {
		var d struct {
			Title               string
			Before, After, Diff struct{ URI, Text string }
		}
		e.must(e.execute(&d, "kls.previewDiff", map[string]any{"uri": e.uri("overlay/patch.yaml"), "against": against}))
		if !strings.Contains(d.Diff.Text, "-  replicas: "+was+"\n+  replicas: 3\n") || !strings.Contains(d.Before.Text, "replicas: "+was) || !strings.Contains(d.After.Text, "replicas: 3") {
			t.Errorf("against %s: %+v", against, d)
		}
		for u, want := range map[string]string{d.Before.URI: d.Before.Text, d.After.URI: d.After.Text, d.Diff.URI: d.Diff.Text} {
			if got := e.content(u); got != want {
				t.Errorf("%s is\n%s\nwant\n%s", u, got, want)
			}
		}
	}
	e.replace("overlay/patch.yaml", "value: 3", "value: 9")
	e.settle("overlay/patch.yaml")
	if got := e.content("kls:/tree/overlay/preview.diff?against=head"); !strings.Contains(got, "-  replicas: 2\n+  replicas: 9\n") {
		t.Errorf("after an edit the difference is\n%s", got)
	}
	if opened != 1 {
		t.Errorf("the commit was opened %d times", opened)
	}
	e.quit()
}

// TestExplainCommand tells what becomes of a line of a base in its own build and in
// the overlay.
func TestExplainCommand(t *testing.T) {
	e := open(t, setup{tree: mended()})
	var got struct {
		Markdown, Text string
		Explanation    []struct {
			Root   string
			Fields []struct {
				Field string
				Value any
				Steps []struct {
					File string
					Line int
				}
			}
		}
	}
	e.must(e.execute(&got, "kls.explain", map[string]any{"uri": e.uri("base/deploy.yaml"), "position": protocol.Position{Line: 4, Character: 9}}))
	if len(got.Explanation) != 2 || got.Explanation[0].Root != "base" || got.Explanation[1].Root != "overlay" {
		t.Fatalf("it tells of %+v", got.Explanation)
	}
	over := got.Explanation[1].Fields[0]
	if over.Field != "spec.replicas" || over.Value != 3.0 || len(over.Steps) != 1 || over.Steps[0].File != "overlay/kustomization.yaml" || over.Steps[0].Line != 3 {
		t.Errorf("in the overlay: %+v", over)
	}
	if !strings.Contains(got.Text, "In ../overlay:\nDeployment.apps/web spec.replicas = 3\n- PatchTransformer in ../overlay/kustomization.yaml:3: 1 → 3") {
		t.Errorf("the text is\n%s", got.Text)
	}
	var nothing any = "not changed"
	e.must(e.execute(&nothing, "kls.explain", map[string]any{"uri": e.uri("base/gone.yaml"), "position": protocol.Position{}}))
	if nothing != nil {
		t.Errorf("of a file that is not there: %v", nothing)
	}
	e.quit()
}

// TestExplainWithoutPosition asks as one does from a list of commands: of a file and of a
// folder come the resources and where they are from, of an address its value.
func TestExplainWithoutPosition(t *testing.T) {
	tree := mended()
	tree["base/kustomization.yaml"] = "resources: [deploy.yaml, service.yaml]\n"
	tree["base/service.yaml"] = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"
	e := open(t, setup{tree: tree})
	type origin struct {
		Resource       string
		Read, Included struct {
			File string
			Line int
		}
	}
	var got struct {
		Markdown, Text string
		Explanation    []origin
	}
	const both = "Service/web base/service.yaml, Deployment.apps/web base/deploy.yaml" // as kustomize orders them
	for uri, want := range map[uri.URI]string{
		e.uri("overlay/kustomization.yaml"): both,
		e.uri("overlay"):                    both,
		e.uri("overlay/patch.yaml"):         both,
		"kls:/tree/overlay/preview.yaml":    both,
		e.uri("base/service.yaml"):          "Service/web base/service.yaml",
	} {
		e.must(e.execute(&got, "kls.explain", map[string]any{"uri": uri}))
		var list []string
		for _, o := range got.Explanation {
			list = append(list, o.Resource+" "+o.Read.File)
		}
		if strings.Join(list, ", ") != want {
			t.Errorf("of %s it tells %q, not %q", uri, list, want)
		}
	}
	e.must(e.execute(&got, "kls.explain", e.uri("overlay/kustomization.yaml")))
	if want := "- Deployment.apps/web written in ../base/deploy.yaml:1, included by ../base/kustomization.yaml:1"; !strings.Contains(got.Text, want) {
		t.Errorf("the text is\n%s", got.Text)
	}
	var field struct{ Explanation struct{ Value any } }
	e.must(e.execute(&field, "kls.explain", map[string]any{"uri": e.uri("overlay/kustomization.yaml"), "resource": "Deployment/web:spec.replicas"}))
	if field.Explanation.Value != 3.0 {
		t.Errorf("the field is explained as %+v", field)
	}
	var nothing any = "not changed"
	e.must(e.execute(&nothing, "kls.explain", e.uri("elsewhere.yaml")))
	if nothing != nil {
		t.Errorf("of a file that is not there: %v", nothing)
	}
	e.quit()
}

// TestGraphAndVerdicts looks at both commands.
func TestGraphAndVerdicts(t *testing.T) {
	e := open(t, setup{tree: shop})
	var g struct {
		HTML  string
		Graph struct{ Nodes []struct{ ID string } }
	}
	e.must(e.execute(&g, "kls.graph", nil))
	var ids []string
	for _, n := range g.Graph.Nodes {
		ids = append(ids, n.ID)
	}
	if want := []string{"base", "base/deploy.yaml", "overlay", "overlay/patch.yaml"}; !slices.Equal(ids, want) || !strings.HasPrefix(strings.ToLower(g.HTML), "<!doctype html>") {
		t.Errorf("the graph has %v and begins with %.20s", ids, g.HTML)
	}
	e.must(e.execute(&g, "kls.graph", map[string]any{"uri": e.uri("base")}))
	if len(g.Graph.Nodes) != 2 {
		t.Errorf("the graph of the base has %v", g.Graph.Nodes)
	}
	var verdicts []map[string]any
	e.must(e.execute(&verdicts, "kls.verdicts", map[string]any{"uri": "kls:/tree/base/preview.yaml"}))
	if len(verdicts) != 2 || verdicts[0]["root"] != string(e.uri("base")) {
		t.Errorf("the verdicts of a preview are %v", verdicts)
	}
	e.must(e.execute(&verdicts, "kls.verdicts", map[string]any{"uri": e.uri("base/deploy.yaml")}))
	if len(verdicts) != 2 || verdicts[0]["verdict"] != "builds" || verdicts[0]["warnings"] != 0.0 || verdicts[1]["root"] != string(e.uri("overlay")) || verdicts[1]["warnings"] != 1.0 {
		t.Errorf("the verdicts are %v", verdicts)
	}
	e.quit()
}

// TestShortCommands have what people leave out: the uri stands alone, and a difference is
// that to the base.
func TestShortCommands(t *testing.T) {
	e := open(t, setup{tree: mended()})
	var p preview
	e.must(e.execute(&p, "kls.preview", e.uri("overlay/kustomization.yaml")))
	if !strings.Contains(p.Text, "replicas: 3") {
		t.Errorf("the preview is\n%s", p.Text)
	}
	var d struct{ Diff struct{ URI, Text string } }
	e.must(e.execute(&d, "kls.previewDiff", e.uri("overlay/kustomization.yaml")))
	if !strings.Contains(d.Diff.URI, "base") || !strings.Contains(d.Diff.Text, "-  replicas: 1\n+  replicas: 3\n") {
		t.Errorf("the difference is %+v", d)
	}
	e.quit()
}

// TestBadCommands are the client's mistakes: errors, and the server goes on.
func TestBadCommands(t *testing.T) {
	e := open(t, setup{tree: shop})
	for _, bad := range []struct {
		name     string
		argument any
	}{
		{"kls.nothing", nil},
		{"kls.preview", nil},
		{"kls.preview", map[string]any{"uri": 5}},
		{"kls.preview", map[string]any{"uri": "https://example.com/x"}},
		{"kls.previewDiff", map[string]any{"uri": e.uri("base/deploy.yaml"), "against": "yesterday"}},
		{"kls.explain", map[string]any{"uri": e.uri("base/deploy.yaml"), "resource": "Deployment/wbe"}},
		{"kls.explain", map[string]any{"uri": e.uri("base/deploy.yaml"), "resource": "Deployment/web:spec.replica"}},
	} {
		var result any
		if err := e.execute(&result, bad.name, bad.argument); err == nil {
			t.Errorf("%s %v is answered with %v", bad.name, bad.argument, result)
		}
	}
	for _, bad := range []string{"kls:/tree/overlay/other.yaml", "kls:/tree/preview.diff", "file:///tree/overlay/kustomization.yaml", "kls:"} {
		if _, err := e.server.TextDocumentContent(e.context(), &protocol.TextDocumentContentParams{URI: uri.URI(bad)}); err == nil {
			t.Errorf("%s has a text", bad)
		}
	}
	if got := e.content("kls:/tree/nowhere/preview.yaml"); got != "# There is no kustomization here.\n" {
		t.Errorf("a folder without a kustomization has the preview\n%s", got)
	}
	e.quit()
}

// memoryScratch is a folder of temporary files.
type memoryScratch struct {
	files  map[string][]byte
	closed bool
}

func (m *memoryScratch) Write(name string, content []byte) (string, error) {
	if strings.ContainsAny(name, `/\`) {
		return "", fs.ErrInvalid
	}
	path := "/scratch/" + name
	m.files[path] = bytes.Clone(content)
	return path, nil
}

func (m *memoryScratch) Close() error {
	m.closed = true
	return nil
}

// TestScratch gives a client without virtual documents files, has them shown, and
// leads from them to the source, too.
func TestScratch(t *testing.T) {
	scratch := &memoryScratch{files: map[string][]byte{}}
	e := open(t, setup{tree: mended(), options: func(o *lsp.Options) { o.Scratch = scratch },
		capabilities: func(c *protocol.ClientCapabilities) {
			c.Window = &protocol.WindowClientCapabilities{ShowDocument: &protocol.ShowDocumentClientCapabilities{Support: true}}
		}})
	p := e.preview(map[string]any{"uri": e.uri("overlay/kustomization.yaml")})
	path := uri.URI(p.File).FsPath()
	if string(scratch.files[path]) != p.Text || !strings.HasSuffix(path, ".preview.yaml") {
		t.Errorf("%s has\n%s", p.File, scratch.files[path])
	}
	if len(e.shownDocuments) != 1 || e.shownDocuments[0].URI != uri.URI(p.File) {
		t.Errorf("shown: %v", e.shownDocuments)
	}
	result, err := e.server.Definition(e.context(), &protocol.DefinitionParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: uri.URI(p.File)}, Position: protocol.Position{Line: 5}}})
	e.must(err)
	if l := result.(protocol.LocationSlice)[0]; l.URI != e.uri("overlay/patch.yaml") {
		t.Errorf("the line leads to %v", l)
	}
	again := e.preview(map[string]any{"uri": p.File})
	if again.URI != p.URI || again.File != p.File {
		t.Errorf("the preview of the preview is %+v", again)
	}
	e.quit()
	if !scratch.closed {
		t.Error("the files are still there")
	}
}

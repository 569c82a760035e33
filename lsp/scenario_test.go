package lsp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// shop is an overlay whose patch misses its target by a typo.
var shop = map[string]string{
	"base/kustomization.yaml":    "resources: [deploy.yaml]\n",
	"base/deploy.yaml":           "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec: {replicas: 1}\n",
	"overlay/kustomization.yaml": "resources: [../base]\npatches:\n- path: patch.yaml\n  target:\n    kind: Deployment\n    name: wbe\n",
	"overlay/patch.yaml":         "- {op: replace, path: /spec/replicas, value: 3}\n",
}

const (
	typo = "overlay/kustomization.yaml:5:10 warning patch-no-target"
	// lost is what the base then says as well.
	lost = "base/kustomization.yaml:0:12 error missing-path"
)

func TestTypeTheFix(t *testing.T) {
	e := open(t, setup{tree: shop})
	e.open("overlay/kustomization.yaml")
	e.expect(typo)
	e.replace("overlay/kustomization.yaml", "wbe", "web")
	e.expect()
	e.quit()
}

// TestOtherFile makes a mistake in a base: it is shown in the base and mended there,
// while only the overlay is open in front.
func TestOtherFile(t *testing.T) {
	e := open(t, setup{tree: shop})
	e.expect(typo) // nothing is open, and all folders are checked
	e.open("overlay/kustomization.yaml")
	e.replace("overlay/kustomization.yaml", "wbe", "web")
	e.open("base/kustomization.yaml")
	e.replace("base/kustomization.yaml", "deploy.yaml", "deplyo.yaml")
	e.expect(lost)
	e.replace("base/kustomization.yaml", "deplyo.yaml", "deploy.yaml")
	e.expect()
	// A name that is changed in the base, unsaved, is missed by the overlay.
	e.open("base/deploy.yaml")
	e.replace("base/deploy.yaml", "name: web", "name: wbe")
	e.expect("overlay/kustomization.yaml:5:10 warning patch-no-target")
	e.close("base/deploy.yaml")
	e.expect()
	// A file that only the editor has.
	e.replace("base/kustomization.yaml", "deploy.yaml", "new.yaml")
	e.expect(lost)
	e.open("base/new.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n")
	e.expect("overlay/kustomization.yaml:4:10 warning patch-no-target", "base/deploy.yaml:1:6 info file-not-included")
	e.quit()
}

// TestDiagnosticParts looks at one diagnostic whole.
func TestDiagnosticParts(t *testing.T) {
	e := open(t, setup{tree: map[string]string{
		"kustomization.yaml": "bases: []\nresources: [a.yaml, b.yaml]\n",
		"a.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\n",
		"b.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: twice}\n",
	}})
	e.expect("kustomization.yaml:0:0 hint deprecated-field", "b.yaml:2:17 error duplicate-resource")
	conflict := e.diagnostics(root + "/b.yaml")[0]
	if conflict.Range.End != (protocol.Position{Line: 2, Character: 22}) {
		t.Errorf("it ends at %v", conflict.Range.End)
	}
	if source, _ := conflict.Source.Get(); source != "kls" {
		t.Errorf("the source is %q", source)
	}
	if href := string(conflict.CodeDescription.Href); !strings.HasSuffix(href, "/docs/rules/duplicate-resource.md") {
		t.Errorf("the code leads to %q", href)
	}
	if !slices.ContainsFunc(conflict.RelatedInformation, func(r protocol.DiagnosticRelatedInformation) bool {
		return r.Location.URI.FsPath() == root+"/a.yaml" && r.Location.Range.Start.Line == 2
	}) {
		t.Errorf("the other resource is not among %v", conflict.RelatedInformation)
	}
	if tags := e.diagnostics(root + "/kustomization.yaml")[0].Tags.Slice(); !slices.Equal(tags, []protocol.DiagnosticTag{protocol.DiagnosticTagDeprecated}) {
		t.Errorf("a deprecated field has the tags %v", tags)
	}
}

// TestHoverAndDefinition asks for both in text that is not saved.
func TestHoverAndDefinition(t *testing.T) {
	for _, links := range []bool{false, true} {
		e := open(t, setup{tree: shop, capabilities: func(c *protocol.ClientCapabilities) {
			c.TextDocument.Definition = &protocol.DefinitionClientCapabilities{LinkSupport: &links}
		}})
		e.open("overlay/kustomization.yaml")
		if got := e.hover("overlay/kustomization.yaml", "wbe"); !strings.Contains(got, "matches nothing") || !strings.Contains(got, "did you mean web?") {
			t.Errorf("the hover on the typo says %s", got)
		}
		e.replace("overlay/kustomization.yaml", "wbe", "web")
		e.open("overlay/patch.yaml")
		e.replace("overlay/patch.yaml", "value: 3", "value: 7")
		got := e.hover("overlay/kustomization.yaml", "w‸eb")
		if !strings.Contains(got, "-   replicas: 1\n+   replicas: 7") {
			t.Errorf("the hover after two edits says %s", got)
		}
		if got := e.definition("overlay/kustomization.yaml", "web"); !slices.Equal(got, []string{"base/deploy.yaml:3:8"}) {
			t.Errorf("the target leads to %v", got)
		}
		if got := e.definition("overlay/kustomization.yaml", "../ba‸se"); !slices.Equal(got, []string{"base/kustomization.yaml:0:0"}) {
			t.Errorf("the base leads to %v", got)
		}
		if got := e.hover("overlay/patch.yaml", "replicas"); !strings.Contains(got, "replicas: 7") {
			t.Errorf("the hover in the patch says %s", got)
		}
		if got := e.definition("overlay/patch.yaml", "op"); got != nil {
			t.Errorf("a word of the patch leads to %v", got)
		}
	}
}

// TestEncodings uses characters of one to four bytes, before and in what is asked
// about, in every encoding that a client can ask for.
func TestEncodings(t *testing.T) {
	tree := map[string]string{
		"kustomization.yaml": "# äöü €uro 😀\nresources: [\"ä€😀.yaml\", \"fehlt-😀.yaml\", x.yaml]\n",
		"ä€😀.yaml":           "{apiVersion: v1, kind: ConfigMap, metadata: {name: 😀, labels: {ä: ü}}, data: {\"😀\": a, \"😀\": b}}\n",
		"x.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n",
	}
	for _, test := range []struct {
		offered []protocol.PositionEncodingKind
		want    protocol.PositionEncodingKind
		missing string // the path that is not there
	}{
		{nil, protocol.PositionEncodingKindUTF16, "1:25"},
		{[]protocol.PositionEncodingKind{"utf-99"}, protocol.PositionEncodingKindUTF16, "1:25"},
		{[]protocol.PositionEncodingKind{"utf-16"}, protocol.PositionEncodingKindUTF16, "1:25"},
		{[]protocol.PositionEncodingKind{"utf-32", "utf-8"}, protocol.PositionEncodingKindUTF32, "1:24"},
		{[]protocol.PositionEncodingKind{"utf-8", "utf-16"}, protocol.PositionEncodingKindUTF8, "1:30"},
	} {
		t.Run(fmt.Sprint(test.offered), func(t *testing.T) {
			e := open(t, setup{tree: tree, capabilities: func(c *protocol.ClientCapabilities) {
				if test.offered != nil {
					c.General = &protocol.GeneralClientCapabilities{PositionEncodings: test.offered}
				}
			}})
			if got := e.result.Capabilities.PositionEncoding; got != test.want {
				t.Fatalf("the server chose %s", got)
			}
			if !e.wait(func() bool {
				return slices.Contains(e.shown(), "kustomization.yaml:"+test.missing+" error missing-path")
			}) {
				t.Fatalf("shown: %v, want missing-path at %s", e.shown(), test.missing)
			}
			if got := e.definition("kustomization.yaml", "ä€😀.y‸aml"); !slices.Equal(got, []string{"ä€😀.yaml:0:0"}) {
				t.Errorf("the path leads to %v", got)
			}
			// Edits before, in and after wide characters keep both texts equal.
			e.open("kustomization.yaml")
			e.replace("kustomization.yaml", "fehlt-😀", "x2-😀€")
			e.replace("kustomization.yaml", ", \"x2-😀€.yaml\"", "")
			e.replace("kustomization.yaml", "€uro 😀\n", "😀😀 €\n")
			e.settle("kustomization.yaml")
			if !e.wait(func() bool {
				return !slices.ContainsFunc(e.shown(), func(s string) bool { return strings.HasPrefix(s, "kustomization.yaml") })
			}) {
				t.Errorf("shown: %v", e.shown())
			}
			if got := e.definition("kustomization.yaml", "x.yam‸l"); !slices.Equal(got, []string{"x.yaml:0:0"}) {
				t.Errorf("after the edits the path leads to %v", got)
			}
		})
	}
}

// TestEditsOutsideTheText sends what no client should: ranges beyond the text and
// inside out, older versions, changes of files that are not open.
func TestEditsOutsideTheText(t *testing.T) {
	e := open(t, setup{tree: shop})
	name := "overlay/kustomization.yaml"
	e.open(name)
	far := protocol.Position{Line: 4_000_000_000, Character: 4_000_000_000}
	e.send(name, &protocol.TextDocumentContentChangePartial{Range: protocol.Range{Start: far, End: far}, Text: "# end\n"})
	e.expect(typo)
	e.send(name, &protocol.TextDocumentContentChangePartial{Range: protocol.Range{Start: far, End: protocol.Position{}}, Text: "# inside out\n"})
	e.expect(typo)
	e.send(name, &protocol.TextDocumentContentChangePartial{
		Range: protocol.Range{Start: protocol.Position{Line: 5, Character: 10}, End: protocol.Position{Line: 5, Character: 999}}, Text: "web"})
	e.expect()
	e.must(e.server.DidChange(e.context(), &protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: e.uri(name)}, Version: 1},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangeWholeDocument{Text: "old"}}}))
	e.send("base/kustomization.yaml", &protocol.TextDocumentContentChangeWholeDocument{Text: "not open"})
	e.send("untitled.yaml")
	e.buffers[e.path(name)] = strings.Replace(shop[name], "wbe", "web", 1) + "# end\n# inside out\n"
	if got := e.hover(name, "web"); !strings.Contains(got, "replicas: 3") {
		t.Errorf("the hover says %q", got)
	}
	e.expect()
	// The whole text replaced, and edits on top of it in one message.
	e.send(name, &protocol.TextDocumentContentChangeWholeDocument{Text: "resources: [nothing]\n"},
		&protocol.TextDocumentContentChangePartial{Range: protocol.Range{
			Start: protocol.Position{Character: 12}, End: protocol.Position{Character: 19}}, Text: "../base"})
	e.settle(name)
	e.expect()
	e.quit()
}

// TestEveryPrefix types a kustomization, asks for a hover after each character, and
// in the end sees what a check of the final text sees.
func TestEveryPrefix(t *testing.T) {
	t.Parallel()
	const final = `# größer 💙
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- ../base
- "more.yaml"
namePrefx: x-
nameSuffix: -y
namespace: shop
labels:
- pairs: {team: web, "tier": front}
  includeSelectors: true
commonAnnotations:
  note: |-
    several: lines
      of text
images:
- name: nginx
  newTag: "1.27"
- {name: wbe, newName: example.com/web}
replicas:
- name: web
  count: 3
configMapGenerator:
- name: settings
  literals:
  - A=1
  - 'B=two words'
  options:
    disableNameSuffixHash: true
secretGenerator:
- name: keys
  behavior: merge
  literals: [KEY=value]
patches:
- target: {kind: Deployment, name: 'wbe'}
  patch: |-
    - op: replace
      path: /spec/replicas
      value: 5
- path: patch.yaml
  target:
    kind: Deployment
- patch: |-
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web}
    spec:
      paused: true
replacements:
- source: {kind: Deployment, name: web, fieldPath: metadata.name}
  targets:
  - select: {kind: Deployment}
    fieldPaths: [metadata.labels.app]
- source:
    kind: ConfigMap
    name: settings
    fieldPath: data.A
  targets:
  - select:
      kind: Deployment
    fieldPaths:
    - spec.template.metadata.annotations.a
    options: {create: true}
`
	tree := map[string]string{}
	for name, content := range shop {
		tree[name] = content
	}
	tree["overlay/more.yaml"] = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\n"
	tree["overlay/kustomization.yaml"] = final
	want := fromScratch(t, tree)
	if len(want) < 2 {
		t.Fatalf("only %v is wrong with the final text", want)
	}
	tree["overlay/kustomization.yaml"] = ""
	e := open(t, setup{tree: tree})
	name := "overlay/kustomization.yaml"
	e.open(name, "")
	for i, character := range final {
		e.edit(name, i, i, string(character))
		at := e.at(name, "")
		typed := final[:i+len(string(character))]
		at.Position = e.position(text.NewLines([]byte(typed)), len(typed))
		if _, err := e.server.Hover(e.context(), &protocol.HoverParams{TextDocumentPositionParams: at}); err != nil {
			t.Fatalf("hover behind %q: %v", typed, err)
		}
		if _, err := e.server.Definition(e.context(), &protocol.DefinitionParams{TextDocumentPositionParams: at}); err != nil {
			t.Fatalf("definition behind %q: %v", typed, err)
		}
		if _, err := e.server.Completion(e.context(), &protocol.CompletionParams{TextDocumentPositionParams: at}); err != nil {
			t.Fatalf("completion behind %q: %v", typed, err)
		}
		if i%10 == 0 {
			e.settle(name)
		}
	}
	e.expect(want...)
	if log := e.log.String(); strings.Contains(log, "panic") || strings.Contains(log, "goroutine") {
		t.Error("something panicked")
	}
	e.quit()
}

// fromScratch checks a tree without a server.
func fromScratch(t *testing.T, tree map[string]string) []string {
	t.Helper()
	files := map[string][]byte{}
	for name, content := range tree {
		files[filepath.Join(root, name)] = []byte(content)
	}
	snapshot := vfs.NewSnapshot(vfs.Memory(files))
	targets, err := analysis.Discover(context.Background(), snapshot, root)
	if err != nil {
		t.Fatal(err)
	}
	report, err := analysis.Check(context.Background(), builder.NewSession(snapshot), targets, analysis.Options{Rules: rules.All()})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, d := range report.Diagnostics {
		p := text.NewLines(files[d.File]).OffsetToPosition(d.Span.Start, text.UTF16)
		lines = append(lines, fmt.Sprintf("%s:%d:%d %s %s", strings.TrimPrefix(d.File, root+"/"), p.Line, p.Character, d.Severity, d.Rule))
	}
	return lines
}

// TestComponents checks a component inside the root that includes it, and alone
// once none does.
func TestComponents(t *testing.T) {
	e := open(t, setup{tree: map[string]string{
		"component/kustomization.yaml": "kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\npatches:\n- patch: '[{\"op\": \"remove\", \"path\": \"/data\"}]'\n  target: {kind: ConfigMap}\n",
		"root/kustomization.yaml":      "resources: [cm.yaml]\ncomponents: [../component]\n",
		"root/cm.yaml":                 "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n",
	}})
	e.open("root/kustomization.yaml")
	if !e.wait(func() bool { return len(e.published[root+"/component/kustomization.yaml"]) == 1 }) {
		t.Fatalf("shown: %v", e.shown())
	}
	if got := e.diagnostics(root + "/component/kustomization.yaml")[0]; got.Severity != protocol.DiagnosticSeverityError {
		t.Errorf("in the root the operation fails, and it is shown with severity %v", got.Severity)
	}
	e.replace("root/kustomization.yaml", "components: [../component]\n", "")
	if !e.wait(func() bool {
		return !slices.ContainsFunc(e.published[root+"/component/kustomization.yaml"], func(d protocol.Diagnostic) bool {
			return d.Severity == protocol.DiagnosticSeverityError
		})
	}) {
		t.Errorf("alone the component has no mistake, and shown is %v", e.shown())
	}
}

// TestFilesOnDisk changes files outside of the editor.
func TestFilesOnDisk(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, content string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, content := range shop {
		write(name, content)
	}
	e := open(t, setup{source: vfs.Disk(), folders: []string{dir}, capabilities: func(c *protocol.ClientCapabilities) {
		c.Workspace = &protocol.WorkspaceClientCapabilities{DidChangeWatchedFiles: &protocol.DidChangeWatchedFilesClientCapabilities{DynamicRegistration: new(true)}}
	}})
	if !e.wait(func() bool { return len(e.registered) == 1 }) || !strings.HasPrefix(e.registered[0], "workspace/didChangeWatchedFiles ") {
		t.Fatalf("registered: %v", e.registered)
	}
	changed := func(names ...string) {
		t.Helper()
		params := &protocol.DidChangeWatchedFilesParams{}
		for _, name := range names {
			params.Changes = append(params.Changes, protocol.FileEvent{URI: uri.File(filepath.Join(dir, name)), Type: protocol.FileChangeTypeChanged})
		}
		e.must(e.server.DidChangeWatchedFiles(e.context(), params))
	}
	at := func(line string) string { return strings.TrimPrefix(dir, "/tree/") + "/" + line }
	e.expect(at(typo))
	write("base/deploy.yaml", strings.Replace(shop["base/deploy.yaml"], "name: web", "name: wbe", 1))
	changed("base/deploy.yaml")
	e.expect()
	// A new kustomization is found, and a folder that is moved away forgotten.
	write("more/deep/kustomization.yaml", "resources: [nothing.yaml]\n")
	changed("more")
	e.expect(at("more/deep/kustomization.yaml:0:12 error missing-path"))
	write("more/deep/nothing.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n")
	changed("more/deep/nothing.yaml")
	e.expect()
	write("more/deep/nothing.yaml", "apiVersion: v1\nmetadata: {name: x}\n")
	changed("more/deep/nothing.yaml")
	if !e.wait(func() bool { return len(e.shown()) == 1 }) {
		t.Fatalf("shown: %v", e.shown())
	}
	if err := os.Rename(filepath.Join(dir, "more"), filepath.Join(filepath.Dir(dir), filepath.Base(dir)+"-away")); err != nil {
		t.Fatal(err)
	}
	changed("more")
	e.expect()
	// A second kustomization file makes the base fail, and with it the overlay.
	write("base/kustomization.yml", "resources: []\n")
	changed("base/kustomization.yml")
	if !e.wait(func() bool { return strings.Contains(strings.Join(e.shown(), "\n"), "two-kustomization-files") }) {
		t.Fatalf("shown: %v", e.shown())
	}
	if err := os.Remove(filepath.Join(dir, "base/kustomization.yml")); err != nil {
		t.Fatal(err)
	}
	changed("base/kustomization.yml")
	e.expect()
	e.quit()
}

// TestSymbolicLink opens a folder by a link: what is shown carries the names that
// the editor knows.
func TestSymbolicLink(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	for name, content := range shop {
		path := filepath.Join(real, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	e := open(t, setup{source: vfs.Disk(), folders: []string{link}})
	file := filepath.Join(link, "overlay/kustomization.yaml")
	if !e.wait(func() bool { return len(e.published[file]) == 1 }) {
		t.Fatalf("shown: %v", e.shown())
	}
	e.onDisk[file] = shop["overlay/kustomization.yaml"]
	e.open(file)
	e.replace(file, "wbe", "web")
	if !e.wait(func() bool { return len(e.published[file]) == 0 }) {
		t.Fatalf("shown: %v", e.shown())
	}
}

// TestFileByAnotherName opens a file of the folder by a link that lies elsewhere: its
// mistakes are shown under that name alone, and under its own once it is closed.
func TestFileByAnotherName(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	for name, content := range shop {
		path := filepath.Join(real, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	e := open(t, setup{source: vfs.Disk(), folders: []string{real}})
	const name = "overlay/kustomization.yaml"
	own, other := filepath.Join(real, name), filepath.Join(link, name)
	shown := func(own, other int) func() bool {
		return func() bool {
			return len(e.published[filepath.Join(real, name)]) == own && len(e.published[filepath.Join(link, name)]) == other
		}
	}
	if !e.wait(shown(1, 0)) {
		t.Fatalf("shown: %v", e.shown())
	}
	e.onDisk[other] = shop[name]
	e.open(other)
	if !e.wait(shown(0, 1)) {
		t.Fatalf("while %s is open: %v", other, e.shown())
	}
	e.close(other)
	if !e.wait(shown(1, 0)) {
		t.Fatalf("with %s closed: %v", own, e.shown())
	}
	e.quit()
}

// TestFolders has a file opened without a folder, and folders come and go.
func TestFolders(t *testing.T) {
	e := open(t, setup{tree: shop, folders: []string{}})
	e.open("overlay/patch.yaml")
	e.expect(typo)
	e.close("overlay/patch.yaml")
	e.expect()
	change := func(added, removed []protocol.WorkspaceFolder) {
		t.Helper()
		e.must(e.server.DidChangeWorkspaceFolders(e.context(), &protocol.DidChangeWorkspaceFoldersParams{
			Event: protocol.WorkspaceFoldersChangeEvent{Added: added, Removed: removed}}))
	}
	overlay := []protocol.WorkspaceFolder{{URI: uri.File(root + "/overlay"), Name: "overlay"}}
	change(overlay, nil)
	e.expect(typo)
	change(nil, overlay)
	e.expect()
	e.quit()
}

// TestCancel cancels a request that waits for a build that waits for a slow disk:
// it is answered while the disk is still busy.
func TestCancel(t *testing.T) {
	slow := newSlowSource(shop)
	e := open(t, setup{source: slow, tree: shop})
	<-slow.asked
	answered := make(chan error, 1)
	go func() {
		_, err := e.conn.Call(context.Background(), protocol.MethodTextDocumentHover,
			&protocol.HoverParams{TextDocumentPositionParams: e.at("overlay/kustomization.yaml", "wbe")}, nil)
		answered <- err
	}()
	// Requests of this client are numbered from 1, and initialize was the first. The
	// request may not be on its way yet, so it is cancelled again.
	for waiting := true; waiting; {
		e.must(e.conn.Notify(context.Background(), protocol.MethodCancelRequest, &protocol.CancelParams{ID: protocol.Integer(2)}))
		select {
		case err := <-answered:
			waiting = false
			if err == nil || !strings.Contains(err.Error(), "cancelled") {
				t.Errorf("the request was answered with %v", err)
			}
		case <-time.After(time.Millisecond):
		}
	}
	// What follows passes the build that waits.
	e.open("overlay/kustomization.yaml")
	close(slow.release)
	if got := e.hover("overlay/kustomization.yaml", "wbe"); !strings.Contains(got, "did you mean web?") {
		t.Errorf("the hover after it says %q", got)
	}
	e.expect(typo)
	e.quit()
}

// slowSource holds up the first read of a kustomization.
type slowSource struct {
	vfs.Source
	asked, release chan struct{}
}

func newSlowSource(tree map[string]string) *slowSource {
	files := map[string][]byte{}
	for name, content := range tree {
		files[filepath.Join(root, name)] = []byte(content)
	}
	return &slowSource{vfs.Memory(files), make(chan struct{}, 100), make(chan struct{})}
}

func (s *slowSource) ReadFile(path string) ([]byte, error) {
	if filepath.Base(path) == "deploy.yaml" {
		s.asked <- struct{}{}
		<-s.release
	}
	return s.Source.ReadFile(path)
}

package graph_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/graph"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"golang.org/x/tools/txtar"
)

const tree = `
-- over/kustomization.yaml --
resources:
- ../base
- missing.yaml
- https://example.com/some.yaml
components:
- ../component
configMapGenerator:
- name: generated
  files:
  - key=</script><b>.txt
-- over/</script><b>.txt --
text
-- other/kustomization.yaml --
resources: [../base]
-- base/kustomization.yaml --
resources: [deploy.yaml]
configurations: [names.yaml]
-- base/names.yaml --
namePrefix: []
-- base/deploy.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
-- component/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
patches:
- path: patch.yaml
-- component/patch.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec: {replicas: 2}
`

func makeGraph(t *testing.T, text string) *graph.Graph {
	t.Helper()
	files := map[string][]byte{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		files["/r/"+f.Name] = f.Data
	}
	return graphOf(t, files)
}

func graphOf(t *testing.T, files map[string][]byte) *graph.Graph {
	t.Helper()
	snapshot := vfs.NewSnapshot(vfs.Memory(files))
	targets, err := analysis.Discover(context.Background(), snapshot, "/r")
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.Make(context.Background(), builder.NewSession(snapshot), targets, graph.Options{Base: "/r", Check: analysis.Options{Rules: rules.All()}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestGraph(t *testing.T) {
	g := makeGraph(t, tree)
	var got []string
	for _, n := range g.Nodes {
		got = append(got, strings.TrimSpace(fmt.Sprint(n.Kind, " ", n.ID, " ", n.Verdict)))
	}
	want := []string{
		"kustomization base builds", "resource base/deploy.yaml", "configuration base/names.yaml", "component component",
		"patch component/patch.yaml", "remote https://example.com/some.yaml", "kustomization other builds",
		"kustomization over fails", "input over/</script><b>.txt", "missing over/missing.yaml",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("nodes:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	got = nil
	for _, e := range g.Edges {
		got = append(got, fmt.Sprintf("%s:%d %s %s", e.From.ID, e.Line, e.Field, e.To.ID))
	}
	want = []string{
		"base:1 resources base/deploy.yaml", "base:2 configurations base/names.yaml", "component:4 patches component/patch.yaml",
		"other:1 resources base", "over:2 resources base", "over:3 resources over/missing.yaml",
		"over:4 resources https://example.com/some.yaml", "over:6 components component",
		"over:10 configMapGenerator over/</script><b>.txt",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("edges:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, n := range g.Nodes {
		switch n.ID {
		case "base/deploy.yaml":
			if fmt.Sprint(n.Resources) != "[Deployment.apps/web]" {
				t.Errorf("resources of the file: %v", n.Resources)
			}
		case "over":
			if !strings.Contains(fmt.Sprint(n.Diagnostics), "missing-path") || n.Worst() != analysis.Error {
				t.Errorf("diagnostics: %v", n.Diagnostics)
			}
		}
	}
}

// TestArrangeOverlapsNothing lays out a larger graph.
func TestArrangeOverlapsNothing(t *testing.T) {
	g := graphOf(t, manyOverlays(40, 25))
	layout := g.Arrange()
	placed := map[*graph.Node]bool{}
	for i, c := range layout.Cards {
		placed[c.Node] = true
		for _, r := range c.Rows {
			placed[r.Node] = true
			if r.X < 0 || r.X+r.Width > c.Width || r.Y+18 > c.Height {
				t.Errorf("%s sticks out of %s", r.Node.ID, c.Node.ID)
			}
		}
		for _, o := range layout.Cards[:i] {
			if c.X < o.X+o.Width && o.X < c.X+c.Width && c.Y < o.Y+o.Height && o.Y < c.Y+c.Height {
				t.Errorf("%s and %s overlap", c.Node.ID, o.Node.ID)
			}
		}
	}
	for _, n := range g.Nodes {
		if !placed[n] {
			t.Errorf("%s is drawn nowhere", n.ID)
		}
	}
	for _, l := range layout.Links {
		if l.From.X+l.From.Width >= l.To.X {
			t.Errorf("the link from %s to %s leads back", l.From.Node.ID, l.To.Node.ID)
		}
	}
	if len(layout.Links) != 40*2 {
		t.Errorf("%d links", len(layout.Links))
	}
}

// manyOverlays are overlays of one base and one of some components, each with files.
func manyOverlays(overlays, each int) map[string][]byte {
	files := map[string][]byte{"/r/base/kustomization.yaml": []byte("namePrefix: a-\n")}
	for i := range 5 {
		files[fmt.Sprintf("/r/component-%d/kustomization.yaml", i)] =
			[]byte("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nnamePrefix: b-\n")
	}
	for i := range overlays {
		text := fmt.Sprintf("components: [../component-%d]\nresources:\n- ../base\n", i%5)
		for j := range each {
			text += fmt.Sprintf("- file-%d.yaml\n", j)
			files[fmt.Sprintf("/r/over-%d/file-%d.yaml", i, j)] = fmt.Appendf(nil, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: n%d}\n", j)
		}
		files[fmt.Sprintf("/r/over-%d/kustomization.yaml", i)] = []byte(text)
	}
	return files
}

func TestArrangeEndsOnCycles(t *testing.T) {
	g := makeGraph(t, "-- a/kustomization.yaml --\nresources: [../b]\n-- b/kustomization.yaml --\nresources: [../a]\n")
	if layout := g.Arrange(); len(layout.Cards) != 2 {
		t.Errorf("%d cards", len(layout.Cards))
	}
	var b strings.Builder
	if err := g.WriteTree(&b, func(s string) string { return s }); err != nil || !strings.Contains(b.String(), "resources: b") {
		t.Error(b.String(), err)
	}
}

func TestSVGIsXML(t *testing.T) {
	var b bytes.Buffer
	if err := makeGraph(t, tree).WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for decoder := xml.NewDecoder(&b); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := token.(xml.CharData); ok {
			texts[string(data)] = true
		}
	}
	for _, want := range []string{"over", "deploy.yaml", "missing.yaml", "</script><b>.txt", "configMapGenerator"} {
		if !texts[want] {
			t.Errorf("%s is not in the picture", want)
		}
	}
}

func TestPageHoldsAllItNeeds(t *testing.T) {
	page := pageOf(t, makeGraph(t, tree))
	if n := strings.Count(page, "</script>"); n != 3 {
		t.Errorf("%d scripts end", n)
	}
	if found := regexp.MustCompile(`<(?:script|img|link)[^>]*\b(?:src|href)=`).FindString(page); found != "" {
		t.Errorf("the page loads %s", found)
	}
	_, data, _ := strings.Cut(page, `type="application/json">`)
	data, _, _ = strings.Cut(data, "</script>")
	var decoded struct{ Nodes []struct{ ID string } }
	if err := json.Unmarshal([]byte(data), &decoded); err != nil || len(decoded.Nodes) != 10 {
		t.Errorf("%v, %d nodes", err, len(decoded.Nodes))
	}
}

func pageOf(t *testing.T, g *graph.Graph) string {
	t.Helper()
	var b strings.Builder
	if err := g.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLibraryIsAsReleased holds the checksum of dist/cytoscape.min.js 3.34.4.
func TestLibraryIsAsReleased(t *testing.T) {
	packed, err := os.Open(filepath.Join("assets", "cytoscape.min.js.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	reader, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, reader); err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != "081591ab735b2b6a3b31a3c60f8f3a3e2fee8c92939e0c7820ad1208571b6cd8" {
		t.Errorf("checksum %s", got)
	}
}

// TestPageInChromium opens a page of more than 2,000 nodes in the real browser,
// where there is one.
func TestPageInChromium(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("there is no chromium")
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "page.html")
	g := graphOf(t, manyOverlays(80, 25))
	if err := os.WriteFile(file, []byte(pageOf(t, g)), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+filepath.Join(folder, "data"),
		"--virtual-time-budget=5000", "--dump-dom", "file://"+file).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		fmt.Sprintf(`<p id="count">%d nodes, 81 roots</p>`, len(g.Nodes)), // the script ran to its end
		`over-79/file-24.yaml</span>`,
		`<canvas`,
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if len(g.Nodes) < 2000 {
		t.Errorf("only %d nodes", len(g.Nodes))
	}
}

// A build goes on with the path that was probably meant, a graph shows the one that is written; diagnostics have their
// lines, and the resources of a file are called as they are there, whatever an overlay makes of them.
func TestGraphShowsWhatIsWritten(t *testing.T) {
	g := graphOf(t, map[string][]byte{
		"/r/base/kustomization.yaml": []byte("# of all\nresources:\n- settings.yaml\n- deployment.yml\n"),
		"/r/base/settings.yaml":      []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: own}\n"),
		"/r/base/deployment.yaml":    []byte("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n"),
		"/r/over/kustomization.yaml": []byte("resources: [../base]\nnamePrefix: x-\nnamespace: there\n"),
	})
	nodes := map[string]*graph.Node{}
	for _, n := range g.Nodes {
		nodes[n.ID] = n
	}
	if n := nodes["base/settings.yaml"]; n == nil || fmt.Sprint(n.Resources) != "[ConfigMap/a ConfigMap/own/b]" {
		t.Errorf("in the file is %+v", n)
	}
	if n := nodes["base/deployment.yml"]; n == nil || n.Kind != graph.Missing || nodes["base/deployment.yaml"] != nil {
		t.Errorf("the path that is written is %+v, the one that is meant %+v", n, nodes["base/deployment.yaml"])
	}
	if n := nodes["base"]; n == nil || len(n.Diagnostics) != 1 || n.Diagnostics[0].Line != 4 {
		t.Errorf("of the base is reported %+v", n)
	}
}

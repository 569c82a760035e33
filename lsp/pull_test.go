package lsp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
	"go.lsp.dev/protocol"
)

// pulling is a client that asks for diagnostics and can be told to ask again.
func pulling(c *protocol.ClientCapabilities) {
	c.TextDocument.Diagnostic = &protocol.DiagnosticClientCapabilities{}
	c.Workspace = &protocol.WorkspaceClientCapabilities{Diagnostics: &protocol.DiagnosticWorkspaceClientCapabilities{RefreshSupport: new(true)}}
}

// pull asks for the diagnostics of a file: "line:character severity rule", and the
// id of the result; nil for an unchanged one.
func (e *editor) pull(name, previous string) (lines []string, id string, related map[string]int) {
	e.t.Helper()
	params := &protocol.DocumentDiagnosticParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)}}
	if previous != "" {
		params.PreviousResultID = &previous
	}
	answer, err := e.server.Diagnostic(e.context(), params)
	e.must(err)
	related = map[string]int{}
	switch report := answer.(type) {
	case *protocol.RelatedFullDocumentDiagnosticReport:
		lines = []string{}
		for _, d := range report.Items {
			lines = append(lines, fmt.Sprintf("%d:%d %s %s", d.Range.Start.Line, d.Range.Start.Character, severityNames[d.Severity], d.Code.(protocol.String)))
		}
		for u, other := range report.RelatedDocuments {
			related[strings.TrimPrefix(u.FsPath(), root+"/")] = len(other.(*protocol.FullDocumentDiagnosticReport).Items)
		}
		return lines, *report.ResultID, related
	case *protocol.RelatedUnchangedDocumentDiagnosticReport:
		return nil, report.ResultID, related
	}
	e.t.Fatalf("the answer is %T", answer)
	return nil, "", nil
}

// TestPull asks for the diagnostics of one file, twice, and after an edit of another
// one that changes them.
func TestPull(t *testing.T) {
	e := open(t, setup{tree: shop, capabilities: pulling})
	if options, ok := e.result.Capabilities.DiagnosticProvider.(*protocol.DiagnosticOptions); !ok || !options.InterFileDependencies || !options.WorkspaceDiagnostics {
		t.Fatalf("the server offers %+v", e.result.Capabilities.DiagnosticProvider)
	}
	name := "overlay/kustomization.yaml"
	e.open(name)
	lines, first, _ := e.pull(name, "")
	if !slices.Equal(lines, []string{"5:10 warning patch-no-target"}) {
		t.Fatalf("pulled: %v", lines)
	}
	if lines, again, _ := e.pull(name, first); lines != nil || again != first {
		t.Errorf("unchanged, and pulled are %v with the id %q after %q", lines, again, first)
	}
	e.open("base/deploy.yaml")
	e.replace("base/deploy.yaml", "name: web", "name: wbe")
	if !e.wait(func() bool { return e.refreshes > 0 }) {
		t.Fatal("the client was not told to ask again")
	}
	lines, second, _ := e.pull(name, first)
	if lines == nil || len(lines) > 0 || second == first {
		t.Errorf("mended from elsewhere, and pulled are %v with the id %q after %q", lines, second, first)
	}
	if lines, _, _ := e.pull("nowhere.txt", ""); lines == nil || len(lines) > 0 {
		t.Errorf("a file that no root reads has %v", lines)
	}
	if e.pushes > 0 {
		t.Errorf("%d times diagnostics were sent to a client that pulls", e.pushes)
	}
	e.quit()
}

// TestPullRelated gets the diagnostics of a base with those of its overlay.
func TestPullRelated(t *testing.T) {
	e := open(t, setup{tree: shop, capabilities: func(c *protocol.ClientCapabilities) {
		pulling(c)
		c.TextDocument.Diagnostic.RelatedDocumentSupport = new(true)
	}, options: noDrafts})
	e.open("base/deploy.yaml")
	e.hover("overlay/kustomization.yaml", "wbe") // that the overlay looks at the file is known once it is built
	_, _, related := e.pull("base/deploy.yaml", "")
	if related["overlay/kustomization.yaml"] != 1 {
		t.Errorf("the related documents are %v", related)
	}
	e.replace("base/deploy.yaml", "name: web", "name: wbe")
	if _, _, related := e.pull("base/deploy.yaml", ""); related["overlay/kustomization.yaml"] != 0 || len(related) != 1 {
		t.Errorf("after the name fits the related documents are %v", related)
	}
	e.quit()
}

// TestPullAlone is a client that asks and cannot be told to ask again: an edit of
// another file would never reach it, so it is sent what there is.
func TestPullAlone(t *testing.T) {
	e := open(t, setup{tree: shop, capabilities: func(c *protocol.ClientCapabilities) {
		c.TextDocument.Diagnostic = &protocol.DiagnosticClientCapabilities{}
	}})
	if e.result.Capabilities.DiagnosticProvider != nil {
		t.Error("the server offers what would go stale")
	}
	e.expect(typo)
	e.quit()
}

// TestPullEverything asks for the diagnostics of all files: in one, in parts, and
// again.
func TestPullEverything(t *testing.T) {
	for _, token := range []protocol.ProgressToken{nil, protocol.String("parts")} {
		e := open(t, setup{tree: shop, capabilities: pulling})
		e.open("base/kustomization.yaml")
		e.replace("base/kustomization.yaml", "deploy.yaml", "deplyo.yaml")
		ids := map[string]string{}
		ask := func() []string {
			t.Helper()
			params := &protocol.WorkspaceDiagnosticParams{PreviousResultIds: []protocol.PreviousResultId{}}
			params.PartialResultToken = token
			for name, id := range ids {
				params.PreviousResultIds = append(params.PreviousResultIds, protocol.PreviousResultId{URI: e.uri(name), Value: id})
			}
			report, err := e.server.DiagnosticWorkspace(e.context(), params)
			e.must(err)
			items := report.Items
			e.mutex.Lock()
			parts := e.progress[fmt.Sprint(token)]
			e.progress = map[string][]string{}
			e.mutex.Unlock()
			if token != nil && len(items) > 0 {
				t.Errorf("parts were sent, and then %d more", len(items))
			}
			for _, part := range parts {
				var more protocol.WorkspaceDiagnosticReportPartialResult
				e.must(protocol.Unmarshal([]byte(part), &more))
				items = append(items, more.Items...)
			}
			var got []string
			for _, item := range items {
				switch item := item.(type) {
				case *protocol.WorkspaceFullDocumentDiagnosticReport:
					name := strings.TrimPrefix(item.URI.FsPath(), root+"/")
					ids[name] = *item.ResultID
					got = append(got, fmt.Sprintf("%s: %d, open %t", name, len(item.Items), item.Version != nil))
				case *protocol.WorkspaceUnchangedDocumentDiagnosticReport:
					got = append(got, strings.TrimPrefix(item.URI.FsPath(), root+"/")+": unchanged")
				}
			}
			slices.Sort(got)
			return got
		}
		if got, want := ask(), []string{"base/kustomization.yaml: 1, open true", "overlay/kustomization.yaml: 1, open false"}; !slices.Equal(got, want) {
			t.Errorf("reported: %v, want %v", got, want)
		}
		if got, want := ask(), []string{"base/kustomization.yaml: unchanged", "overlay/kustomization.yaml: unchanged"}; !slices.Equal(got, want) {
			t.Errorf("again: %v, want %v", got, want)
		}
		e.replace("base/kustomization.yaml", "deplyo.yaml", "deploy.yaml")
		if got, want := ask(), []string{"base/kustomization.yaml: 0, open true", "overlay/kustomization.yaml: unchanged"}; !slices.Equal(got, want) {
			t.Errorf("mended: %v, want %v", got, want)
		}
		e.quit()
	}
}

// TestVerdicts has a client that takes kls/verdicts.
func TestVerdicts(t *testing.T) {
	e := open(t, setup{tree: shop, initial: map[string]any{"verdicts": true}})
	last := func(want string) {
		t.Helper()
		var got string
		if !e.wait(func() bool {
			var params struct {
				Roots []struct {
					Root, Verdict    string
					Errors, Warnings int
				}
			}
			if len(e.verdicts) == 0 || json.Unmarshal([]byte(e.verdicts[len(e.verdicts)-1]), &params) != nil {
				return false
			}
			got = ""
			for _, r := range params.Roots {
				got += fmt.Sprintf("%s %s %d %d; ", r.Root[strings.LastIndex(r.Root, "/")+1:], r.Verdict, r.Errors, r.Warnings)
			}
			return got == want
		}) {
			t.Fatalf("told: %s, want %s", got, want)
		}
	}
	last("base builds 0 0; overlay builds 0 1; ")
	e.open("base/kustomization.yaml")
	e.replace("base/kustomization.yaml", "deploy.yaml", "deplyo.yaml")
	last("base fails 1 0; overlay fails 1 1; ")
	e.quit()
}

// TestProgress shows a check that takes long, and its end.
func TestProgress(t *testing.T) {
	slow := newSlowSource(shop)
	e := open(t, setup{source: slow, tree: shop, capabilities: func(c *protocol.ClientCapabilities) {
		c.Window = &protocol.WindowClientCapabilities{WorkDoneProgress: new(true)}
	}, options: quick})
	kinds := func() string {
		var kinds []string
		for _, values := range e.progress {
			for _, value := range values {
				var v struct{ Kind, Title, Message string }
				e.must(json.Unmarshal([]byte(value), &v))
				kinds = append(kinds, v.Kind)
			}
		}
		return strings.Join(slices.Compact(kinds), " ")
	}
	if !e.wait(func() bool { return kinds() == "begin report" }) {
		t.Fatalf("progress: %v", e.progress)
	}
	close(slow.release)
	e.expect(typo)
	if !e.wait(func() bool { return kinds() == "begin report end" }) {
		t.Errorf("progress: %v", e.progress)
	}
	e.quit()
}

// TestDraft makes a mistake in the text of a file while a build that takes long
// waits: the mistake is shown, and what is known of the rest is where it belongs now.
func TestDraft(t *testing.T) {
	slow := &heldSource{Source: newSlowSource(shop).Source, held: make(chan struct{}, 100), release: make(chan struct{})}
	e := open(t, setup{source: slow, tree: shop, debounce: 300 * time.Millisecond})
	e.expect(typo)
	slow.hold.Store(true)
	name := "overlay/kustomization.yaml"
	e.open(name)
	e.replace(name, "resources: [../base]\n", "resources: [../base, new.yaml]\nnamPrefix: x\n")
	e.expect("overlay/kustomization.yaml:1:0 error unknown-field", "overlay/kustomization.yaml:6:10 warning patch-no-target")
	e.replace(name, "namPrefix", "namePrefix")
	e.expect("overlay/kustomization.yaml:6:10 warning patch-no-target")
	close(slow.release)
	e.expect("overlay/kustomization.yaml:0:21 error missing-path") // new.yaml may have had the target
	e.quit()
}

// heldSource holds up every look at new.yaml while it is told to.
type heldSource struct {
	vfs.Source
	hold          atomic.Bool
	held, release chan struct{}
}

func (s *heldSource) EvalSymlinks(path string) (string, error) {
	if s.hold.Load() && strings.HasSuffix(path, "new.yaml") {
		<-s.release
	}
	return s.Source.EvalSymlinks(path)
}

// noDrafts has a clock on which no build takes so long that a draft is asked for.
func noDrafts(o *lsp.Options) {
	o.After = func(d time.Duration) <-chan time.Time {
		if d >= 100*time.Millisecond {
			return nil
		}
		return time.After(d)
	}
}

// quick has a clock that goes a hundred times as fast.
func quick(o *lsp.Options) {
	o.After = func(d time.Duration) <-chan time.Time { return time.After(d / 100) }
}

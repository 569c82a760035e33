package lsp_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// TestHoverLinks leads to the preview from the hovers of a client that follows links
// to commands, and from no others; what they name is a command.
func TestHoverLinks(t *testing.T) {
	for _, follows := range []bool{false, true} {
		e := open(t, setup{tree: mended(), initial: map[string]any{"commandLinks": follows}})
		got := e.hover("overlay/kustomization.yaml", "name: ‸web")
		_, link, found := strings.Cut(got, "[Preview](command:kls.preview?")
		if found != follows {
			t.Errorf("with links %v the hover is\n%s", follows, got)
		}
		if !follows {
			continue
		}
		link, _, _ = strings.Cut(link, ")")
		plain, err := url.PathUnescape(link)
		e.must(err)
		var arguments []map[string]any
		e.must(json.Unmarshal([]byte(plain), &arguments))
		if p := e.preview(arguments[0]); !strings.Contains(p.Text, "replicas: 3") {
			t.Errorf("the link %s leads to\n%s", plain, p.Text)
		}
		e.quit()
	}
}

// TestHoverDescriptions leaves the fields of resource files to yaml-language-server
// where it is, unless the user wants otherwise.
func TestHoverDescriptions(t *testing.T) {
	for _, test := range []struct {
		yaml   bool
		schema string
		want   bool
	}{{false, "auto", true}, {true, "auto", false}, {true, "on", true}, {false, "off", false}} {
		e := open(t, setup{tree: mended(), initial: map[string]any{"yamlLanguageServer": test.yaml, "settings": map[string]any{"schema": test.schema}}})
		if got := e.hover("base/deploy.yaml", "replicas"); strings.Contains(got, "Number of desired pods") != test.want {
			t.Errorf("%+v: the hover is\n%s", test, got)
		}
		e.quit()
	}
}

// TestHoverPlain gives a client without Markdown text all the same, and without the marks.
func TestHoverPlain(t *testing.T) {
	e := open(t, setup{tree: mended(), capabilities: func(c *protocol.ClientCapabilities) { c.TextDocument.Hover = nil }})
	hover, err := e.server.Hover(e.context(), &protocol.HoverParams{TextDocumentPositionParams: e.at("base/deploy.yaml", "replicas")})
	e.must(err)
	c := hover.Contents.(*protocol.MarkupContent)
	if c.Kind != protocol.MarkupKindPlainText || !strings.Contains(c.Value, "- overlay: 3, from ../overlay/patch.yaml:1\n") || strings.ContainsAny(c.Value, "`*[]") {
		t.Errorf("the hover is %+v", c)
	}
	// What stands in a block of code is no Markdown.
	hover, err = e.server.Hover(e.context(), &protocol.HoverParams{TextDocumentPositionParams: e.at("overlay/kustomization.yaml", "path: ‸patch.yaml")})
	e.must(err)
	if c := hover.Contents.(*protocol.MarkupContent); !strings.Contains(c.Value, "\n- spec: {replicas: 1}\n") && !strings.Contains(c.Value, "\n-   replicas: 1\n") || strings.Contains(c.Value, "```") {
		t.Errorf("the hover of the patch is %+v", c)
	}
	e.quit()
}

package lsp_test

import (
	"encoding/json"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

type setAnswer struct {
	Choices []struct {
		Title, URI, Layer, Resource, Current string
	}
	Diff, Refused string
	Said          []string
	Edit          json.RawMessage
}

func (a setAnswer) titles() string {
	var titles []string
	for _, c := range a.Choices {
		titles = append(titles, c.Title+" "+c.Resource+" "+c.Current)
	}
	return strings.Join(titles, "\n")
}

// TestSetCommand asks where a value could be changed, and then for the change.
func TestSetCommand(t *testing.T) {
	e := open(t, setup{tree: mended()})
	e.open("overlay/kustomization.yaml")
	e.expect()

	line := strings.Index(e.preview(map[string]any{"uri": e.uri("overlay")}).Text, "replicas")
	at := strings.Count(e.preview(map[string]any{"uri": e.uri("overlay")}).Text[:line], "\n")
	var got setAnswer
	e.must(e.execute(&got, "kls.set", map[string]any{"uri": "kls:/tree/overlay/preview.yaml", "position": protocol.Position{Line: uint32(at)}}))
	const rendered = "Change in overlay Deployment.apps/web:spec.replicas 3\nChange in base Deployment.apps/web:spec.replicas 3"
	if got.titles() != rendered {
		t.Errorf("of the preview:\n%s\nwant\n%s", got.titles(), rendered)
	}
	got = setAnswer{}
	e.must(e.execute(&got, "kls.set", map[string]any{"uri": e.uri("overlay"), "resource": "Deployment/web:spec.replicas"}))
	if got.titles() != rendered {
		t.Errorf("of an address:\n%s\nwant\n%s", got.titles(), rendered)
	}
	got = setAnswer{}
	e.must(e.execute(&got, "kls.set", map[string]any{"uri": e.uri("base/deploy.yaml"), "position": protocol.Position{Line: 4, Character: 9}}))
	const written = "Change in base Deployment.apps/web:spec.replicas 1\nOverride in overlay Deployment.apps/web:spec.replicas 3"
	if got.titles() != written {
		t.Errorf("of the base's file:\n%s\nwant\n%s", got.titles(), written)
	}
	over := got.Choices[1]
	got = setAnswer{}
	e.must(e.execute(&got, "kls.set", map[string]any{"uri": over.URI, "layer": over.Layer, "resource": over.Resource, "value": "7"}))
	if !strings.Contains(got.Diff, "3") || !strings.Contains(got.Diff, "7") || len(got.Said) != 1 || !strings.HasPrefix(got.Said[0], "overlay/") || !strings.Contains(string(got.Edit), "7") {
		t.Errorf("setting 7 answers %+v", got)
	}
	got = setAnswer{}
	e.must(e.execute(&got, "kls.set", map[string]any{"uri": over.URI, "resource": "Deployment/web:metadata.name", "unset": true}))
	if !strings.Contains(got.Refused, "without it there is no resource") || got.Edit != nil {
		t.Errorf("taking the name away answers %+v", got)
	}
	got = setAnswer{}
	e.must(e.execute(&got, "kls.set", map[string]any{"uri": over.URI, "resource": "Deployment/web:spec.replicas", "value": "{"}))
	if !strings.Contains(got.Refused, "not YAML") {
		t.Errorf("what is not YAML answers %+v", got)
	}
	if err := e.execute(&got, "kls.set", map[string]any{"uri": over.URI, "value": "1"}); err == nil {
		t.Error("a value without an address is set")
	}
	e.quit()
}

// TestChangeActions are there for a client that can ask for a value.
func TestChangeActions(t *testing.T) {
	for _, asks := range []bool{true, false} {
		e := open(t, setup{tree: mended(), initial: map[string]any{"changes": asks}, capabilities: actionClient})
		e.open("base/deploy.yaml")
		e.expect()
		var titles []string
		for _, a := range e.actions("base/deploy.yaml", "1") {
			if a.Command.Command == "kls.change" {
				titles = append(titles, a.Title)
			}
		}
		if want := "Change in base…, Override in overlay…"; asks != (strings.Join(titles, ", ") == want) || !asks && len(titles) > 0 {
			t.Errorf("a client that asks %v is offered %q", asks, titles)
		}
		e.quit()
	}
}

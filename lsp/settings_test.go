package lsp_test

import (
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// two are two workspace folders with the same two mistakes: one of the class
// patches, one of the class style.
var two = map[string]string{
	"one/kustomization.yaml": "bases: []\nresources: [a.yaml]\npatches:\n- patch: '[{\"op\": \"add\", \"path\": \"/data\", \"value\": {\"a\": \"b\"}}]'\n  target: {name: b}\n",
	"one/a.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
	"two/kustomization.yaml": "bases: []\nresources: [a.yaml]\npatches:\n- patch: '[{\"op\": \"add\", \"path\": \"/data\", \"value\": {\"a\": \"b\"}}]'\n  target: {name: b}\n",
	"two/a.yaml":             "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
}

const (
	old    = "/kustomization.yaml:0:0 hint deprecated-field"
	target = "/kustomization.yaml:4:17 warning patch-no-target"
)

// TestSettingsOfTheStart has settings in initializationOptions, and a file that
// says otherwise of one rule.
func TestSettingsOfTheStart(t *testing.T) {
	tree := map[string]string{"two/.kls.yaml": "rules: {patch-no-target: error}\n"}
	for name, content := range two {
		tree[name] = content
	}
	e := open(t, setup{tree: tree, initial: map[string]any{"settings": map[string]any{
		"rules": map[string]any{"patch-no-target": "off"}, "classes": map[string]any{"style": false}, "exclude": 5}}})
	e.expect("two" + strings.Replace(target, "warning", "error", 1))
	if !e.wait(func() bool { return strings.Contains(e.log.String(), "exclude") }) {
		t.Errorf("the log says nothing of the list that is a number: %s", e.log.String())
	}
	e.quit()
}

// TestSettingsThatAreSent has a client that sends them with each change.
func TestSettingsThatAreSent(t *testing.T) {
	e := open(t, setup{tree: two})
	e.expect("one"+old, "one"+target, "two"+old, "two"+target)
	send := func(encoded string) {
		t.Helper()
		e.must(e.server.DidChangeConfiguration(e.context(), &protocol.DidChangeConfigurationParams{Settings: protocol.LSPAny(encoded)}))
	}
	send(`{"kls": {"classes": {"style": false, "stile": false}, "rules": {"patch-no-target": "hint", "no-such-rule": "off"}}}`)
	hint := strings.Replace(target, "warning", "hint", 1)
	e.expect("one"+hint, "two"+hint)
	send(`{"kls": null}`)
	e.expect("one"+old, "one"+target, "two"+old, "two"+target)
	send(`{"classes": {"patches": false}}`) // the section alone
	e.expect("one"+old, "two"+old)
	send(`null`)
	send(`[]`)
	if !e.wait(func() bool {
		log := e.log.String()
		return strings.Contains(log, `"stile"`) && strings.Contains(log, `"no-such-rule"`)
	}) {
		t.Errorf("the log does not tell of names that mean nothing: %s", e.log.String())
	}
	e.expect("one"+old, "two"+old)
	e.quit()
}

// TestSettingsThatAreAskedFor has a client that answers for each folder.
func TestSettingsThatAreAskedFor(t *testing.T) {
	e := open(t, setup{tree: two, folders: []string{root + "/one", root + "/two"},
		settings: map[string]string{"": `{"classes": {"style": false}}`, root + "/two": `{"classes": {"patches": false}}`, root + "/one": `{"classes": {"style": false}}`},
		capabilities: func(c *protocol.ClientCapabilities) {
			c.Workspace = &protocol.WorkspaceClientCapabilities{Configuration: new(true),
				DidChangeConfiguration: &protocol.DidChangeConfigurationClientCapabilities{DynamicRegistration: new(true)}}
		}})
	e.expect("one"+target, "two"+old)
	if !e.wait(func() bool {
		return slices.Contains(e.registered, protocol.MethodWorkspaceDidChangeConfiguration+` {"section":"kls"}`)
	}) {
		t.Errorf("registered: %v", e.registered)
	}
	e.mutex.Lock()
	e.settings = map[string]string{root + "/one": `{"rules": {"patch-no-target": "info"}}`}
	e.mutex.Unlock()
	e.must(e.server.DidChangeConfiguration(e.context(), &protocol.DidChangeConfigurationParams{Settings: protocol.LSPAny("null")}))
	e.expect("one"+old, "one"+strings.Replace(target, "warning", "info", 1), "two"+old, "two"+target)
	e.quit()
}

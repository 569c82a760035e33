package lsp

import (
	"encoding/json"

	"go.lsp.dev/protocol"
)

// initialOptions are what a client may say in the initializationOptions of
// initialize: what the protocol has no capability for, and settings from the start.
type initialOptions struct {
	// VirtualDocuments: the client shows documents of the scheme kls by sending
	// workspace/textDocumentContent, without having the capability for it.
	VirtualDocuments bool `json:"virtualDocuments"`
	// CommandLinks: hovers may have links to commands.
	CommandLinks bool `json:"commandLinks"`
	// Changes: the client has the command kls.change, which asks for the value of one of the choices of kls.set, and
	// makes the edit.
	Changes bool `json:"changes"`
	// Verdicts: the client takes the notification kls/verdicts.
	Verdicts bool `json:"verdicts"`
	// YAMLLanguageServer: yaml-language-server looks at the same files.
	YAMLLanguageServer bool `json:"yamlLanguageServer"`
	// Settings are those of the section kls.
	Settings json.RawMessage `json:"settings"`
}

// readInitialOptions takes over what it understands. A field of another type than
// it should have is as if it were not there.
func readInitialOptions(encoded protocol.LSPAny) initialOptions {
	var options initialOptions
	_ = json.Unmarshal(encoded, &options) // a mistake of one field leaves the others
	return options
}

package lsp

import (
	"slices"

	"github.com/kustomize-lsp/kls/engine/text"
	"go.lsp.dev/protocol"
)

// feature is one thing that editors can ask for. Each is told of in the file of its
// method.
type feature struct {
	// learn notes what the client can do with it; nil for nothing.
	learn func(*abilities, *protocol.ClientCapabilities)
	// offer tells the client that there is such a thing, by what is known of the
	// client; nil for what needs no telling.
	offer func(*abilities, *protocol.ServerCapabilities)
}

// features are all that there are, one a line and by name.
var features = []feature{
	actionFeature,
	callHierarchyFeature,
	commandFeature,
	completionFeature,
	declarationFeature,
	definitionFeature,
	encodingFeature,
	foldersFeature,
	foldingFeature,
	formattingFeature,
	highlightFeature,
	hintFeature,
	hoverFeature,
	implementationFeature,
	lensFeature,
	linkFeature,
	linkedEditingFeature,
	outlineFeature,
	progressFeature,
	publishFeature,
	pullFeature,
	referencesFeature,
	renameFeature,
	selectionFeature,
	settingsFeature,
	syncFeature,
	tokenFeature,
	virtualFeature,
	watchFeature,
	willRenameFeature,
	workspaceSymbolFeature,
}

// abilities are what the client can do.
type abilities struct {
	actionAbilities
	completionAbilities
	definitionAbilities
	editAbilities
	encodingAbilities
	foldingAbilities
	hintAbilities
	hoverAbilities
	implementationAbilities
	lensAbilities
	linkAbilities
	outlineAbilities
	publishAbilities
	progressAbilities
	renameAbilities
	pullAbilities
	virtualAbilities
	settingsAbilities
	watchAbilities
	// initial are the options that the client sent with initialize.
	initial initialOptions
}

// abilitiesOf asks every feature. No part of what the client sends needs to be
// there: features find the structs of protocol filled with zeros.
func abilitiesOf(params *protocol.InitializeParams) abilities {
	a := abilities{initial: readInitialOptions(params.InitializationOptions)}
	c := params.Capabilities
	if c.General == nil {
		c.General = &protocol.GeneralClientCapabilities{}
	}
	if c.Window == nil {
		c.Window = &protocol.WindowClientCapabilities{}
	}
	if c.Workspace == nil {
		c.Workspace = &protocol.WorkspaceClientCapabilities{}
	}
	if c.TextDocument == nil {
		c.TextDocument = &protocol.TextDocumentClientCapabilities{}
	}
	for _, f := range features {
		if f.learn != nil {
			f.learn(&a, &c)
		}
	}
	return a
}

// capabilities are what the server can do for such a client.
func (a *abilities) capabilities() protocol.ServerCapabilities {
	c := protocol.ServerCapabilities{Workspace: &protocol.WorkspaceOptions{}}
	for _, f := range features {
		if f.offer != nil {
			f.offer(a, &c)
		}
	}
	return c
}

type encodingAbilities struct {
	encoding text.Encoding // of positions
}

var encodingFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		a.encoding = chooseEncoding(c.General.PositionEncodings)
	},
	offer: func(a *abilities, c *protocol.ServerCapabilities) {
		c.PositionEncoding = encodingName(a.encoding)
	},
}

func isTrue(b *bool) bool { return b != nil && *b }

func yes() *bool { return new(true) }

// can tells whether the list of what a client knows has it.
func can[T comparable](known []T, one T) bool { return slices.Contains(known, one) }

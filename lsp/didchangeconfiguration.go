package lsp

import (
	"context"
	"encoding/json"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// section is that of the settings.
const section = "kls"

// DidChangeConfiguration asks for the settings again, or, where the client cannot
// be asked, takes those that it sent.
func (s *server) DidChangeConfiguration(_ context.Context, params *protocol.DidChangeConfigurationParams) error {
	s.mutex.Lock()
	pulls := s.pullsSettings
	s.mutex.Unlock()
	if pulls {
		s.background(func(ctx context.Context) { s.pullSettings(ctx) })
		return nil
	}
	var sections map[string]json.RawMessage
	if err := json.Unmarshal(params.Settings, &sections); err != nil || sections == nil {
		return nil // nothing is said
	}
	own, ok := sections[section]
	if !ok {
		own = json.RawMessage(params.Settings) // some clients send the section alone
	}
	read, err := readSettings(own)
	if err != nil {
		s.warn("settings: %v", err)
	}
	list := []scoped{{settings: read}}
	s.checkSettings(list)
	s.configure(list)
	return nil
}

// pullSettings asks the client for the settings of each workspace folder.
func (s *server) pullSettings(ctx context.Context) {
	s.mutex.Lock()
	folders := s.folders
	s.mutex.Unlock()
	params := &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: new(section)}}}
	for _, f := range folders {
		params.Items = append(params.Items, protocol.ConfigurationItem{ScopeURI: new(uri.URI(f.uri)), Section: new(section)})
	}
	answers, err := s.client.Configuration(ctx, params)
	if err != nil {
		s.warn("asking for the settings: %v", err)
		return
	}
	var list []scoped
	for i, answer := range answers {
		if i > len(folders) {
			break
		}
		read, err := readSettings(answer)
		if err != nil {
			s.warn("settings: %v", err)
		}
		one := scoped{settings: read}
		if i > 0 {
			one.dir = folders[i-1].real
		}
		list = append(list, one)
	}
	s.checkSettings(list[:min(1, len(list))])
	s.configure(list)
}

package lsp

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"go.lsp.dev/protocol"
)

// settings are what the user set in the section kls. What is not set is zero. No
// setting lets anything be fetched or run. One with trust:"lifts" lifts a restriction:
// editors with workspaces that are not trusted must not take it from these.
type settings struct {
	// Rules are levels by the names of rules: off or a severity.
	Rules map[string]string `json:"rules"`
	// Classes are switched off by false.
	Classes           map[string]bool `json:"classes"`
	KustomizeVersion  string          `json:"kustomizeVersion"`
	KubernetesVersion string          `json:"kubernetesVersion"`
	LoadRestrictor    string          `json:"loadRestrictor" trust:"lifts"`
	// Exclude are patterns relative to the workspace folder.
	Exclude []string `json:"exclude"`
	// Schema says whether resource files are held against schemas: on, off or auto.
	Schema     string `json:"schema"`
	InlayHints *bool  `json:"inlayHints"`
	CodeLens   *bool  `json:"codeLens"`
	// Debounce is in milliseconds.
	Debounce *int `json:"debounce"`
	// MaxMemory is in MiB.
	MaxMemory int `json:"maxMemory" trust:"lifts"`
	// Trace is off, messages or verbose.
	Trace string `json:"trace"`
}

// Values of settings.Schema; anything else is schemaAuto.
const (
	schemaOn  = "on"
	schemaOff = "off"
	// schemaAuto leaves resource files to yaml-language-server where that is seen.
	schemaAuto = "auto"
)

// readSettings takes over what it understands; the error tells of the rest.
func readSettings(encoded []byte) (settings, error) {
	var read settings
	if len(encoded) == 0 {
		return read, nil
	}
	err := json.Unmarshal(encoded, &read) // a mistake of one field leaves the others
	return read, err
}

// hasInlayHints and hasCodeLens are true unless the user says otherwise.
func (s settings) hasInlayHints() bool { return s.InlayHints == nil || *s.InlayHints }

func (s settings) hasCodeLens() bool { return s.CodeLens == nil || *s.CodeLens }

// debounce returns how long the user wants a check to wait; ok is false where that
// is left to the server.
func (s settings) debounce() (wait time.Duration, ok bool) {
	if s.Debounce == nil || *s.Debounce < 0 {
		return 0, false
	}
	return time.Duration(min(*s.Debounce, 10_000)) * time.Millisecond, true
}

// scoped are the settings of the files below a folder; of all files where it is empty.
type scoped struct {
	dir string
	settings
}

// settingsFor returns those among the settings that count for a path.
func settingsFor(list []scoped, path string) settings {
	var best scoped
	for _, one := range list {
		if one.dir == "" && best.dir == "" || one.dir != "" && vfs.Below(one.dir, path) && len(one.dir) > len(best.dir) {
			best = one
		}
	}
	return best.settings
}

// configure takes over settings, and checks everything again where they are others
// than before.
func (s *server) configure(list []scoped) {
	s.mutex.Lock()
	if reflect.DeepEqual(list, s.settings) {
		s.mutex.Unlock()
		return
	}
	s.settings = list
	s.setTrace(settingsFor(s.settings, "").Trace)
	s.view = s.view.Configured(s.defaults(), s.maxMemory())
	s.mutex.Unlock()
	s.publisher.wake()
}

// maxMemory is in bytes, 0 for what the server takes by itself. The caller holds the
// mutex.
func (s *server) maxMemory() int {
	return max(0, min(settingsFor(s.settings, "").MaxMemory, 1<<20)) << 20
}

// defaults are the settings in terms of the checks. The caller holds the mutex.
func (s *server) defaults() []config.Defaults {
	var list []config.Defaults
	for _, one := range s.settings {
		d := config.Defaults{Dir: one.dir, Kustomize: one.KustomizeVersion, Kubernetes: one.KubernetesVersion,
			LoadRestrictor: one.LoadRestrictor, Exclude: one.Exclude, Rules: map[string]config.Level{}}
		for name, level := range one.Rules {
			if _, ok := analysis.ParseSeverity(level); ok || level == string(config.Off) {
				d.Rules[name] = config.Level(level)
			}
		}
		for _, class := range slices.Sorted(maps.Keys(one.Classes)) {
			if !one.Classes[class] {
				d.ClassesOff = append(d.ClassesOff, class)
			}
		}
		switch one.Schema {
		case schemaOn:
		case schemaOff:
			d.ClassesOff = append(d.ClassesOff, string(analysis.Schema))
		default:
			d.Schemas = config.UnlessMarked
			if s.initial.YAMLLanguageServer {
				d.Schemas = config.Elsewhere
			}
		}
		list = append(list, d)
	}
	return list
}

// checkSettings tells the user of settings that mean nothing.
func (s *server) checkSettings(list []scoped) {
	for _, one := range list {
		for name, level := range one.Rules {
			if _, ok := analysis.ParseSeverity(level); !ok && level != string(config.Off) {
				s.warn("settings: kls.rules: %s is off, hint, info, warning or error, and not %q", name, level)
			}
			if !slices.ContainsFunc(s.options.Check.Rules, func(r *analysis.Rule) bool { return r.Name == name }) {
				s.warn("settings: kls.rules: no rule is called %q", name)
			}
		}
		for class := range one.Classes {
			if !slices.Contains(analysis.Classes(), analysis.Class(class)) {
				s.warn("settings: kls.classes: no class of rules is called %q", class)
			}
		}
		if !slices.Contains([]string{"", schemaOn, schemaOff, schemaAuto}, one.Schema) {
			s.warn("settings: kls.schema is auto, on or off, and not %q", one.Schema)
		}
	}
}

type settingsAbilities struct {
	// pullsSettings: the client answers workspace/configuration. registersSettings:
	// it tells of changes once it is asked to.
	pullsSettings, registersSettings bool
}

var settingsFeature = feature{
	learn: func(a *abilities, c *protocol.ClientCapabilities) {
		a.pullsSettings = isTrue(c.Workspace.Configuration)
		if d := c.Workspace.DidChangeConfiguration; d != nil {
			a.registersSettings = isTrue(d.DynamicRegistration)
		}
	},
}

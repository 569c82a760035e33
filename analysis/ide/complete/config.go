package complete

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
)

// configSchema is the part of the JSON Schema of .kls.yaml that suggestions need.
type configSchema struct {
	Type        json.RawMessage
	Description string
	Default     string
	Properties  map[string]*configSchema
	Items       *configSchema
	Enum        []string
	Examples    []string
	Required    []string
}

// completeConfig completes in .kls.yaml.
func (c *completer) completeConfig() {
	var rules []config.RuleInfo
	for _, r := range c.view.Options().Rules {
		rules = append(rules, config.RuleInfo{Name: r.Name, Title: r.Title, Severity: r.Severity.String()})
	}
	encoded, err := config.Schema(rules)
	if err != nil {
		c.err = err
		return
	}
	at := &configSchema{}
	if c.err = json.Unmarshal(encoded, at); c.err != nil {
		return
	}
	steps := c.before()
	if !c.slot.OnKey {
		steps = c.slot.Steps
	}
	for _, step := range steps {
		if at = at.enter(step); at == nil {
			return
		}
	}
	switch {
	case c.slot.OnKey && at.Items != nil && (c.alone() || c.slot.Dashed):
		c.configKeys(at.Items, true)
	case c.slot.OnKey && at.Properties != nil:
		c.configKeys(at, false)
	default:
		c.configValues(at)
	}
}

func (s *configSchema) enter(step syntax.Step) *configSchema {
	if step.Key == nil {
		return s.Items
	}
	return s.Properties[step.Key.Value]
}

func (s *configSchema) is(name string) bool { return string(s.Type) == `"`+name+`"` }

func (c *completer) configKeys(at *configSchema, item bool) {
	for name, field := range at.Properties {
		if c.has(name) && !item {
			continue
		}
		ch := choice{label: name, kind: SuggestField, key: true, item: item, documentation: field.Description, rank: 1}
		if slices.Contains(at.Required, name) {
			ch.rank = 0
		}
		switch {
		case field.Properties != nil:
			ch.shape = objectShape
		case field.Items != nil:
			ch.shape = listShape
		case len(field.Enum) > 0:
			ch.body = choiceOf(field.Enum)
		}
		c.add(ch)
	}
}

func (c *completer) configValues(at *configSchema) {
	for rank, value := range at.Enum {
		ch := choice{label: value, value: value, kind: SuggestChoice, rank: rank, plain: value == "off"}
		if value == at.Default {
			ch.detail = "default"
		}
		c.add(ch)
	}
	for rank, value := range at.Examples {
		c.add(choice{label: value, value: value, kind: SuggestChoice, rank: len(at.Examples) - rank})
	}
	if at.is("boolean") {
		c.booleans()
	}
}

// suppressionTyped is a comment up to the position in it.
var suppressionTyped = text.Regexp(`(?:^|[\t ])#[\t ]*(?:kls:ignore(?:-file)?[\t ]+((?:[a-z0-9-]*,)*)([a-z0-9-]*)|(k|kl|kls|kls:[a-z-]*))$`)

// suppression completes in a comment; it tells whether the position is in one that
// suppresses something.
func (c *completer) suppression() bool {
	start := bytes.LastIndexByte(c.content[:c.offset], '\n') + 1
	line := string(c.content[start:c.offset])
	match := suppressionTyped().FindStringSubmatchIndex(line)
	if match == nil {
		return false
	}
	group, names := 3, ""
	if match[4] >= 0 {
		group, names = 2, line[match[2]:match[3]]
	}
	c.slot = syntax.Slot{Word: text.Span{Start: start + match[2*group], End: c.offset}, Typed: line[match[2*group]:], Flow: true}
	for c.slot.Word.End < len(c.content) && isRuleCharacter(c.content[c.slot.Word.End]) {
		c.slot.Word.End++
	}
	if group == 3 {
		c.add(choice{label: "kls:ignore", value: "kls:ignore ", plain: true, kind: SuggestRule, detail: "rules in this line, or in the next line or entry"})
		c.add(choice{label: "kls:ignore-file", value: "kls:ignore-file ", plain: true, kind: SuggestRule, detail: "rules in this file", rank: 1})
		return true
	}
	for _, r := range c.view.Options().Rules {
		if !slices.Contains(strings.Split(names, ","), r.Name) {
			c.add(choice{label: r.Name, value: r.Name, plain: true, kind: SuggestRule, detail: r.Title, documentation: r.Why})
		}
	}
	return true
}

func isRuleCharacter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' || c == ':'
}

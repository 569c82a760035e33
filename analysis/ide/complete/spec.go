package complete

import (
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/transform"
	yaml "go.yaml.in/yaml/v3"
)

// specPath suggests the next part of the path of a field spec: the keys that resources
// of its kind have there. Lists on the way are gone through, as kustomize does.
func (c *completer) specPath() {
	typed := c.slot.Typed
	parts := cursor.SpecParts(typed)
	start := parts[len(parts)-1].Start
	var way []string
	for _, part := range parts[:len(parts)-1] {
		way = append(way, cursor.SpecKey(typed[part.Start:part.End]))
	}
	behind := string(c.content[min(c.offset, c.slot.Word.End):c.slot.Word.End])
	rest := len(strings.TrimRight(behind, `"'`))
	if i := strings.IndexByte(behind, '/'); i >= 0 {
		rest = i
	}
	s := cursor.SelectorOf(c.owner(), "")
	s.Name, s.Namespace = kustomization.Text{}, kustomization.Text{}
	c.loaded(transform.BeforeTransformers, func(loaded *builder.Loaded) {
		for _, r := range loaded.Sources(s) {
			for _, n := range cursor.UnderSpec([]*yaml.Node{r.Node}, way) {
				for i := 0; i+1 < len(n.Content); i += 2 {
					key := strings.ReplaceAll(n.Content[i].Value, "/", `\/`)
					c.add(choice{label: key, value: typed[:start] + key, part: true, rest: rest, kind: SuggestKey, detail: summary(n.Content[i+1])})
				}
			}
		}
	})
}

package build

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// addValues is kustomize's ValueAddTransformer: it writes one value into a field
// of many resources, or inserts it into a path that stands there.
func (b *builder) addValues(l *Layer, acc *accumulator, config *resource.Resource, p *kustomization.Plugin) {
	value := placedText(p.Value, config)
	if value.Value = strings.TrimSpace(value.Value); value.Value == "" {
		value.Value = filepath.Base(l.Dir)
	}
	targets, ok := b.valueTargets(l, config, p)
	for i := range targets {
		ok = b.checkValueTarget(l, config, &targets[i]) && ok
	}
	if !ok {
		return
	}
	for _, t := range targets {
		resources := acc.set.List()
		if t.Selector != nil {
			m, problems := newMatcher(t.Selector)
			for _, p := range problems {
				b.report(l, p)
			}
			resources = acc.selected(m)
			if b.reportMalformed(l, m) || len(problems) > 0 {
				continue
			}
		}
		for _, r := range resources {
			b.addValue(l, acc, r, t, value)
		}
	}
	acc.set.Invalidate()
}

func (b *builder) valueTargets(l *Layer, config *resource.Resource, p *kustomization.Plugin) ([]kustomization.ValueTarget, bool) {
	targets := p.Targets
	if path := p.TargetFilePath; path.Value != "" {
		root, id, ok := b.loadConfig(l, path)
		if !ok {
			return nil, false
		}
		more, problems := kustomization.ReadValueTargets(root)
		for _, problem := range problems {
			b.report(l, fromKustomization(problem, id))
		}
		targets = append(targets, more...)
	}
	if len(targets) == 0 {
		b.report(l, Problem{Code: PluginForm, Fatal: true, Node: nameNode(config), Message: "the transformer has no targets"})
		return nil, false
	}
	return targets, true
}

func (b *builder) checkValueTarget(l *Layer, config *resource.Resource, t *kustomization.ValueTarget) bool {
	p := Problem{Code: PluginForm, Fatal: true, Node: t.Node}
	switch {
	case t.FieldPath.Value == "":
		p.Message = "the target has no fieldPath"
	case t.FilePathPosition < 0:
		p.Message = "filePathPosition cannot be negative"
	default:
		return true
	}
	b.report(l, p)
	return false
}

func (b *builder) addValue(l *Layer, acc *accumulator, r *resource.Resource, t kustomization.ValueTarget, value kustomization.Text) {
	after := b.record(Step{l, "ValueAddTransformer", value.Node}, r)
	defer after()
	defer r.Changed()
	if t.FieldPath.Value == "metadata/namespace" {
		b.setNamespaceOf(l, r, namespaceChange{value: value}, newSpecs(nil))
		return
	}
	spec := compileOne(kustomization.FieldSpec{Path: t.FieldPath.Value, Create: true})
	err := spec.applyTo(r, creation{kind: yaml.ScalarNode}, func(n *yaml.Node) *walkError {
		text := value.Value
		if t.FilePathPosition > 0 {
			text = insertPart(n.Value, int(t.FilePathPosition)-1, text)
		}
		return setScalar(n, text, "", value.Node)
	})
	if err != nil {
		b.reportWalk(l, value.Node, r, spec, err)
	}
}

// insertPart inserts a name into a file path before the part of that 0-based
// number, behind the last where there are fewer (filesys.InsertPathPart). An
// absolute path stays absolute.
func insertPart(path string, at int, name string) string {
	if path == "" {
		return name
	}
	root := ""
	if strings.HasPrefix(path, "/") {
		root, path = "/", strings.TrimPrefix(path, "/")
	}
	var parts []string
	if path != "" {
		parts = strings.Split(filepath.Clean(path), "/")
	}
	at = min(max(at, 0), len(parts))
	return root + strings.Join(slices.Insert(parts, at, name), "/")
}

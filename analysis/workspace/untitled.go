package workspace

import (
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// NameForText returns the name of a file that a text in no file is treated as: of a
// kustomization, where that is what it says it is, or what its fields say, else of any
// other.
func NameForText(content []byte) string {
	const other = "untitled.yaml"
	table := syntax.NewTable()
	for _, d := range syntax.Parse(table, table.Add("", content)).Documents {
		if d.Root == nil || d.Root.Kind != yaml.MappingNode {
			continue
		}
		version, kind := syntax.FieldText(d.Root, "apiVersion"), syntax.FieldText(d.Root, "kind")
		says := strings.HasPrefix(version, "kustomize.config.k8s.io/") || version == "" && (kind == "Kustomization" || kind == "Component")
		if says || version == "" && kind == "" && hasKustomizationFields(d.Root) {
			return kustomization.FileNames()[0]
		}
		return other
	}
	return other
}

// hasKustomizationFields tells whether most of the fields are those of a kustomization, and
// one of them is hardly ever in anything else: the values of a chart may have resources,
// an OpenAPI description has components.
func hasKustomizationFields(root *yaml.Node) bool {
	known, distinct := 0, false
	for i := 0; i+1 < len(root.Content); i += 2 {
		name, value := root.Content[i].Value, root.Content[i+1]
		if field, _ := kustomization.Fields().Field(name); field != nil {
			known++
		}
		switch name {
		case "resources", "patches", "replacements":
			distinct = distinct || value.Kind == yaml.SequenceNode
		case "namePrefix", "nameSuffix", "configMapGenerator", "secretGenerator", "patchesStrategicMerge", "patchesJson6902", "commonLabels", "helmCharts":
			distinct = true
		}
	}
	return distinct && 4*known >= len(root.Content)
}

// Alone returns what is wrong with a kustomization by itself, whatever stands beside it;
// nothing for any other file.
func (v *View) Alone(file string) []analysis.Diagnostic {
	f, err := v.files.ReadFile(file)
	if err != nil || !IsKustomization(file) {
		return nil
	}
	report := &analysis.Report{Diagnostics: analysis.OwnMistakes(v.session, f, filepath.Dir(file), v.options)}
	return analysis.Review{Files: v.files, Rules: v.options.Rules, Config: v.options.Config}.Apply(report).Diagnostics
}

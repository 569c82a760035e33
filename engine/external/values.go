package external

import (
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
	"sigs.k8s.io/kustomize/kyaml/yaml/merge2"
	sigsyaml "sigs.k8s.io/yaml"
)

// Values of valuesMerge.
const (
	mergeDeep     = "merge"
	mergeOverride = "override"
	mergeReplace  = "replace"
)

// writeValues writes the values that helm is to use and returns the file's path.
func (c *chart) writeValues() (path string, err error) {
	values, err := c.values()
	if err != nil {
		return "", err
	}
	path = filepath.Join(c.temporary, c.Name+"-kustomize-values.yaml")
	return path, os.WriteFile(path, values, 0o644)
}

// values is the values file, with the inline values in it or in its place.
func (c *chart) values() ([]byte, error) {
	if len(c.ValuesInline) == 0 {
		return c.load(c.ValuesFile)
	}
	values := c.ValuesInline
	if c.ValuesMerge != mergeReplace {
		file, err := c.load(c.ValuesFile)
		if err != nil {
			return nil, err
		}
		if values, err = mergeValues(file, values, c.ValuesMerge); err != nil {
			return nil, fmt.Errorf("merging the values file %s with valuesInline: %w", c.ValuesFile, err)
		}
	}
	return sigsyaml.Marshal(values)
}

// mergeValues merges with kyaml's strategic merge, in which the source wins: for
// merge that is the file, otherwise the inline values.
func mergeValues(file []byte, inline map[string]any, mode string) (map[string]any, error) {
	inFile, err := kyaml.Parse(string(file))
	if err != nil {
		return nil, err
	}
	inlined, err := kyaml.FromMap(inline)
	if err != nil {
		return nil, err
	}
	source, into := inlined, inFile
	if mode == mergeDeep {
		source, into = inFile, inlined
	}
	merged, err := merge2.Merge(source, into, kyaml.MergeOptions{})
	if err != nil {
		return nil, err
	}
	return merged.Map()
}

// inlineValues reads valuesInline as kustomize does, by way of JSON.
func inlineValues(n *yaml.Node) (map[string]any, error) {
	if n == nil {
		return nil, nil
	}
	text, err := yaml.Marshal(n)
	if err != nil {
		return nil, err
	}
	var values map[string]any
	if err := sigsyaml.Unmarshal(text, &values); err != nil {
		return nil, fmt.Errorf("valuesInline: %w", err)
	}
	return values, nil
}

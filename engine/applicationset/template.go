package applicationset

import (
	"errors"
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yamlv2 "go.yaml.in/yaml/v2"
)

// maxOutput is how many bytes one text may have once its parameters are in.
const maxOutput = 1 << 20

// ErrUnrepeatable says that a template asks for the time or for something random.
var ErrUnrepeatable = errors.New("the template asks for the time or for something random, so its result is not known")

var errTooMuch = errors.New("the template makes more than kls is willing to hold")

// renderer replaces parameters in the texts of one ApplicationSet, as Render.Replace of Argo CD's applicationset/utils
// does.
type renderer struct {
	goTemplate bool
	options    []string // goTemplateOptions

	goTemplates
}

var templated = text.Regexp(`.*{{.*}}.*`)

func (r *renderer) replace(source string, values Values) (string, error) {
	if r.goTemplate {
		if !strings.Contains(source, "{{") {
			return source, nil
		}
		return r.execute(source, values)
	}
	if !templated().MatchString(source) {
		return source, nil
	}
	var out strings.Builder
	for rest := source; ; {
		before, after, found := strings.Cut(rest, "{{")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		tag, after, closed := strings.Cut(after, "}}")
		if !closed {
			return "", fmt.Errorf("%q has no }} for its last {{", source)
		}
		if value, ok := values[strings.TrimSpace(tag)].(string); ok && strings.TrimSpace(tag) != "" {
			out.WriteString(value)
		} else {
			out.WriteString("{{" + tag + "}}")
		}
		if out.Len() > maxOutput {
			return "", errTooMuch
		}
		rest = after
	}
}

var notInName = text.Regexp(`[^-a-z0-9.]`)

// normalize makes a text part of a name (SanitizeName of Argo CD's applicationset/utils).
func normalize(name string) string {
	const longest = 253
	name = notInName().ReplaceAllString(strings.ToLower(name), "-")
	return strings.Trim(name[:min(len(name), longest)], "-.")
}

// fromText reads YAML or JSON as sigs.k8s.io/yaml does: YAML 1.1 into JSON, in which every number is a double.
func fromText(source []byte) (any, error) {
	var content any
	if err := yamlv2.Unmarshal(source, &content); err != nil {
		return nil, err
	}
	return jsonValue(content)
}

func jsonValue(content any) (any, error) {
	switch v := content.(type) {
	case map[any]any:
		object := make(map[string]any, len(v))
		for key, value := range v {
			converted, err := jsonValue(value)
			if err != nil {
				return nil, err
			}
			object[fmt.Sprint(key)] = converted
		}
		return object, nil
	case []any:
		list := make([]any, len(v))
		for i, value := range v {
			converted, err := jsonValue(value)
			if err != nil {
				return nil, err
			}
			list[i] = converted
		}
		return list, nil
	case int:
		return float64(v), nil
	case int64:
		return float64(v), nil
	case uint64:
		return float64(v), nil
	case nil, bool, string, float64:
		return v, nil
	}
	return nil, fmt.Errorf("a value of type %T has no form in JSON", content)
}

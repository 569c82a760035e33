package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	yaml2 "go.yaml.in/yaml/v2"
	yaml "go.yaml.in/yaml/v3"
)

// Operation is one step of a JSON 6902 patch. What is wrong with a single
// operation shows only when it is applied, as in kustomize.
type Operation struct {
	// Kind is the value of `op`, or "unknown" where there is no such string.
	Kind string
	// Path and From are JSON pointers; HasPath and HasFrom are false where
	// they are missing or no strings.
	Path, From       string
	HasPath, HasFrom bool
	// HasValue is true also for a value that is null.
	HasValue bool

	// Node is the operation as written, and the others are the values of its
	// fields; nil where the operation has none, or where the text has no tree.
	Node, KindNode, PathNode, FromNode, ValueNode *yaml.Node

	value *yaml.Node
	raws  map[*yaml.Node]string
}

// ParseProblem says why a text is no JSON 6902 patch.
type ParseProblem struct {
	// Offset is the byte in the text at which the JSON parser stopped; -1
	// where it is not known.
	Offset int
	Detail string
}

// ParseJSON6902 reads a patch: a list of operations. A text that begins with
// `[` must be JSON; every other text is YAML 1.1, of which the first document
// counts (kustomize's jsonPatchFromBytes). The tree that yaml.v3 made of the
// same text gives the places; it may be a document node, or nil, and is not whole where
// yaml.v3 could not read all of the text. An empty list is a patch without operations.
func ParseJSON6902(text string, tree *yaml.Node, whole bool) ([]Operation, *ParseProblem) {
	if text == "" {
		return nil, &ParseProblem{Offset: -1, Detail: "the patch is empty"}
	}
	if whole {
		if list := simpleOperations(text, contentOf(tree)); list != nil {
			return readOperations(jsonTree{node: list}, tree), nil
		}
	}
	asJSON := []byte(text)
	if text[0] != '[' {
		var err error
		if asJSON, err = yaml11ToJSON(asJSON); err != nil {
			return nil, &ParseProblem{Offset: -1, Detail: err.Error()}
		}
	}
	if err := checkOperations(asJSON); err != nil {
		return nil, newParseProblem(err, text[0] == '[')
	}
	return readOperations(newJSONReader(asJSON, true).read(contentOf(tree)), tree), nil
}

// readOperations takes the operations out of the list's JSON form.
func readOperations(list jsonTree, tree *yaml.Node) []Operation {
	operations := make([]Operation, len(list.node.Content))
	for i, n := range list.node.Content {
		operations[i] = newOperation(n, list.raws)
		operations[i].locate(element(contentOf(tree), i))
	}
	return operations
}

// checkOperations decodes the text into what kustomize decodes it into.
func checkOperations(text []byte) error {
	var operations []map[string]*json.RawMessage
	return json.Unmarshal(text, &operations)
}

func newParseProblem(err error, isText bool) *ParseProblem {
	problem := &ParseProblem{Offset: -1, Detail: err.Error()}
	var syntax *json.SyntaxError
	var wrongType *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrongType):
		problem.Detail = "a JSON 6902 patch is a list of operations, not of " + wrongType.Value + "s"
		if wrongType.Field == "" && wrongType.Type.Kind().String() == "slice" {
			problem.Detail = "a JSON 6902 patch is a list of operations, not one " + wrongType.Value
		}
		problem.Offset = int(wrongType.Offset)
	case errors.As(err, &syntax):
		problem.Offset = int(syntax.Offset)
	}
	if !isText {
		problem.Offset = -1
	}
	return problem
}

// newOperation takes the operation out of its JSON form.
func newOperation(n *yaml.Node, raws map[*yaml.Node]string) Operation {
	operation := Operation{Kind: "unknown", raws: raws}
	if n.Kind != yaml.MappingNode {
		return operation // it is null
	}
	for i := 0; i < len(n.Content); i += 2 {
		value := n.Content[i+1]
		isText := value.Kind == yaml.ScalarNode && value.Tag == stringTag
		switch n.Content[i].Value {
		case "op":
			if isText {
				operation.Kind = value.Value
			}
		case "path":
			operation.Path, operation.HasPath = value.Value, isText
		case "from":
			operation.From, operation.HasFrom = value.Value, isText
		case "value":
			operation.value, operation.HasValue = value, true
		}
	}
	return operation
}

// locate notes where the operation and its fields were written.
func (o *Operation) locate(n *yaml.Node) {
	o.Node = n
	if n == nil {
		return
	}
	o.KindNode = lastField(n, "op")
	o.PathNode = lastField(n, "path")
	o.FromNode = lastField(n, "from")
	o.ValueNode = lastField(n, "value")
}

// contentOf returns what a document node or an alias stands for.
func contentOf(n *yaml.Node) *yaml.Node {
	switch {
	case n == nil:
		return nil
	case n.Kind == yaml.DocumentNode && len(n.Content) > 0:
		return contentOf(n.Content[0])
	case n.Kind == yaml.AliasNode:
		return n.Alias
	}
	return n
}

// element returns an element of a list, or nil.
func element(list *yaml.Node, i int) *yaml.Node {
	if list == nil || list.Kind != yaml.SequenceNode || i >= len(list.Content) {
		return nil
	}
	return contentOf(list.Content[i])
}

// lastField returns the value of the last of several equal keys, which is the
// one that counts in JSON.
func lastField(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := len(n.Content) - 2; i >= 0; i -= 2 {
		if n.Content[i].Value == name {
			return contentOf(n.Content[i+1])
		}
	}
	return nil
}

// yaml11ToJSON does what sigs.k8s.io/yaml's YAMLToJSON does: `on` is true, and
// keys become strings.
func yaml11ToJSON(text []byte) ([]byte, error) {
	var value any
	if err := yaml2.Unmarshal(text, &value); err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	value, err := withStringKeys(value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(value)
}

func withStringKeys(value any) (any, error) {
	switch value := value.(type) {
	case map[any]any:
		converted := make(map[string]any, len(value))
		for key, member := range value {
			name, err := stringKey(key)
			if err != nil {
				return nil, err
			}
			if converted[name], err = withStringKeys(member); err != nil {
				return nil, err
			}
		}
		return converted, nil
	case []any:
		for i := range value {
			var err error
			if value[i], err = withStringKeys(value[i]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

func stringKey(key any) (string, error) {
	switch key := key.(type) {
	case string:
		return key, nil
	case int:
		return strconv.Itoa(key), nil
	case int64:
		return strconv.FormatInt(key, 10), nil
	case bool:
		return strconv.FormatBool(key), nil
	case float64:
		switch text := strconv.FormatFloat(key, 'g', -1, 32); text {
		case "+Inf":
			return ".inf", nil
		case "-Inf":
			return "-.inf", nil
		case "NaN":
			return ".nan", nil
		default:
			return text, nil
		}
	}
	return "", fmt.Errorf("a key of a mapping is %v, which is not text", key)
}

package schema

import (
	"github.com/santhosh-tekuri/jsonschema/v5"
)

// referenceKeyword stands in place of `$ref` in the definitions of Kubernetes,
// and names another. What it leads to is compiled when a value is first held
// against it: a Deployment can reach over a hundred definitions, and few
// Deployments have the fields that lead to more than twenty.
const referenceKeyword = "reference"

// references compiles the keyword.
type references struct {
	compile func(definition string) (*jsonschema.Schema, error)
}

func (r references) Compile(_ jsonschema.CompilerContext, schema map[string]any) (jsonschema.ExtSchema, error) {
	if definition, ok := schema[referenceKeyword].(string); ok {
		return &reference{definition, r.compile}, nil
	}
	return nil, nil
}

// reference is the keyword of one schema.
type reference struct {
	definition string
	compile    func(definition string) (*jsonschema.Schema, error)
}

// Validate holds a value against what is referred to. A definition that does not
// compile allows everything; a test makes sure that there is none.
func (r *reference) Validate(context jsonschema.ValidationContext, value any) error {
	if target := r.target(); target != nil {
		return context.Validate(target, referenceKeyword, value, "")
	}
	return nil
}

func (r *reference) target() *jsonschema.Schema {
	schema, err := r.compile(r.definition)
	if err != nil {
		return nil
	}
	return schema
}

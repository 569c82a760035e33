package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

const (
	meta       = "io.k8s.apimachinery.pkg.apis.meta.v1."
	apiserver  = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1."
	quantity   = "io.k8s.apimachinery.pkg.api.resource.Quantity"
	intOrStr   = "io.k8s.apimachinery.pkg.util.intstr.IntOrString"
	rawObject  = "io.k8s.apimachinery.pkg.runtime.RawExtension"
	refPrefix  = "#/definitions/"
	gvkKeyword = "x-kubernetes-group-version-kind"
)

// special are the definitions whose OpenAPI says less than Kubernetes' decoders know.
var special = map[string]node{
	quantity:           {"type": []string{"string", "number"}, "format": "quantity"},
	intOrStr:           {"type": []string{"integer", "string"}, "format": "int-or-string"},
	meta + "Time":      {"type": "string", "format": "time"},
	meta + "MicroTime": {"type": "string", "format": "time"},
	meta + "Duration":  {"type": "string", "format": "duration"},
	meta + "FieldsV1":  {"type": "object"},
	rawObject:          {"type": "object"},
	apiserver + "JSON": {},
	apiserver + "CustomResourceSubresourceStatus": {"type": "object"},
	apiserver + "JSONSchemaPropsOrBool":           objectOr(node{"type": "boolean"}),
	apiserver + "JSONSchemaPropsOrArray":          objectOr(node{"type": "array", "items": propsReference}),
	apiserver + "JSONSchemaPropsOrStringArray":    objectOr(node{"type": "array", "items": node{"type": "string"}}),
}

var propsReference = node{"reference": apiserver + "JSONSchemaProps"}

func objectOr(other node) node {
	return node{"if": node{"type": "object"}, "then": propsReference, "else": other}
}

// tolerated are required fields that the API server does not miss: it takes the zero value, or a default. They are
// known from the validation and the defaults in k8s.io/kubernetes.
var tolerated = map[string][]string{
	"io.k8s.api.apps.v1.ControllerRevision":              {"revision"},
	"io.k8s.api.core.v1.HTTPHeader":                      {"value"},
	"io.k8s.api.core.v1.ISCSIPersistentVolumeSource":     {"lun"},
	"io.k8s.api.core.v1.ISCSIVolumeSource":               {"lun"},
	"io.k8s.api.core.v1.SleepAction":                     {"seconds"},
	"io.k8s.api.core.v1.Sysctl":                          {"value"},
	"io.k8s.api.scheduling.v1.PriorityClass":             {"value"},
	"io.k8s.api.storage.v1.CSIDriver":                    {"spec"},
	"io.k8s.apimachinery.pkg.apis.meta.v1.GroupResource": {"group"},
}

// node is a JSON object.
type node map[string]any

// definition is one type of one version.
type definition struct {
	schema node              // JSON Schema, with the names of other definitions under "reference"
	text   map[string]string // descriptions by field, that of the type under ""
	kinds  []groupVersionKind
}

type groupVersionKind struct{ Group, Version, Kind string }

func (k groupVersionKind) apiVersion() string {
	if k.Group == "" {
		return k.Version
	}
	return k.Group + "/" + k.Version
}

func readOpenAPI(path string) (map[string]*definition, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct{ Definitions map[string]openAPI }
	if err := json.Unmarshal(content, &file); err != nil {
		return nil, err
	}
	definitions := map[string]*definition{}
	for name, said := range file.Definitions {
		if definitions[name], err = convert(name, said); err != nil {
			return nil, err
		}
	}
	return definitions, nil
}

// openAPI is what Kubernetes uses of OpenAPI 2.
type openAPI struct {
	Ref                  string `json:"$ref"`
	Type, Format         string
	Description          string
	Properties           map[string]openAPI
	Required             []string
	Items                *openAPI
	AdditionalProperties *openAPI
	Kinds                []groupVersionKind `json:"x-kubernetes-group-version-kind"`
}

func convert(name string, said openAPI) (*definition, error) {
	d := &definition{text: map[string]string{}}
	if said.Description != "" {
		d.text[""] = said.Description
	}
	for field, property := range said.Properties {
		if property.Description != "" {
			d.text[field] = property.Description
		}
	}
	// WatchEvent and DeleteOptions are of every group, and no resources.
	if len(said.Kinds) == 1 && !strings.HasPrefix(name, meta) {
		d.kinds = said.Kinds
	}
	if known, ok := special[name]; ok {
		d.schema = known
		return d, nil
	}
	if said.Type == "" {
		return nil, fmt.Errorf("%s can be anything", name)
	}
	d.schema = schemaOf(said)
	if said.Type == "object" && said.AdditionalProperties == nil {
		d.schema["additionalProperties"] = false
	}
	dropTolerated(d, tolerated[name])
	return d, nil
}

func schemaOf(said openAPI) node {
	if said.Ref != "" {
		return node{"reference": strings.TrimPrefix(said.Ref, refPrefix)}
	}
	n := node{"type": said.Type}
	if said.Format != "" {
		n["format"] = said.Format
	}
	if len(said.Properties) > 0 {
		properties := node{}
		for field, property := range said.Properties {
			properties[field] = schemaOf(property)
		}
		n["properties"] = properties
	}
	if len(said.Required) > 0 {
		n["required"] = said.Required
	}
	if said.Items != nil {
		n["items"] = schemaOf(*said.Items)
	}
	if said.AdditionalProperties != nil {
		n["additionalProperties"] = schemaOf(*said.AdditionalProperties)
	}
	return n
}

// relaxRequired drops from older versions what the newest does not require: Kubernetes cannot make a field optional in
// a version of an API, but it corrects a schema that called one required which the API server never missed.
func relaxRequired(all []*release) {
	newest := all[len(all)-1]
	for _, r := range all {
		for name, d := range r.definitions {
			now, ok := newest.definitions[name]
			if !ok {
				continue
			}
			stays, _ := now.schema["required"].([]string)
			required, _ := d.schema["required"].([]string)
			var gone []string
			for _, field := range required {
				if !slices.Contains(stays, field) {
					gone = append(gone, field)
				}
			}
			dropTolerated(d, gone)
		}
	}
}

func dropTolerated(d *definition, fields []string) {
	required, _ := d.schema["required"].([]string)
	required = slices.DeleteFunc(slices.Clone(required), func(field string) bool { return slices.Contains(fields, field) })
	delete(d.schema, "required")
	if len(required) > 0 {
		d.schema["required"] = required
	}
}

// addEnums tells fields, and the entries of lists, which values they can have. The empty string stands for none.
func addEnums(definitions map[string]*definition, enums map[string]map[string][]string) {
	for name, fields := range enums {
		d, ok := definitions[name]
		if !ok {
			continue
		}
		properties, _ := d.schema["properties"].(node)
		for field, values := range fields {
			property, _ := properties[field].(node)
			if items, ok := property["items"].(node); ok {
				property = items
			}
			if property["type"] == "string" {
				property["enum"] = values
			}
		}
	}
}

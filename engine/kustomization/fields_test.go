package kustomization

import (
	"reflect"
	"regexp"
	"sort"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
)

// TestFieldTableIsKustomizesTypes holds the table of field knowledge against the
// Go types that kustomize decodes into.
func TestFieldTableIsKustomizesTypes(t *testing.T) {
	compareStruct(t, "", reflect.TypeOf(types.Kustomization{}), Fields())
	compareStruct(t, "configurations", reflect.TypeOf(upstreamConfig{}), transformerConfigStruct)
	compareStruct(t, "file of replacements", reflect.TypeOf(types.Replacement{}), fileReplacementStruct)
}

func compareStruct(t *testing.T, path string, upstream reflect.Type, s *Struct) {
	t.Helper()
	want := jsonFields(upstream)
	for _, f := range s.Fields {
		if f.Support == InKustomize {
			compareField(t, path+"."+f.Name, want[f.Name], f)
		}
		delete(want, f.Name)
	}
	for name := range want {
		t.Errorf("%s.%s is missing", path, name)
	}
}

func compareField(t *testing.T, path string, upstream reflect.Type, f Field) {
	t.Helper()
	if upstream == nil {
		t.Errorf("%s: kustomize has no such field", path)
		return
	}
	got, element := typeOf(upstream)
	if got != f.Type || element != f.Element {
		t.Errorf("%s is %v of %v, want %v of %v", path, f.Type, f.Element, got, element)
		return
	}
	for upstream.Kind() == reflect.Pointer || upstream.Kind() == reflect.Slice {
		upstream = upstream.Elem()
	}
	if upstream.Kind() == reflect.Struct {
		compareStruct(t, path, upstream, f.Struct)
	}
}

func typeOf(upstream reflect.Type) (typ, element Type) {
	switch upstream.Kind() {
	case reflect.String:
		return TypeText, TypeNull
	case reflect.Bool:
		return TypeBool, TypeNull
	case reflect.Int, reflect.Int64:
		return TypeInteger, TypeNull
	case reflect.Struct:
		return TypeObject, TypeNull
	case reflect.Pointer:
		return typeOf(upstream.Elem())
	case reflect.Slice:
		element, _ := typeOf(upstream.Elem())
		return TypeList, element
	case reflect.Map:
		if upstream.Elem().Kind() == reflect.String {
			return TypeTextMap, TypeNull
		}
		return TypeFree, TypeNull
	}
	return -1, -1
}

// jsonFields returns the fields of a Go struct, and of those it embeds, by the
// names they have in JSON.
func jsonFields(upstream reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range upstream.NumField() {
		f := upstream.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous && name == "":
			for name, typ := range jsonFields(f.Type) {
				fields[name] = typ
			}
		case f.IsExported():
			fields[name] = f.Type
		}
	}
	return fields
}

func TestFieldTableIsComplete(t *testing.T) {
	listed := map[*Struct]bool{}
	for _, s := range Structs() {
		listed[s] = true
		if s.Name == "" || s.Doc == "" {
			t.Errorf("%q has no name or documentation", s.Name)
		}
	}
	for _, s := range Structs() {
		for _, f := range s.Fields {
			if len(f.Doc) < 8 || !strings.HasSuffix(f.Doc, ".") && !strings.HasSuffix(f.Doc, ".)") {
				t.Errorf("%s.%s has no sentence as documentation: %q", s.Name, f.Name, f.Doc)
			}
			if f.Struct != nil && !listed[f.Struct] {
				t.Errorf("%s.%s: Structs does not have %s", s.Name, f.Name, f.Struct.Name)
			}
			if (f.Type == TypeObject || f.Element == TypeObject) && f.Struct == nil {
				t.Errorf("%s.%s is a mapping of unknown fields", s.Name, f.Name)
			}
			if f.Since != "" && !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(f.Since) {
				t.Errorf("%s.%s: %q is no release", s.Name, f.Name, f.Since)
			}
			if f.Deprecated && f.ReplacedBy == "" {
				t.Errorf("%s.%s is deprecated without replacement", s.Name, f.Name)
			}
		}
	}
}

// TestDeprecatedFieldsAreKustomizes compares with the fields that kustomize
// itself warns of. It does not warn of two that it silently converts.
func TestDeprecatedFieldsAreKustomizes(t *testing.T) {
	k := types.Kustomization{
		Bases: []string{}, CommonLabels: map[string]string{}, ImageTags: []types.Image{}, PatchesJson6902: []types.Patch{},
		PatchesStrategicMerge: []types.PatchStrategicMerge{}, Vars: []types.Var{},
	}
	want := []string{"helmChartInflationGenerator instead of helmCharts"}
	for _, warning := range *k.CheckDeprecatedFields() {
		m := regexp.MustCompile(`'(\w+)' is deprecated. Please use '(\w+)' instead`).FindStringSubmatch(warning)
		want = append(want, m[1]+" instead of "+m[2])
	}
	var got []string
	for _, f := range Fields().Fields {
		if f.Deprecated {
			got = append(got, f.Name+" instead of "+f.ReplacedBy)
		}
	}
	sort.Strings(got)
	sort.Strings(want)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

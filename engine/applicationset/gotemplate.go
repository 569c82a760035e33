//go:build !js

package applicationset

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/Masterminds/sprig/v3"
	"github.com/kustomize-lsp/kls/engine/text"
	yamlv2 "go.yaml.in/yaml/v2"
)

// Bounds of one template: what stands in a repository must not take the memory or the time of whoever opens it.
const (
	maxWork  = 200_000 // rounds of loops, calls of functions, and what is handed to these, together
	maxArg   = 16_384  // bytes of a text that is handed to a function
	maxCount = 10_000  // how often a function repeats something
)

// goTemplates are the templates of one ApplicationSet, each read once.
type goTemplates struct {
	functions template.FuncMap
	parsed    map[string]*template.Template
	work      int // that is left for the template that is being executed
}

// execute runs a Go template with the functions that Argo CD gives it.
func (r *renderer) execute(source string, values Values) (string, error) {
	t, err := r.parse(source)
	if err != nil {
		return "", err
	}
	r.work = maxWork
	out := &boundedWriter{}
	if err := t.Execute(out, map[string]any(values)); err != nil {
		return "", fmt.Errorf("the template fails: %w", err)
	}
	return out.String(), nil
}

// parse reads a template. Its loops are counted then, and the arguments of its functions measured.
func (r *renderer) parse(source string) (*template.Template, error) {
	if t := r.parsed[source]; t != nil {
		return t, nil
	}
	if r.functions == nil {
		r.functions, r.parsed = r.boundedFunctions(), map[string]*template.Template{}
	}
	t, err := template.New("").Funcs(r.functions).Parse(source)
	if err != nil {
		return nil, fmt.Errorf("the template cannot be read: %w", err)
	}
	for _, option := range r.options {
		if t, err = withOption(t, option); err != nil {
			return nil, err
		}
	}
	for _, one := range t.Templates() {
		if one.Tree != nil {
			instrument(one.Tree, one.Root)
			one.Root.Nodes = append([]parse.Node{call(one.Tree, roundName)}, one.Root.Nodes...)
		}
	}
	r.parsed[source] = t
	return t, nil
}

// Names of functions that only instrument calls.
const (
	roundName   = "_round"
	boundedName = "_bounded"
)

// withOption is Template.Option, which panics on an unknown one.
func withOption(t *template.Template, option string) (_ *template.Template, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("%q is not an option of Go templates", option)
		}
	}()
	return t.Option(option), nil
}

// instrument puts a call of _round into each loop, and pipes whatever is printed through _bounded.
func instrument(tree *parse.Tree, n parse.Node) {
	switch n := n.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, child := range n.Nodes {
			instrument(tree, child)
		}
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 {
			n.Pipe.Cmds = append(n.Pipe.Cmds, call(tree, boundedName).Pipe.Cmds...)
		}
	case *parse.IfNode:
		instrument(tree, n.List)
		instrument(tree, n.ElseList)
	case *parse.WithNode:
		instrument(tree, n.List)
		instrument(tree, n.ElseList)
	case *parse.RangeNode:
		instrument(tree, n.List)
		instrument(tree, n.ElseList)
		n.List.Nodes = append([]parse.Node{call(tree, roundName)}, n.List.Nodes...)
	}
}

// call is {{name}}.
func call(tree *parse.Tree, name string) *parse.ActionNode {
	identifier := parse.NewIdentifier(name).SetTree(tree)
	command := &parse.CommandNode{NodeType: parse.NodeCommand, Args: []parse.Node{identifier}}
	return &parse.ActionNode{NodeType: parse.NodeAction, Pipe: &parse.PipeNode{NodeType: parse.NodePipe, Cmds: []*parse.CommandNode{command}}}
}

type boundedWriter struct{ bytes.Buffer }

func (w *boundedWriter) Write(p []byte) (int, error) {
	if w.Len()+len(p) > maxOutput {
		return 0, errTooMuch
	}
	return w.Buffer.Write(p)
}

// boundedFunctions are sprig's and Argo CD's own. Those that give something else each time fail with ErrUnrepeatable;
// those that look outside are not there, as in Argo CD.
func (r *renderer) boundedFunctions() template.FuncMap {
	functions := sprig.HermeticTxtFuncMap()
	for name, f := range map[string]any{"normalize": normalize, "slugify": slugify, "toYaml": toYAML, "fromYaml": fromYAML, "fromYamlArray": fromYAMLArray,
		"print": fmt.Sprint, "printf": fmt.Sprintf, "println": fmt.Sprintln} {
		functions[name] = f
	}
	for _, name := range []string{"shuffle", "bcrypt", "htpasswd", "derivePassword", "encryptAES", "decryptAES", "buildCustomCert", "genPrivateKey",
		"genCA", "genCAWithKey", "genSelfSignedCert", "genSelfSignedCertWithKey", "genSignedCert", "genSignedCertWithKey"} {
		delete(functions, name)
	}
	bounded := template.FuncMap{}
	for name, f := range functions {
		bounded[name] = r.bound(f, slices.Contains([]string{"repeat", "until", "untilStep", "seq", "indent", "nindent", "wrap", "wrapWith"}, name))
	}
	for name := range sprig.GenericFuncMap() {
		switch {
		case name == "env" || name == "expandenv" || name == "getHostByName":
		case bounded[name] == nil:
			bounded[name] = func(...any) (string, error) { return "", ErrUnrepeatable }
		}
	}
	bounded[roundName] = func() (string, error) {
		if r.work--; r.work < 0 {
			return "", errTooMuch
		}
		return "", nil
	}
	bounded[boundedName] = func(value any) (any, error) {
		if !r.measure(reflect.ValueOf(value), false) {
			return nil, errTooMuch
		}
		return value, nil
	}
	return bounded
}

// bound makes a function refuse arguments that are too large; repeats says that its numbers are how often it does
// something. A function of a template has one result, or an error beside it.
func (r *renderer) bound(f any, repeats bool) any {
	original := reflect.ValueOf(f)
	t := original.Type()
	in := make([]reflect.Type, t.NumIn())
	for i := range in {
		in[i] = t.In(i)
	}
	failure := reflect.TypeFor[error]()
	bounded := reflect.FuncOf(in, []reflect.Type{t.Out(0), failure}, t.IsVariadic())
	return reflect.MakeFunc(bounded, func(args []reflect.Value) []reflect.Value {
		for _, arg := range args {
			if !r.measure(arg, repeats) {
				return []reflect.Value{reflect.Zero(t.Out(0)), reflect.ValueOf(&errTooMuch).Elem()}
			}
		}
		var results []reflect.Value
		if t.IsVariadic() {
			results = original.CallSlice(args)
		} else {
			results = original.Call(args)
		}
		if len(results) == 1 {
			results = append(results, reflect.Zero(failure))
		}
		return results
	}).Interface()
}

// measure takes what a value costs from the work that is left. It returns false where the value is too large.
func (r *renderer) measure(v reflect.Value, repeats bool) bool {
	if r.work--; r.work < 0 {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		r.work -= v.Len() / 16
		return v.Len() <= maxArg
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return !repeats || v.Int() <= maxCount && v.Int() >= -maxCount
	case reflect.Float32, reflect.Float64:
		return !repeats || v.Float() <= maxCount && v.Float() >= -maxCount
	case reflect.Interface, reflect.Pointer:
		return v.IsNil() || r.measure(v.Elem(), repeats)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !r.measure(v.Index(i), repeats) {
				return false
			}
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			if !r.measure(key, repeats) || !r.measure(v.MapIndex(key), repeats) {
				return false
			}
		}
	}
	return true
}

var notInSlug = text.Regexp(`[^a-z0-9_]+`)

// slugify is SlugifyName of Argo CD's applicationset/utils: the length and whether words are kept whole may stand before
// the text.
func slugify(args ...any) (string, error) {
	longest, whole, name := 50, true, ""
	for i, arg := range args {
		ok := false
		switch {
		case i == len(args)-1:
			name, ok = arg.(string)
		case i == 0:
			longest, ok = arg.(int)
		case i == 1:
			whole, ok = arg.(bool)
		}
		if !ok {
			return "", errors.New("slugify takes a length, whether words are kept whole, and a text")
		}
	}
	slug := strings.Trim(notInSlug().ReplaceAllString(normalize(name), "-"), "-_")
	if longest <= 0 || len(slug) <= longest {
		return slug, nil
	}
	if end := strings.LastIndexByte(slug[:longest+1], '-'); whole && end >= 0 {
		return slug[:end], nil
	}
	return slug[:longest], nil
}

// toYAML prints as sigs.k8s.io/yaml does: by way of JSON, so that keys are sorted.
func toYAML(value any) (string, error) {
	encoded, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	var content any
	if err := yamlv2.Unmarshal(encoded, &content); err != nil {
		return "", err
	}
	printed, err := yamlv2.Marshal(content)
	return strings.TrimSuffix(string(printed), "\n"), err
}

func fromYAML(source string) (map[string]any, error) {
	value, err := fromText([]byte(source))
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok && value != nil {
		return nil, errors.New("the text is not a mapping")
	}
	return object, nil
}

func fromYAMLArray(source string) ([]any, error) {
	value, err := fromText([]byte(source))
	if err != nil {
		return nil, err
	}
	list, ok := value.([]any)
	if !ok && value != nil {
		return nil, errors.New("the text is not a list")
	}
	return list, nil
}

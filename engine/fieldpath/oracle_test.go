package fieldpath_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/filters/replacement"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/utils"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// result is what can be compared of two implementations: the bytes, or that
// they refuse. The message is for people only.
type result struct {
	refused bool
	value   string
	message string
}

func parseNode(t testing.TB, value string) *yaml.Node {
	t.Helper()
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(value), &document); err != nil {
		t.Fatalf("test input does not parse: %v\n%s", err, value)
	}
	return document.Content[0]
}

func rendered(n *yaml.Node) string {
	value, err := kyaml.NewRNode(n).String()
	if err != nil {
		return "cannot be rendered: " + err.Error()
	}
	return value
}

// upstream runs f and takes a panic for a refusal: kustomize would crash.
func upstream(f func() result) (r result) {
	defer func() {
		if reason := recover(); reason != nil {
			r = result{refused: true, message: fmt.Sprintf("panic: %v", reason)}
		}
	}()
	return f()
}

func upstreamLookup(root *yaml.Node, path string) result {
	return upstream(func() result {
		node, err := kyaml.NewRNode(root).Pipe(kyaml.Lookup(utils.SmarterPathSplitter(path, ".")...))
		if err != nil {
			return result{refused: true, message: err.Error()}
		}
		if node == nil {
			return result{refused: true, message: "nil"}
		}
		return result{value: rendered(node.YNode())}
	})
}

func ourGet(root *yaml.Node, path string) (result, fieldpath.Outcome) {
	outcome := fieldpath.Get(root, fieldpath.Parse(path), fieldpath.Options{})
	if outcome.Failure != nil {
		return result{refused: true, message: fmt.Sprint(outcome.Failure.Kind)}, outcome
	}
	return result{value: rendered(outcome.Nodes[0])}, outcome
}

const sourceName = "the-source"

// upstreamWrite runs kustomize's replacement filter on the target (a mapping)
// and a resource that holds the value.
func upstreamWrite(target, value *yaml.Node, path string, options fieldpath.Options) result {
	return upstream(func() result {
		wrapped := kyaml.NewRNode(target)
		source := kyaml.MustParse("apiVersion: v1\nkind: Source\nmetadata:\n  name: " + sourceName + "\n")
		source.YNode().Content = append(source.YNode().Content,
			&yaml.Node{Kind: yaml.ScalarNode, Value: "value"}, value)
		filter := replacement.Filter{Replacements: []types.Replacement{{
			Source: &types.SourceSelector{
				ResId:     resid.ResId{Gvk: resid.Gvk{Kind: "Source"}, Name: sourceName},
				FieldPath: "value",
			},
			Targets: []*types.TargetSelector{{
				Select:     &types.Selector{ResId: resid.ResId{Gvk: resid.Gvk{Kind: "Target"}}},
				FieldPaths: []string{path},
				Options: &types.FieldOptions{
					Delimiter: options.Delimiter, Index: options.Index, Create: options.Create,
				},
			}},
		}}}
		if _, err := filter.Filter([]*kyaml.RNode{source, wrapped}); err != nil {
			return result{refused: true, message: err.Error()}
		}
		return result{value: rendered(target)}
	})
}

func ourWrite(target, value *yaml.Node, path string, options fieldpath.Options) (result, fieldpath.Outcome) {
	outcome := fieldpath.Write(target, fieldpath.Parse(path), value, options)
	if outcome.Failure != nil {
		return result{refused: true, message: fmt.Sprint(outcome.Failure.Kind)}, outcome
	}
	return result{value: rendered(target)}, outcome
}

// endless tells whether upstream would never come back; it must not be asked.
func endless(outcome fieldpath.Outcome) bool {
	return outcome.Failure != nil && outcome.Failure.Kind == fieldpath.NeverMatchesItself
}

// compareWrite holds Write against kustomize, with and without Explain.
func compareWrite(t testing.TB, target, value *yaml.Node, path string, options fieldpath.Options) fieldpath.Outcome {
	t.Helper()
	before := rendered(target)
	mine := syntax.Copy(target)
	start := time.Now()
	got, outcome := ourWrite(mine, syntax.Copy(value), path, options)
	if spent := time.Since(start); spent > time.Minute {
		t.Errorf("path %q took %v", path, spent)
	}
	if got.refused && rendered(mine) != before {
		t.Errorf("path %q: refused and yet changed\n%s", path, rendered(mine))
	}
	if endless(outcome) {
		return outcome
	}
	want := upstreamWrite(syntax.Copy(target), syntax.Copy(value), path, options)
	if got.refused != want.refused || got.value != want.value {
		t.Errorf("path %q, options %+v, value %q\n--- target\n%s--- kls (%s)\n%s--- kustomize (%s)\n%s",
			path, options, rendered(value), before, got.message, got.value, want.message, want.value)
	}
	options.Explain = true
	explained, outcome := ourWrite(syntax.Copy(target), syntax.Copy(value), path, options)
	if explained != got {
		t.Errorf("path %q: with Explain %+v, without %+v", path, explained, got)
	}
	return outcome
}

// compareGet holds Get against kustomize; where kls drills down, kustomize
// must refuse.
func compareGet(t testing.TB, root *yaml.Node, path string) {
	t.Helper()
	got, outcome := ourGet(root, path)
	want := upstreamLookup(root, path)
	if outcome.DrillDown {
		want = result{refused: true, message: want.message}
		if !upstreamLookup(root, path).refused {
			t.Errorf("path %q: drill-down where kustomize succeeds", path)
		}
		return
	}
	if got.refused != want.refused || got.value != want.value {
		t.Errorf("path %q\n--- root\n%s--- kls (%s)\n%s--- kustomize (%s)\n%s",
			path, rendered(root), got.message, got.value, want.message, want.value)
	}
}

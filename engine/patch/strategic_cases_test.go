package patch

import (
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/kubernetes"
)

const deploymentHead = "apiVersion: apps/v1\nkind: Deployment\n"

// strategicCases name what kyaml does. The expectation of each is kyaml's own
// result; where result is given, it says in addition what the text must hold,
// so that the name of a case cannot lie.
var strategicCases = map[string]struct{ dest, patch, result string }{
	"values are replaced, fields are added in order of their names": {"a: 1\nc: 2\n", "c: 3\nd: 4\nb: 5\n", "a: 1\nc: 3\nb: 5\nd: 4"},
	"null removes":                                 {"a: 1\nb: 2\n", "a: null\n", "b: 2"},
	"null removes a mapping and a list":            {"a: {x: 1}\nb: [1]\nc: 1\n", "a:\nb: ~\n", "c: 1"},
	"null of the resource stays":                   {"a: null\nb: ~\n", "c: 1\n", "a: null\nb: ~\nc: 1"},
	"a key without value goes":                     {"a:\nb: 1\n", "c: 1\n", "b: 1\nc: 1"},
	"null gives way to a mapping":                  {"a: null\n", "a: {b: 1}\n", "a:\n  b: 1"},
	"null gives way to a list":                     {"a: null\n", "a: [1]\n", "a:\n- 1"},
	"nulls in an added mapping are dropped":        {"a: 1\n", "b: {c: null, d: {e: ~}}\n", "b: {d: {}}"},
	"style of the resource stays":                  {"a: \"x\"\nb: 'y'\nc: {d: 1}\n", "a: z\nb: \"w\"\nc: {e: 2}\n", "a: \"z\"\nb: 'w'\nc: {d: 1, e: 2}"},
	"a quoted string becomes a quoted number":      {"a: \"1\"\n", "a: 2\n", ""},
	"an empty mapping takes the patch's style":     {"a: {}\n", "a:\n  b: 1\n", "a:\n  b: 1"},
	"a string that YAML 1.1 misreads is quoted":    {"a: on\nb: 1_000x\n", "c: off\nd: \"no\"\n", "a: \"on\""},
	"a misread string keeps a style that is there": {"a: x\n", "a: on\n", ""},
	"a key keeps its quotes":                       {"a: 1\n", "\"b\": 1\n'1': 2\n", "\"b\": 1"},
	"mapping against scalar":                       {"a: {b: 1}\n", "a: 1\n", ""},
	"scalar against mapping":                       {"a: 1\n", "a: {b: 1}\n", ""},
	"list against mapping":                         {"a: [1]\n", "a: {b: 1}\n", ""},
	"a list is replaced":                           {"a: [1, 2]\n", "a: [3]\n", "a: [3]"},
	"a list without keys keeps its nulls":          {"a: [1, 2]\n", "a: [null, {b: null}]\n", "a: [null, {b: null}]"},
	"duplicate keys":                               {"a: 1\na: 2\nb: 1\n", "a: 3\nb: null\n", "a: 3\na: 2"},
	"duplicate keys of which one is removed":       {"a: 1\na: 2\n", "a: null\n", "a: 2"},
	"duplicate keys in the patch":                  {"a: 1\n", "b: 1\nb: 2\n", "b: 1"},
	"an empty key":                                 {"\"\": 1\n", "a: 1\n", ""},
	"an empty key in the patch":                    {"a: 1\n", "\"\": 1\n", ""},
	"a key that is null":                           {"~: 1\na: 1\n", "a: 2\n", ""},
	"a key that is a mapping":                      {"? {a: b}\n: 1\n", "a: 2\n", ""},
	"many fields":                                  {manyFields("a", 40), manyFields("b", 40), ""},

	"delete the resource":                             {"a: 1\n", "$patch: delete\n", ""},
	"delete a mapping":                                {"a: {b: 1}\nc: 1\n", "a: {$patch: delete}\n", "c: 1"},
	"delete a mapping that is missing":                {"c: 1\n", "a: {$patch: delete, x: 1}\n", "c: 1"},
	"replace the resource":                            {"a: 1\n", "$patch: replace\nb: 1\n", "b: 1"},
	"replace a mapping":                               {"a: {b: 1}\n", "a: {$patch: replace, c: 1}\n", "a: {c: 1}"},
	"replace by a mapping with nulls":                 {"a: {b: 1}\n", "a: {$patch: replace, c: null, d: 1}\n", "a: {d: 1}"},
	"merge a mapping":                                 {"a: {b: 1}\n", "a: {$patch: merge, c: 1}\n", "a: {b: 1, c: 1}"},
	"an unknown directive":                            {"a: {b: 1}\n", "a: {$patch: remove}\n", ""},
	"a directive without value":                       {"a: {b: 1}\n", "a: {$patch: }\n", ""},
	"an unknown directive in an added mapping":        {"c: 1\n", "a: {$patch: remove}\n", "a: {$patch: remove}"},
	"an unknown directive deeper in an added mapping": {"c: 1\n", "a: {b: {$patch: remove}}\n", ""},
	"a directive in the resource is a field":          {"a: {$patch: delete}\n", "a: {b: 1}\n", "a: {$patch: delete, b: 1}"},
	"a directive twice":                               {"a: {b: 1}\n", "a: {$patch: merge, $patch: delete}\n", ""},
	"other directives are fields":                     {"a: {b: 1}\n", "a: {$retainKeys: [b], $setElementOrder/x: [y]}\n$deleteFromPrimitiveList/z: [1]\n", "$retainKeys: [b]"},
}

// listCases are lists of a Deployment's containers, or of the field named.
var listCases = map[string]struct{ field, dest, patch string }{
	"the patch's elements come first":     {"containers", "[{name: a, x: 1}, {name: b}]", "[{name: c}, {name: b, y: 1}]"},
	"an element is deleted":               {"containers", "[{name: a}, {name: b}]", "[{name: a, $patch: delete}]"},
	"a missing element is deleted":        {"containers", "[{name: a}, {name: b}]", "[{name: x, $patch: delete}]"},
	"an element is replaced":              {"containers", "[{name: a, x: 1}, {name: b}]", "[{name: a, y: 1, $patch: replace}]"},
	"all elements are deleted":            {"containers", "[{name: a}]", "[{name: a, $patch: delete}]"},
	"the list is deleted":                 {"containers", "[{name: a}]", "[{$patch: delete}]"},
	"the list is replaced":                {"containers", "[{name: a}]", "[{$patch: replace}, {name: b}]"},
	"the list is replaced by nothing":     {"containers", "[{name: a}]", "[{$patch: replace}]"},
	"the list is merged":                  {"containers", "[{name: a}]", "[{name: b}, {$patch: merge}]"},
	"a directive for no element":          {"containers", "[{name: a}]", "[{$patch: delete, x: 1}]"},
	"an unknown directive for the list":   {"containers", "[{name: a}]", "[{$patch: remove}]"},
	"a directive in an added list":        {"containers", "null", "[{$patch: delete}, {name: a}]"},
	"null removes the list":               {"containers", "[{name: a}]", "null"},
	"an empty list keeps":                 {"containers", "[{name: a}]", "[]"},
	"both empty":                          {"containers", "[]", "[]"},
	"an added list":                       {"containers", "null", "[{name: b, x: null}, {name: a}, {name: b, y: 1}]"},
	"duplicates in the resource":          {"containers", "[{name: a, x: 1}, {name: b}, {name: a, x: 2}]", "[{name: a, y: 1}]"},
	"duplicates in the patch":             {"containers", "[{name: a, x: 1}]", "[{name: a, y: 1}, {name: a, z: 1}]"},
	"duplicates, none patched":            {"containers", "[{name: a, x: 1}, {name: b}, {name: a, x: 2}]", "[]"},
	"equal keys of two types":             {"containers", "[{name: 1, x: 1}]", "[{name: \"1\", y: 1}]"},
	"an element without its key":          {"containers", "[{name: a}, {image: x}]", "[{name: a, y: 1}]"},
	"an element without its key, patched": {"containers", "[{name: a}, {image: x}]", "[{image: y}]"},
	"an element with an empty key":        {"containers", "[{name: a}, {name: \"\", x: 1}]", "[{name: \"\", y: 1}]"},
	"an element whose key is null":        {"containers", "[{name: \"null\"}]", "[{name: null, y: 1}]"},
	"a word and a null for key":           {"containers", "[{name: \"null\", x: 1}, {name: b}]", "[{name: null, y: 1}, {name: b}]"},
	"an element whose key is a mapping":   {"containers", "[{name: {a: b}}]", "[{name: x}]"},
	"an element that is null":             {"containers", "[{name: a}, null]", "[{name: b}]"},
	"an element that is a scalar":         {"containers", "[{name: a}, x]", "[{name: b}]"},
	"an element that is empty":            {"containers", "[{name: a}, {}]", "[{name: b}]"},
	"a scalar element in the patch":       {"containers", "[{name: a}]", "[x]"},
	"a mapping against a list":            {"containers", "[{name: a}]", "{name: a}"},
	"ports with protocols":                {"ports", "[{containerPort: 80, protocol: TCP, x: 1}, {containerPort: 80, protocol: UDP}]", "[{containerPort: 80, protocol: UDP, y: 1}, {containerPort: 81, protocol: TCP}]"},
	"ports without protocols":             {"ports", "[{containerPort: 80, x: 1}, {containerPort: 81}]", "[{containerPort: 82}, {containerPort: 80, y: 1}]"},
	"a protocol on one side only":         {"ports", "[{containerPort: 80, protocol: TCP}]", "[{containerPort: 80, x: 1}]"},
	"a protocol in the patch only":        {"ports", "[{containerPort: 80}]", "[{containerPort: 80, protocol: TCP, x: 1}]"},
	"a protocol on some":                  {"ports", "[{containerPort: 80, protocol: TCP}, {containerPort: 81}, {containerPort: 80}]", "[{containerPort: 81, protocol: UDP}, {containerPort: 80}]"},
	"ports of other types":                {"ports", "[{containerPort: \"80\"}]", "[{containerPort: 80, x: 1}]"},
	"a port is deleted":                   {"ports", "[{containerPort: 80, protocol: TCP}, {containerPort: 81, protocol: TCP}]", "[{containerPort: 80, protocol: TCP, $patch: delete}]"},
	"words":                               {"finalizers", "[a, b]", "[c, a]"},
	"words, null and numbers":             {"finalizers", "[a, null, 1]", "[\"1\", b]"},
	"words twice":                         {"finalizers", "[a, b, a]", "[b, b]"},
	"an empty word":                       {"finalizers", "[a, \"\"]", "[b]"},
	"words and the word null":             {"finalizers", "[a, \"null\"]", "[null]"},
	"a mapping among words":               {"finalizers", "[a, {b: c}]", "[b]"},
	"words that YAML 1.1 misreads":        {"finalizers", "[on, \"1\"]", "[off]"},
	"words in an added list":              {"finalizers", "null", "[on, \"1\", 1]"},
	"words: the list is replaced":         {"finalizers", "[a]", "[b, {$patch: replace}]"},
	"words: the list is deleted":          {"finalizers", "[a]", "[{$patch: delete}]"},
}

func manyFields(prefix string, count int) string {
	var out strings.Builder
	for i := range count {
		out.WriteString(prefix + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + ": 1\nshared" + strings.Repeat("y", i) + ": " + prefix + "\n")
	}
	return out.String()
}

func TestStrategicMerge(t *testing.T) {
	for name, c := range strategicCases {
		t.Run(name, func(t *testing.T) {
			compareStrategicMerge(t, c.dest, c.patch)
			if merged, _, _ := StrategicMerge(parseNode(t, c.dest), parseNode(t, c.patch), kubernetes.Schema{}); !strings.Contains(render(t, merged), c.result) {
				t.Errorf("got\n%swant\n%s", render(t, merged), c.result)
			}
		})
	}
}

func TestStrategicMergeOfLists(t *testing.T) {
	for name, c := range listCases {
		resource := func(list string) string {
			switch c.field {
			case "finalizers":
				return deploymentHead + "metadata: {finalizers: " + list + "}\n"
			case "ports":
				list = "[{name: a, ports: " + list + "}]"
			}
			return deploymentHead + "spec: {template: {spec: {containers: " + list + "}}}\n"
		}
		t.Run(name, func(t *testing.T) { compareStrategicMerge(t, resource(c.dest), resource(c.patch)) })
		t.Run(name+", in a kind without schema", func(t *testing.T) {
			odd := strings.NewReplacer("Deployment", "Odd")
			compareStrategicMerge(t, odd.Replace(resource(c.dest)), odd.Replace(resource(c.patch)))
		})
		t.Run(name+", inside another resource", func(t *testing.T) {
			inside := func(text string) string {
				return "kind: Odd\napiVersion: v9\nspec:\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n"
			}
			compareStrategicMerge(t, inside(resource(c.dest)), inside(resource(c.patch)))
		})
	}
}

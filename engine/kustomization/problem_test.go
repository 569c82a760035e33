package kustomization

import (
	"fmt"
	"strings"
	"testing"
)

// describe writes a problem as kind, path and place, followed by what else it
// says.
func describe(p Problem) string {
	s := p.Kind.String()
	if p.Path != "" {
		s += " " + p.Path
	}
	if p.Node != nil {
		s += fmt.Sprintf(" %d:%d", p.Node.Line, p.Node.Column)
	}
	if p.Other != nil {
		s += fmt.Sprintf(" other %d:%d", p.Other.Line, p.Other.Column)
	}
	if p.Kind == WrongType || p.Kind == ListExpected || p.Kind == NotAMapping {
		s += fmt.Sprintf(" want %v got %v", p.Want, p.Got)
	}
	if p.Candidate != "" {
		s += " => " + p.Candidate
	}
	if p.Fatal {
		s += " fatal"
	}
	if p.LeftOut {
		s += " left out"
	}
	return s
}

func TestProblems(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"namePrefix: a", nil},
		{"", []string{"EmptyFile fatal"}},
		{"kind: Kustomization", []string{"EmptyFile 1:1 fatal"}},
		{"- a", []string{"NotAMapping 1:1 want mapping got list fatal"}},
		{"a text", []string{"NotAMapping 1:1 want mapping got text fatal"}},
		{"kind: kustomization\nnamePrefix: a", []string{"WrongKind kind 1:7 => Kustomization fatal"}},
		{"kind: component\napiVersion: kustomize.config.k8s.io/v1alpha1\nnamePrefix: a", []string{"WrongKind kind 1:7 => Component fatal"}},
		{"kind: component\nnamePrefix: a", []string{"WrongKind kind 1:7 => Component fatal"}},
		{"kind: ConfigMap\napiVersion: v1\nnamePrefix: a", []string{
			"WrongKind kind 1:7 fatal", "WrongAPIVersion apiVersion 2:13 => kustomize.config.k8s.io/v1beta1 fatal"}},
		{"kind: Component\napiVersion: kustomize.config.k8s.io/v1beta1\nnamePrefix: a", []string{
			"WrongAPIVersion apiVersion 2:13 => kustomize.config.k8s.io/v1alpha1 fatal"}},
		{"resuorces: [a]", []string{"UnknownField resuorces 1:1 => resources fatal"}},
		{"patches:\n- path: a\n- path: b\n  target:\n    knid: c", []string{"UnknownField patches[1].target.knid 5:5 => kind fatal"}},
		{"images:\n- name: a\n  newTag: 1.10", []string{"WrongType images[0].newTag 3:11 want text got number fatal left out"}},
		{"commonLabels: {a: yes}", []string{
			"DeprecatedField commonLabels 1:1 => labels", "WrongType commonLabels.a 1:19 want text got boolean fatal"}},
		{"resources: a", []string{"ListExpected resources 1:12 want list got text fatal"}},
		{"replicas: [{name: a, count: 1.5}]", []string{"WrongType replicas[0].count 1:29 want integer got number fatal left out"}},
		{"NamePrefix: a", []string{"KeyCase NamePrefix 1:1 => namePrefix"}},
		{"namePrefix: a\nnamePrefix: b", []string{"DuplicateField namePrefix 2:1 other 1:1"}},
		{"NamePrefix: a\nnamePrefix: b", []string{
			"KeyCase NamePrefix 1:1 => namePrefix", "DuplicateField namePrefix 2:1 other 1:1"}},
		{"labels:\n- pairs: {a: b, a: c}", []string{"DuplicateField labels[0].pairs.a 2:17 other 2:11"}},
		{"bases: [a]\nimageTags: []", []string{"DeprecatedField bases 1:1 => resources", "DeprecatedField imageTags 2:1 => images"}},
		{"configMapGenerator:\n- name: a\n  env: b", []string{"DeprecatedField configMapGenerator[0].env 3:3 => envs"}},
		{"resources: [null, a]", []string{"NullEntry resources[0] 1:13"}},
		{"replacements: [{targets: [null]}]", []string{"NullEntry replacements[0].targets[0] 1:27 fatal left out"}},
		{"configMapGenerator: [{name: a, behavior: Merge}]", []string{
			"UnknownBehavior configMapGenerator[0].behavior 1:42 => merge"}},
		{"buildMetadata: [originAnnotations, originAnnotation]", []string{
			"UnknownBuildMetadata buildMetadata[1] 1:36 => originAnnotations"}},
		{"openapi: {pth: a}", []string{"UnknownField openapi.pth 1:11 => path"}},
		{"patches: [{file: a, type: json}]", []string{
			"ProposalOnlySpelling patches[0].file 1:12 => path fatal", "ProposalOnlySpelling patches[0].type 1:21 fatal"}},
		{"patches: [{path: a, target: {labelSelector: {b: c, a: d}}}]", []string{
			"ProposalOnlySpelling patches[0].target.labelSelector 1:45 => a=d,b=c fatal"}},
		{"patches: [{path: a, target: {matchAnnotations: {b: c}}}]", []string{
			"ProposalOnlySpelling patches[0].target.matchAnnotations 1:30 => annotationSelector fatal"}},
		{"replacements: [{targets: [{select: [{kind: a}]}]}]", []string{
			"SelectAsList replacements[0].targets[0].select 1:36 fatal"}},
		{"configMapGenerator: [{name: a, mergeValues: [{key: b, format: json}]}]", []string{
			"NotInKustomize configMapGenerator[0].mergeValues 1:32 fatal"}},
		{"configMapGenerator: [{name: a, literals: [b: '\"c\"']}]", []string{
			`NotInKustomize configMapGenerator[0].literals[0] 1:43 => b=""c"" fatal`}},
		{"namePrefix: !!int a", []string{"BadTag namePrefix 1:13 fatal"}},
		{"commonAnnotations: {<<: a}", []string{"BadMerge commonAnnotations 1:21 other 1:25 fatal"}},
		{"commonAnnotations: {null: a}", []string{"UnsupportedKey commonAnnotations. 1:21 other 1:27 fatal"}},
		{"commonAnnotations: {[a]: b}", []string{"UnsupportedKey commonAnnotations 1:21 other 1:26 fatal"}},
		{"helmCharts: [{valuesInline: {a: .inf}}]", []string{"UnsupportedNumber helmCharts[0].valuesInline.a 1:33 fatal"}},
		{"resources: &a [*a, b]", []string{"RecursiveAlias resources[0] 1:16 fatal"}},
		// What an alias repeats is one mistake.
		{"images: [&a {nam: b}, *a]", []string{"UnknownField images[0].nam 1:14 => name fatal"}},
		// The order is that of the text.
		{"namePrefix: 1\nimages: 2\ncrds: 3", []string{
			"WrongType namePrefix 1:13 want text got number fatal", "ListExpected images 2:9 want list got number fatal",
			"ListExpected crds 3:7 want list got number fatal"}},
	} {
		doc, ok := parse(test.text)
		if !ok {
			t.Fatalf("cannot parse %q", test.text)
		}
		_, problems := Read(doc)
		if got, want := strings.Join(describeAll(problems), "\n"), strings.Join(test.want, "\n"); got != want {
			t.Errorf("%q\ngot\n%s\nwant\n%s", test.text, got, want)
		}
	}
}

func describeAll(problems []Problem) (list []string) {
	for _, p := range problems {
		list = append(list, describe(p))
	}
	return list
}

// After a mistake the rest is still there.
func TestReadGoesOn(t *testing.T) {
	doc, _ := parse(`
namePrefix: [x]
resources: [a, 1, b]
unknown: x
commonLabels: {a: b, c: yes, d: e}
patches:
- file: p.yaml
- path: 7
- path: q.yaml
  target: {knid: Deployment, labelSelector: {x: y}}
configMapGenerator:
- name: g
  behavior: [x]
  literals: [a=b, 1, {c: d}, {e: '"f"'}]
  mergeValues: [{key: k, format: json}]
- text
replacements:
- source: {kind: A, name: 1}
  targets: [{select: {kind: B}}]
- targets:
  - select: [{kind: C}]
  - select: {kind: D}
    reject: [{name: [e]}]
  - select: {kind: F}
    fieldPaths: [g, 2, h]
`)
	k, _ := Read(doc)
	check := func(what string, got, want any) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	check("namePrefix", k.NamePrefix.Value, "")
	check("resources", textsOf(k.Resources), []string{"a", "b"})
	check("labels", mapOf(k.CommonLabels), map[string]string{"a": "b", "d": "e"})
	check("patches", convert(k.Patches, func(p Patch) string { return p.Path.Value }), []string{"p.yaml", "q.yaml"})
	check("selector", k.Patches[1].Target.LabelSelector.Value, "x=y")
	check("generators", len(k.ConfigMapGenerator), 1)
	check("generator", k.ConfigMapGenerator[0].Name.Value, "g")
	check("literals", textsOf(k.ConfigMapGenerator[0].Literals), []string{"a=b", "c=d", `e=""f""`})
	check("mergeValues", k.ConfigMapGenerator[0].MergeValues[0].Key.Value, "k")
	check("replacements", len(k.Replacements), 1)
	check("targets", convert(k.Replacements[0].Targets, func(r ReplacementTarget) string { return r.Select.Kind.Value }), []string{"C", "F"})
	check("fieldPaths", textsOf(k.Replacements[0].Targets[1].FieldPaths), []string{"g", "h"})
}

func TestNodesAreWhereTheValuesAre(t *testing.T) {
	doc, _ := parse(`bases: [b]
resources: [&r a]
components: [*r]
images:
- &i {name: c, newTag: v1}
- {<<: *i, name: d}
configMapGenerator:
- env: e
vars:
- objref: {apiVersion: apps/v1}
`)
	k, _ := Read(doc)
	place := func(text Text) string { return fmt.Sprintf("%s %d:%d", text.Value, text.Node.Line, text.Node.Column) }
	for _, test := range []struct{ got, want string }{
		{place(k.Resources[0]), "a 2:13"},
		{place(k.Resources[1]), "b 1:9"},
		{fmt.Sprint(k.FirstBase), "1"},
		{place(k.Components[0]), "a 2:13"},
		{place(k.Images[1].Name), "d 6:18"},
		{place(k.Images[1].NewTag), "v1 5:24"},
		{fmt.Sprint(k.Images[1].Node.Line), "6"},
		{place(k.ConfigMapGenerator[0].Envs[0]), "e 8:8"},
		{place(k.Vars[0].ObjRef.Group), "apps 10:24"},
		{place(k.Vars[0].ObjRef.Version), "v1 10:24"},
	} {
		if test.got != test.want {
			t.Errorf("got %s, want %s", test.got, test.want)
		}
	}
}

func TestPairsAreSortedAndUnique(t *testing.T) {
	doc, _ := parse("COMMONANNOTATIONS: {b: 1x, a: 2x}\ncommonAnnotations: {c: 3x, b: 4x}")
	k, _ := Read(doc)
	var got []string
	for _, p := range k.CommonAnnotations {
		got = append(got, p.Key.Value+p.Value.Value)
	}
	if want := "a2x b4x c3x"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestHasTargets(t *testing.T) {
	doc, _ := parse("replacements: [{targets: []}, {targets: null}, {path: a}, {targets: [{select: {kind: A}}]}]")
	k, _ := Read(doc)
	got := convert(k.Replacements, func(r Replacement) bool { return r.HasTargets })
	if want := "[true false false true]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestAliasBombs holds the bounds against kustomize's, just below and above.
func TestAliasBombs(t *testing.T) {
	bomb := func(levels, width int) string {
		var b strings.Builder
		b.WriteString("commonAnnotations: {a: b}\nx0: &x0 [a, a, a]\n")
		for i := 1; i <= levels; i++ {
			fmt.Fprintf(&b, "x%d: &x%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*x%d, ", i-1), width), ", "))
		}
		return b.String()
	}
	// Unknown fields make kustomize refuse all of them: only the kinds differ.
	for _, test := range []struct {
		levels, width int
		excessive     bool
	}{{3, 3, false}, {4, 9, true}, {9, 9, true}, {60, 2, true}} {
		doc, ok := parse(bomb(test.levels, test.width))
		if !ok {
			t.Fatal("cannot parse")
		}
		_, problems := Read(doc)
		excessive := false
		for _, p := range problems {
			excessive = excessive || p.Kind == ExcessiveAliasing
		}
		if _, err := upstreamLoad(bomb(test.levels, test.width)); strings.Contains(err.Error(), "excessive aliasing") != excessive {
			t.Errorf("%d levels of %d: excessive is %t, kustomize: %v", test.levels, test.width, excessive, err)
		}
		if excessive != test.excessive {
			t.Errorf("%d levels of %d: excessive is %t", test.levels, test.width, excessive)
		}
	}
}

func TestFieldNode(t *testing.T) {
	doc, _ := parse("Generators: [x]\ngenerators: [y]\ngenerators: [z]\nhelmGlobals: &h\n  CHARTHOME: a\nalias: *h\nlist: [a]\n")
	for _, test := range []struct {
		names []string
		want  string
	}{
		{[]string{"generators"}, "3:1 3:13"},
		{[]string{"GENERATORS"}, "3:1 3:13"},
		{[]string{"helmGlobals", "chartHome"}, "5:3 5:14"},
		{[]string{"alias", "chartHome"}, "5:3 5:14"},
		{[]string{"list", "a"}, ""},
		{[]string{"nothing", "a"}, ""},
	} {
		key, value := FieldNode(doc, test.names...)
		got := ""
		if value != nil {
			got = fmt.Sprintf("%d:%d %d:%d", key.Line, key.Column, value.Line, value.Column)
		}
		if got != test.want {
			t.Errorf("%v: got %q, want %q", test.names, got, test.want)
		}
	}
	if key, value := FieldNode(nil, "a"); key != nil || value != nil {
		t.Error("a field in nothing")
	}
}

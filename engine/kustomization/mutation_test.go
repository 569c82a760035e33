package kustomization

import (
	"math/rand"
	"strings"
	"testing"
)

// seeds are kustomizations that use every field of the format once.
var seeds = []string{
	`apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
metadata: {name: demo, annotations: {a: b}}
namePrefix: dev-
nameSuffix: "-1"
namespace: team
resources:
- ../base
- deploy.yaml
components: [../component]
commonLabels: &labels
  app: demo
labels:
- pairs: {<<: *labels, tier: web}
  includeSelectors: false
  includeTemplates: true
  fields:
  - {path: spec/a, kind: B, group: c, version: v1, create: true}
commonAnnotations:
  <<: *labels
  note: "1"
openapi: {path: schema.json}
buildMetadata: [originAnnotations]
`,
	`patches:
- path: patch.yaml
  target: {kind: Deployment, name: web.*, labelSelector: "a=b"}
- patch: |-
    - op: remove
      path: /spec
  target:
    group: apps
    version: v1
    annotationSelector: c
  options:
    allowNameChange: true
patchesStrategicMerge:
- a.yaml
patchesJson6902:
- {path: b.yaml, target: {kind: A, name: b, namespace: c}}
replacements:
- source: {kind: ConfigMap, name: a, fieldPath: data.x, options: {delimiter: "=", index: 1}}
  targets:
  - select: {kind: Deployment}
    reject:
    - {name: web}
    fieldPaths:
    - spec.replicas
    options: {create: true}
- path: more.yaml
- sourceValue: x
  targets: []
`,
	`configMapGenerator:
- name: config
  behavior: merge
  literals:
  - a=b
  files: [c.txt, d=e.txt]
  env: .env
  options: {labels: {a: b}, disableNameSuffixHash: true}
secretGenerator:
- name: secret
  type: Opaque
  envs: [x.env]
  namespace: y
generatorOptions:
  annotations: {z: "true"}
  immutable: false
images:
- &image
  name: nginx
  newName: registry/nginx
- <<: *image
  newTag: "1.10"
- {name: redis, digest: sha256:abc, tagSuffix: -x}
imageTags: [{name: old, newTag: v1}]
replicas:
- {name: web, count: 3}
vars:
- name: FOO
  objref: {apiVersion: v1, kind: Service, name: web}
  fieldref: {fieldPath: metadata.name}
`,
	`kind: Component
sortOptions: {order: legacy, legacySortOptions: {orderFirst: [A], orderLast: [B]}}
helmGlobals: {chartHome: charts}
helmCharts:
- name: c
  version: "1.0"
  valuesInline: {a: {b: [1, 2.5, true, null]}}
  additionalValuesFiles: [v.yaml]
helmChartInflationGenerator:
- {chartName: old, chartHome: x, valuesLocal: {a: 1}, extraArgs: [y]}
crds: [crd.yaml]
bases: [old]
configurations: [c.yaml]
generators: [g.yaml]
transformers: [t.yaml]
validators: [v.yaml]
`,
}

// oddValues are what a mutation writes in place of a value.
var oddValues = []string{
	"yes", "no", "on", "y", "null", "~", "''", `"x"`, "1", "1.0", "1.5", "-0.0", "0x10", "010", "1_0", "1:30", "1e3", "1e21",
	".inf", ".nan", "2001-12-14", "99999999999999999999", "18446744073709551615", "!!str 1", "!!int 'x'", "!!binary aGk=",
	"!!binary '%'", "!foo bar", "[]", "{}", "[a]", "[1]", "[null]", "[[a]]", "{a: b}", "{a: 1}", "{null: a}", "{? [a] : b}",
	"&x v", "*labels", "*image", "*x", "{<<: *labels}", "{<<: *image, name: z}", "{<<: [*labels, {q: r}]}", "|\n  text", "<<",
	"{a: b, a: c}", "{1: x, '1': x}",
}

func TestReadAgreesWithKustomizeOnMutations(t *testing.T) {
	compareMutations(t, seeds, 3000, compareWithUpstream)
}

// compareMutations calls compare with that many texts made from the seeds,
// always the same ones. compare tells whether kustomize accepts the text.
func compareMutations(t *testing.T, seeds []string, count int, compare func(*testing.T, string) bool) {
	t.Helper()
	random := rand.New(rand.NewSource(1))
	accepted, refused := 0, 0
	for i := 0; i < count && !t.Failed(); i++ {
		text := seeds[random.Intn(len(seeds))]
		for range 1 + random.Intn(3) {
			text = mutate(random, text)
		}
		if compare(t, text) {
			accepted++
		} else {
			refused++
		}
	}
	if accepted < 50 || refused < 50 {
		t.Errorf("one-sided: %d accepted, %d refused", accepted, refused)
	}
}

// mutate changes a text in a way that mostly leaves it YAML.
func mutate(random *rand.Rand, text string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	i := random.Intn(len(lines))
	switch random.Intn(9) {
	case 0:
		lines = append(lines[:i], lines[i+1:]...)
	case 1:
		lines[i] = upperOne(random, lines[i])
	case 2, 3, 4:
		lines[i] = withValue(lines[i], oddValues[random.Intn(len(oddValues))])
	case 5:
		// Another line's field under this one, at this one's indentation.
		other := strings.TrimLeft(lines[random.Intn(len(lines))], " -")
		indent := lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " -"))]
		lines[i] += "\n" + strings.ReplaceAll(indent, "-", " ") + upperOne(random, other)
	case 6:
		lines[i] += "\n" + lines[i]
	case 7:
		lines[i] = replaceWord(random, lines[i], oddValues[random.Intn(len(oddValues))])
	case 8:
		lines[i] = replaceWord(random, lines[i], fieldName(random))
	}
	return strings.Join(lines, "\n") + "\n"
}

func fieldName(random *rand.Rand) string {
	structs := Structs()
	s := structs[random.Intn(len(structs))]
	return s.Fields[random.Intn(len(s.Fields))].Name
}

func upperOne(random *rand.Rand, line string) string {
	if line == "" {
		return line
	}
	i := random.Intn(len(line))
	return line[:i] + strings.ToUpper(line[i:i+1]) + line[i+1:]
}

func withValue(line, value string) string {
	if i := strings.Index(line, ": "); i >= 0 {
		return line[:i+2] + value
	}
	if strings.HasSuffix(line, ":") {
		return line + " " + value
	}
	if i := strings.Index(line, "- "); i >= 0 {
		return line[:i+2] + value
	}
	return line
}

// replaceWord replaces one of the words of a line.
func replaceWord(random *rand.Rand, line, value string) string {
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" {}[]:,-", r) })
	if len(words) == 0 {
		return line
	}
	return strings.Replace(line, words[random.Intn(len(words))], value, 1)
}

func FuzzRead(f *testing.F) {
	for _, text := range append(append([]string{}, oddTexts...), seeds...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if doc, ok := parse(text); ok {
			ReadReplacements(doc)
			ReadTransformerConfig(doc)
		}
		if !ambiguous(text) {
			compareWithUpstream(t, text)
		}
	})
}

// ambiguous tells whether kustomize itself may answer this way or that: it puts
// the keys 1 and "1" of one mapping in a random order. Texts that yaml.v2 and
// yaml.v3 parse differently are left out as well.
func ambiguous(text string) bool {
	return strings.ContainsAny(text, "!%\t\u0085\u2028\u2029\uFEFF") || strings.ContainsAny(text, "?0123456789") && strings.ContainsAny(text, `"'`)
}

package kustomization

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/types"
)

// emptyKey is an empty flow collection as a key. yaml.v2 takes it for the whole
// root, or for a syntax error where it is deeper; yaml.v3 reads it as a key.
var emptyKey = regexp.MustCompile(`(\{\s*\}|\[\s*\])\s*:`)

// parse returns the first document of a text as yaml.v3 has it, nil for an empty
// text; ok is false for what yaml.v3 cannot parse or parses differently.
func parse(text string) (doc *yaml.Node, ok bool) {
	if emptyKey.MatchString(text) {
		return nil, false
	}
	doc = &yaml.Node{}
	if err := yaml.NewDecoder(strings.NewReader(text)).Decode(doc); err != nil {
		return nil, err.Error() == "EOF"
	}
	return doc, true
}

// upstreamLoad does what KustTarget.Load does with the text of a file.
func upstreamLoad(text string) (*types.Kustomization, error) {
	k := &types.Kustomization{}
	if err := k.Unmarshal([]byte(text)); err != nil {
		return nil, err
	}
	k.FixKustomization()
	if err := k.CheckEmpty(); err != nil {
		return nil, err
	}
	if errs := k.EnforceFields(); len(errs) > 0 {
		return nil, &fieldsError{strings.Join(errs, "; ")}
	}
	return k, nil
}

type fieldsError struct{ message string }

func (e *fieldsError) Error() string { return e.message }

// compareWithUpstream fails the test where Read accepts what kustomize refuses,
// or the reverse, or where it reads other values. It tells whether kustomize
// accepts the text.
func compareWithUpstream(t *testing.T, text string) bool {
	t.Helper()
	doc, ok := parse(text)
	if !ok {
		return false
	}
	want, err := upstreamLoad(text)
	got, problems := Read(doc)
	fatal := fatalOf(problems)
	if fatal != nil && fatal.Kind == NullEntry {
		// kustomize loads the file and crashes later.
		return err == nil
	}
	if (err != nil) != (fatal != nil) {
		t.Errorf("%q\nkustomize: %v\nours: %+v", text, err, fatal)
		return err == nil
	}
	if err == nil {
		if got := inUpstreams(got); !reflect.DeepEqual(got, normalised(want)) {
			t.Errorf("%q\ngot  %+v\nwant %+v", text, got, want)
		}
	}
	return err == nil
}

// fatalOf returns the first fatal problem, preferably not a null entry.
func fatalOf(problems []Problem) *Problem {
	var found *Problem
	for i := range problems {
		if problems[i].Fatal && (found == nil || found.Kind == NullEntry) {
			found = &problems[i]
		}
	}
	return found
}

// oddTexts are accepted by kustomize or refused by it for a reason that is easy
// to get wrong.
var oddTexts = []string{
	"", "\n", "# only a comment\n", "---\n", "---\n---\nresources: [a]\n", "null", "~", "[]", "- a", "text", "1", "{}",
	"kind: Kustomization", "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n",
	"kind: Component\nnamePrefix: a", "kind: Component\napiVersion: kustomize.config.k8s.io/v1beta1\nnamePrefix: a",
	"kind: Component\napiVersion: kustomize.config.k8s.io/v1alpha1\nnamePrefix: a",
	"kind: kustomization\nnamePrefix: a", "kind: ''\napiVersion: ''\nnamePrefix: a", "kind: null\nnamePrefix: a",
	"apiVersion: v1\nnamePrefix: a", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: {}",
	"resources: []", "bases: []", "imageTags: []", "resources: null", "resources:", "images: []", "namePrefix: ''",
	"commonLabels: {}", "commonLabels: null", "metadata: {}", "metadata: null", "metadata: {name: 1}",
	"metadata: {name: a, labels: {a: b}, annotations: {c: d}, namespace: n}", "metadata: {creationTimestamp: null}",
	"openapi: {}", "openapi: {path: a, version: b}", "openapi: {path: 1}", "helmChartInflationGenerator: []",
	"helmCharts: []", "sortOptions: {}", "generatorOptions: {}", "helmGlobals: {}", "vars: []", "buildMetadata: []",
	// YAML 1.1
	"namePrefix: yes", "namePrefix: y", "namePrefix: on", "namePrefix: 1", "namePrefix: 1.0", "namePrefix: 1_000",
	"namePrefix: 0x1F", "namePrefix: 0o17", "namePrefix: 010", "namePrefix: 0b11", "namePrefix: -0b11", "namePrefix: 1:30",
	"namePrefix: 2001-12-14", "namePrefix: 2001-12-14t21:59:43.10-05:00", "namePrefix: 2001-13-14", "namePrefix: .5",
	"namePrefix: .inf", "namePrefix: .nan", "namePrefix: '.nan'", "namePrefix: +", "namePrefix: -", "namePrefix: 1e3",
	"namePrefix: 1e", "namePrefix: 0x", "namePrefix: 08", "namePrefix: ._1", "namePrefix: 1__0", "namePrefix: _1",
	"namePrefix: !!str 1", "namePrefix: !!str yes", "namePrefix: !!int '1'", "namePrefix: !!int a",
	"namePrefix: !!binary aGVsbG8=", "namePrefix: !!binary '%'", "namePrefix: !!binary /w==", "namePrefix: !foo 1",
	"namePrefix: !!null a", "namePrefix: !!null ''", "namePrefix: !!timestamp 2001-12-14", "namePrefix: !!bool yes",
	"namePrefix: !!timestamp a", "namePrefix: !!float 1", "namePrefix: !!merge a", "namePrefix: <<",
	"namePrefix: |\n  text\n", "namePrefix: >-\n  yes\n", "namePrefix: \"\\x41\"", "namePrefix: 'yes'",
	"namePrefix: 18446744073709551615", "namePrefix: 99999999999999999999",
	"namePrefix: !!int 99999999999999999999", "namePrefix: !!float 18446744073709551615",
	// numbers
	"replicas: [{name: a, count: 3}]", "replicas: [{name: a, count: 3.0}]", "replicas: [{name: a, count: 3.5}]",
	"replicas: [{name: a, count: '3'}]", "replicas: [{name: a, count: 0x10}]", "replicas: [{name: a, count: 1_0}]",
	"replicas: [{name: a, count: 1e3}]", "replicas: [{name: a, count: 1e20}]", "replicas: [{name: a, count: 1e18}]", "replicas: [{name: a, count: 1e21}]",
	"replicas: [{name: a, count: 9223372036854775807}]", "replicas: [{name: a, count: 9223372036854775808}]",
	"replicas: [{name: a, count: -0.0}]", "replicas: [{name: a, count: null}]", "replicas: [{name: a, count: yes}]",
	"replicas: [{name: a, count: .inf}]", "replicas: [{name: a, count: 1e-7}]", "replicas: [{name: a, count: 010}]",
	"replicas: [{name: a, count: !!float 7}]", "replicas: [{name: a, count: 1:30}]", "replicas: {name: a}",
	// booleans
	"labels: [{pairs: {a: b}, includeSelectors: yes}]", "labels: [{pairs: {a: b}, includeSelectors: 'true'}]",
	"labels: [{pairs: {a: b}, includeSelectors: 1}]", "labels: [{pairs: {a: yes}}]", "labels: [{pairs: {a: 1}}]",
	"labels: [{pairs: {1: b, yes: c, 1.5: d, 0x2: e, .inf: f, 2001-01-01: g}}]", "labels: [{pairs: {a: null}}]",
	"labels: [{pairs: [a]}]", "labels: [{fields: [{path: a, create: true, kind: b, group: c, version: d}]}]",
	"labels: [{fields: [{path: 1}]}]", "labels: [null]", "labels: {}", "labels: [{includeTemplates: on}]",
	"labels: [{pair: {a: b}}]", "labels: [{includeVolumeClaimTemplates: true, pairs: {a: b}}]",
	// keys
	"commonLabels: {null: a}", "commonLabels: {~: a}", "commonLabels: {? [a] : b}", "commonLabels: {? {a: b} : c}",
	"commonLabels: {18446744073709551615: a}", "commonLabels: {9223372036854775807: a}", "1: a", "yes: a", "null: a",
	"commonLabels: {1.10: a}", "commonLabels: {!!str 1.10: a}", "commonLabels: {!!binary aGk=: a}", "'': a",
	"commonLabels: {a: 1.10}", "commonLabels: {a: \"1.10\"}", "commonLabels: {0.1: a}", "commonLabels: {1e30: a}",
	// key case and duplicates
	"NamePrefix: a", "NAMEPREFIX: a", "namePrefix: a\nNamePrefix: b", "NamePrefix: a\nnamePrefix: b",
	"namePrefix: a\nnamePrefix: b", "namePrefix: a\nnamePrefix: null", "NamePrefix: a\nnamePrefix: null",
	"\u212Aind: Kustomization\nnamePrefix: a", "re\u017Fources: [a]", "RESOURCES: [a]\nresources: [b, c]",
	"RESOURCES: [a, b, c]\nresources: [d]", "RESOURCES: [a]\nresources: []", "RESOURCES: [a]\nresources: null",
	"RESOURCES: [a, b]\nREsources: [c]\nresources: [null, null]", "PATCHES: [{path: a}]\npatches: [{patch: b}]",
	"PATCHES: [{path: a, target: {kind: x}}]\npatches: [{target: {name: b}}]",
	"PATCHES: [{path: a, target: {kind: x}}]\npatches: [{target: null}]", "COMMONLABELS: {a: b, c: d}\ncommonLabels: {a: e}",
	"COMMONLABELS: {a: b}\ncommonLabels: null", "METADATA: {name: a}\nmetadata: {namespace: b}",
	"METADATA: {name: a}\nmetadata: null", "PATCHES: [{path: a}]\npatches: [null]", "commonLabels: {a: b, A: c}",
	"commonLabels: {a: b, a: c}", "IMAGES: [{name: a}, {name: b, newTag: c}]\nimages: [{newName: d}]",
	"images: [{name: a, Name: b}]", "images: [{name: a, name: b}]", "REPLICAS: [{name: a, count: 2}]\nreplicas: [{name: b}]",
	"HelmCharts: [{name: a, valuesInline: {a: 1}}]\nhelmCharts: [{valuesInline: null}]",
	"VARS: [{name: a, objref: {kind: b}}]\nvars: [{objref: null, fieldref: {fieldPath: c}}]",
	"REPLACEMENTS: [{source: {kind: a}, targets: [{select: {kind: b}}]}]\nreplacements: [{targets: [{fieldPaths: [c]}]}]",
	// anchors and merge keys
	"namePrefix: &a x\nnameSuffix: *a", "resources: &a [x]\ncomponents: *a", "commonLabels: &a {x: y}\ncommonAnnotations: *a",
	"commonLabels: &a {x: y}\ncommonAnnotations: {<<: *a, z: w}", "commonLabels: &a {x: y}\ncommonAnnotations: {x: w, <<: *a}",
	"commonLabels: &a {x: y}\ncommonAnnotations: {<<: *a, x: w}", "commonLabels: {<<: {a: b}}", "commonLabels: {<<: [{a: b}, {a: c, d: e}]}",
	"commonLabels: {<<: a}", "commonLabels: {<<: null}", "commonLabels: {<<: [a]}", "commonLabels: {'<<': a}", "commonLabels: {\"<<\": {a: b}}",
	"commonLabels: {!!merge <<: {a: b}}", "commonLabels: {!!str <<: a}", "commonLabels: &a [x]\ncommonAnnotations: {<<: *a}",
	"images: [&a {name: x}, {<<: *a, newTag: y}]", "images: [&a {name: x}, *a]", "<<: {namePrefix: a}", "namePrefix: b\n<<: {namePrefix: a}",
	"commonLabels: &a {b: *a}", "resources: &a [*a]", "x: &a y\nnamePrefix: *a", "&a namePrefix: b\nnameSuffix: *a",
	"commonLabels: {&k x: y}\ncommonAnnotations: {*k : z}", "commonLabels: &a {x: y}\n? *a\n: z",
	"<<: &a {namePrefix: b}\ncommonLabels: *a", "commonLabels: {<<: &a {x: y, <<: {z: w}}}",
	// structures
	"resources: a", "resources: {a: b}", "resources: [1]", "resources: [yes]", "resources: [null]", "resources: [[a]]", "resources: [{a: b}]",
	"bases: [a]\nresources: [b]", "bases: [null]", "imageTags: [{name: a}]\nimages: [{name: b}]", "unknown: a", "unknown: null",
	"patches: [{path: a}]", "patches: [a]", "patches: [{file: a}]", "patches: [{path: a, type: json}]", "patches: [null]",
	"patches: [{target: {labelSelector: {a: b}}, path: c}]", "patches: [{target: {matchAnnotations: {a: b}}, path: c}]",
	"patches: [{target: {group: a, version: b, kind: c, name: d, namespace: e, labelSelector: f, annotationSelector: g}, patch: h}]",
	"patches: [{target: {apiVersion: a}}]", "patches: [{options: {allowNameChange: true, allowKindChange: false}}]", "patches: [{options: null}]",
	"patches: [{options: {allowNameChange: 'true'}}]", "patches: [{target: []}]", "patches: {}", "patchesJson6902: [{path: a, target: {name: b}}]",
	"patchesStrategicMerge: [a, |-\n  b\n]", "patchesStrategicMerge:\n- a\n- |-\n  kind: x\n", "patchesStrategicMerge: [{a: b}]", "patchesStrategicMerge: [null]",
	"replacements: [{path: a}]", "replacements: [{source: {kind: a, fieldPath: b, options: {delimiter: c, index: 1, encoding: d, create: true}}}]",
	"replacements: [{source: {kind: a}, targets: [{select: {kind: b}, reject: [{name: c}], fieldPaths: [d], options: {create: yes}}]}]",
	"replacements: [{sourceValue: a}]", "replacements: [{sourceValue: 1}]", "replacements: [{sourceValue: ''}]", "replacements: [{sourceValue: null}]",
	"replacements: [{targets: [{select: [{kind: a}]}]}]", "replacements: [{targets: [{select: []}]}]", "replacements: [{targets: []}]",
	"replacements: [{targets: null}]", "replacements: [{targets: [{reject: {kind: a}}]}]", "replacements: [{targets: [{fieldPaths: [1]}]}]",
	"replacements: [{source: {labelSelector: a}}]", "replacements: [{targets: [{options: {index: 1.0}}]}]", "replacements: [{targets: [{options: {index: 1.5}}]}]",
	"replacements: [{source: []}]", "replacements: [null]", "replacements: [{source: {options: {index: -1, delimiter: '='}}}]",
	"vars: [{name: a, objref: {apiVersion: apps/v1, kind: b, name: c}, fieldref: {fieldPath: d}}]", "vars: [{name: a, objref: {apiVersion: v1, version: v2, group: g}}]",
	"vars: [{name: a, objref: {apiVersion: a/b/c, version: v2, group: g}}]", "vars: [{name: a, objref: {namespace: b}}]", "vars: [{fieldref: {fieldpath: a}}]",
	"vars: [{objRef: {kind: a}}]", "vars: [{objref: [a]}]",
	"configMapGenerator: [{name: a, literals: [b=c], files: [d], envs: [e], env: f, namespace: g, behavior: merge}]", "configMapGenerator: [{env: a}]",
	"configMapGenerator: [{name: a, type: b}]", "secretGenerator: [{name: a, type: b, env: c, envs: []}]", "configMapGenerator: [{literals: [{a: b}]}]",
	"configMapGenerator: [{mergeValues: []}]", "configMapGenerator: [{options: {labels: {a: b}, annotations: {c: d}, disableNameSuffixHash: true, immutable: true}}]",
	"configMapGenerator: [{behavior: x}]", "configMapGenerator: [{literals: a=b}]", "configMapGenerator: {name: a}", "configMapGenerator: [a]",
	"generatorOptions: {disableNameSuffixHash: 'yes'}", "generatorOptions: {labels: {a: true}}", "secretGenerator: [{literals: [a, 1]}]",
	"sortOptions: {order: legacy, legacySortOptions: {orderFirst: [a], orderLast: []}}", "sortOptions: {legacySortOptions: null}", "sortOptions: {legacySortOptions: {}}",
	"SORTOPTIONS: {legacySortOptions: {orderFirst: [a]}}\nsortOptions: {legacySortOptions: null}", "sortOptions: fifo",
	"helmGlobals: {chartHome: a, configHome: b}", "helmCharts: [{name: a, valuesInline: {b: {c: [1, 2]}}, includeCRDs: true}]", "helmCharts: [{valuesInline: []}]",
	"helmCharts: [{valuesInline: {a: .nan}}]", "helmCharts: [{valuesInline: {null: 1}}]", "helmCharts: [{valuesInline: {1: {2: 3}}}]", "helmCharts: [{additionalValuesFiles: [a], apiVersions: [b]}]",
	"helmCharts: [{name: a, version: 1.0}]", "helmCharts: [{name: a, version: '1', repo: b, releaseName: c, namespace: d, valuesFile: e, valuesMerge: f, skipHooks: true, kubeVersion: g, nameTemplate: h, skipTests: true, debug: true, devel: true}]",
	"helmChartInflationGenerator: [{chartName: a, chartVersion: b, chartRepoUrl: c, chartHome: d, chartRepoName: e, helmBin: f, helmHome: g, values: h, valuesLocal: {i: j}, valuesMerge: k, releaseName: l, releaseNamespace: m, extraArgs: [n]}]",
	"helmChartInflationGenerator: [{chartHome: a}, {chartHome: b, helmHome: c}]\nhelmGlobals: {chartHome: d}", "helmChartInflationGenerator: [{chartHome: a}, {chartHome: b, helmHome: c}]",
	"buildMetadata: [originAnnotations, x]", "buildMetadata: originAnnotations", "crds: [a]\nconfigurations: [b]\ngenerators: [c]\ntransformers: [d]\nvalidators: [e]\ncomponents: [f]",
	"resources: [a]\n---\nunknown: b", "resources: [a]\n...\n", "resources: [a]\n--- \n[\n", "%YAML 1.1\n---\nresources: [a]", "\uFEFFresources: [a]",
	"resources:\r\n- a\r\n", "resources: [a,]", "{resources: [a]}", "{\"resources\": [\"a\"]}", "resources: [a]\nresources: [b]\n", "namePrefix: \"\\ud83d\\ude00\"", "namePrefix: \"\\U0001F600\"",
	"x: &a y\n", "namePrefix: \"a\\\n  b\"", "? namePrefix\n: a", "? namePrefix\n", "namePrefix", "namePrefix:a",
}

func TestReadAgreesWithKustomize(t *testing.T) {
	accepted := 0
	for _, text := range oddTexts {
		if compareWithUpstream(t, text) {
			accepted++
		}
	}
	if accepted < 60 || len(oddTexts)-accepted < 60 {
		t.Errorf("the table is one-sided: kustomize accepts %d of %d", accepted, len(oddTexts))
	}
}

// TestReadSelector reads a selector by itself, as the decoder reads it in its entry: fields
// of another case, labels written as a mapping, and nothing of what is no selector.
func TestReadSelector(t *testing.T) {
	doc, _ := parse("Kind: Deployment\nname: web\nlabelSelector: {app: a, tier: b}\nfieldPath: x\nnamespace: [n]\n")
	root := doc
	if doc.Kind == yaml.DocumentNode {
		root = doc.Content[0]
	}
	s := ReadSelector(root)
	if s.Kind.Value != "Deployment" || s.Name.Value != "web" || s.LabelSelector.Value != "app=a,tier=b" || s.Namespace.Value != "" || s.Node != root {
		t.Errorf("read as %+v", s)
	}
	if empty := ReadSelector(nil); empty.Kind.Value != "" {
		t.Errorf("nothing is read as %+v", empty)
	}
}

package edit

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/types"
)

// The texts on the right are what somebody would have typed who keeps to the style
// of the file on the left.
var conversionCases = []struct{ name, field, before, after string }{
	{"rename", "bases", "bases: # b\n  # one\n  - ../a # a\n", "resources: # b\n  # one\n  - ../a # a\n"},
	{"rename in brackets", "bases", "bases: [../a] # b\nnamePrefix: x", "resources: [../a] # b\nnamePrefix: x"},
	{"rename in quotes", "bases", "{\"bases\": [\"../a\"], \"namePrefix\": \"x\"}\n", "{\"resources\": [\"../a\"], \"namePrefix\": \"x\"}\n"},
	{"rename in another case", "bases", "Bases:\n- ../a\n", "resources:\n- ../a\n"},
	{"rename an alias", "bases", "crds: &c [a]\nbases: *c\n", "crds: &c [a]\nresources: *c\n"},
	{"move behind", "bases", "resources:\n- a.yaml\n\nbases:\n- ../a\n\nnamePrefix: x\n", "resources:\n- a.yaml\n- ../a\n\nnamePrefix: x\n"},
	{"move from above", "bases", "bases:\n- ../a\nresources:\n- a.yaml\n", "resources:\n- a.yaml\n- ../a\n"},
	{"move with another indentation", "bases", "bases:\n- ../a\nresources:\n    - a.yaml\n", "resources:\n    - a.yaml\n    - ../a\n"},
	{"move with comments", "bases", "# file\n\n# above\nbases: # key\n# one\n- ../a # a\n\n# two\n- ../b\n# after\nresources:\n- a.yaml # r\n# end\n",
		"# file\n\n# after\nresources:\n- a.yaml # r\n# above\n# key\n# one\n- ../a # a\n\n# two\n- ../b\n# end\n"},
	{"what begins the file stays there", "bases", "# license\nbases:\n- ../a\nresources:\n- a.yaml\n", "# license\nresources:\n- a.yaml\n- ../a\n"},
	{"move, CRLF", "bases", "bases:\r\n- ../a\r\nresources:\r\n- a.yaml\r\n", "resources:\r\n- a.yaml\r\n- ../a\r\n"},
	{"move, no newline at the end", "bases", "bases:\n- ../a\nresources:\n- a.yaml", "resources:\n- a.yaml\n- ../a"},
	{"move away from the end", "bases", "resources:\n- a.yaml\nbases:\n- ../a", "resources:\n- a.yaml\n- ../a"},
	{"move into brackets", "bases", "bases: [../a, ../b]\nresources: [a.yaml]\n", "resources: [a.yaml, ../a, ../b]\n"},
	{"move out of brackets", "bases", "bases: [../a, ../b] # c\nresources:\n- a.yaml\n", "resources:\n- a.yaml\n# c\n- ../a\n- ../b\n"},
	{"brackets cannot hold comments", "bases", "bases:\n- ../a # a\nresources: [a.yaml] # r\n", "resources: # r\n- a.yaml\n- ../a # a\n"},
	{"move into empty brackets", "bases", "bases:\n- ../a\nresources: [] # none\n", "resources: # none\n- ../a\n"},
	{"move into nothing", "bases", "resources:\nbases:\n- ../a\n", "resources:\n- ../a\n"},
	{"an empty list goes", "bases", "resources:\n- a.yaml\nbases: []\n", "resources:\n- a.yaml\n"},
	{"multibyte", "bases", "bases:\n- ../é€😀 # ü\nresources:\n- 日本.yaml\n", "resources:\n- 日本.yaml\n- ../é€😀 # ü\n"},

	{"imageTags", "imageTags", "images:\n- name: a\n  newTag: b\nimageTags:\n- name: c # c\n  newTag: \"1\"\n", "images:\n- name: a\n  newTag: b\n- name: c # c\n  newTag: \"1\"\n"},

	{"env", "env", "configMapGenerator:\n- name: a\n  env: .env # e\n- env: b.env\n  name: b\n", "configMapGenerator:\n- name: a\n  envs:\n  - .env # e\n- envs:\n  - b.env\n  name: b\n"},
	{"env in braces", "env", "secretGenerator:\n- {name: a, env: .env}\n", "secretGenerator:\n- {name: a, envs: [.env]}\n"},
	{"env behind envs", "env", "secretGenerator:\n- name: a\n  env: b.env # b\n  envs:\n  - a.env\n", "secretGenerator:\n- name: a\n  envs:\n  - a.env\n  # b\n  - b.env\n"},
	{"indented lists", "env", "configMapGenerator:\n  - name: a\n    env: .env\n", "configMapGenerator:\n  - name: a\n    envs:\n      - .env\n"},

	{"inflation", "helmChartInflationGenerator", "helmChartInflationGenerator:\n- chartName: a # a\n  chartVersion: 1.0.0\n  chartRepoUrl: https://x\n  values: v.yaml\n  valuesLocal:\n    # in\n    b: c\n  releaseName: r\n",
		"helmCharts:\n- name: a # a\n  version: 1.0.0\n  repo: https://x\n  valuesFile: v.yaml\n  valuesInline:\n    # in\n    b: c\n  releaseName: r\n"},
	{"inflation with homes", "helmChartInflationGenerator", "helmChartInflationGenerator:\n- chartName: a\n  chartHome: charts\n  helmBin: h\nnamePrefix: x\n",
		"helmCharts:\n- name: a\nhelmGlobals:\n  chartHome: charts\nnamePrefix: x\n"},

	{"strategic merges", "patchesStrategicMerge", "patchesStrategicMerge: # all\n  - a.yaml # a\n  # two\n  - |-\n    # inside\n    kind: A\n    metadata:\n      name: b\n  - \"b.yaml\"\n",
		"patches: # all\n  - path: a.yaml # a\n  # two\n  - patch: |-\n      # inside\n      kind: A\n      metadata:\n        name: b\n  - path: \"b.yaml\"\n"},
	{"strategic merges in front", "patchesStrategicMerge", "patches:\n# first\n- path: p.yaml\n# sm\npatchesStrategicMerge:\n- a.yaml\n", "patches:\n# sm\n- path: a.yaml\n# first\n- path: p.yaml\n"},
	{"strategic merges in brackets", "patchesStrategicMerge", "patchesStrategicMerge: [a.yaml, 'b.yaml'] # c\n", "patches: [{path: a.yaml}, {path: 'b.yaml'}] # c\n"},
	{"brackets into a list", "patchesStrategicMerge", "patchesStrategicMerge: [a.yaml]\npatches:\n  - path: p.yaml\n", "patches:\n  - path: a.yaml\n  - path: p.yaml\n"},
	{"brackets into brackets", "patchesStrategicMerge", "patchesStrategicMerge: [a.yaml]\npatches: [{path: p.yaml}]\n", "patches: [{path: a.yaml}, {path: p.yaml}]\n"},
	{"a patch on one line", "patchesStrategicMerge", "patchesStrategicMerge:\n- '{kind: A, metadata: {name: b}}'\n", "patches:\n- patch: '{kind: A, metadata: {name: b}}'\n"},
	{"explicit indentation", "patchesStrategicMerge", "patchesStrategicMerge:\n- |2-\n  kind: A\n  metadata: {name: b}\n", "patches:\n- patch: |2-\n    kind: A\n    metadata: {name: b}\n"},
	{"kept line breaks", "patchesStrategicMerge", "patchesStrategicMerge:\n- |+\n  kind: A\n\n- b.yaml\n", "patches:\n- patch: |+\n    kind: A\n\n- path: b.yaml\n"},
	{"quotes over lines", "patchesStrategicMerge", "patchesStrategicMerge:\n- \"kind: A\\n\\\n  metadata: {name: b}\"\n", "patches:\n- patch: \"kind: A\\n\\\n    metadata: {name: b}\"\n"},
	{"dash on a line of its own", "patchesStrategicMerge", "patchesStrategicMerge:\n-\n  a.yaml\n", "patches:\n-\n  path: a.yaml\n"},

	{"JSON patches", "patchesJson6902", "patchesJson6902:\n- path: j.yaml # j\n  target: {kind: A, name: b}\n", "patches:\n- path: j.yaml # j\n  target: {kind: A, name: b}\n"},
	{"JSON patches behind", "patchesJson6902", "patchesJson6902:\n- path: j.yaml\n  target:\n    kind: A\n    name: b\npatches:\n  - path: p.yaml\n", "patches:\n  - path: p.yaml\n  - path: j.yaml\n    target:\n      kind: A\n      name: b\n"},

	{"common labels", "commonLabels", "# labels\ncommonLabels: # c\n  # the app\n  app: web # w\n\n  tier: \"1\"\nnamePrefix: x\n", "# labels\nlabels:\n- includeSelectors: true\n  pairs: # c\n    # the app\n    app: web # w\n\n    tier: \"1\"\nnamePrefix: x\n"},
	{"common labels in braces", "commonLabels", "resources:\n  - a.yaml\ncommonLabels: {app: web} # c", "resources:\n  - a.yaml\nlabels:\n  - includeSelectors: true\n    pairs: {app: web} # c"},
	{"common labels behind", "commonLabels", "# c\n\ncommonLabels:\n  app: web\nlabels:\n  - pairs: {a: b}\n", "# c\n\nlabels:\n  - pairs: {a: b}\n  - includeSelectors: true\n    pairs:\n      app: web\n"},
	{"common labels, CRLF", "commonLabels", "commonLabels:\r\n  app: web\r\n", "labels:\r\n- includeSelectors: true\r\n  pairs:\r\n    app: web\r\n"},
	{"empty common labels", "commonLabels", "namePrefix: x\ncommonLabels: {}\n", "namePrefix: x\n"},
}

func TestConversions(t *testing.T) {
	for _, tt := range conversionCases {
		t.Run(tt.name, func(t *testing.T) {
			f := open(t, tt.before)
			edits, reason := conversionOf(tt.field).Edits(f)
			after := applied(t, f, edits, reason)
			if after != tt.after {
				t.Fatalf("got\n%s\nwant\n%s", after, tt.after)
			}
			sameForKustomize(t, after, modern(t, tt.field, tt.before))
		})
	}
}

func conversionOf(field string) Conversion {
	for _, c := range Conversions() {
		if c.Field == field {
			return c
		}
	}
	return Conversion{}
}

// modern is what kustomize should read after the conversion of one field.
func modern(t *testing.T, field, text string) types.Kustomization {
	t.Helper()
	var k types.Kustomization
	if err := k.Unmarshal([]byte(text)); err != nil {
		t.Fatal(err)
	}
	switch field {
	case "patchesStrategicMerge":
		var patches []types.Patch
		for _, p := range k.PatchesStrategicMerge {
			if strings.HasSuffix(string(p), ".yaml") {
				patches = append(patches, types.Patch{Path: string(p)})
			} else {
				patches = append(patches, types.Patch{Patch: string(p)})
			}
		}
		k.Patches, k.PatchesStrategicMerge = append(patches, k.Patches...), nil
	case "patchesJson6902":
		k.Patches, k.PatchesJson6902 = append(k.Patches, k.PatchesJson6902...), nil
	case "commonLabels":
		if len(k.CommonLabels) > 0 {
			k.Labels = append(k.Labels, types.Label{Pairs: k.CommonLabels, IncludeSelectors: true})
		}
		k.CommonLabels = nil
	default: // kustomize itself does these whenever it reads a file
		had := k.TypeMeta
		k.FixKustomization()
		k.TypeMeta = had
	}
	return k
}

func TestConversionsRefuse(t *testing.T) {
	for name, tt := range map[string]struct{ field, before, want string }{
		"twice":                  {"bases", "bases: [a]\nBases: [b]\n", "twice"},
		"a target that is twice": {"bases", "bases: [a]\nresources: [b]\nresources: [c]\n", "twice"},
		"braces":                 {"bases", "{bases: [a], resources: [b]}", "braces"},
		"an alias":               {"bases", "crds: &c [a]\nbases: *c\nresources: [b]\n", unknownForm},
		"an anchor that is used": {"bases", "bases: &c [a]\ncrds: *c\nresources:\n- b\n", unknownForm},
		"an alias to add to":     {"bases", "crds: &c [a]\nbases: [b]\nresources: *c\n", "cannot add"},
		"under a merge key":      {"bases", "<<: {resources: [a]}\nbases: [b]\n", unknownForm},
		"comments in brackets":   {"bases", "bases: [a, # why\n  b]\nresources:\n- c\n", ""},
		"an empty entry":         {"patchesStrategicMerge", "patchesStrategicMerge:\n- a.yaml\n-\n", unknownForm},
		"an env without a value": {"env", "configMapGenerator:\n- name: a\n  env: ''\n", unknownForm},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, tt.before)
			edits, reason := conversionOf(tt.field).Edits(f)
			if tt.want == "" {
				applied(t, f, edits, reason)
				return
			}
			if !strings.Contains(reason, tt.want) {
				t.Errorf("got %q, edits %v, want %q", reason, edits, tt.want)
			}
		})
	}
}

func TestConversionLeavesOtherFilesAlone(t *testing.T) {
	for _, c := range Conversions() {
		if edits, reason := c.Edits(open(t, "resources: [a]\nnamePrefix: b\n")); len(edits) > 0 || reason != "" {
			t.Errorf("%s: %v %s", c.Field, edits, reason)
		}
	}
}

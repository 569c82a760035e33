package edit

import (
	"context"
	"path"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/differential"
	"golang.org/x/tools/txtar"
)

const service = `
-- base/all.yaml --
apiVersion: v1
kind: Service
metadata: {name: svc}
spec:
  ports:
  - port: 80
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  template:
    spec:
      containers:
      - name: web
        image: nginx
        env:
        - name: A
          value: $(HOST)
        - name: B
          value: /x/$(HOST)/y
-- base/patch.yaml --
- op: replace
  path: /spec/template/spec/containers/0/image
  value: patched
`

// fixCases tell of a file, what becomes of each field, and, where something was
// converted, the file afterwards. "-" in front of a step is for one that is skipped,
// with part of the reason.
var fixCases = []struct{ name, dir, tree, steps, after string }{
	{
		name: "patchesJson6902 that means the same", dir: "base",
		tree: `
-- base/kustomization.yaml --
resources: [all.yaml]
patchesJson6902:
- target: {kind: Deployment, name: web}
  path: patch.yaml
`,
		steps: "patchesJson6902",
		after: "resources: [all.yaml]\npatches:\n- target: {kind: Deployment, name: web}\n  path: patch.yaml\n",
	},
	{
		name: "patchesJson6902 that would run before namespace", dir: "base",
		tree: `
-- base/kustomization.yaml --
resources: [all.yaml]
namespace: prod
patchesJson6902:
- target: {kind: Deployment, name: web}
  patch: |-
    - {"op": "replace", "path": "/metadata/namespace", "value": "test"}
`,
		steps: "-patchesJson6902: base would render differently: line",
	},
	{
		name: "patchesJson6902 that would be overwritten", dir: "base",
		tree: `
-- base/kustomization.yaml --
resources: [all.yaml]
commonAnnotations: {a: b}
patchesJson6902:
- target: {kind: Service, name: svc}
  patch: |-
    - {"op": "add", "path": "/metadata/annotations", "value": {"a": "c"}}
`,
		steps: `-patchesJson6902: base would render differently: line 5 would be "    a: b" and not "    a: c"`,
	},
	{
		name: "an overlay would render differently", dir: "base",
		tree: `
-- base/kustomization.yaml --
resources: [all.yaml]
vars:
- name: HOST
  objref: {kind: Service, name: svc, apiVersion: v1}
-- over/kustomization.yaml --
resources: [../base]
namePrefix: prod-
`,
		steps: "-vars HOST: over would render differently",
	},
	{
		name: "an overlay does not build", dir: "base",
		tree: `
-- base/kustomization.yaml --
resources: [all.yaml]
commonLabels: {a: b}
-- over/kustomization.yaml --
resources: [../base, missing.yaml]
`,
		steps: "-commonLabels: over does not build",
	},
	{
		name: "an overlay of an overlay needs the network", dir: "base",
		tree: `
-- base/kustomization.yaml --
bases: ["https://example.com/repo//dir?ref=v1"]
resources: [all.yaml]
-- mid/kustomization.yaml --
resources: [all.yaml]
commonLabels: {a: b}
-- mid/all.yaml --
apiVersion: v1
kind: Service
metadata: {name: other}
-- over/kustomization.yaml --
resources: [../mid, ../base]
`,
		steps: "bases",
		after: "resources: [all.yaml, \"https://example.com/repo//dir?ref=v1\"]\n",
	},
	{
		name: "a root that needs the network", dir: "mid",
		tree: `
-- mid/kustomization.yaml --
resources: [all.yaml]
commonLabels: {a: b}
-- mid/all.yaml --
apiVersion: v1
kind: Service
metadata: {name: other}
-- over/kustomization.yaml --
resources: [../mid, "https://example.com/repo//dir?ref=v1"]
`,
		steps: "-commonLabels: over needs what kls does not load or run",
	},
	{
		name: "a component that nothing includes", dir: "part",
		tree: `
-- part/kustomization.yaml --
kind: Component
apiVersion: kustomize.config.k8s.io/v1alpha1
commonLabels: {a: b}
`,
		steps: "-commonLabels: no kustomization that was looked at includes this component",
	},
	{
		name: "a component in its root", dir: "part",
		tree: `
-- part/kustomization.yaml --
kind: Component
apiVersion: kustomize.config.k8s.io/v1alpha1
commonLabels: {a: b}
vars:
- name: HOST
  objref: {kind: Service, name: svc, apiVersion: v1}
-- over/kustomization.yaml --
resources: [../base]
components: [../part]
-- base/kustomization.yaml --
resources: [all.yaml]
`,
		steps: "commonLabels, vars HOST",
		after: `kind: Component
apiVersion: kustomize.config.k8s.io/v1alpha1
labels:
- includeSelectors: true
  pairs: {a: b}
replacements:
- source:
    version: v1
    kind: Service
    name: svc
    fieldPath: metadata.name
  targets:
  - select:
      group: apps
      version: v1
      kind: Deployment
      name: web
    fieldPaths:
    - spec.template.spec.containers.[name=web].env.[name=A].value
  - select:
      group: apps
      version: v1
      kind: Deployment
      name: web
    fieldPaths:
    - spec.template.spec.containers.[name=web].env.[name=B].value
    options:
      delimiter: /
      index: 2
`,
	},
	{
		name: "transformer annotations tell one transformer from two", dir: "base",
		tree: `
-- base/kustomization.yaml --
resources: [all.yaml]
buildMetadata: [transformerAnnotations]
commonLabels: {a: b}
`,
		steps: "-commonLabels: base would render differently",
	},
	{
		name: "one var can be converted, others cannot", dir: "base",
		tree: `
-- base/kustomization.yaml --
resources: [all.yaml]
replacements:
  - source: {kind: Service, name: svc, fieldPath: metadata.name}
    targets:
      - select: {kind: Deployment}
        fieldPaths: [metadata.annotations.x]
        options: {create: true}
vars:
  # why
  - name: HOST # h
    objref:
      kind: Service
      name: svc
      apiVersion: v1
    fieldref: {fieldpath: "spec.ports[0].port"} # p
  - name: UNUSED
    objref: {kind: Service, name: svc, apiVersion: v1}
`,
		steps: `-vars HOST: base would render differently, -vars UNUSED: nothing that is built here uses $(UNUSED)`,
	},
	{
		name: "comments and order of vars", dir: "base",
		tree: `
-- base/kustomization.yaml --
resources: [all.yaml]
# vars
vars: # v
# why
- name: HOST # h
  objref:
    kind: Service
    name: svc
    apiVersion: v1
# unused
- name: UNUSED
  objref: {kind: Service, name: svc, apiVersion: v1}
# end
namespace: x
`,
		steps: `vars HOST, -vars UNUSED: nothing`,
		after: `resources: [all.yaml]
# vars
vars: # v
# unused
- name: UNUSED
  objref: {kind: Service, name: svc, apiVersion: v1}
replacements:
# why
# h
- source:
    version: v1
    kind: Service
    name: svc
    fieldPath: metadata.name
  targets:
  - select:
      group: apps
      version: v1
      kind: Deployment
      name: web
    fieldPaths:
    - spec.template.spec.containers.[name=web].env.[name=A].value
  - select:
      group: apps
      version: v1
      kind: Deployment
      name: web
    fieldPaths:
    - spec.template.spec.containers.[name=web].env.[name=B].value
    options:
      delimiter: /
      index: 2
# end
namespace: x
`,
	},
	{
		name: "broken YAML", dir: "base",
		tree: `
-- base/kustomization.yaml --
bases: [a
`,
		steps: "its YAML is broken",
	},
	{
		name: "two files", dir: "base",
		tree: `
-- base/kustomization.yaml --
bases: [a]
-- base/Kustomization --
bases: [a]
`,
		steps: "there are several kustomization files: kustomization.yaml and Kustomization",
	},
}

func TestFix(t *testing.T) {
	for _, tt := range fixCases {
		t.Run(tt.name, func(t *testing.T) {
			tree := differential.Tree{}
			for _, part := range []string{service, tt.tree} {
				for _, file := range txtar.Parse([]byte(part)).Files {
					tree[file.Name] = file.Data
				}
			}
			name := path.Join(tt.dir, "kustomization.yaml")
			before := renderAll(tree)
			fixed, told := fix(t, tree, tt.dir)
			checkTold(t, told, tt.steps)
			if tt.after == "" {
				tt.after = string(tree[name])
			}
			if fixed == nil {
				return
			}
			if string(fixed.After) != tt.after {
				t.Errorf("got\n%s\nwant\n%s", fixed.After, tt.after)
			}
			if strings.Contains(string(tree[name]), "https:") {
				return // kustomize would fetch it
			}
			tree[name] = fixed.After
			for folder, rendered := range renderAll(tree) {
				if rendered != before[folder] {
					t.Errorf("kustomize renders %s differently\n%s\n---\n%s", folder, before[folder], rendered)
				}
			}
		})
	}
}

func fix(t *testing.T, tree differential.Tree, dir string) (fixed *Fixed, told []string) {
	t.Helper()
	ctx := context.Background()
	fixer, err := NewFixer(ctx, vfs.NewSnapshot(vfs.Memory(absolute(tree))), "/", withoutOptions)
	if err != nil {
		t.Fatal(err)
	}
	fixer.Name = func(dir string) string { return strings.TrimPrefix(dir, "/") }
	fixed, reason, err := fixer.Fix(ctx, "/"+dir)
	if err != nil {
		t.Fatal(err)
	}
	if reason != "" {
		return fixed, []string{reason}
	}
	for _, s := range fixed.Steps {
		step := strings.TrimSpace(s.Field + " " + s.Entry)
		if s.Skipped != "" {
			step = "-" + step + ": " + s.Skipped
		}
		told = append(told, step)
	}
	return fixed, told
}

func checkTold(t *testing.T, told []string, want string) {
	t.Helper()
	steps := strings.Split(want, ", ")
	if len(told) != len(steps) {
		t.Fatalf("got %q, want %q", told, steps)
	}
	for i := range told {
		if !strings.HasPrefix(told[i], steps[i]) || !strings.HasPrefix(steps[i], "-") && told[i] != steps[i] {
			t.Errorf("got %q, want %q", told[i], steps[i])
		}
	}
}

// withoutOptions builds as kustomize does without flags.
func withoutOptions(string) builder.Options { return builder.Options{} }

package external_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"sigs.k8s.io/kustomize/api/krusty"
)

// functions allows what plugins allows.
func functions() external.Config {
	return external.Config{Functions: external.Functions{EnableAlphaPlugins: true, EnableExec: true}}
}

// The scripts are a function's half of the protocol, without a YAML library.
const scripts = `
-- generate.sh --
#!/bin/sh
cat >/dev/null
cat <<'END'
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: made
    annotations:
      kustomize.config.k8s.io/needs-hash: "true"
      kept: here
  data: {a: "1"}
- apiVersion: v1
  kind: Service
  metadata: {name: plain}
END
-- merge.sh --
#!/bin/sh
cat >/dev/null
cat <<'END'
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: cm
    annotations:
      kustomize.config.k8s.io/behavior: merge
  data: {added: "2"}
END
-- copy.sh --
#!/bin/sh
cat
-- rename.sh --
#!/bin/sh
sed -e 's/value: old/value: new/' -e 's/image: nginx:1/image: nginx:2/'
-- drop.sh --
#!/bin/sh
cat >/dev/null
cat <<'END'
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: pre-cm}
  data: {only: this}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: new}
END
-- twice.sh --
#!/bin/sh
cat >/dev/null
printf 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n'
printf -- '- {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n%.0s' 1 2
-- fail.sh --
#!/bin/sh
cat
echo "the reason" >&2
exit 3
-- see.sh --
#!/bin/sh
# Prints what it was given, in a resource.
printf 'apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: seen}\n  data:\n'
printf '    pwd: %s\n    variable: "%s"\n    argument: "%s"\n    input: |\n' "$(basename $PWD)" "$VARIABLE" "$1"
sed 's/^/      /'
-- deploy.yaml --
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
      - name: main
        image: nginx:1
        envFrom:
        - configMapRef: {name: cm}
        env:
        - name: SOME # why it is there
          value: old
-- cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: cm
data:
  number: "1"
-- sorted.yaml --
apiVersion: v1
data:
  word: one
kind: ConfigMap
metadata:
  name: sorted
`

// config is the configuration of an exec function.
func config(name, script string, more string) string {
	return "apiVersion: example.com/v1\nkind: Tool\nmetadata:\n  name: " + name + "\n  annotations:\n" +
		"    config.kubernetes.io/function: |\n      exec:\n        path: ./" + script + "\n" + more
}

func TestExecFunctions(t *testing.T) {
	for _, test := range []struct {
		name, files string
		refused     bool
	}{
		{"generator", "-- kustomization.yaml --\ngenerators: [fn.yaml]\nnamePrefix: pre-\n-- fn.yaml --\n" + config("g", "generate.sh", ""), false},
		{"generator that merges", "-- kustomization.yaml --\nresources: [cm.yaml]\ngenerators: [fn.yaml]\n-- fn.yaml --\n" + config("g", "merge.sh", ""), false},
		{"generator without a base to merge with", "-- kustomization.yaml --\ngenerators: [fn.yaml]\n-- fn.yaml --\n" + config("g", "merge.sh", ""), true},
		{"generator with origins", "-- kustomization.yaml --\ngenerators: [fn.yaml]\nbuildMetadata: [originAnnotations, transformerAnnotations]\n-- fn.yaml --\n" + config("g", "generate.sh", ""), false},
		{"transformer that copies", "-- kustomization.yaml --\nresources: [deploy.yaml, cm.yaml]\ntransformers: [fn.yaml]\nnamePrefix: pre-\n-- fn.yaml --\n" + config("t", "copy.sh", ""), false},
		{"transformer that changes", "-- kustomization.yaml --\nresources: [deploy.yaml, cm.yaml]\ntransformers: [fn.yaml]\nnamePrefix: pre-\n-- fn.yaml --\n" + config("t", "rename.sh", ""), false},
		{"state goes through", "-- kustomization.yaml --\nresources: [base]\nnameSuffix: -s\n-- base/kustomization.yaml --\nresources: [deploy.yaml]\n" +
			"configMapGenerator: [{name: cm, literals: [a=b]}]\nnamePrefix: pre-\ntransformers: [fn.yaml]\n-- base/fn.yaml --\n" + config("t", "rename.sh", ""), false},
		{"what is not returned is gone", "-- kustomization.yaml --\nresources: [deploy.yaml, cm.yaml]\ntransformers: [fn.yaml]\nnamePrefix: pre-\n-- fn.yaml --\n" + config("t", "drop.sh", ""), false},
		{"twice the same", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\n" + config("t", "twice.sh", ""), true},
		{"failing", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\n" + config("t", "fail.sh", ""), true},
		{"failing later", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\n" +
			strings.Replace(config("t", "fail.sh", ""), "      exec:", "      deferFailure: true\n      exec:", 1), true},
		{"no such program", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\n" + config("t", "none.sh", ""), true},
		{"malformed", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\n" + config("t", "copy.sh", "        unknown: field\n"), true},
		{"transformer with origins", "-- kustomization.yaml --\nresources: [deploy.yaml, cm.yaml]\ntransformers: [fn.yaml]\nbuildMetadata: [originAnnotations, transformerAnnotations]\n-- fn.yaml --\n" + config("t", "rename.sh", ""), false},
		{"new ones with origins", "-- kustomization.yaml --\nresources: [deploy.yaml, cm.yaml]\ntransformers: [fn.yaml]\nnamePrefix: pre-\nbuildMetadata: [originAnnotations, transformerAnnotations]\n-- fn.yaml --\n" + config("t", "drop.sh", ""), false},
		// kustomize takes whatever a program returns for changed.
		{"validator", "-- kustomization.yaml --\nresources: [deploy.yaml, cm.yaml]\nvalidators: [fn.yaml]\n-- fn.yaml --\n" + config("t", "copy.sh", ""), true},
		{"validator that changes", "-- kustomization.yaml --\nresources: [deploy.yaml, cm.yaml]\nvalidators: [fn.yaml]\n-- fn.yaml --\n" + config("t", "rename.sh", ""), true},
		{"what it sees", "-- kustomization.yaml --\nresources: [deploy.yaml]\nconfigMapGenerator: [{name: cm, literals: [a=b]}]\ntransformers: [fn.yaml]\nnamespace: x\nnamePrefix: pre-\n" +
			"buildMetadata: [originAnnotations, transformerAnnotations]\n-- fn.yaml --\n" + config("t", "see.sh", "        args: [one]\n        envs: [VARIABLE=v]\n"), false},
		{"what a generator sees", "-- kustomization.yaml --\ngenerators: [fn.yaml]\n-- fn.yaml --\n" + config("t", "see.sh", "spec: {b: 1, a: 0x10}\n"), false},
		{"neither program nor container", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\napiVersion: v1\nkind: T\nmetadata:\n  name: t\n  annotations:\n    config.kubernetes.io/function: |\n      exec: {}\n", false},
		{"mounts", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\napiVersion: v1\nkind: T\nmetadata:\n  name: t\n  annotations:\n    config.kubernetes.io/function: |\n      container: {image: x, mounts: [{type: bind, src: ../up, dst: /x}]}\n", true},
		{"network", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\napiVersion: v1\nkind: T\nmetadata:\n  name: t\n  annotations:\n    config.kubernetes.io/function: |\n      container: {image: x, network: true}\n", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t, scripts)
			write(t, filepath.Join(dir, "base"), scripts)
			write(t, dir, test.files)
			same(t, ours(t, dir, functions(), builder.Options{}), theirs(t, dir, plugins("helm")), test.refused)
		})
	}
}

func TestFailingFunctionIsExplained(t *testing.T) {
	dir := tree(t, scripts+"-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\n"+config("t", "fail.sh", ""))
	if o := ours(t, dir, functions(), builder.Options{}); !strings.Contains(o.why, "plugin-fails") || !strings.Contains(o.why, "the reason") {
		t.Errorf("%+v", o)
	}
}

func TestFunctionsThatAreNotAllowed(t *testing.T) {
	dir := tree(t, scripts+"-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\n"+config("t", "fail.sh", ""))
	if o := ours(t, dir, external.Config{Functions: external.Functions{EnableExec: true}}, builder.Options{}); !o.unknown || o.refused {
		t.Errorf("without --enable-alpha-plugins: %+v", o)
	}
	// Without --enable-exec kustomize passes over the function.
	o := ours(t, dir, external.Config{Functions: external.Functions{EnableAlphaPlugins: true}}, builder.Options{})
	same(t, o, theirs(t, dir, func(o *krusty.Options) {
		plugins("helm")(o)
		o.PluginConfig.FnpLoadingOptions.EnableExec = false
	}), false)
	if !strings.Contains(o.why, "external-not-run") || !strings.Contains(o.why, "--enable-exec") {
		t.Errorf("nothing is said of it: %+v", o)
	}
}

func TestFunctionTimeout(t *testing.T) {
	dir := tree(t, scripts+"-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\n"+config("t", "slow.sh", "")+
		"-- slow.sh --\n#!/bin/sh\nexec sleep 60\n")
	c := functions()
	c.Timeout = 200 * time.Millisecond
	start := time.Now()
	if o := ours(t, dir, c, builder.Options{}); !o.refused || !strings.Contains(o.why, "did not end within 200ms") {
		t.Errorf("%+v", o)
	}
	if took := time.Since(start); took > 50*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestContainers has a program that is called docker write down what it is told.
func TestContainers(t *testing.T) {
	bin := tree(t, "-- docker --\n#!/bin/sh\nfor a in \"$@\"; do echo \"$a\"; done >>\"$RECORD\"\ncat\n")
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	dir := tree(t, scripts+`-- kustomization.yaml --
resources: [cm.yaml]
transformers: [fn.yaml]
-- fn.yaml --
apiVersion: v1
kind: T
metadata:
  name: t
  annotations:
    config.kubernetes.io/function: |
      container:
        image: example.com/some:image
        network: true
        mounts: [{type: bind, src: sub, dst: /x}, {type: bind, src: ., dst: /y, rw: true}]
        envs: [A=1, HOME]
`)
	record := func(run func() outcome) (string, outcome) {
		file := filepath.Join(t.TempDir(), "record")
		t.Setenv("RECORD", file)
		o := run()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err, o.why)
		}
		return string(text), o
	}
	c := functions()
	c.Functions.Network, c.Functions.AsCurrentUser = true, true
	c.Functions.Env, c.Functions.Mounts = []string{"B=2", "A=3", "PATH"}, []string{"type=bind,src=/abs,dst=/z"}
	wantCall, want := record(func() outcome {
		return theirs(t, dir, func(o *krusty.Options) {
			plugins("helm")(o)
			f := &o.PluginConfig.FnpLoadingOptions
			f.Network, f.AsCurrentUser, f.Env, f.Mounts = true, true, c.Functions.Env, c.Functions.Mounts
		})
	})
	gotCall, got := record(func() outcome { return ours(t, dir, c, builder.Options{}) })
	same(t, got, want, false)
	if gotCall != wantCall {
		t.Errorf("docker is told\n%s\nand by kustomize\n%s", gotCall, wantCall)
	}
	if !strings.Contains(gotCall, "example.com/some:image") {
		t.Errorf("the stand-in was not called right: %s", gotCall)
	}
}

func TestContainerWithoutDocker(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	dir := tree(t, scripts+"-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\napiVersion: v1\nkind: T\nmetadata:\n  name: t\n  annotations:\n    config.kubernetes.io/function: |\n      container: {image: x}\n")
	o := ours(t, dir, functions(), builder.Options{})
	same(t, o, theirs(t, dir, plugins("helm")), true)
	if !strings.Contains(o.why, "docker is needed and was not found") {
		t.Errorf("%+v", o)
	}
}

func TestPlugins(t *testing.T) {
	home := tree(t, `
-- example.com/v1/maker/Maker --
#!/bin/sh
echo "apiVersion: v1"
echo "kind: ConfigMap"
echo "metadata:"
echo "  name: made"
echo "data:"
echo "  pwd: $(basename $PWD)"
echo "  root: $(basename $KUSTOMIZE_PLUGIN_CONFIG_ROOT)"
echo "  arguments: \"$2 | $3 | $4\""
echo "  string: |"
echo "$KUSTOMIZE_PLUGIN_CONFIG_STRING" | sed 's/^/    /'
echo "  file: |"
sed 's/^/    /' "$1"
-- example.com/v1/changer/Changer --
#!/bin/sh
sed 's/number: "1"/number: "2"/'
-- example.com/v1/lame/Lame --
not a program
`)
	t.Setenv("KUSTOMIZE_PLUGIN_HOME", home)
	for _, test := range []struct {
		name, files string
		refused     bool
	}{
		{"generator", "-- kustomization.yaml --\ngenerators: [fn.yaml]\nnamePrefix: pre-\n-- fn.yaml --\napiVersion: example.com/v1\nkind: Maker\nmetadata: {name: m}\nargsOneLiner: one 'two three' # four\nargsFromFile: args\n-- args --\nlast line\n", false},
		{"arguments from outside", "-- kustomization.yaml --\ngenerators: [fn.yaml]\n-- fn.yaml --\napiVersion: example.com/v1\nkind: Maker\nmetadata: {name: m}\nargsFromFile: ../args\n", true},
		{"an open quote", "-- kustomization.yaml --\ngenerators: [fn.yaml]\n-- fn.yaml --\napiVersion: example.com/v1\nkind: Maker\nmetadata: {name: m}\nargsOneLiner: one 'two\n", true},
		{"transformer", "-- kustomization.yaml --\nresources: [deploy.yaml, cm.yaml]\ntransformers: [fn.yaml]\nnamePrefix: pre-\n-- fn.yaml --\napiVersion: example.com/v1\nkind: Changer\nmetadata: {name: m}\n", false},
		{"validator", "-- kustomization.yaml --\nresources: [sorted.yaml]\nvalidators: [fn.yaml]\n-- fn.yaml --\napiVersion: example.com/v1\nkind: Changer\nmetadata: {name: m}\n", true},
		{"validator that changes", "-- kustomization.yaml --\nresources: [cm.yaml]\nvalidators: [fn.yaml]\n-- fn.yaml --\napiVersion: example.com/v1\nkind: Changer\nmetadata: {name: m}\n", true},
		{"unknown", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\napiVersion: example.com/v1\nkind: Other\nmetadata: {name: m}\n", true},
		{"not executable", "-- kustomization.yaml --\nresources: [cm.yaml]\ntransformers: [fn.yaml]\n-- fn.yaml --\napiVersion: example.com/v1\nkind: Lame\nmetadata: {name: m}\n", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := tree(t, scripts+test.files)
			same(t, ours(t, dir, functions(), builder.Options{}), theirs(t, dir, plugins("helm")), test.refused)
		})
	}
}

// A type could be written so that it names a program outside the plugin home:
// there kustomize runs it, and kls does not.
func TestPluginOutsideHome(t *testing.T) {
	home := tree(t, "-- inside/plugin --\n-- evil/T --\n#!/bin/sh\ntouch proof\n")
	t.Setenv("KUSTOMIZE_PLUGIN_HOME", filepath.Join(home, "inside"))
	dir := tree(t, "-- kustomization.yaml --\ngenerators: [fn.yaml]\n-- fn.yaml --\napiVersion: ../evil\nkind: T\nmetadata: {name: m}\n")
	if o := ours(t, dir, functions(), builder.Options{}); !o.refused || !strings.Contains(o.why, "does not name a plugin") {
		t.Errorf("%+v", o)
	}
	if _, err := os.Stat(filepath.Join(dir, "proof")); err == nil {
		t.Error("a program outside the plugin home was run")
	}
}

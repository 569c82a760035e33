package builder_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// tree builds the folder /t of a tree that is given as path, content, path, content…
func tree(t *testing.T, files ...string) (*builder.Session, *builder.Result) {
	t.Helper()
	contents := map[string][]byte{}
	for i := 0; i+1 < len(files); i += 2 {
		contents["/t/"+files[i]] = []byte(files[i+1])
	}
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(contents)))
	result, err := session.Build(context.Background(), "/t", builder.Options{Analyze: true})
	if err != nil {
		t.Fatal(err)
	}
	return session, result
}

// rendered returns what the tree renders to.
func rendered(t *testing.T, files ...string) string {
	t.Helper()
	_, result := tree(t, files...)
	for _, p := range result.Problems {
		if p.Fatal {
			t.Fatalf("%s: %s", p.Code, p.Message)
		}
	}
	out, err := result.YAML(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

const overlaySource = "resources: [base]\n%sGenerator:\n- name: demo\n  behavior: merge\n  mergeValues: [{key: c, format: YAML}]\n  %s\n"

func overlayOf(kind, source string) string { return fmt.Sprintf(overlaySource, kind, source) }

// Whatever the two values come from, the merged one is that of a generator that
// just has it, and so is the name with its hash.
func TestMergedValuesAreThoseOfAPlainGenerator(t *testing.T) {
	want := rendered(t, "kustomization.yaml", "configMapGenerator: [{name: demo, literals: ['c={a: 1, b: 2}']}]\n")
	for name, files := range map[string][]string{
		"literals": {"kustomization.yaml", overlayOf("configMap", "literals: ['c={b: 2}']"),
			"base/kustomization.yaml", "configMapGenerator: [{name: demo, literals: ['c={a: 1}']}]\n"},
		"quoted literals": {"kustomization.yaml", overlayOf("configMap", `literals: ["c='{b: 2}'"]`),
			"base/kustomization.yaml", "configMapGenerator: [{name: demo, literals: ['c=\"{a: 1}\"']}]\n"},
		"files": {"kustomization.yaml", overlayOf("configMap", "files: [c=over.yaml]"), "over.yaml", "b: 2\n",
			"base/kustomization.yaml", "configMapGenerator: [{name: demo, files: [c]}]\n", "base/c", "{a: 1}"},
		"env files": {"kustomization.yaml", overlayOf("configMap", "envs: [over.env]"), "over.env", "# more\nc={b: 2}\n",
			"base/kustomization.yaml", "configMapGenerator: [{name: demo, envs: [base.env]}]\n", "base/base.env", "c={a: 1}\n"},
		"maps as literals": {"kustomization.yaml", overlayOf("configMap", "literals: [{c: '{b: 2}'}]"),
			"base/kustomization.yaml", "configMapGenerator: [{name: demo, literals: [{c: '{a: 1}'}]}]\n"},
		"a plugin file": {"kustomization.yaml", "resources: [base]\ngenerators: [g.yaml]\n",
			"g.yaml", "{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: demo}, behavior: merge, literals: [{c: '{b: 2}'}], mergeValues: [{key: c, format: yaml}]}",
			"base/kustomization.yaml", "generators: [g.yaml]\n",
			"base/g.yaml", "{apiVersion: builtin, kind: ConfigMapGenerator, metadata: {name: demo}, literals: [{c: '{a: 1}'}]}"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := rendered(t, files...); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestSecretsAreMergedThroughBase64(t *testing.T) {
	long := strings.Repeat("x", 100)
	want := rendered(t, "kustomization.yaml", "secretGenerator: [{name: demo, literals: ['c={a: "+long+", b: 2}']}]\n")
	generated := rendered(t, "kustomization.yaml", overlayOf("secret", "literals: ['c={b: 2}']"),
		"base/kustomization.yaml", "secretGenerator: [{name: demo, literals: ['c={a: "+long+"}']}]\n")
	if generated != want {
		t.Errorf("got\n%s\nwant\n%s", generated, want)
	}
	for _, field := range []string{"stringData:\n  c: '{a: 1}'", "data:\n  c: " + base64.StdEncoding.EncodeToString([]byte("{a: 1}"))} {
		got := rendered(t, "kustomization.yaml", overlayOf("secret", "literals: ['c={b: 2}']"),
			"base/kustomization.yaml", "resources: [secret.yaml]\n",
			"base/secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: demo\n"+field+"\n")
		if want := "  c: " + base64.StdEncoding.EncodeToString([]byte("{a: 1, b: 2}")); !strings.Contains(got, want) || strings.Contains(got, "stringData") {
			t.Errorf("%s: got\n%s\nwant %s", field, got, want)
		}
	}
}

func TestOverlaysMergeOneAfterTheOther(t *testing.T) {
	got := rendered(t,
		"kustomization.yaml", strings.Replace(overlayOf("configMap", "literals: ['c={c: 3, a: null}']"), "base", "middle", 1),
		"middle/kustomization.yaml", strings.Replace(overlayOf("configMap", "literals: ['c={b: 2}']"), "base", "../base", 1),
		"base/kustomization.yaml", "configMapGenerator: [{name: demo, literals: ['c={a: 1}']}]\n")
	// c goes before a, the next key that is there, which then goes.
	if !strings.Contains(got, "c: '{c: 3, b: 2}'\n") {
		t.Errorf("got\n%s", got)
	}
}

// A merge of documents is a transformation, a plain merge is none (KEP 21-11).
func TestTransformerAnnotations(t *testing.T) {
	base := []string{"base/kustomization.yaml", "configMapGenerator:\n- name: demo\n  literals: ['c={a: 1}']\n- name: plain\n  literals: [a=b]\n"}
	overlay := overlayOf("configMap", "literals: ['c={b: 2}']") +
		"- name: plain\n  behavior: merge\n  literals: [c=d]\nbuildMetadata: [transformerAnnotations]\n"
	_, result := tree(t, append([]string{"kustomization.yaml", overlay}, base...)...)
	for _, r := range result.Resources {
		_, annotations := syntax.Field(r.Metadata(), "annotations")
		_, noted := syntax.Field(annotations, "alpha.config.kubernetes.io/transformations")
		switch name := r.OriginalID().Name; {
		case name == "plain" && noted != nil:
			t.Errorf("a plain merge is noted: %s", noted.Value)
		case name == "demo" && (noted == nil || noted.Value != "- configuredIn: kustomization.yaml\n  configuredBy:\n    apiVersion: builtin\n    kind: ConfigMapGenerator\n"):
			t.Errorf("the merge is not noted as it should: %v", noted)
		}
	}
}

// A value that stays as it was keeps its place, a merged one has the overlay's.
func TestPlaceOfMergedValues(t *testing.T) {
	for overlay, file := range map[string]string{"{a: 1}": "/t/base/kustomization.yaml", "{a: 2}": "/t/kustomization.yaml"} {
		session, result := tree(t, "kustomization.yaml", overlayOf("configMap", "literals: ['c="+overlay+"']"),
			"base/kustomization.yaml", "configMapGenerator: [{name: demo, literals: ['c={a: 1}']}]\n")
		value := dataOf(result.Resources[0].Node, "c")
		id, _, _ := syntax.Place(value)
		if got := session.Table().Source(id).Path(); got != file {
			t.Errorf("%s: the value is from %s, want %s", overlay, got, file)
		}
	}
}

func dataOf(n *yaml.Node, key string) *yaml.Node {
	_, data := syntax.Field(n, "data")
	_, value := syntax.Field(data, key)
	return value
}

// What follows from a file that is not there is not told too.
func TestMissingSourceIsOneMistake(t *testing.T) {
	_, result := tree(t, "kustomization.yaml", overlayOf("configMap", "files: [c=nothing.yaml]"),
		"base/kustomization.yaml", "configMapGenerator: [{name: demo, literals: ['c={a: 1}']}]\n")
	for _, p := range result.Problems {
		if p.Code != problem.MissingPath && p.Code != problem.NotInKustomize {
			t.Errorf("%s: %s", p.Code, p.Message)
		}
	}
}

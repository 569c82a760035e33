package fieldpath_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

const sourceYAML = `
metadata:
  name: web
  annotations:
    app.kubernetes.io/name: shop
spec:
  replicas: 3
  ports: []
  nothing:
  empty: ""
  containers:
  - name: nginx-sidecar
    image: sidecar:1
  - name: nginx
    image: nginx:2
  - plain
  args: [-x, -y, "1"]
`

func TestGetAsKustomize(t *testing.T) {
	root := parseNode(t, sourceYAML)
	for _, path := range append([]string{
		"metadata.name", " metadata . name ", "metadata..name", "metadata.name.", "spec.containers.0.image", "spec.containers.-",
		"spec.containers.[name=nginx].image", "spec.containers.[name=ngin].image", "spec.containers.[=plain]", "spec.containers.[=]",
		"spec.args.[=-y]", "spec.args.+1", "spec.args.-1", "spec.args.3", "spec.args.*", "spec.args.[x]", "spec.args.name",
		"spec.ports.-", "spec.ports.0", "spec.ports", "spec.nothing", "spec.nothing.a", "spec.nothing.0", "spec.nothing.-",
		"spec.nothing.[a=b]", "spec.replicas.a", "spec.containers.a", "spec.0", "spec.[a=b]", "spec.missing.a", "metadata.annotations.[app.kubernetes.io/name]",
		`metadata.annotations.app\.kubernetes\.io/name`, "metadata.annotations.app.kubernetes.io/name",
	}, paths...) {
		compareGet(t, root, path)
	}
}

// What only kls has: kustomize fails at the first segment inside a document.
func TestDrillDownInSources(t *testing.T) {
	const config = `
data:
  config.json: '{"server":{"port":8080,"hosts":["a","b"]},"list":[{"name":"x","v":"1"},{"name":"xy","v":"2"}]}'
  config.yaml: |
    server:
      port: 9090
    inner: |
      {"deep": {"er": "value"}}
  quoted.json: '"{\"a\":\"b\"}"'
  emoji.json: '{"a":"\ud83d\ude00"}'
  separator.json: "{\"a\":\"x\u2028y\"}"
`
	tests := map[string]string{
		`data.config\.json.server.port`:       "8080",
		`data.config\.json.server.hosts.-`:    "b",
		`data.config\.json.server.hosts.[=a]`: "a",
		`data.config\.json.list.[name=x].v`:   "1",
		`data.[config.yaml].server.port`:      "9090",
		`data.config\.yaml.inner.deep.er`:     "value",
		`data.quoted\.json.a`:                 "b",
		// yaml.v3 takes neither: strict JSON is read as JSON.
		`data.emoji\.json.a`:     "\U0001F600",
		`data.separator\.json.a`: "x\u2028y",
	}
	for path, want := range tests {
		root := parseNode(t, config)
		outcome := fieldpath.Read(root, fieldpath.Parse(path), fieldpath.Options{})
		switch {
		case outcome.Failure != nil:
			t.Errorf("%s: failure %+v", path, outcome.Failure)
		case outcome.Nodes[0].Value != want || !outcome.DrillDown:
			t.Errorf("%s: %q, drill-down %t; want %q", path, outcome.Nodes[0].Value, outcome.DrillDown, want)
		case !upstreamLookup(root, path).refused:
			t.Errorf("%s: kustomize has this too", path)
		}
	}
}

func TestReadTakesAPart(t *testing.T) {
	root := parseNode(t, "image: registry/web:1.2\nmap: {a: b}\nempty: {}\nnone: []\nnothing: null\nblank: \"\"\n")
	tests := []struct {
		path      string
		delimiter string
		index     int
		want      string
		failure   fieldpath.FailureKind
		length    int
	}{
		{path: "image", delimiter: ":", index: 1, want: "1.2"},
		{path: "image", delimiter: "", index: 7, want: "registry/web:1.2"},
		{path: "blank", want: ""},
		{path: "blank", delimiter: ":", want: ""},
		{path: "image", delimiter: ":", index: 2, failure: fieldpath.IndexOutOfBoundsForSource, length: 2},
		{path: "image", delimiter: ":", index: -1, failure: fieldpath.IndexOutOfBoundsForSource, length: 2},
		{path: "map", delimiter: ":", failure: fieldpath.DelimiterOnNonScalar},
		{path: "empty", failure: fieldpath.EmptySource},
		{path: "none", failure: fieldpath.EmptySource},
		{path: "nothing", failure: fieldpath.EmptySource},
	}
	for _, test := range tests {
		options := fieldpath.Options{Delimiter: test.delimiter, Index: test.index}
		outcome := fieldpath.Read(root, fieldpath.Parse(test.path), options)
		if test.failure != "" {
			if outcome.Failure == nil || outcome.Failure.Kind != test.failure || outcome.Failure.Length != test.length {
				t.Errorf("%+v: failure %+v", test, outcome.Failure)
			}
			continue
		}
		if outcome.Failure != nil || outcome.Nodes[0].Value != test.want {
			t.Errorf("%+v: %+v", test, outcome)
		}
	}
	if _, image := syntax.Field(root, "image"); image.Value != "registry/web:1.2" {
		t.Errorf("taking a part changed the source to %q", image.Value)
	}
}

// A document's nodes carry places in the file that the caller registers, in
// both parsers.
func TestEmbeddedPlaces(t *testing.T) {
	root := parseNode(t, "json: \"{\\n  \\\"é\\\": [1,\\n \\\"x\\\"]}\"\nyaml: |\n  a:\n  - é: x\n")
	var hosts []string
	options := fieldpath.Options{Embedded: func(_ *yaml.Node, value string) text.FileID {
		hosts = append(hosts, value)
		return text.FileID(40 + len(hosts))
	}}
	for i, test := range []struct {
		path         string
		line, column int
	}{{"json.é.0", 2, 9}, {"json.é.1", 3, 2}, {"yaml.a.0.é", 2, 6}} {
		outcome := fieldpath.Get(root, fieldpath.Parse(test.path), options)
		file, line, column := syntax.Place(outcome.Nodes[0])
		if file != text.FileID(41+i) || line != test.line || column != test.column {
			t.Errorf("%s: file %d, line %d, column %d", test.path, file, line, column)
		}
	}
	if want := "{\n  \"é\": [1,\n \"x\"]}"; hosts[0] != want {
		t.Errorf("Embedded was told %q", hosts[0])
	}
}

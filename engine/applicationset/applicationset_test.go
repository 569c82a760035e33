package applicationset

import (
	"errors"
	"path"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// repository is a checkout of https://example.com/fleet.
type repository map[string]string

func (r repository) Is(url string) bool { return url == "https://example.com/fleet" }

func (r repository) Files() []string {
	var files []string
	for name := range r {
		files = append(files, name)
	}
	sort.Strings(files)
	return files
}

func (r repository) Folders() []string {
	var folders []string
	for name := range r {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if !slices.Contains(folders, dir) {
				folders = append(folders, dir)
			}
		}
	}
	sort.Strings(folders)
	return folders
}

func (r repository) Read(name string) ([]byte, error) {
	content, ok := r[name]
	if !ok {
		return nil, errors.New("no such file")
	}
	return []byte(content), nil
}

var fleet = repository{
	"apps/web/kustomization.yaml":        "",
	"apps/api/kustomization.yaml":        "",
	"apps/api/base/deployment.yaml":      "",
	"apps/retired/kustomization.yaml":    "",
	"clusters/eu/config.json":            `{"cluster": {"name": "eu", "size": 3}, "tags": ["a", "b"]}`,
	"clusters/us/config.json":            `{"cluster": {"name": "us", "size": 2000000}}`,
	"clusters/us/nested/deep/other.json": `[{"cluster": {"name": "x"}}, {"cluster": {"name": "y"}}]`,
}

func generate(t *testing.T, spec string, clusters ...Cluster) Result {
	t.Helper()
	var document yaml.Node
	source := "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: set, namespace: argocd}\nspec:\n  " +
		strings.ReplaceAll(strings.TrimSpace(spec), "\n", "\n  ") + "\n"
	if err := yaml.Unmarshal([]byte(source), &document); err != nil {
		t.Fatal(err)
	}
	return Generate(document.Content[0], fleet, clusters)
}

// lines are the names of the Applications with some of their fields, a line each.
func lines(t *testing.T, r Result) string {
	t.Helper()
	var b strings.Builder
	for _, p := range r.Problems {
		b.WriteString("problem: " + p.Message + "\n")
	}
	for _, reason := range r.Unknown {
		b.WriteString("unknown: " + reason + "\n")
	}
	for _, e := range r.Elements {
		b.WriteString(lookup(e.Application, "metadata", "name"))
		for _, field := range [][]string{{"spec", "project"}, {"spec", "source", "path"}, {"spec", "source", "targetRevision"}, {"spec", "destination", "server"}} {
			if value := lookup(e.Application, field...); value != "" {
				b.WriteString(" " + field[len(field)-1] + "=" + value)
			}
		}
		if e.Condition != "" {
			b.WriteString(" (" + e.Condition + ")")
		}
		b.WriteString("\n")
	}
	return b.String()
}

func lookup(n *yaml.Node, at ...string) string {
	found := syntax.Lookup(n, at...)
	if found == nil {
		return ""
	}
	return found.Value
}

// The expectations are those of Argo CD's documentation of each generator, and of its tests of them.
func TestGenerators(t *testing.T) {
	const template = `
template:
  metadata: {name: '{{name}}'}
  spec:
    source: {path: '{{path}}'}
`
	for _, test := range []struct {
		name, spec, want string
		clusters         []Cluster
	}{
		{"list", `
generators:
- list:
    elements:
    - {name: a, path: apps/a}
    - {name: b, path: 'apps/{{name}}', values: {size: big}}
template:
  metadata: {name: '{{ name }}-{{values.size}}'}
  spec:
    source: {path: '{{path}}'}`,
			"a-{{values.size}} path=apps/a\nb-big path=apps/{{name}}\n", nil},
		{"numbers need quotes", `
generators:
- list: {elements: [{name: a, size: 3}]}` + template,
			"problem: size of a list element is text, unless goTemplate is true; put it in quotes\n", nil},
		{"folders", `
generators:
- git:
    repoURL: https://example.com/fleet
    directories:
    - path: apps/*
    - {path: apps/retired, exclude: true}
template:
  metadata: {name: '{{path.basename}}'}
  spec:
    source: {path: '{{path}}', targetRevision: '{{path[0]}}'}`,
			"api path=apps/api targetRevision=apps\nweb path=apps/web targetRevision=apps\n", nil},
		{"another repository", `
generators:
- git: {repoURL: https://example.com/other, directories: [{path: '*'}]}` + template,
			"unknown: its git generator reads another repository: https://example.com/other\n", nil},
		{"files, where a star goes over slashes", `
generators:
- git:
    repoURL: https://example.com/fleet
    files: [{path: clusters/*.json}]
template:
  metadata: {name: '{{cluster.name}}-{{path.basename}}-{{path.filename}}'}
  spec: {project: '{{cluster.size}}{{tags.1}}'}`,
			"eu-eu-config.json project=3b\nus-us-config.json project=2e+06{{tags.1}}\nx-deep-other.json project={{cluster.size}}{{tags.1}}\n" +
				"y-deep-other.json project={{cluster.size}}{{tags.1}}\n", nil},
		{"Go templates", `
goTemplate: true
goTemplateOptions: [missingkey=error]
generators:
- git:
    repoURL: https://example.com/fleet
    files: [{path: clusters/eu}]
    values: {kind: '{{.cluster.name | upper}}'}
template:
  metadata: {name: '{{.cluster.name}}-{{index .path.segments 1}}-{{.path.basenameNormalized}}'}
  spec: {project: '{{.values.kind}}{{.cluster.size}}', source: {path: '{{.path.path}}'}}`,
			"eu-eu-eu project=EU3 path=clusters/eu\n", nil},
		{"a missing key is an error where the set says so", `
goTemplate: true
goTemplateOptions: [missingkey=error]
generators:
- list: {elements: [{name: a}]}
template:
  metadata: {name: '{{.nam}}'}`,
			`problem: the template fails: template: :1:2: executing "" at <.nam>: map has no entry for key "nam"` + "\n", nil},
		{"a missing key of Go templates", `
goTemplate: true
generators:
- list: {elements: [{name: a}]}
template:
  metadata: {name: 'x{{.nam}}'}`,
			"x<no value>\n", nil},
		{"matrix: the second sees the parameters of the first", `
generators:
- matrix:
    generators:
    - list: {elements: [{name: eu}, {name: us}]}
    - git: {repoURL: https://example.com/fleet, files: [{path: 'clusters/{{name}}/config.json'}]}
template:
  metadata: {name: '{{name}}-{{cluster.name}}'}`,
			"eu-eu\nus-us\n", nil},
		{"matrix of more than two", `
generators:
- matrix: {generators: [{list: {elements: []}}, {list: {elements: []}}, {list: {elements: []}}]}` + template,
			"problem: a matrix has two generators, not 3\n", nil},
		{"matrix with two values of one name", `
generators:
- matrix:
    generators:
    - list: {elements: [{name: a, path: x}]}
    - list: {elements: [{path: y}]}` + template,
			"problem: both generators of a matrix have path, with different values\n", nil},
		{"merge: entries without a base vanish", `
generators:
- merge:
    mergeKeys: [name]
    generators:
    - list: {elements: [{name: a, path: base}, {name: b, path: base}]}
    - list: {elements: [{name: b, path: own}, {name: c, path: lost}]}` + template,
			"a path=base\nb path=own\n", nil},
		{"merge with a key twice", `
generators:
- merge:
    mergeKeys: [name]
    generators:
    - list: {elements: [{name: a, path: x}]}
    - list: {elements: [{name: a, path: y}, {name: a, path: z}]}` + template,
			`problem: two elements of a generator in a merge have the same keys: {"name":"a"}` + "\n", nil},
		{"clusters that are known", `
generators:
- clusters: {selector: {matchLabels: {env: prod}}, values: {dir: 'clusters/{{name}}'}}
template:
  metadata: {name: '{{nameNormalized}}-{{metadata.labels.env}}'}
  spec: {source: {path: '{{values.dir}}'}, destination: {server: '{{server}}'}}`,
			"eu-1-prod path=clusters/EU_1 server=https://eu\n",
			[]Cluster{{Name: "EU_1", Server: "https://eu", Labels: map[string]string{"env": "prod"}}, {Name: "us", Server: "https://us"}}},
		{"clusters that nobody has named", `
generators:
- merge:
    mergeKeys: [nameNormalized]
    generators:
    - clusters: {values: {dir: ''}, selector: {matchLabels: {env: prod}}}
    - list: {elements: [{nameNormalized: eu, values.dir: europe}]}
template:
  metadata: {name: 'x-{{nameNormalized}}-{{metadata.labels.env}}'}
  spec: {source: {path: 'base/{{values.dir}}'}}`,
			"x-eu-prod path=base/europe (if a cluster eu is registered with Argo CD)\n" +
				"x-{{nameNormalized}}-prod path=base/ (for each cluster that is registered with Argo CD and that .kls.yaml does not name)\n", nil},
		{"services", `
generators:
- pullRequest: {github: {owner: a, repo: b}}
- list: {elements: [{name: a, path: b}]}` + template,
			"unknown: the pullRequest generator asks a service, so what it makes is not known\na path=b\n", nil},
		{"selector", `
generators:
- list: {elements: [{name: a, path: x}, {name: b, path: y}]}
  selector: {matchExpressions: [{key: name, operator: NotIn, values: [a]}]}` + template,
			"b path=y\n", nil},
		{"template of a generator", `
generators:
- list:
    elements: [{name: a, path: x}]
    template:
      metadata: {}
      spec: {project: own, source: {targetRevision: v2}}` + template,
			"a project=own path=x targetRevision=v2\n", nil},
		{"templatePatch, which leaves the project alone", `
goTemplate: true
generators:
- list: {elements: [{name: a, revision: v3}]}
templatePatch: |
  spec:
    project: stolen
    source:
      path: null
      {{- if .revision }}
      targetRevision: {{ .revision }}
      {{- end }}
template:
  metadata: {name: '{{.name}}'}
  spec: {project: mine, source: {path: p, targetRevision: HEAD}}`,
			"a project=mine targetRevision=v3\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := lines(t, generate(t, test.spec, test.clusters...)); got != test.want {
				t.Errorf("got\n%swant\n%s", got, test.want)
			}
		})
	}
}

// The namespace is the set's, whatever the template says, so that a set reaches no other one.
func TestNamespaceOfTheSet(t *testing.T) {
	r := generate(t, "generators: [{list: {elements: [{a: b}]}}]\ntemplate: {metadata: {name: x, namespace: other}, spec: {}}")
	if got := lookup(r.Elements[0].Application, "metadata", "namespace"); got != "argocd" {
		t.Errorf("the namespace is %q", got)
	}
}

// Functions of Argo CD's own, with the examples of its documentation.
func TestFunctions(t *testing.T) {
	r := &renderer{goTemplate: true}
	for source, want := range map[string]string{
		`{{ normalize "Feature_X.Y/" }}`:                        "feature-x.y",
		`{{ slugify 9 true "feature/a-long-name" }}`:            "feature-a",
		`{{ slugify 9 false "feature-long" }}`:                  "feature-l",
		`{{ slugify "a.b_c" }}`:                                 "a-b-c",
		`{{ toYaml (dict "b" 1 "a" (list "x")) }}`:              "a:\n- x\nb: 1",
		`{{ (fromYaml "a: {b: 1}").a.b }}`:                      "1",
		`{{ index (fromYamlArray "[x, z]") 1 }}`:                "z",
		`{{ range $i, $x := list "a" "b" }}{{$i}}{{$x}}{{end}}`: "0a1b",
	} {
		if got, err := r.replace(source, Values{}); err != nil || got != want {
			t.Errorf("%s: %q (%v), want %q", source, got, err, want)
		}
	}
	for _, source := range []string{"{{ now }}", "{{ randAlphaNum 5 }}", "{{ genPrivateKey \"rsa\" }}", "{{ uuidv4 }}"} {
		if _, err := r.replace(source, Values{}); !errors.Is(err, ErrUnrepeatable) {
			t.Errorf("%s: %v", source, err)
		}
	}
	for _, source := range []string{`{{ env "HOME" }}`, `{{ expandenv "$HOME" }}`, `{{ getHostByName "x" }}`} {
		if got, err := r.replace(source, Values{}); err == nil {
			t.Errorf("%s: %q", source, got)
		}
	}
}

// What stands in a repository takes neither the memory nor the time of whoever opens it.
func TestTemplateBombs(t *testing.T) {
	for _, source := range []string{
		`{{ repeat 2000000000 "x" }}`,
		`{{ repeat 9000000000000 "x" }}`,
		`{{ range until 2000000000 }}x{{ end }}`,
		`{{ range until -2000000000 }}x{{ end }}`,
		`{{ range 2000000000 }}{{ end }}`,
		`{{ $n := 2000000000 }}{{ range $n }}{{ end }}`,
		`{{ range until 9999 }}{{ range until 9999 }}{{ end }}{{ end }}`,
		`{{ define "a" }}{{ template "a" }}{{ template "a" }}{{ end }}{{ template "a" }}`,
		`{{ $s := "xxxxxxxx" }}{{ range until 60 }}{{ $s = printf "%s%s" $s $s }}{{ end }}{{ $s }}`,
		`{{ $l := list "x" }}{{ range until 60 }}{{ $l = list $l $l }}{{ end }}{{ $l }}`,
		`{{ $l := list "x" }}{{ range until 60 }}{{ $l = list $l $l }}{{ end }}{{ toJson $l }}`,
		`{{ range until 9999 }}{{ sha256sum (repeat 9999 "x") }}{{ end }}`,
		`{{ indent 2000000000 "x" }}`,
		`{{ seq 1 2000000000 }}`,
		`{{ replace "" (repeat 9999 "x") (repeat 9999 "y") }}`,
	} {
		r := &renderer{goTemplate: true}
		if got, err := r.replace(source, Values{}); err == nil && len(got) > maxOutput {
			t.Errorf("%s: %d bytes", source, len(got))
		} else if err == nil && !strings.HasPrefix(source, "{{ replace") {
			t.Errorf("%s: no error", source)
		}
	}
}

func TestWildmatch(t *testing.T) {
	for _, test := range []struct {
		pattern, path string
		want          bool
	}{
		{"apps/*.json", "apps/a/b.json", true},
		{"apps/**/c.json", "apps/a/b/c.json", true},
		{"apps/?.json", "apps/ab.json", false},
		{"apps", "apps/a.json", true},
		{"apps/", "apps/a.json", true},
		{"app", "apps/a.json", false},
		{"[ab]ps/*", "aps/x", true},
		{"*a*a*a*a*a*a*a*a*b", strings.Repeat("a", 2000), false},
	} {
		if got := matchesPathspec(test.pattern, test.path); got != test.want {
			t.Errorf("%q matches %.20q: %v", test.pattern, test.path, got)
		}
	}
}

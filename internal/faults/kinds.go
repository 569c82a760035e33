package main

import (
	"regexp"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// kind is one way to make a mistake.
type kind struct {
	name string
	// spots are the places of a root where it can be made.
	spots func(subject) []spot
	// make makes it there; false where that would be no mistake.
	make func(spot) (change, bool)
	// refers is true where the value names something, which then has to be there.
	refers bool
}

// kinds are all ways to make a mistake, in the order of the table.
func kinds() []kind {
	return slices.Concat(pathKinds(), textKinds(), patchKinds(), replacementKinds(), generatorKinds(), otherKinds(),
		slipKinds(), valueKinds(), refusedKinds(), notationKinds())
}

func pathKinds() []kind {
	return []kind{
		{"typing mistake in the path of a resource", own("resources/*", "bases/*"), mistypePath, false},
		{"typing mistake in the path of a component", own("components/*"), mistypePath, false},
		{"typing mistake in the path of a patch", own("patches/*/path", "patchesStrategicMerge/*", "patchesJson6902/*/path"), mistypePath, false},
		{"typing mistake in the path of a generator's file", own("configMapGenerator/*/files/*", "secretGenerator/*/files/*", "configMapGenerator/*/envs/*", "secretGenerator/*/envs/*"), mistypePath, false},
		{"typing mistake in the path of a configuration", own("configurations/*", "transformers/*", "generators/*", "crds/*", "replacements/*/path", "openapi/path"), mistypePath, false},
		{"a resource listed twice", own("resources/*"), repeatEntry, false},
		{"a component listed as a resource", own("components/*"), asResource, false},
		{"a folder listed as a component", own("resources/*"), asComponent, false},
		{"a path out of the root", own("resources/*"), outside, false},
		{"a kustomization that includes itself", own("resources/*"), cycle, false},
	}
}

func textKinds() []kind {
	return []kind{
		{"typing mistake in the name of a field", own("*"), mistypeKey, false},
		{"typing mistake in the name of an inner field", own("patches/*/*", "images/*/*", "replicas/*/*", "replacements/*/*", "replacements/*/source/*",
			"replacements/*/targets/*/*", "configMapGenerator/*/*", "secretGenerator/*/*", "labels/*/*", "patches/*/target/*", "replacements/*/targets/*/options/*"), mistypeKey, false},
		{"a key twice in a kustomization", own("namespace", "namePrefix", "nameSuffix", "kind", "configMapGenerator/*/name", "images/*/newTag"), repeatKey, false},
		{"a key twice in a resource", in("resources/*", "kind", "metadata/name", "spec/replicas", "spec/type"), repeatKey, false},
		{"a map where a text belongs", own("namespace", "namePrefix", "nameSuffix", "images/*/newTag", "patches/*/path", "configMapGenerator/*/name"), value("{a: b}"), false},
		{"a text where a list belongs", own("resources", "components", "patches", "images", "configMapGenerator"), textForList, false},
		{"a bracket that is not closed, in a kustomization", own("namespace", "namePrefix", "resources/*", "patches/*/path", "images/*/name"), prefix("["), false},
		{"a quote that is not closed, in a resource", in("resources/*", "metadata/name", "kind"), prefix("\""), false},
		{"a tab as indentation", in("resources/*", "metadata/name"), tab, false},
		{"a line indented wrongly", in("resources/*", "metadata/namespace", "metadata/labels", "spec/*"), indentMore, false},
		{"a resource without its kind's key", in("resources/*", "kind"), mistypeKey, false},
		{"a resource without its name's key", in("resources/*", "metadata/name"), mistypeKey, false},
	}
}

func patchKinds() []kind {
	return []kind{
		{"typing mistake in the kind of a patch's target", own("patches/*/target/kind", "patchesJson6902/*/target/kind"), mistypeValue, false},
		{"typing mistake in the name of a patch's target", own("patches/*/target/name", "patchesJson6902/*/target/name"), mistypeValue, false},
		{"a regular expression that does not compile", own("patches/*/target/name", "patches/*/target/kind"), suffix("("), false},
		{"a label selector that does not parse", own("patches/*/target/kind", "patches/*/target/name"), badLabelSelector, false},
		{"typing mistake in the name in a patch", inPatch("metadata/name"), mistypeValue, false},
		{"typing mistake in the kind in a patch", inPatch("kind"), mistypeValue, false},
		{"wrong namespace in a patch", inPatch("metadata/name"), wrongNamespace, false},
		{"typing mistake in a field of a patch", known(inPatch("spec/*", "spec/template/spec/*", "spec/template/spec/containers/*/*")), mistypeKey, false},
		{"typing mistake in a JSON6902 path", inOperations("*/path"), mistypeOperationPath, false},
		{"typing mistake in a JSON6902 op", inOperations("*/op"), mistypeValue, false},
	}
}

func replacementKinds() []kind {
	return []kind{
		{"typing mistake in the name of a replacement's source", own("replacements/*/source/name"), mistypeValue, false},
		{"typing mistake in the kind of a replacement's source", own("replacements/*/source/kind"), mistypeValue, false},
		{"typing mistake in a source's field path", own("replacements/*/source/fieldPath"), mistypeValue, false},
		{"typing mistake in the kind of a select", own("replacements/*/targets/*/select/kind"), mistypeValue, false},
		{"typing mistake in the name of a select", own("replacements/*/targets/*/select/name"), mistypeValue, false},
		{"typing mistake in a target's field path", own("replacements/*/targets/*/fieldPaths/*"), mistypeFieldPath, false},
		{"a dot that is not escaped", own("replacements/*/targets/*/fieldPaths/*", "replacements/*/source/fieldPath"), unescape, false},
	}
}

func generatorKinds() []kind {
	generators := []string{"configMapGenerator/*/", "secretGenerator/*/"}
	return []kind{
		{"behavior: merge without a base", own(each(generators, "name")...), field("behavior: merge"), false},
		{"typing mistake in a behavior", own(each(generators, "behavior")...), mistypeValue, false},
		{"a literal without =", own(each(generators, "literals/*")...), withoutEquals, false},
		{"a literal twice", own(each(generators, "literals/*")...), repeatEntry, false},
	}
}

func otherKinds() []kind {
	return []kind{
		{"typing mistake in the name of an image", own("images/*/name"), mistypeValue, false},
		{"typing mistake in a replicas name", own("replicas/*/name"), mistypeValue, false},
		{"a tag in the name of an image", own("images/*/name"), suffix(":1.0"), false},
		{"typing mistake in a reference to a ConfigMap or Secret", in("resources/*", "spec/**/configMapRef/name", "spec/**/secretRef/name",
			"spec/**/configMapKeyRef/name", "spec/**/secretKeyRef/name", "spec/**/configMap/name", "spec/**/secret/secretName"), mistypeValue, true},
		{"typing mistake in a reference to a ServiceAccount", in("resources/*", "spec/**/serviceAccountName"), mistypeValue, true},
		{"typing mistake in the name of a subject or a role", in("resources/*", "roleRef/name", "subjects/*/name"), mistypeValue, true},
		{"typing mistake in the kind of a resource", known(in("resources/*", "kind")), mistypeValue, false},
		{"typing mistake in a field of a resource", known(in("resources/*", "spec/*", "spec/template/spec/*", "spec/template/spec/containers/*/*")), mistypeKey, false},
		{"typing mistake in a buildMetadata option", own("buildMetadata/*"), mistypeValue, false},
		{"typing mistake in the objref of a var", own("vars/*/objref/name", "vars/*/objref/kind"), mistypeValue, false},
	}
}

func each(prefixes []string, name string) []string {
	var all []string
	for _, p := range prefixes {
		all = append(all, p+name)
	}
	return all
}

// own finds places in the kustomization file.
func own(paths ...string) func(subject) []spot {
	return func(s subject) []spot { return findAll([]document{s.document}, paths) }
}

// in finds places in the files that a field of the kustomization names.
func in(files string, paths ...string) func(subject) []spot {
	return func(s subject) []spot { return findAll(s.files(files), paths) }
}

func inPatch(paths ...string) func(subject) []spot {
	return func(s subject) []spot { return findAll(s.patches(yaml.MappingNode), paths) }
}

func inOperations(paths ...string) func(subject) []spot {
	return func(s subject) []spot { return findAll(s.patches(yaml.SequenceNode), paths) }
}

// known leaves only the places in kinds that come with Kubernetes: of a custom
// resource whose definition is elsewhere nobody can know the fields.
func known(spots func(subject) []spot) func(subject) []spot {
	return func(s subject) []spot {
		return slices.DeleteFunc(spots(s), func(place spot) bool {
			versions := place.find("apiVersion")
			if len(versions) != 1 {
				return true
			}
			group, _, _ := strings.Cut(versions[0].value.Value, "/")
			return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
		})
	}
}

func findAll(documents []document, paths []string) []spot {
	var all []spot
	for _, d := range documents {
		for _, path := range paths {
			all = append(all, d.find(path)...)
		}
	}
	return all
}

func mistypeValue(s spot) (change, bool) {
	if strings.ContainsAny(s.value.Value, "*|?(") {
		return change{}, false // a pattern may match all the same
	}
	return s.replace(s.value, mistype(s.value.Value))
}

// mistypeKey leaves free-form maps alone: what their keys mean nobody can know.
func mistypeKey(s spot) (change, bool) {
	if s.key == nil || strings.HasPrefix(s.key.Value, "$") {
		return change{}, false
	}
	return s.replace(s.key, mistype(s.key.Value))
}

func mistypePath(s spot) (change, bool) {
	path := s.value.Value
	if s.value.Kind != yaml.ScalarNode || strings.Contains(path, "\n") || strings.Contains(path, "://") || strings.Trim(path, "./") == "" {
		return change{}, false
	}
	if at := strings.IndexByte(path, '='); at >= 0 {
		return s.replace(s.value, path[:at+1]+mistype(path[at+1:]))
	}
	return s.replace(s.value, mistype(path))
}

func mistypeOperationPath(s spot) (change, bool) {
	parent := s.value.Value[:max(0, strings.LastIndexByte(s.value.Value, '/'))]
	if strings.Count(parent, "/") < 1 {
		return change{}, false // one new key at the top is what an add may mean
	}
	return s.replace(s.value, mistype(parent)+s.value.Value[len(parent):])
}

// mistypeFieldPath mistypes the path's first key.
func mistypeFieldPath(s spot) (change, bool) {
	path := strings.TrimPrefix(s.value.Value, ".")
	first, rest, more := strings.Cut(path, ".")
	if more {
		rest = "." + rest
	}
	return s.replace(s.value, mistype(first)+rest)
}

func unescape(s spot) (change, bool) {
	return s.replace(s.value, strings.Replace(s.value.Value, `\.`, ".", 1))
}

func value(text string) func(spot) (change, bool) {
	return func(s spot) (change, bool) {
		if s.value.Style != 0 {
			return change{}, false // within quotes it is a text
		}
		return s.replace(s.value, text)
	}
}

func prefix(text string) func(spot) (change, bool) {
	return func(s spot) (change, bool) {
		if s.value.Style != 0 {
			return change{}, false
		}
		return s.replace(s.value, text+s.value.Value)
	}
}

func suffix(text string) func(spot) (change, bool) {
	return func(s spot) (change, bool) { return s.replace(s.value, s.value.Value+text) }
}

// field adds a field below the one of the spot, in the same mapping.
func field(text string) func(spot) (change, bool) {
	return func(s spot) (change, bool) {
		name, _, _ := strings.Cut(text, ":")
		if s.key == nil || strings.Contains(string(s.text), name+":") || s.value.Line != s.key.Line {
			return change{}, false
		}
		return s.insert(s.line(s.key)+1, s.indent(s.key)+text)
	}
}

var badLabelSelector = field("labelSelector: app in (web")

var wrongNamespace = func(s spot) (change, bool) {
	c, ok := s.insert(s.line(s.key)+1, s.indent(s.key)+"namespace: elsewhere")
	return c, ok && len(s.find("metadata/namespace")) == 0
}

// repeatEntry writes a list's element of one line once more.
func repeatEntry(s spot) (change, bool) {
	line := string(s.lines()[s.line(s.value)-1])
	if s.value.Kind != yaml.ScalarNode || !strings.HasPrefix(strings.TrimSpace(line), "- ") || s.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return change{}, false
	}
	return s.insert(s.line(s.value)+1, strings.TrimRight(line, "\r\n"))
}

// repeatKey writes a mapping's entry of one line once more.
func repeatKey(s spot) (change, bool) {
	if s.key == nil || s.value.Kind != yaml.ScalarNode || s.value.Value == "" || s.value.Line != s.key.Line {
		return change{}, false
	}
	if strings.Contains(string(s.lines()[s.line(s.key)-1]), "{") {
		return change{}, false // the line below would be outside of the braces
	}
	return s.insert(s.line(s.key)+1, s.indent(s.key)+s.key.Value+": again")
}

func asResource(s spot) (change, bool) {
	return s.insert(len(s.lines()), strings.TrimSpace("resources: ["+s.value.Value+"]"))
}

var folderPath = regexp.MustCompile(`^\.\.?/[\w./-]*/[\w-]+/?$`)

func asComponent(s spot) (change, bool) {
	if !folderPath.MatchString(s.value.Value) || len(s.find("components")) > 0 || strings.HasSuffix(s.value.Value, "yaml") {
		return change{}, false
	}
	return s.insert(len(s.lines()), "components: ["+s.value.Value+"]")
}

func outside(s spot) (change, bool) {
	return newEntry(s, "/etc/hostname")
}

func cycle(s spot) (change, bool) { return newEntry(s, "../"+lastFolder(s.path)) }

func lastFolder(path string) string {
	parts := strings.Split(path, "/")
	return parts[len(parts)-2]
}

// newEntry adds an element to the list that the spot is the first of.
func newEntry(s spot, value string) (change, bool) {
	line := string(s.lines()[s.line(s.value)-1])
	at := strings.Index(line, "- ")
	if s.value != s.find("resources")[0].value.Content[0] || at < 0 {
		return change{}, false
	}
	return s.insert(s.line(s.value), line[:at]+"- "+value)
}

// textForList leaves a field with a text and drops the lines of the list.
func textForList(s spot) (change, bool) {
	lines, key := s.lines(), s.line(s.key)
	end := key
	for end < len(lines) && (strings.HasPrefix(string(lines[end]), " ") || strings.HasPrefix(string(lines[end]), "-")) {
		end++
	}
	if end == key || s.key.Column != 1 || strings.HasPrefix(string(lines[min(end, len(lines)-1)]), "---") {
		return change{}, false
	}
	text := strings.Join([]string{joined(lines[:key-1]), s.key.Value, ": nothing\n", joined(lines[end:])}, "")
	return change{[]byte(text), key}, true
}

func joined(lines [][]byte) string {
	var b strings.Builder
	for _, line := range lines {
		b.Write(line)
	}
	return b.String()
}

func tab(s spot) (change, bool) {
	if s.key == nil || s.key.Column == 1 {
		return change{}, false
	}
	lines := s.lines()
	at := s.line(s.key) - 1
	if strings.TrimLeft(string(lines[at][:s.key.Column-1]), " ") != "" {
		return change{}, false
	}
	lines[at] = []byte("\t" + strings.TrimLeft(string(lines[at]), " "))
	return change{[]byte(joined(lines)), at + 1}, true
}

// indentMore moves a key that is not the first of its mapping to the right, where
// the value before it is a scalar, so that the line fits nowhere.
func indentMore(s spot) (change, bool) {
	lines := s.lines()
	at := s.line(s.key) - 1
	if at == 0 || s.key == nil || s.value.Line != s.key.Line || strings.TrimSpace(string(lines[at][:s.key.Column-1])) != "" {
		return change{}, false
	}
	above := string(lines[at-1])
	blanks := len(above) - len(strings.TrimLeft(above, " "))
	if blanks != s.key.Column-1 || !regexp.MustCompile(`^ *\w+: *[\w.-]+\s*$`).MatchString(above) {
		return change{}, false
	}
	lines[at] = []byte(" " + string(lines[at]))
	return change{[]byte(joined(lines)), at + 1}, true
}

func withoutEquals(s spot) (change, bool) {
	return s.replace(s.value, strings.ReplaceAll(s.value.Value, "=", ""))
}

package main

import (
	"path"
	"regexp"
	"slices"
	"strings"

	yaml "go.yaml.in/yaml/v3"
)

// slipKinds are mistakes of people who know what they want and write it wrongly: a
// wrong place, a wrong part of the right thing, a name that another place has differently.
func slipKinds() []kind {
	const container = "spec/template/spec/containers/*/"
	return []kind{
		{"a letter missing in the name in a patch", inPatch("metadata/name"), edited(withoutALetter), false},
		{"wrong version in the apiVersion of a patch", inPatch("apiVersion"), edited(otherVersion), false},
		{"typing mistake in the group of a patch's target", own("patches/*/target/group", "patchesJson6902/*/target/group"), mistypeValue, false},
		{"wrong version in a patch's target", own("patches/*/target/version", "patchesJson6902/*/target/version"), edited(otherVersion), false},
		{"typing mistake in the label selector of a patch's target", own("patches/*/target/labelSelector"), mistypeValue, false},
		{"typing mistake in the name of a container in a patch", inPatch(container + "name"), mistypeValue, false},
		{"a key indented too little in a patch", known(inPatch("spec/*", "spec/template/spec/*", container+"*")), indentLess, false},
		{"a key indented too little in a resource", known(in("resources/*", "spec/*", "spec/template/spec/*", container+"*")), indentLess, false},
		{"a tab as indentation in a kustomization", own("patches/*/target/*", "images/*/*", "configMapGenerator/*/*", "replacements/*/source/*"), tab, false},
		{"a base that is gone", own("resources/*"), gone, false},
		{"documents without --- between them", in("resources/*", "apiVersion"), withoutSeparator, false},
		{"an image's name without its registry", own("images/*/name"), edited(withoutFolder), false},
		{"a slash that is not written ~1 in a JSON6902 path", inOperations("*/path"), edited(unescapeSlash), false},
		{"an index that is not there in a JSON6902 path", inOperations("*/path"), edited(farIndex), false},
		{"typing mistake at the end of a JSON6902 path", inReplaced("*/path"), mistypeValue, false},
		{"a delimiter that is not in the value", own("replacements/*/source/options/delimiter"), value("%"), false},
		{"an index that is not there in a replacement", own("replacements/*/source/options/index"), value("99"), false},
		{"a line in an environment file that is none", inEnvironment("configMapGenerator/*/envs/*", "secretGenerator/*/envs/*", "configMapGenerator/*/env"), badEnvironmentLine, false},
		{"two generators of one name", own("configMapGenerator/*/name", "secretGenerator/*/name"), firstName, false},
	}
}

// valueKinds are mistakes in resources which kustomize builds and the API server refuses,
// or with which a pod never starts.
func valueKinds() []kind {
	const pod, container = "spec/template/spec/", "spec/template/spec/containers/*/"
	return []kind{
		{"a port written as a text", known(in("resources/*", "spec/ports/*/port", container+"ports/*/containerPort")), plain(`"80"`), false},
		{"a number of replicas written as a text", known(in("resources/*", "spec/replicas")), plain(`"2"`), false},
		{"an environment variable that is not a string", known(in("resources/*", container+"env/*/value")), plain("true"), false},
		{"a value outside its enumeration", known(in("resources/*", "spec/type", container+"imagePullPolicy", pod+"restartPolicy", "spec/ports/*/protocol")), mistypeValue, false},
		{"an invalid quantity", known(in("resources/*", container+"resources/*/memory", container+"resources/*/cpu")), suffix("b"), false},
		{"a selector that does not select the pods", known(in("resources/*", "spec/selector/matchLabels/*")), mistypeValue, false},
		{"typing mistake in the name of a mounted volume", known(in("resources/*", container+"volumeMounts/*/name")), mistypeValue, false},
		{"typing mistake in the key of a ConfigMap or Secret", known(in("resources/*", "spec/**/configMapKeyRef/key", "spec/**/secretKeyRef/key")), mistypeValue, true},
		{"typing mistake in the service of an Ingress", known(in("resources/*", "spec/rules/*/http/paths/*/backend/service/name")), mistypeValue, true},
		{"typing mistake in what a HorizontalPodAutoscaler scales", known(in("resources/*", "spec/scaleTargetRef/name")), mistypeValue, true},
		{"typing mistake in a label that a Service selects by", known(in("resources/*", "spec/selector/*")), mistypeValue, true},
		{"typing mistake in the port that a Service sends to", known(in("resources/*", "spec/ports/*/targetPort")), mistypeValue, true},
		{"typing mistake in the port of a probe", known(in("resources/*", container+"livenessProbe/httpGet/port", container+"readinessProbe/httpGet/port")), mistypeValue, true},
		{"a port that the Service of an Ingress does not have", known(in("resources/*", "spec/rules/*/http/paths/*/backend/service/port/number")), plain("65000"), true},
		{"typing mistake in a verb of a role", in("resources/*", "rules/*/verbs/*"), mistypeValue, false},
		{"typing mistake in a resource of a role", in("resources/*", "rules/*/resources/*"), mistypeValue, false},
		{"typing mistake in a field that a variable takes of its pod", known(in("resources/*", "spec/**/valueFrom/fieldRef/fieldPath")), mistypeValue, false},
		{"typing mistake in the namespace of a resource", in("resources/*", "metadata/namespace"), mistypeValue, true},
		{"a rolling update of pods that are recreated", known(in("resources/*", "spec/strategy/type")), recreate, false},
		{"typing mistake in the name of a claim", known(in("resources/*", "spec/**/persistentVolumeClaim/claimName")), mistypeValue, true},
	}
}

// recreate keeps the rolling update beside the strategy that has none.
func recreate(s spot) (change, bool) {
	if len(s.find("spec/strategy/rollingUpdate")) == 0 {
		return change{}, false
	}
	return s.replace(s.value, "Recreate")
}

// edited writes a changed text over a value; an unchanged one is no mistake.
func edited(edit func(string) string) func(spot) (change, bool) {
	return func(s spot) (change, bool) { return s.replace(s.value, edit(s.value.Value)) }
}

func withoutALetter(name string) string { return name[:max(0, len(name)-1)] }

var version = regexp.MustCompile(`v\d+((alpha|beta)\d+)?$`)

func otherVersion(apiVersion string) string {
	if strings.HasSuffix(apiVersion, "v1") {
		return apiVersion + "beta1"
	}
	return version.ReplaceAllString(apiVersion, "v1")
}

func withoutFolder(image string) string { return path.Base(image) }

func unescapeSlash(path string) string { return strings.Replace(path, "~1", "/", 1) }

func farIndex(path string) string { return strings.Replace(path, "/0/", "/9/", 1) }

func gone(s spot) (change, bool) { return newEntry(s, "../gone") }

// indentLess moves the last key of a mapping to the left, to its parent's keys.
func indentLess(s spot) (change, bool) {
	if s.key == nil || s.value.Line != s.key.Line || s.value.Kind != yaml.ScalarNode || s.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return change{}, false
	}
	lines, at := s.lines(), s.line(s.key)-1
	blanks := func(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
	line, own := string(lines[at]), blanks(string(lines[at]))
	if at+1 < len(lines) && strings.TrimSpace(string(lines[at+1])) != "" && blanks(string(lines[at+1])) >= own {
		return change{}, false
	}
	for above := at - 1; above >= 0; above-- {
		text := string(lines[above])
		if outer := blanks(text); strings.TrimSpace(text) != "" && outer < own {
			if !strings.HasSuffix(strings.TrimSpace(text), ":") || strings.HasPrefix(strings.TrimSpace(text), "- ") {
				return change{}, false
			}
			lines[at] = []byte(line[own-outer:])
			return change{[]byte(joined(lines)), at + 1}, true
		}
	}
	return change{}, false
}

// withoutSeparator takes away the line before a document that is not the first.
func withoutSeparator(s spot) (change, bool) {
	lines, at := s.lines(), s.line(s.key)-1
	if at < 2 || s.shift != 0 || strings.TrimSpace(string(lines[at-1])) != "---" || !slices.ContainsFunc(lines[:at-1], func(l []byte) bool { return strings.HasPrefix(string(l), "kind:") }) {
		return change{}, false
	}
	return change{[]byte(joined(slices.Delete(lines, at-1, at))), at}, true
}

// inReplaced finds places in the JSON6902 operations that need what they name.
func inReplaced(paths ...string) func(subject) []spot {
	return func(s subject) []spot {
		var all []spot
		for _, d := range s.patches(yaml.SequenceNode) {
			for _, operation := range d.root.Content {
				one := document{d.path, d.text, operation, d.shift}
				if op := one.find("op"); len(op) == 1 && op[0].value.Value != "add" {
					all = append(all, one.find("path")...)
				}
			}
		}
		return all
	}
}

// inEnvironment finds the first line of environment files.
func inEnvironment(fields ...string) func(subject) []spot {
	return func(s subject) []spot {
		var all []spot
		for _, named := range findAll([]document{s.document}, fields) {
			file := path.Join(s.dir, named.value.Value)
			if text, ok := s.tree.Files[file]; ok && len(text) > 0 {
				all = append(all, spot{document{path: file, text: text}, nil, &yaml.Node{Line: 1}})
			}
		}
		return all
	}
}

func badEnvironmentLine(s spot) (change, bool) { return s.insert(1, "export NAME=value") }

// firstName gives a generator the name of the first one.
func firstName(s spot) (change, bool) {
	for _, field := range []string{"configMapGenerator/*/name", "secretGenerator/*/name"} {
		if all := s.find(field); slices.ContainsFunc(all, func(o spot) bool { return o.value == s.value }) {
			return s.replace(s.value, all[0].value.Value)
		}
	}
	return change{}, false
}

// plain writes another value, without the quotes of the old one.
func plain(text string) func(spot) (change, bool) {
	return func(s spot) (change, bool) {
		if s.key == nil || s.shift != 0 || s.value.Kind != yaml.ScalarNode || s.value.Line != s.key.Line || s.value.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
			return change{}, false
		}
		lines, at := s.lines(), s.line(s.key)-1
		line := string(lines[at])
		end := s.key.Column - 1 + len(s.key.Value)
		if strings.ContainsAny(line, "{}[]#") || !strings.HasPrefix(line[end:], ": ") || s.value.Value == "" {
			return change{}, false
		}
		lines[at] = []byte(line[:end] + ": " + text + "\n")
		return change{[]byte(joined(lines)), at + 1}, true
	}
}

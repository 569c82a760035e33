package main

import (
	"fmt"
	"regexp"
	"strings"
)

// kind is a kind of mistake. make returns the texts that have it, each made of one line
// of a file, with the 1-based lines at one of which it is to be reported.
type kind struct {
	name string
	make func(path, text string) []fault
}

type fault struct {
	text  string
	lines []int
}

// onUse are the kinds of mistakes that are made where a variable is substituted.
var onUse = map[string]bool{"variable misspelt where it is used": true, "expansion of the shell": true, "brace not closed": true, "default without its sign": true}

// kinds are the mistakes; each is made in the file of a Kustomization, or of what one
// deploys.
func kinds() []kind {
	swapped := func(line, value string) string { return strings.Replace(line, value, swap(value), 1) }
	return []kind{
		{"path misspelt", onLine(`^  path: "?\./\S*?(\w{3,})"?$`, swapped)},
		{"path without its first folder", onLine(`^  path: "?\./(\w+/)`, func(line, first string) string { return strings.Replace(line, first, "", 1) })},
		{"component misspelt", onLine(`^ +- \.\./\S*?(\w{4,})$`, swapped)},
		{"component of another repository", flux(onLine(`^ +- (\.\./\S*components\S*)$`, func(line, path string) string {
			return strings.Replace(line, path, "https://github.com/acme/components//gpu", 1)
		}))},
		{"dependsOn misspelt", below("dependsOn:", onLine(`^ +- name: (\w[\w-]{3,})$`, swapped))},
		{"dependsOn in another namespace", below("dependsOn:", onLine(`^ +namespace: (\S+)$`, func(line, name string) string {
			return strings.Replace(line, name, "nowhere", 1)
		}))},
		{"dependsOn on itself", after(`^  prune: `, func(name string) string { return "  dependsOn:\n    - name: " + name }, 2, "dependsOn:")},
		{"variable renamed where it is supplied", onLine(`^      ([A-Z]\w+): `, swapped)},
		{"variable misspelt where it is used", onLine(`\$\{([A-Z]\w{2,})\}`, func(line, name string) string { return strings.Replace(line, name, name+"S", 1) })},
		{"number as the value of a variable", inserted(`^    substitute:$`, "      KLS_NUMBER: 80")},
		{"name of a variable with a dash", inserted(`^    substitute:$`, "      KLS-NAME: x")},
		{"variable that nothing uses", inserted(`^    substitute:$`, `      KLS_UNUSED: "x"`)},
		{"expansion of the shell", onLine(`(\$\{[A-Z]\w+)\}`, func(line, open string) string { return strings.Replace(line, open+"}", open+"-x}", 1) })},
		{"brace not closed", onLine(`^[^#]*\$\{[A-Z]\w+(\})\s*$`, func(line, _ string) string { return strings.Replace(line, "}", "", 1) })},
		{"default without its sign", onLine(`(\$\{[A-Z]\w+:)=`, func(line, open string) string { return strings.Replace(line, open+"=", open, 1) })},
		{"patch of a kind that is not there", patched("kind: Deploymnet", "- op: add\n        path: /metadata/annotations\n        value: {}", 2, 3)},
		{"strategic patch of a name that is not there", patched("", "apiVersion: apps/v1\n        kind: Deployment\n        metadata:\n          name: kls-none", 2, 3, 4, 5, 6)},
		{"patch that is not YAML", patched("kind: ConfigMap|Deployment|HelmRelease", "kind: [", 2, 5, 4)},
		{"JSON patch of what is not there", patched("kind: ConfigMap|Deployment|HelmRelease", "- op: remove\n        path: /spec/klsNothing", 2, 5, 6)},
		{"image that nothing uses", after(`^  prune: `, func(string) string {
			return "  images:\n    - name: registry.example.com/kls-none\n      newTag: \"1\""
		}, 2, "images:")},
		{"health check misspelt", below("healthChecks:", onLine(`^ +name: &?\w*\s*(\w[\w-]{3,})$`, swapped))},
		{"namespace of a resource that is replaced", resources(onLine(`^  name: (\S+)$`, func(line, _ string) string { return line + "\n  namespace: kls-other" }))},
		{"object of another deployment", secondOwner},
	}
}

// swap changes the places of two letters in the middle of a word.
func swap(word string) string {
	for i := len(word) / 2; i > 0; i-- {
		if word[i] != word[i-1] && word[i] != '-' && word[i-1] != '-' {
			return word[:i-1] + string(word[i]) + string(word[i-1]) + word[i+1:]
		}
	}
	return word + "x"
}

// onLine changes each line that matches; the text handed over is the first group.
func onLine(pattern string, change func(line, group string) string) func(path, text string) []fault {
	matcher := regexp.MustCompile(pattern)
	return func(_, text string) []fault {
		lines := strings.Split(text, "\n")
		var made []fault
		for i, line := range lines {
			m := matcher.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if changed := change(line, m[1]); changed != line {
				made = append(made, fault{replaced(lines, i, changed), []int{i + 1, i + 2}})
			}
		}
		return made
	}
}

func replaced(lines []string, at int, line string) string {
	changed := append([]string{}, lines...)
	changed[at] = line
	return strings.Join(changed, "\n")
}

func isFlux(text string) bool {
	return strings.Contains(text, "\napiVersion: kustomize.toolkit.fluxcd.io/") || strings.HasPrefix(text, "apiVersion: kustomize.toolkit.fluxcd.io/")
}

// below keeps the faults in the block of a field.
func below(field string, make func(path, text string) []fault) func(path, text string) []fault {
	return func(path, text string) []fault {
		lines := strings.Split(text, "\n")
		var kept []fault
		for _, f := range make(path, text) {
			for i := f.lines[0] - 2; i >= 0; i-- {
				if trimmed := strings.TrimSpace(lines[i]); trimmed == field {
					kept = append(kept, f)
					break
				} else if indent(lines[i]) <= 2 && !strings.HasPrefix(trimmed, "-") {
					break
				}
			}
		}
		return kept
	}
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// flux keeps the faults in files of Flux Kustomizations.
func flux(make func(path, text string) []fault) func(path, text string) []fault {
	return func(path, text string) []fault {
		if !isFlux(text) {
			return nil
		}
		return make(path, text)
	}
}

// resources keeps the faults in files of resources without a namespace.
func resources(make func(path, text string) []fault) func(path, text string) []fault {
	return func(path, text string) []fault {
		if isFlux(text) || strings.Contains(text, "\n  namespace:") || strings.Contains(text, "kustomize.config.k8s.io") {
			return nil
		}
		return make(path, text)
	}
}

// inserted puts a line behind each that matches.
func inserted(pattern, line string) func(path, text string) []fault {
	return onLine("("+pattern+")", func(at, _ string) string { return at + "\n" + line })
}

// after puts lines behind one that matches, in documents that do not have the field.
func after(pattern string, lines func(name string) string, reported int, field string) func(path, text string) []fault {
	matcher, name := regexp.MustCompile(pattern), regexp.MustCompile(`^  name: (?:&\S+ )?"?([\w-]+)`)
	return func(_, text string) []fault {
		all := strings.Split(text, "\n")
		var made []fault
		last, has := "", false
		for i, line := range all {
			if line == "---" {
				last, has = "", false
			}
			if m := name.FindStringSubmatch(line); m != nil {
				last = m[1]
			}
			has = has || strings.TrimSpace(line) == field
			if matcher.MatchString(line) && last != "" && !has && !strings.Contains(text, field) {
				made = append(made, fault{replaced(all, i, line+"\n"+lines(last)), []int{i + 1 + reported}})
			}
		}
		return made
	}
}

// patched adds a patch to the Kustomization.
func patched(target, patch string, reported ...int) func(path, text string) []fault {
	block := "  patches:\n    - "
	if target != "" {
		block += "target:\n        " + target + "\n      "
	}
	block += "patch: |\n        " + patch
	make := after(`^  prune: `, func(string) string { return block }, 0, "patches:")
	return func(path, text string) []fault {
		made := make(path, text)
		for i := range made {
			at := made[i].lines[0]
			made[i].lines = nil
			for _, line := range reported {
				made[i].lines = append(made[i].lines, at+line)
			}
		}
		return made
	}
}

// secondOwner adds a copy of a Kustomization under another name.
func secondOwner(_, text string) []fault {
	if strings.Contains(text, "\n---\n") || !isFlux(text) {
		return nil
	}
	copied := regexp.MustCompile(`(?m)^  name: .*$`).ReplaceAllString(strings.TrimPrefix(text, "---\n"), "  name: kls-copy")
	return []fault{{fmt.Sprintf("%s\n---\n%s", strings.TrimSuffix(text, "\n"), copied), nil}}
}

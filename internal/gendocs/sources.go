package main

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// declaration is where the name of a rule becomes a name in Go: a code of the engine, or a rule of analysis.
var declaration = regexp.MustCompile(`(?m)^(?:\t([A-Z]\w+) +(?:builder\.)?Code|const ([A-Z]\w+)) = "([a-z]+(?:-[a-z]+)*)"$`)

var goWord = regexp.MustCompile(`(?:\b([a-z]\w*)\.)?\b([A-Z]\w+)`)

// named is a rule as code names it.
type named struct{ rule, folder string }

// sources returns, by the name of a rule, the files whose code finds the mistake, as paths from the root of the repository.
func sources(root string) (map[string][]string, error) {
	texts, err := goFiles(os.DirFS(root), "engine", "analysis")
	if err != nil {
		return nil, err
	}
	rules := map[string]named{}
	for file, text := range texts {
		for _, m := range declaration.FindAllStringSubmatch(text, -1) {
			rules[m[1]+m[2]] = named{m[3], path.Dir(file)}
		}
	}
	if len(rules) == 0 {
		return nil, fmt.Errorf("no code is declared in %s", root)
	}
	found := map[string][]string{}
	for file, text := range texts {
		if strings.HasPrefix(file, "analysis/") && path.Dir(file) != "analysis" && path.Dir(file) != "analysis/rules" {
			continue // it only speaks of rules
		}
		for _, rule := range rulesIn(file, declaration.ReplaceAllString(text, ""), rules) {
			if !slices.Contains(found[rule], file) {
				found[rule] = append(found[rule], file)
			}
		}
	}
	for _, files := range found {
		slices.Sort(files)
	}
	return found, nil
}

// rulesIn returns the rules that a file names, and the one whose check it is.
func rulesIn(file, text string, rules map[string]named) (found []string) {
	if path.Dir(file) == "analysis/rules" {
		found = append(found, strings.ReplaceAll(strings.TrimSuffix(path.Base(file), ".go"), "_", "-"))
	}
	for _, m := range goWord.FindAllStringSubmatch(text, -1) {
		of, ok := rules[m[2]]
		if ok && (m[1] == path.Base(of.folder) || m[1] == "" && path.Dir(file) == of.folder) {
			found = append(found, of.rule)
		}
	}
	return found
}

// goFiles returns the texts of the files of Go in folders, without tests and comments of whole lines.
func goFiles(root fs.FS, folders ...string) (map[string]string, error) {
	texts := map[string]string{}
	comment := regexp.MustCompile(`(?m)^\s*//.*$`)
	for _, folder := range folders {
		err := fs.WalkDir(root, folder, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
				return err
			}
			text, err := fs.ReadFile(root, file)
			texts[file] = comment.ReplaceAllString(string(text), "")
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

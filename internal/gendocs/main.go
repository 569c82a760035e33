// Command gendocs writes docs/rules: a page for every rule, made of what the rule says of itself and of its fixture, and
// an index. The fixtures are tests, so the pages cannot lie. It also writes docs/schema, the JSON Schemas of the
// kustomization file and of .kls.yaml.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/fixture"
	"github.com/kustomize-lsp/kls/analysis/rules"
)

func main() {
	if err := write(".", filepath.Join("docs", "rules")); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
	for name, make := range schemas {
		if err := writeSchema(filepath.Join("docs", "schema", name), make); err != nil {
			fmt.Fprintln(os.Stderr, "gendocs:", err)
			os.Exit(1)
		}
	}
}

// schemas are the JSON Schemas by file name.
var schemas = map[string]func() ([]byte, error){
	"kustomization.json": kustomizationSchema,
	"kls.json":           func() ([]byte, error) { return config.Schema(ruleInfos()) },
}

func ruleInfos() []config.RuleInfo {
	var infos []config.RuleInfo
	for _, r := range rules.All() {
		infos = append(infos, config.RuleInfo{Name: r.Name, Title: r.Title, Severity: r.Severity.String()})
	}
	return infos
}

func writeSchema(path string, make func() ([]byte, error)) error {
	encoded, err := make()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, encoded, 0o644)
}

// write replaces all that is in the folder.
func write(root, folder string) error {
	pages, err := makePages(root)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// makePages returns the pages by file name. Root is that of the repository.
func makePages(root string) (map[string][]byte, error) {
	found, err := sources(root)
	if err != nil {
		return nil, err
	}
	pages := map[string][]byte{"README.md": index()}
	for _, r := range rules.All() {
		f, err := fixture.Load(filepath.Join(root, "analysis", "rules", "testdata", r.Name+".txtar"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		pages[r.Name+".md"] = page(r, f, found[r.Name])
	}
	return pages, nil
}

const generated = "<!-- Made by make docs from analysis/rules; do not edit. -->\n"

func index() []byte {
	var b bytes.Buffer
	b.WriteString(generated)
	b.WriteString("# Rules\n\n")
	b.WriteString("What `kls check` and the editor report. A mistake that makes the build fail is an error, whatever the rule;\n")
	b.WriteString("the severity here is that of a mistake with which it succeeds. The headings are classes, which the editor's setting\n")
	b.WriteString("`kls.classes` switches off.\n")
	for _, class := range analysis.Classes() {
		fmt.Fprintf(&b, "\n## %s\n\n| rule | severity | what is wrong |\n| --- | --- | --- |\n", class)
		for _, r := range rules.All() {
			if r.Class == class {
				fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s |\n", r.Name, r.Name, r.Severity, r.Title)
			}
		}
	}
	return b.Bytes()
}

func page(r *analysis.Rule, f *fixture.Fixture, sources []string) []byte {
	var b bytes.Buffer
	b.WriteString(generated)
	fmt.Fprintf(&b, "# %s\n\n%s. Severity: %s.\n\n%s\n\n## What to do\n\n%s\n", r.Name, r.Title, r.Severity, r.Why, r.Remedy)
	if f != nil {
		example(&b, r, f)
	}
	if len(sources) > 0 {
		b.WriteString("\nFound by")
		for i, path := range sources {
			fmt.Fprintf(&b, "%s [%s](../../%s)", []string{"", ","}[min(i, 1)], path, path)
		}
		b.WriteString(".\n")
	}
	return b.Bytes()
}

func example(b *bytes.Buffer, r *analysis.Rule, f *fixture.Fixture) {
	fmt.Fprintf(b, "\n## Example\n\n%s\n", f.Prose)
	for _, file := range f.Files {
		code, below := copyable(file)
		fmt.Fprintf(b, "\n`%s`\n\n%s", file.Path, fenced(language(file.Path), strings.ToValidUTF8(code, "�")))
		if below != "" {
			fmt.Fprintf(b, "\n%s", strings.ToValidUTF8(below, "�"))
		}
	}
	if diff := f.Want["fix/"+r.Name+".diff"]; diff != "" {
		fmt.Fprintf(b, "\nThe fix:\n\n%s", fenced("diff", diff))
	}
	if rendered, ok := f.Want["build"]; ok {
		fmt.Fprintf(b, "\nWhat is rendered:\n\n%s", fenced("yaml", rendered))
	}
}

func language(path string) string {
	if ext := filepath.Ext(path); ext == ".yaml" || ext == ".yml" {
		return "yaml"
	}
	return "text"
}

// fenced puts a text into a code block with a fence longer than any in it.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fmt.Sprintf("%s%s\n%s%s\n", fence, language, text, fence)
}

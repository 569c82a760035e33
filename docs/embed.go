// Package docs hands the generated pages of the rules to the program, which prints
// them. The pages are written by make docs.
package docs

import "embed"

//go:embed rules/*.md
var pages embed.FS

// RulePage returns the page of a rule, in Markdown; ok is false where there is none.
func RulePage(name string) (text []byte, ok bool) {
	text, err := pages.ReadFile("rules/" + name + ".md")
	return text, err == nil
}

package analysis

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// gitAttributes are the paths that .gitattributes files mark as generated or vendored.
type gitAttributes struct {
	files *vfs.Snapshot
	read  map[string][]attributeRule // by folder
}

// attributeRule is a line of .gitattributes that says whether paths are generated or vendored.
type attributeRule struct {
	pattern *regexp.Regexp // of a path relative to the folder
	folder  string         // that the pattern is for as a whole; may be empty
	marked  bool
	what    string
}

// marked returns the folder that a path is generated or vendored with, and which of the
// two it is; "" for neither. As for git, the last line that matches counts, and that of
// an inner folder before that of an outer one. It looks no further out than root.
func (g *gitAttributes) marked(root, file string) (dir, what string) {
	for in := filepath.Dir(file); vfs.Below(root, in); in = filepath.Dir(in) {
		inside, err := filepath.Rel(in, file)
		if err != nil {
			return "", ""
		}
		inside = filepath.ToSlash(inside)
		for _, rule := range slices.Backward(g.rules(in)) {
			if !rule.pattern.MatchString(inside) {
				continue
			}
			if !rule.marked {
				return "", ""
			}
			if rule.folder == "" {
				return filepath.Dir(file), rule.what
			}
			return filepath.Join(in, filepath.FromSlash(rule.folder)), rule.what
		}
		if in == filepath.Dir(in) {
			break
		}
	}
	return "", ""
}

func (g *gitAttributes) rules(dir string) []attributeRule {
	if rules, ok := g.read[dir]; ok {
		return rules
	}
	if g.read == nil {
		g.read = map[string][]attributeRule{}
	}
	var rules []attributeRule
	if f, err := g.files.ReadFile(filepath.Join(dir, ".gitattributes")); err == nil {
		for line := range strings.Lines(string(f.Data)) {
			rules = append(rules, attributeRules(line)...)
		}
	}
	g.read[dir] = rules
	return rules
}

// attributeRules reads a line of .gitattributes.
func attributeRules(line string) (rules []attributeRule) {
	fields := strings.Fields(line)
	if len(fields) < 2 || strings.HasPrefix(fields[0], "#") {
		return nil
	}
	for _, attribute := range fields[1:] {
		name, value, _ := strings.Cut(attribute, "=")
		unset := strings.HasPrefix(name, "-") || strings.HasPrefix(name, "!") || value == "false"
		what := map[string]string{"linguist-generated": "generated files", "linguist-vendored": "vendored files"}[strings.TrimLeft(name, "-!")]
		if pattern := attributePattern(fields[0]); what != "" && pattern != nil {
			rules = append(rules, attributeRule{pattern, wholeFolder(fields[0]), !unset, what})
		}
	}
	return rules
}

// attributePattern is a pattern of git: without a slash it is for a name in any folder.
func attributePattern(pattern string) *regexp.Regexp {
	anywhere := !strings.Contains(strings.TrimSuffix(pattern, "/"), "/")
	var b strings.Builder
	b.WriteString(`\A`)
	if anywhere {
		b.WriteString(`(?:.*/)?`)
	}
	for rest := strings.TrimPrefix(pattern, "/"); rest != ""; {
		switch {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString(`(?:.*/)?`)
			rest = rest[3:]
		case strings.HasPrefix(rest, "**"):
			b.WriteString(`.*`)
			rest = rest[2:]
		case rest[0] == '*':
			b.WriteString(`[^/]*`)
			rest = rest[1:]
		case rest[0] == '?':
			b.WriteString(`[^/]`)
			rest = rest[1:]
		default:
			b.WriteString(regexp.QuoteMeta(rest[:1]))
			rest = rest[1:]
		}
	}
	b.WriteString(`\z`)
	compiled, err := regexp.Compile(b.String())
	if err != nil {
		return nil
	}
	return compiled
}

// wholeFolder returns the folder that a pattern is for as a whole, as in third_party/**;
// "" for any other pattern.
func wholeFolder(pattern string) string {
	dir, ok := strings.CutSuffix(strings.TrimPrefix(pattern, "/"), "/**")
	if !ok || strings.ContainsAny(dir, "*?[") {
		return ""
	}
	return dir
}

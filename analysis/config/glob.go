package config

import (
	"regexp"
	"slices"
	"strings"
)

// glob is a pattern for paths with forward slashes: * and ? stand for what has no
// slash, ** for any folders, […] for one of some characters. What matches a folder
// matches everything in it.
type glob struct{ pattern *regexp.Regexp }

// parseGlob reads a pattern; ok is false for one that has no meaning.
func parseGlob(text string) (g glob, ok bool) {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "./"), "/")
	var b strings.Builder
	b.WriteString(`\A`)
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "**/"):
			b.WriteString(`(?:.*/)?`)
			i += 2
		case strings.HasPrefix(rest, "**"):
			b.WriteString(`.*`)
			i++
		case text[i] == '*':
			b.WriteString(`[^/]*`)
		case text[i] == '?':
			b.WriteString(`[^/]`)
		case text[i] == '[':
			end := strings.IndexByte(rest[1:], ']')
			if end < 1 {
				return glob{}, false
			}
			b.WriteString(class(rest[1 : end+1]))
			i += end + 1
		default:
			next := len(rest)
			if at := strings.IndexAny(rest, "*?["); at > 0 {
				next = at
			}
			b.WriteString(regexp.QuoteMeta(rest[:next]))
			i += next - 1
		}
	}
	b.WriteString(`(?:/.*)?\z`)
	pattern, err := regexp.Compile(b.String())
	return glob{pattern}, err == nil && text != "" && !strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "../")
}

// class is a set of characters as a regex has it.
func class(text string) string {
	text = strings.ReplaceAll(text, `\`, `\\`)
	text = strings.ReplaceAll(text, "[", `\[`)
	if strings.HasPrefix(text, "!") {
		text = "^" + text[1:]
	}
	return "[" + text + "]"
}

func matchesAny(globs []glob, path string) bool {
	return slices.ContainsFunc(globs, func(g glob) bool { return g.pattern.MatchString(path) })
}

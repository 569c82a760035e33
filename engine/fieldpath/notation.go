package fieldpath

import (
	"strconv"
	"strings"
)

// Translate returns a path as kustomize has them for one that is written as JSONPath,
// jq, JSON pointers or Go would have it: `$.spec.l[0]`, `{.spec.l[?(@.k=="a")].v}`,
// `m["a.b"]`, `/spec/l/0`. Other is what that notation is called; it is empty where the
// path is not surely in one of them.
func Translate(path string) (translated, other string) {
	if strings.Contains(path, "|") {
		return path, "" // a pipe of jq does more than a path can
	}
	switch trimmed := strings.TrimSpace(path); {
	case strings.HasPrefix(trimmed, "/"):
		return fromPointer(trimmed), "JSON pointer"
	case strings.HasPrefix(trimmed, "{") && strings.HasSuffix(trimmed, "}"):
		return fromBrackets(trimmed[1:len(trimmed)-1], "JSONPath")
	case strings.HasPrefix(trimmed, "$."), strings.HasPrefix(trimmed, "$["):
		return fromBrackets(trimmed[1:], "JSONPath")
	default:
		return fromBrackets(trimmed, "")
	}
}

// fromPointer returns "" for a pointer to the whole document.
func fromPointer(pointer string) string {
	var segments []string
	for token := range strings.SplitSeq(strings.Trim(pointer, "/"), "/") {
		segments = append(segments, bracketed(strings.NewReplacer("~1", "/", "~0", "~").Replace(token)))
	}
	return strings.Join(segments, ".")
}

// bracketed writes a key that has dots in brackets.
func bracketed(key string) string {
	if strings.Contains(key, ".") {
		return "[" + key + "]"
	}
	return key
}

// fromBrackets translates what has brackets right behind a key, or quotes in brackets.
// It returns "" for the name of the notation where there is none of that and the caller
// knows none.
func fromBrackets(path, known string) (translated, other string) {
	var segments []string
	key, other := "", known
	flush := func() {
		if key != "" {
			segments = append(segments, key)
		}
		key = ""
	}
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\' && i+1 < len(path):
			key += path[i : i+2]
			i++
		case c == '.':
			flush()
		case c == '[':
			end := closing(path, i)
			if end < 0 {
				return path, ""
			}
			inner, changed := fromBracket(path[i+1 : end])
			if key != "" || changed {
				other = orElse(other, "JSONPath or jq")
			}
			flush()
			segments = append(segments, inner)
			i = end
		default:
			key += string(c)
		}
	}
	flush()
	return strings.Join(segments, "."), other
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// closing returns the index of the bracket that closes the one at an index, or -1.
func closing(path string, open int) int {
	quote := byte(0)
	for i := open + 1; i < len(path); i++ {
		switch c := path[i]; {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
		case c == '"' || c == '\'':
			quote = c
		case c == ']':
			return i
		}
	}
	return -1
}

// fromBracket translates what stands in brackets to a segment; changed tells whether
// kustomize would not read it so.
func fromBracket(inner string) (segment string, changed bool) {
	plain := strings.TrimSpace(inner)
	if filter, ok := strings.CutPrefix(plain, "?("); ok {
		plain, changed = strings.TrimSpace(strings.TrimPrefix(strings.TrimSuffix(filter, ")"), "@.")), true
		plain = strings.Replace(plain, "==", "=", 1)
	}
	if name, value, ok := strings.Cut(plain, "="); ok && !isQuoted(plain) {
		value = strings.TrimSpace(value)
		changed = changed || isQuoted(value)
		return "[" + strings.TrimSpace(name) + "=" + unquoted(value) + "]", changed
	}
	switch n, err := strconv.Atoi(plain); {
	case plain == "*", plain == "":
		return "*", true
	case err == nil && n < 0:
		return "-", true
	case err == nil:
		return strconv.Itoa(n), true
	case isQuoted(plain):
		return bracketed(unquoted(plain)), true
	}
	return "[" + inner + "]", changed
}

func isQuoted(s string) bool {
	return len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0]
}

func unquoted(s string) string {
	if isQuoted(s) {
		return s[1 : len(s)-1]
	}
	return s
}

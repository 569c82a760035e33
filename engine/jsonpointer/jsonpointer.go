// Package jsonpointer reads and writes JSON pointers (RFC 6901): /metadata/annotations/example.com~1team.
//
// It knows texts only; what a pointer leads to is for those who hold the tree.
package jsonpointer

import (
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
)

// Escape writes a key as a token of a pointer.
func Escape(key string) string {
	if !strings.ContainsAny(key, "~/") {
		return key
	}
	return strings.ReplaceAll(strings.ReplaceAll(key, "~", "~0"), "/", "~1")
}

// Unescape returns the key that a token means. A tilde that escapes nothing stands for itself, as in json-patch.
func Unescape(token string) string {
	if !strings.Contains(token, "~") {
		return token
	}
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// Join writes the pointer to a key within a key; the empty pointer is the whole document.
func Join(keys ...string) string {
	var pointer strings.Builder
	for _, key := range keys {
		pointer.WriteString("/" + Escape(key))
	}
	return pointer.String()
}

// Split returns the keys that a pointer leads through, none for the empty one. What stands before the first slash is no
// part of them: a pointer has nothing there, and json-patch ignores it.
func Split(pointer string) (before string, keys []string) {
	keys = strings.Split(pointer, "/")
	before, keys = keys[0], keys[1:]
	for i, token := range keys {
		keys[i] = Unescape(token)
	}
	return before, keys
}

// Keys is Split for pointers that are known to be well-formed.
func Keys(pointer string) []string {
	_, keys := Split(pointer)
	return keys
}

// Spans returns where the tokens of a pointer stand, in bytes from its beginning and without the slashes.
func Spans(pointer string) []text.Span {
	var spans []text.Span
	for at := strings.IndexByte(pointer, '/') + 1; at > 0; {
		end := strings.IndexByte(pointer[at:], '/')
		if end < 0 {
			return append(spans, text.Span{Start: at, End: len(pointer)})
		}
		spans = append(spans, text.Span{Start: at, End: at + end})
		at += end + 1
	}
	return spans
}

package jsonpointer

import (
	"slices"
	"strings"
	"testing"
)

// The examples of RFC 6901, and what only json-patch takes.
func TestSplit(t *testing.T) {
	for _, tt := range []struct {
		pointer, before string
		keys            []string
	}{
		{"", "", nil},
		{"/", "", []string{""}},
		{"/foo/0", "", []string{"foo", "0"}},
		{"/a~1b", "", []string{"a/b"}},
		{"/m~0n", "", []string{"m~n"}},
		{"/~01", "", []string{"~1"}},
		{"/~2~", "", []string{"~2~"}},
		{"/a//b/", "", []string{"a", "", "b", ""}},
		{"a/b", "a", []string{"b"}},
		{"a", "a", nil},
	} {
		before, keys := Split(tt.pointer)
		if before != tt.before || !slices.Equal(keys, tt.keys) {
			t.Errorf("%q is split into %q and %q, want %q and %q", tt.pointer, before, keys, tt.before, tt.keys)
		}
	}
}

func FuzzPointer(f *testing.F) {
	f.Add("/spec/template/metadata/annotations/example.com~1team", "a/b~c")
	f.Add("~01/~10/~~", "~1/~0")
	f.Fuzz(func(t *testing.T, pointer, key string) {
		if token := Escape(key); strings.Contains(token, "/") || Unescape(token) != key {
			t.Errorf("%q is written %q, which is read as %q", key, token, Unescape(token))
		}
		before, keys := Split(pointer)
		joined := Join(keys...)
		if again := Keys(joined); !slices.Equal(again, keys) {
			t.Errorf("%q is read as %q", joined, again)
		}
		spans := Spans(pointer)
		if len(spans) != len(keys) {
			t.Fatalf("%q has %d keys and %d spans", pointer, len(keys), len(spans))
		}
		end := len(before)
		for i, span := range spans {
			if span.Start != end+1 || Unescape(pointer[span.Start:span.End]) != keys[i] {
				t.Errorf("key %q of %q has the span %v", keys[i], pointer, span)
			}
			end = span.End
		}
		if end != len(pointer) {
			t.Errorf("the spans of %q end at %d", pointer, end)
		}
	})
}

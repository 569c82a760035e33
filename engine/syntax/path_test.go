package syntax

import (
	"fmt"
	"strings"
	"testing"

	yaml "go.yaml.in/yaml/v3"
)

// describe writes a location as a path and what is there.
func describeLocation(l Location) string {
	var b strings.Builder
	for _, step := range l.Steps {
		if step.Key != nil {
			b.WriteString("/" + step.Key.Value)
		} else {
			fmt.Fprintf(&b, "/%d", step.Index)
		}
	}
	if b.Len() == 0 {
		b.WriteString("/")
	}
	switch {
	case l.Node == nil:
		b.WriteString(" nothing")
	case l.OnKey:
		b.WriteString(" key")
	case l.Node.Kind == yaml.MappingNode:
		b.WriteString(" map")
	case l.Node.Kind == yaml.SequenceNode:
		b.WriteString(" list")
	case l.Node.Tag == nullTag:
		b.WriteString(" null")
	default:
		b.WriteString(" " + l.Node.Value)
	}
	if l.Blank {
		b.WriteString(" blank")
	}
	return b.String()
}

// The cursor is at ‸.
func TestPath(t *testing.T) {
	for _, tt := range []struct{ name, content, want string }{
		{"key", "a:\n  b‸b: c\n", "/a/bb key"},
		{"end of a key", "a:\n  bb‸: c\n", "/a/bb key"},
		{"value", "a:\n  b: c‸c\n", "/a/b cc"},
		{"end of a value", "a:\n  b: cc‸\nd: 1\n", "/a/b cc"},
		{"quoted value", "a: \"b‸\"\n", "/a b"},
		{"behind a value", "a: b # ‸c\n", "/a b blank"},
		{"empty value", "a: ‸\nb: 1\n", "/a null blank"},
		{"empty value, nothing behind", "a:‸", "/a null blank"},
		{"empty value, one blank", "b: 1\na: ‸", "/a null blank"},
		{"item", "a:\n- b\n- c‸\n", "/a/1 c"},
		{"key in an item", "a:\n- b: 1\n  c‸: 2\n", "/a/0/c key"},
		{"empty item", "a:\n- b\n- ‸\n", "/a/1 null blank"},
		{"on a dash", "a:\n- b\n‸- c\n", "/a list blank"},
		{"new line at the root", "a: 1\n‸\n", "/ map blank"},
		{"new line between", "a: 1\n‸\nb: 2\n", "/ map blank"},
		{"new line before all", "‸\nb: 2\n", "/ map blank"},
		{"indented below an empty value", "a:\n  ‸\nb: 1\n", "/a null blank"},
		{"indented below a map", "a:\n  b: 1\n  ‸\nc: 1\n", "/a map blank"},
		{"indented below a map, at the end", "a:\n  b: 1\n  ‸", "/a map blank"},
		{"deeper below a map", "a:\n  b:\n    ‸\nc: 1\n", "/a/b null blank"},
		{"back out of a map", "a:\n  b:\n    c: 1\n  ‸\n", "/a map blank"},
		{"below the keys of an item", "a:\n- b: 1\n  ‸\n", "/a/0 map blank"},
		{"below a list at the dashes", "a:\n  - b\n  ‸\n", "/a list blank"},
		{"below a list that stands at its key", "a:\n- b\n‸\n", "/ map blank"},
		{"a dash below an empty value", "a:\n-‸\n", "/a/0 null blank"},
		{"half a key", "a: 1\nres‸\nb: 2\n", "/ map blank"},
		{"half a key in a map", "a:\n  b: 1\n  res‸\nc: 2\n", "/a map blank"},
		{"half a key in an item", "a:\n- b: 1\n  res‸\n- c: 2\n", "/a/0 map blank"},
		{"half a key at the end", "a:\n- b: 1\n  c: 2\n\nres‸", "/ map blank"},
		{"flow map", "a: {b: 1, ‸}\n", "/a map blank"},
		{"flow key", "a: {b: 1, c‸: 2}\n", "/a/c key"},
		{"flow value", "a: {b: 1, c: x‸}\n", "/a/c x"},
		{"flow value to come", "a: {b: ‸}\n", "/a/b null blank"},
		{"flow value to come, more behind", "a: {b: ‸, c: 1}\n", "/a/b null blank"},
		{"unfinished flow map", "a: {b: 1, ‸\nc: 2\n", "/a map blank"},
		{"unfinished flow key", "a: {b‸\nc: 2\n", "/a/b key"},
		{"unfinished flow value", "a: {b: x‸\nc: 2\n", "/a/b x"},
		{"empty flow list", "a: [‸]\n", "/a list blank"},
		{"flow list", "a: [b, ‸]\n", "/a list blank"},
		{"flow item", "a: [b, c‸]\n", "/a/1 c"},
		{"JSON", "{\"a\": {\"b\": \"‸", "/a/b "},
		{"JSON key", "{\"a\": {\"b‸", "/a/b key"},
		{"block scalar", "a: |\n  x\n  y‸\nb: 1\n", "/a x\ny\n"},
		{"new line of a block scalar", "a: |\n  x\n  ‸\nb: 1\n", "/a x\n blank"},
		{"below an anchor", "a: &x\n  b: 1\n  ‸\n", "/a map blank"},
		{"several bytes", "é: {ö: ü‸}\n", "/é/ö ü"},
		{"CRLF", "a:\r\n  b: 1\r\n  ‸\r\nc: 2\r\n", "/a map blank"},
		{"nothing at all", "‸", "/ nothing"},
		{"only a comment", "# c\n‸", "/ nothing"},
		{"second document", "a: 1\n---\nb: c‸\n", "/b c"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			offset := strings.Index(tt.content, "‸")
			table, f := parse(strings.Replace(tt.content, "‸", "", 1))
			got := "/ nothing"
			if d := f.DocumentAt(offset); d != nil {
				got = describeLocation(d.Path(table, offset))
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Any offset of any prefix has an answer, and each step belongs to the last.
func TestPathAnywhere(t *testing.T) {
	for end := 0; end <= len(sixtyLines); end += 7 {
		table, f := parse(sixtyLines[:end])
		d := f.DocumentAt(end)
		if d == nil {
			continue
		}
		for offset := 0; offset <= end; offset += 3 {
			l := d.Path(table, offset)
			node := d.Root
			for _, step := range l.Steps {
				if step.Parent != node {
					t.Fatalf("offset %d: %s", offset, describeLocation(l))
				}
				node = step.Value
			}
			if l.Node != node && !l.OnKey {
				t.Fatalf("offset %d: %s is not at its end", offset, describeLocation(l))
			}
		}
	}
}

func TestLookup(t *testing.T) {
	_, f := parse("a: &x\n  b:\n  - c: 1\n  - c: 2\nd: *x\n")
	root := f.Documents[0].Root
	for path, want := range map[string]string{"a/b/1/c": "2", "d/b/0/c": "1", "a/b/2": "nothing", "a/b/x": "nothing", "a/z/y": "nothing", "a/b/0/c/d": "nothing"} {
		if got := outline(Lookup(root, strings.Split(path, "/")...)); got != want {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	if Lookup(nil, "a") != nil || Lookup(root) != root {
		t.Error("no tree has no nodes, no path is the root")
	}
}

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// repository is the top folder of this checkout, as seen from this package.
const repository = "../.."

// The examples come from disk, and kustomize says that just the asked values changed.
func TestExamples(t *testing.T) {
	for _, unset := range []bool{false, true} {
		var out bytes.Buffer
		count, err := run(t.Context(), &out, options{count: 100, seed: 22, unset: unset, refusals: true}, []string{filepath.Join(repository, "examples", "shop")})
		if err != nil {
			t.Fatal(err)
		}
		check(t, count, out.String(), unset)
	}
}

// check asks for no wrong change, and for the share of changes that has to be done.
func check(t *testing.T, count Count, said string, unset bool) {
	t.Helper()
	all := count.Done + count.Refused + count.Wrong
	if count.Wrong > 0 || all < 100 || !unset && count.Done*100 < 95*all {
		t.Errorf("unset %v: %s\n%s", unset, count, said)
	}
}

// The fixtures of the other packages have what trees are seldom made of.
func TestFixtures(t *testing.T) {
	trees, err := readFixtures(t.Context(), repository)
	if err != nil || len(trees) < 100 {
		t.Fatalf("%d trees: %v", len(trees), err)
	}
	var out bytes.Buffer
	for _, unset := range []bool{false, true} {
		count, err := random(t.Context(), &out, options{count: 150, seed: 5, unset: unset, refusals: true}, trees)
		if err != nil {
			t.Fatal(err)
		}
		check(t, count, out.String(), true)
		t.Log(count)
	}
}

// A change that does something else has to be noticed.
func TestComparisonNotices(t *testing.T) {
	const before = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: '1', y: '2'}\n"
	for after, want := range map[string]string{
		strings.Replace(before, "'1'", "'1-other'", 1): "",
		before:                                   "nothing changes",
		strings.Replace(before, "'1'", "'3'", 1): "ConfigMap/a:data.x changes from 1 to 3",
		strings.Replace(strings.Replace(before, "'1'", "'1-other'", 1), "'2'", "'3'", 1): "ConfigMap/a:data.y changes from 2 to 3",
		strings.Replace(before, "'1'", "'1-other'", 1) + "---\n" + before:                "1 resources became 2",
	} {
		c := &change{tree: &tree{before: map[string][]any{"": decode([]byte(before))}}, path: []any{"data", "x"}, value: other("1")}
		if got := c.compare(decode([]byte(after)), nil); got != want {
			t.Errorf("%q, want %q, after\n%s", got, want, after)
		}
	}
}

package patch

import (
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	yaml "go.yaml.in/yaml/v3"
)

// Keys of JSON objects come out as yaml.v3 sorts the keys of a Go map.
func TestNaturalOrderIsThatOfYAML(t *testing.T) {
	keys := []string{
		"", "a", "A", "b", "aa", "a1", "a2", "a10", "a01", "a001", "a-1", "a.b", "a/b", "_a", "-", "1", "2", "10", "01", "0", "00",
		"1a", "10a", "1.10", "1.9", "x1y2", "x1y10", "x10y1", "é", "z", "日", "a b", "item9", "item10", "item09", "a100", "a20", "a1b", "a0b",
	}
	mapping := map[string]int{}
	var content naturalOrder
	for _, key := range keys {
		mapping[key] = 0
		content = append(content, &yaml.Node{Value: key}, &yaml.Node{})
	}
	text, err := encodeYAML(mapping)
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for i, n := range parseNode(t, string(text)).Content {
		if i%2 == 0 {
			want = append(want, n.Value)
		}
	}
	sort.Sort(content)
	for i := 0; i < len(content); i += 2 {
		got = append(got, content[i].Value)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
}

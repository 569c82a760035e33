package baseline

import (
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	known := New([]Entry{
		NewEntry("rule", "a.yaml", "- name:   web"), NewEntry("rule", "a.yaml", "  - name: web"),
		NewEntry("rule", "a.yaml", "- name: gone"),
	})
	encoded, err := known.Encode()
	if err != nil {
		t.Fatal(err)
	}
	read, err := Parse(encoded)
	if err != nil {
		t.Fatal(err)
	}
	m := read.Match()
	for i, tt := range []struct {
		finding Entry
		known   bool
	}{
		{NewEntry("rule", "a.yaml", "\t- name: web # moved and indented"), false},
		{NewEntry("rule", "a.yaml", "\t- name: web"), true},
		{NewEntry("rule", "b.yaml", "- name: web"), false},
		{NewEntry("other", "a.yaml", "- name: web"), false},
		{NewEntry("rule", "a.yaml", "- name: web"), true},
		{NewEntry("rule", "a.yaml", "- name: web"), false}, // a third one is new
	} {
		if got := m.Knows(tt.finding); got != tt.known {
			t.Errorf("%d: %v is known: %v", i, tt.finding, got)
		}
	}
	all := func(Entry) bool { return true }
	if stale := m.Stale(all); stale != 1 {
		t.Errorf("%d are stale, want 1", stale)
	}
	if stale := m.Stale(func(f Entry) bool { return f.File != "a.yaml" }); stale != 0 {
		t.Errorf("%d are stale elsewhere", stale)
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{"", "[]", `{"version":2,"findings":[]}`, `{"version":1,"findings":[{"rule":"a","file":"b","line":"c"}]}`, `{"version":1,"findings":[{"count":1}]}`} {
		if _, err := Parse([]byte(text)); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

func TestEncodeIsStable(t *testing.T) {
	findings := []Entry{{"b", "x", "1"}, {"a", "x", "2"}, {"a", "x", "1"}, {"a", "w", "3"}}
	first, _ := New(findings).Encode()
	findings[0], findings[3] = findings[3], findings[0]
	second, _ := New(findings).Encode()
	if string(first) != string(second) || strings.Index(string(first), `"w"`) > strings.Index(string(first), `"x"`) {
		t.Errorf("%s\n%s", first, second)
	}
}

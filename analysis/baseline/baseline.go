// Package baseline remembers what was found once, so that a tree with old mistakes
// can be checked for new ones. A finding is known by its rule, its file and the
// text of its line, and so stays known when lines move. It does no IO.
package baseline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Entry is what a diagnostic is known by.
type Entry struct {
	Rule string `json:"rule"`
	// File is relative to the folder of the baseline, with forward slashes.
	File string `json:"file"`
	// Line is the text of the line, with one blank for any run of them.
	Line string `json:"line"`
}

// Baseline counts the findings that are known.
type Baseline struct{ counts map[Entry]int }

const version = 1

// entry is a finding as it is written.
type entry struct {
	Entry
	Count int `json:"count"`
}

type file struct {
	Version  int     `json:"version"`
	Findings []entry `json:"findings"`
}

// NewEntry returns what a diagnostic with that line is known by.
func NewEntry(rule, path, line string) Entry {
	return Entry{rule, path, strings.ToValidUTF8(strings.Join(strings.Fields(line), " "), "�")}
}

// New returns a baseline of findings, of which the same one may come several times.
func New(findings []Entry) *Baseline {
	b := &Baseline{map[Entry]int{}}
	for _, f := range findings {
		b.counts[f]++
	}
	return b
}

// Parse reads what Encode has written. The error is of a file that is no baseline.
func Parse(text []byte) (*Baseline, error) {
	var f file
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
	}
	if f.Version != version {
		return nil, fmt.Errorf("version %d is not known, only %d", f.Version, version)
	}
	b := &Baseline{map[Entry]int{}}
	for _, e := range f.Findings {
		if e.Count < 1 || e.Rule == "" || e.File == "" {
			return nil, errors.New("a finding lacks its rule, its file or its count")
		}
		b.counts[e.Entry] += e.Count
	}
	return b, nil
}

// Encode writes the baseline, sorted, with a finding in several lines, so that
// versions of it compare and merge well.
func (b *Baseline) Encode() ([]byte, error) {
	f := file{Version: version, Findings: []entry{}}
	for finding, count := range b.counts {
		f.Findings = append(f.Findings, entry{finding, count})
	}
	slices.SortFunc(f.Findings, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Line, b.Line))
	})
	encoded, err := json.MarshalIndent(f, "", "  ")
	return append(encoded, '\n'), err
}

// Keep adds the findings of another baseline that a test chooses.
func (b *Baseline) Keep(other *Baseline, keep func(Entry) bool) {
	for finding, count := range other.counts {
		if keep(finding) {
			b.counts[finding] += count
		}
	}
}

// Matcher compares findings with a baseline, one after the other.
type Matcher struct{ left map[Entry]int }

// Match begins a comparison.
func (b *Baseline) Match() *Matcher {
	m := &Matcher{make(map[Entry]int, len(b.counts))}
	for finding, count := range b.counts {
		m.left[finding] = count
	}
	return m
}

// Knows tells whether the finding is known, as often as it was asked about.
func (m *Matcher) Knows(f Entry) bool {
	if m.left[f] == 0 {
		return false
	}
	m.left[f]--
	return true
}

// Stale counts what is known and was not asked about, among what a test chooses.
func (m *Matcher) Stale(among func(Entry) bool) int {
	stale := 0
	for finding, count := range m.left {
		if count > 0 && among(finding) {
			stale += count
		}
	}
	return stale
}

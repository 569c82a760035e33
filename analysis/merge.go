package analysis

import (
	"cmp"
	"slices"
)

// Merge puts reports on different roots together, as Check would have made one of
// them all: what several roots share is one diagnostic. The reports are not changed.
func Merge(reports ...*Report) *Report {
	merged := &Report{}
	all := merger{}
	for _, r := range reports {
		merged.Roots = append(merged.Roots, r.Roots...)
		all.add(r.Diagnostics)
	}
	slices.SortFunc(merged.Roots, func(a, b Root) int { return cmp.Compare(a.Dir, b.Dir) })
	merged.Diagnostics = withoutMended(all.sorted(), merged.Roots)
	return merged
}

// withoutMended leaves out what is wrong with bases alone: what every root that
// includes one, and builds, does not have, and what a component does not do in
// some roots while it does it in another.
func withoutMended(list []Diagnostic, roots []Root) []Diagnostic {
	at, including := map[string]*Root{}, map[string][]string{}
	for i, r := range roots {
		at[r.Dir] = &roots[i]
		if r.Verdict == Builds {
			for _, dir := range r.Includes {
				including[dir] = append(including[dir], r.Dir)
			}
		}
	}
	return slices.DeleteFunc(list, func(d Diagnostic) bool {
		has := map[string]bool{}
		for _, dir := range d.Roots {
			has[dir] = true
		}
		if d.Component != "" && slices.ContainsFunc(including[d.Component], func(user string) bool { return !has[user] }) {
			return true
		}
		return d.Provisional && len(d.Roots) > 0 && !slices.ContainsFunc(d.Roots, func(dir string) bool {
			r := at[dir]
			if r == nil {
				return true
			}
			users := including[r.Layer]
			return len(users) == 0 || slices.ContainsFunc(users, func(user string) bool { return has[user] })
		})
	})
}

// sameness is what makes two diagnostics one: a mistake at one place may concern
// many roots and many resources.
type sameness struct {
	rule  string
	place Place
}

// merger makes one diagnostic of those that are the same.
type merger struct {
	list []*merged
	at   map[sameness]*merged
}

type merged struct {
	Diagnostic
	messages, roots map[string]bool
}

// add takes diagnostics in, and changes none of them.
func (m *merger) add(diagnostics []Diagnostic) {
	if m.at == nil {
		m.at = map[sameness]*merged{}
	}
	for _, d := range diagnostics {
		key := sameness{d.Rule, d.Place}
		one, ok := m.at[key]
		if !ok {
			one = &merged{Diagnostic: d, messages: map[string]bool{d.Message: true}, roots: map[string]bool{}}
			one.Also, one.Roots = nil, nil
			m.at[key] = one
			m.list = append(m.list, one)
		}
		one.Severity = max(one.Severity, d.Severity)
		one.NeverFails = one.NeverFails && d.NeverFails
		one.Provisional = one.Provisional && d.Provisional
		if len(one.Fixes) == 0 && len(d.Fixes) > 0 {
			one.Help, one.Fixes = d.Help, d.Fixes
		}
		for _, message := range append([]string{d.Message}, d.Also...) {
			if !one.messages[message] {
				one.messages[message] = true
				one.Also = append(one.Also, message)
			}
		}
		for _, dir := range d.Roots {
			if !one.roots[dir] {
				one.roots[dir] = true
				one.Roots = append(one.Roots, dir)
			}
		}
	}
}

func (m *merger) sorted() []Diagnostic {
	var list []Diagnostic
	for _, one := range m.list {
		slices.Sort(one.Roots)
		list = append(list, one.Diagnostic)
	}
	SortDiagnostics(list)
	return list
}

// SortDiagnostics sorts by file and position.
func SortDiagnostics(list []Diagnostic) {
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		return cmp.Or(
			cmp.Compare(a.File, b.File),
			cmp.Compare(a.Span.Start, b.Span.Start),
			cmp.Compare(a.Span.End, b.Span.End),
			cmp.Compare(a.Rule, b.Rule),
		)
	})
}

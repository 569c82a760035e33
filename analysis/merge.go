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

// Dependent returns the roots of which something is reported that depends on who includes them.
func (r *Report) Dependent() []Root {
	depends := map[string]bool{}
	for _, d := range r.Diagnostics {
		if d.Mendable || d.Shared != "" {
			for _, dir := range d.Roots {
				depends[dir] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(r.Roots), func(root Root) bool { return !depends[root.Dir] || root.File == "" })
}

// MendedBy returns the report without what the roots of another one mend or make right, which include some of its own.
// Of them it says nothing else.
func (r *Report) MendedBy(others *Report) *Report {
	own := map[string]bool{}
	for _, root := range r.Roots {
		own[root.Dir] = true
	}
	type rulePlace struct {
		rule  string
		place Place
	}
	reported := map[rulePlace]bool{}
	for _, d := range r.Diagnostics {
		reported[rulePlace{d.Rule, d.Place}] = true
	}
	merged := Merge(r, others)
	merged.Roots, merged.Suppressed = r.Roots, r.Suppressed
	merged.Diagnostics = slices.DeleteFunc(merged.Diagnostics, func(d Diagnostic) bool { return !reported[rulePlace{d.Rule, d.Place}] })
	for i := range merged.Diagnostics {
		d := &merged.Diagnostics[i]
		d.Roots = slices.DeleteFunc(slices.Clone(d.Roots), func(dir string) bool { return !own[dir] })
	}
	return merged
}

// withoutMended leaves out what is wrong with bases alone and what a component does
// not do in some roots while it does it in another; see Includers. What an including
// kustomization may mend that is not known whole is info.
func withoutMended(list []Diagnostic, roots []Root) []Diagnostic {
	at, including := map[string]*Root{}, map[string][]*Root{}
	for i, r := range roots {
		at[r.Dir] = &roots[i]
		for _, dir := range r.Includes {
			if users := including[dir]; len(users) == 0 || users[len(users)-1] != &roots[i] {
				including[dir] = append(users, &roots[i])
			}
		}
	}
	var kept []Diagnostic
	for _, d := range list {
		has := map[string]bool{}
		for _, dir := range d.Roots {
			has[dir] = true
		}
		lacks := func(user *Root) bool { return !has[user.Dir] }
		if d.Shared != "" && slices.ContainsFunc(including[d.Shared], lacks) {
			continue
		}
		if !d.Mendable || len(d.Roots) == 0 {
			kept = append(kept, d)
			continue
		}
		uncertain, stays := mending(d.Roots, at, including, lacks)
		if uncertain != nil {
			d.Severity = min(d.Severity, Info)
			d.Related = append(slices.Clip(d.Related), Related{Place{File: uncertain.File}, "this kustomization, which is not known whole, may mend it"})
		}
		if stays {
			kept = append(kept, d)
		}
	}
	return kept
}

// mending tells whether what some roots have stays a mistake in view of those that
// include them. Where that hangs on one that is not known whole, it returns that one.
func mending(dirs []string, at map[string]*Root, including map[string][]*Root, lacks func(*Root) bool) (uncertain *Root, stays bool) {
	for _, dir := range dirs {
		r := at[dir]
		if r == nil || r.Layer == "" {
			return nil, true
		}
		users := including[r.Layer]
		if len(users) == 0 || slices.ContainsFunc(users, func(user *Root) bool { return !lacks(user) }) {
			return nil, true
		}
		if i := slices.IndexFunc(users, func(user *Root) bool { return user.Verdict != Builds }); i >= 0 {
			uncertain = users[i]
		}
	}
	return uncertain, uncertain != nil
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
		one.Mendable = one.Mendable && d.Mendable
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

package main

import (
	"fmt"
	"strings"
)

// Table counts results by kind.
type Table struct {
	order []string
	rows  map[string]*row
}

// row counts, by verdict.
type row struct{ kls, kustomize [AtLine + 1]int }

func (r row) total() (n int) {
	for _, count := range r.kls {
		n += count
	}
	return n
}

// Add counts more results.
func (t *Table) Add(results []Result) {
	if t.rows == nil {
		t.rows = map[string]*row{}
		for _, k := range kinds() {
			t.order = append(t.order, k.name)
			t.rows[k.name] = &row{}
		}
	}
	for _, r := range results {
		t.rows[r.Kind].kls[r.Kls]++
		t.rows[r.Kind].kustomize[r.Kustomize]++
	}
}

// Total returns the sum of all rows.
func (t *Table) total() row {
	var sum row
	for _, r := range t.rows {
		for v := range r.kls {
			sum.kls[v] += r.kls[v]
			sum.kustomize[v] += r.kustomize[v]
		}
	}
	return sum
}

// Markdown prints the table. At its line means the place of a diagnostic, and for
// kustomize a message that names file and line.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString("| mistake | made | kls: at its line | as related line | elsewhere | silent | kustomize: at its line | fails | silent |\n")
	b.WriteString("| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n")
	for _, name := range t.order {
		if r := *t.rows[name]; r.total() > 0 {
			b.WriteString(r.markdown(name))
		}
	}
	b.WriteString(t.total().markdown("**all**"))
	return b.String()
}

func (r row) markdown(name string) string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n", name, r.total(),
		r.kls[AtLine], r.kls[Related], r.kls[Elsewhere], r.kls[Silent],
		r.kustomize[AtLine], r.kustomize[Elsewhere], r.kustomize[Silent])
}

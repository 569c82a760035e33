// Package linediff compares texts line by line, for people.
package linediff

import (
	"fmt"
	"strings"
)

// Lines returns the lines of a unified diff without headers: one line around each
// change, "…" between changes, and at most limit lines of it. Each begins with "  ",
// "- " or "+ ".
func Lines(before, after string, limit int) []string {
	ops := compare(splitLines(before), splitLines(after))
	var lines []string
	last := -1
	for i, op := range ops {
		if op.kind == ' ' && !changedNear(ops, i) {
			continue
		}
		if last >= 0 && i > last+1 {
			lines = append(lines, "  …")
		}
		lines = append(lines, string(op.kind)+" "+op.line)
		last = i
	}
	if len(lines) > limit {
		rest := len(lines) - limit + 1
		lines = append(lines[:limit-1], fmt.Sprintf("  … %d more lines", rest))
	}
	return lines
}

func changedNear(ops []operation, i int) bool {
	return i > 0 && ops[i-1].kind != ' ' || i+1 < len(ops) && ops[i+1].kind != ' '
}

func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

type operation struct {
	kind byte // ' ', '-' or '+'
	line string
}

// maxCells bounds the table of the comparison; what is larger is shown as replaced.
const maxCells = 4_000_000

// compare finds a longest common subsequence between what both begin and end with.
func compare(before, after []string) []operation {
	var head, tail []operation
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		head = append(head, operation{' ', before[0]})
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		tail = append(tail, operation{' ', before[len(before)-1]})
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	ops := append(head, middle(before, after)...)
	for i := len(tail) - 1; i >= 0; i-- {
		ops = append(ops, tail[i])
	}
	return ops
}

func middle(before, after []string) []operation {
	if (len(before)+1)*(len(after)+1) > maxCells {
		return append(all('-', before), all('+', after)...)
	}
	common := longestCommon(before, after)
	var ops []operation
	i, j := 0, 0
	for i < len(before) && j < len(after) {
		switch {
		case before[i] == after[j]:
			ops = append(ops, operation{' ', before[i]})
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			ops = append(ops, operation{'-', before[i]})
			i++
		default:
			ops = append(ops, operation{'+', after[j]})
			j++
		}
	}
	return append(append(ops, all('-', before[i:])...), all('+', after[j:])...)
}

// longestCommon returns the lengths of the longest common subsequences of all
// pairs of ends.
func longestCommon(before, after []string) [][]int32 {
	table := make([][]int32, len(before)+1)
	for i := range table {
		table[i] = make([]int32, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i] == after[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	return table
}

func all(kind byte, lines []string) []operation {
	ops := make([]operation, len(lines))
	for i, line := range lines {
		ops[i] = operation{kind, line}
	}
	return ops
}

package differential

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Minimise takes files and lines away from the tree as long as its folder still differs in the same way, which is more
// than the kind: else one difference slides into another on the way. The budget is the number of smaller trees that it
// may try.
func Minimise(ctx context.Context, tree Tree, folder string, budget int) Tree {
	wanted := tree.Compare(ctx, folder).signature()
	return minimise(ctx, tree, budget, func(smaller Tree) bool {
		return smaller.Compare(ctx, folder).signature() == wanted
	})
}

// minimise takes away what can go while the tree keeps what keep asks for.
func minimise(ctx context.Context, tree Tree, budget int, keep func(Tree) bool) Tree {
	m := minimiser{ctx: ctx, tree: maps.Clone(tree), keep: keep, budget: budget}
	for smaller := true; smaller; {
		smaller = m.dropFiles()
		for _, path := range slices.Sorted(maps.Keys(m.tree)) {
			smaller = m.dropLines(path) || smaller
		}
	}
	return m.tree
}

type minimiser struct {
	ctx    context.Context
	tree   Tree
	keep   func(Tree) bool
	budget int
}

// try takes the smaller tree if that keeps what was asked for.
func (m *minimiser) try(smaller Tree) bool {
	if m.budget <= 0 || m.ctx.Err() != nil {
		return false
	}
	m.budget--
	if !m.keep(smaller) {
		return false
	}
	m.tree = smaller
	return true
}

func (m *minimiser) dropFiles() bool {
	dropped := false
	for _, path := range slices.Sorted(maps.Keys(m.tree)) {
		smaller := maps.Clone(m.tree)
		delete(smaller, path)
		dropped = m.try(smaller) || dropped
	}
	return dropped
}

// dropLines takes runs of lines out of a file: half of it, then quarters, down to single lines.
func (m *minimiser) dropLines(path string) bool {
	dropped := false
	lines := slices.Collect(bytes.Lines(m.tree[path]))
	for length := (len(lines) + 1) / 2; length > 0; length /= 2 {
		for start := 0; start+length <= len(lines); {
			rest := slices.Concat(lines[:start], lines[start+length:])
			smaller := maps.Clone(m.tree)
			smaller[path] = bytes.Join(rest, nil)
			if !m.try(smaller) {
				start += length
				continue
			}
			lines, dropped = rest, true
		}
	}
	return dropped
}

// signature tells one difference from another of the same kind, by what stands first in it.
func (c Comparison) signature() string {
	switch c.Kind {
	case OtherBytes:
		ours, theirs := firstDifference(c.Kls.Printed, c.Kustomize.Printed)
		return fmt.Sprintf("%s: %s | %s", c.Kind, hashSuffix.ReplaceAll(ours, nil), hashSuffix.ReplaceAll(theirs, nil))
	case OnlyKls:
		reason := c.Kustomize.Refusal.Error()
		return string(c.Kind) + quoted.ReplaceAllString(reason[strings.LastIndex(reason, ": ")+1:], "")
	case OnlyKustomize, Broken:
		reason, _, _ := strings.Cut(c.Kls.Refusal.Error(), ":")
		return string(c.Kind) + reason
	}
	return string(c.Kind)
}

// hashSuffix is what the generators append to a name; quoted is what differs between two refusals of a kind.
var (
	hashSuffix = regexp.MustCompile(`-[2-9bcdfghkmt]{10}\b`)
	quoted     = regexp.MustCompile("[\"'`].*[\"'`]|[0-9]+")
)

// firstDifference returns the first line in which the two texts differ, of each; empty where a text has ended.
func firstDifference(one, other []byte) ([]byte, []byte) {
	for len(one) > 0 || len(other) > 0 {
		line, rest, _ := bytes.Cut(one, []byte("\n"))
		otherLine, otherRest, _ := bytes.Cut(other, []byte("\n"))
		if !bytes.Equal(line, otherLine) {
			return line, otherLine
		}
		one, other = rest, otherRest
	}
	return nil, nil
}

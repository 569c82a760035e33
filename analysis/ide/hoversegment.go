package ide

import (
	"context"
	"fmt"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/ide/markdown"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/resource"
	yaml "go.yaml.in/yaml/v3"
)

// maxSegmentNodes is how many nodes are listed that a segment leads to.
const maxSegmentNodes = 6

// segment tells of the segment of a field path under the cursor what it leads to:
// for a target, in the state in which the replacement meets it.
func (u *scope) segment(ctx context.Context, c cursor.Cursor) (string, error) {
	e := cursor.EntryAt(u.Scope, c)
	if e == nil || e.Replacement == nil || e.Fact == nil || c.Scalar() == nil {
		return "", nil
	}
	path := fieldpath.Parse(c.Node.Value)
	index, _, ok := segment(c, path)
	if !ok {
		return "", nil
	}
	switch part, target := e.PartAt(c); {
	case part == cursor.SourcePath && e.Fact.Source != nil:
		found := &segmentNodes{}
		if value := e.Copied(); value != nil && index == len(path.Segments)-1 {
			found.resources++
			found.addNode(e.Fact.Source, value) // as it was then
		} else {
			found.add(e.Fact.Source, fieldpath.Get(e.Fact.Source.Node, path, u.explaining()), index)
		}
		return found.describe(path, index), nil
	case part == cursor.TargetPath && target < len(e.Fact.Selected):
		found, err := u.targetSegment(ctx, e, target, path, index)
		return found.describe(path, index), err
	}
	return "", nil
}

// targetSegment looks at the resources of one of the targets while the build runs.
func (u *scope) targetSegment(ctx context.Context, e *cursor.Entry, target int, path fieldpath.Path, index int) (*segmentNodes, error) {
	selected := e.Fact.Selected[target]
	found := &segmentNodes{more: max(0, len(selected)-maxSegmentResources)}
	kept := cursor.Origins{}
	kept.Add(e.Fact.Source)
	for _, r := range selected[:len(selected)-found.more] {
		kept.Add(r)
	}
	// The replacement comes to the resources in this order.
	var targets []int
	for i, list := range e.Fact.Selected[:target+1] {
		for _, r := range list {
			if kept.Have(r) {
				targets = append(targets, i)
			}
		}
	}
	visits := 0
	err := cursor.ReplayOn(ctx, u.Scope, e, kept.Have, func(r *resource.Resource) {
		if visits < len(targets) && targets[visits] == target {
			found.add(r, fieldpath.Match(r.Node, path, 0, u.explaining()), index)
		}
		visits++
	}, func(*resource.Resource) bool { return visits < len(targets) })
	return found, err
}

// pointerSegment tells of the part of a path of a JSON6902 patch under the cursor what it
// leads to, in the state in which the patch meets the resources.
func (u *scope) pointerSegment(ctx context.Context, c cursor.Cursor) (string, error) {
	e := cursor.EntryAt(u.Scope, c)
	if e == nil || e.Replacement != nil {
		return "", nil
	}
	pointer, _ := u.pointerAt(c, e)
	if pointer == "" {
		return "", nil
	}
	found := &segmentNodes{}
	targets := e.Targets()
	kept := cursor.Origins{}
	for _, r := range targets[:min(len(targets), maxSegmentResources)] {
		kept.Add(r)
	}
	found.more = max(0, len(targets)-maxSegmentResources)
	err := cursor.ReplayOn(ctx, u.Scope, e, kept.Have, func(r *resource.Resource) {
		found.resources++
		if _, value := underPointer(r.Node, pointer); value != nil {
			found.addNode(r, value)
		}
	}, nil)
	if found.nodes == 0 {
		return "", err // as what is to be added
	}
	return found.describePart(pointer[strings.LastIndexByte(pointer, '/')+1:]), err
}

// maxSegmentResources is how many resources are looked at.
const maxSegmentResources = 50

// segmentNodes are what a segment leads to.
type segmentNodes struct {
	lines     []string
	nodes     int
	resources int
	// more is how many resources were not looked at.
	more int
}

func (s *segmentNodes) add(r *resource.Resource, outcome fieldpath.Outcome, index int) {
	s.resources++
	if index >= len(outcome.Steps) {
		return
	}
	for _, n := range outcome.Steps[index].Matched {
		s.addNode(r, n)
	}
}

func (s *segmentNodes) addNode(r *resource.Resource, n *yaml.Node) {
	s.nodes++
	if len(s.lines) < maxSegmentNodes {
		s.lines = append(s.lines, fmt.Sprintf("- %s: %s", markdown.InlineCode(r.ID().String()), describeNode(n)))
	}
}

func (s *segmentNodes) describe(path fieldpath.Path, index int) string {
	if s == nil {
		return ""
	}
	return s.describePart(path.String()[path.Segments[index].Span.Start:path.Segments[index].Span.End])
}

// describePart tells of a part of a path what it leads to.
func (s *segmentNodes) describePart(shown string) string {
	if s.resources == 0 {
		return ""
	}
	if s.nodes == 0 {
		return fmt.Sprintf("%s · leads to nothing in %s", markdown.InlineCode(shown), markdown.Quantity(s.resources+s.more, "resource"))
	}
	title := fmt.Sprintf("%s · leads to %s", markdown.InlineCode(shown), markdown.Quantity(s.nodes, "node"))
	if s.more > 0 {
		title += fmt.Sprintf(" in the first %d of %d resources", s.resources, s.resources+s.more)
	}
	lines := append([]string{title, ""}, s.lines...)
	if s.nodes > len(s.lines) {
		lines = append(lines, fmt.Sprintf("- and %d more", s.nodes-len(s.lines)))
	}
	return strings.Join(lines, "\n")
}

// describeNode says what a node holds, on one line.
func describeNode(n *yaml.Node) string {
	switch n.Kind {
	case yaml.ScalarNode:
		if n.Value == "" {
			return `""`
		}
		return markdown.InlineCode(markdown.Shortened(n.Value))
	case yaml.SequenceNode:
		return "a list of " + markdown.Quantity(len(n.Content), "element")
	case yaml.AliasNode:
		return describeNode(n.Alias)
	}
	var keys []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		if len(keys) == maxListed {
			keys = append(keys, "…")
			break
		}
		keys = append(keys, markdown.InlineCode(markdown.Shortened(n.Content[i].Value)))
	}
	if len(keys) == 0 {
		return "an empty mapping"
	}
	return "a mapping with " + strings.Join(keys, ", ")
}

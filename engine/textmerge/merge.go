package textmerge

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/kustomize-lsp/kls/engine/text"
)

// plan is what the merge does to one mapping of the base.
type plan struct {
	base, overlay *node
	// actions are by member of the base.
	actions []action
	// added are the new members before each member of the base, and behind the last.
	added   [][]member
	changed bool // itself or a mapping in it
}

// action is what becomes of a member of the base.
type action struct {
	remove  bool
	replace *node // the new value
	merge   *plan // the plan for the value
}

// merge returns the merged text of two documents that could be read.
func (m *merger) merge() []byte {
	base, overlay := m.base, m.overlay
	if saysNothing(base.root, overlay.root) {
		return slices.Clone(base.text)
	}
	if overlay.second >= 0 {
		m.several(Overlay, overlay)
	}
	m.checkOverlay(overlay.root)
	m.style = m.documentStyle()
	if base.root != nil && base.root.kind == mapping && overlay.root.kind == mapping {
		p := m.plan(base.root, overlay.root)
		if !p.changed || m.report.Failed() {
			return slices.Clone(base.text)
		}
		m.extend()
		m.applyRoot(p)
	} else {
		m.replaceRoot()
	}
	if base.second >= 0 {
		m.several(Base, base)
	}
	if m.report.Failed() {
		return nil
	}
	return m.applied()
}

// applied makes the edits. A line break that only the merge needed goes again,
// unless it has become part of a value.
func (m *merger) applied() []byte {
	merged, err := text.Apply(m.base.text, m.edits)
	if err != nil {
		m.unmergeable(Base, rootSpan(m.base))
		return nil
	}
	if m.extended {
		if short := bytes.TrimSuffix(merged, []byte(m.style.newline)); m.isRight(short) {
			return short
		}
	}
	if !m.isRight(merged) {
		m.unmergeable(Base, rootSpan(m.base))
	}
	return merged
}

// extend puts a line break behind the last line of a base without one: then every
// line has its own, and applied takes it away again.
func (m *merger) extend() {
	content := m.base.text
	if m.base.root == nil || m.base.root.flow || m.base.root.kind != mapping || bytes.HasSuffix(content, []byte("\n")) {
		return
	}
	m.base.text = append(slices.Clone(content), m.style.newline...)
	m.extended = true
}

// saysNothing tells whether the overlay has no content, or one value that the base
// has as well.
func saysNothing(base, overlay *node) bool {
	switch {
	case overlay == nil || base == nil && overlay.isNull():
		return true
	case base == nil || overlay.kind == mapping:
		return false
	}
	return equal(base, overlay)
}

func (m *merger) several(side Side, d *document) {
	end := min(d.second+3, len(d.text))
	m.find(Finding{Kind: SeveralDocuments, Side: side, Span: text.Span{Start: d.second, End: max(end, d.second)},
		Message: "a second document begins here, and only one can be merged"})
}

func (m *merger) unmergeable(side Side, span text.Span) {
	m.find(Finding{Kind: Unmergeable, Side: side, Span: span, Message: "kls cannot change a text that is written like this"})
}

// isRight holds the merged text against what RFC 7396 makes of the two documents:
// better no result than a wrong one.
func (m *merger) isRight(merged []byte) bool {
	d, findings := readDocument(merged, m.format)
	if (Report{findings}).Failed() {
		return false
	}
	return valuesEqual(valueOf(d.root), patchValue(valueOf(m.base.root), valueOf(m.overlay.root)))
}

// plan decides what becomes of a mapping of the base.
func (m *merger) plan(base, overlay *node) *plan {
	p := &plan{base: base, overlay: overlay, actions: make([]action, len(base.members)), added: make([][]member, len(base.members)+1)}
	at, again := base.index()
	before, writes := len(base.members), false
	for i := len(overlay.members) - 1; i >= 0; i-- {
		ours := overlay.members[i]
		j, ok := at[ours.key.value]
		switch {
		case ok:
			before = j
			for _, key := range again[ours.key.value] {
				m.duplicate(Base, key, base.members[j].key)
			}
			p.actions[j] = m.decide(base.members[j].value, ours.value)
			a := p.actions[j]
			p.changed = p.changed || a.remove || a.replace != nil || a.merge != nil && a.merge.changed
			writes = writes || a.remove || a.replace != nil
		case !ours.value.isNull():
			p.added[before] = append(p.added[before], ours)
			p.changed, writes = true, true
		}
	}
	for _, added := range p.added {
		slices.Reverse(added)
	}
	if p.changed && base.shared {
		m.sharedAnchor(base)
	}
	if writes {
		m.checkMergeKeys(base)
	}
	return p
}

// decide says what becomes of a value of the base that the overlay has one for.
func (m *merger) decide(theirs, ours *node) action {
	switch {
	case ours.isNull():
		m.checkWritten(theirs)
		return action{remove: true}
	case theirs.kind == mapping && ours.kind == mapping:
		return action{merge: m.plan(theirs, ours)}
	case equal(theirs, ours):
		return action{}
	}
	m.checkWritten(theirs)
	if (theirs.kind == mapping) != (ours.kind == mapping) && !theirs.isNull() && theirs.kind != alias {
		m.mismatch(theirs, ours)
	}
	return action{replace: ours}
}

func (m *merger) mismatch(theirs, ours *node) {
	m.find(Finding{Kind: KindMismatch, Side: Overlay, Span: m.overlay.short(ours), Other: m.base.short(theirs),
		Message: fmt.Sprintf("%s takes the place of %s", ours.kind, theirs.kind)})
}

func (k kind) String() string {
	return [...]string{"a single value", "a map", "a list", "an alias"}[k]
}

// short is the first line of a value.
func (d *document) short(n *node) text.Span {
	span := n.span
	if at := bytes.IndexAny(d.text[span.Start:span.End], "\r\n"); at >= 0 {
		span.End = span.Start + at
	}
	return span
}

func (m *merger) duplicate(side Side, again, first *node) {
	m.find(Finding{Kind: DuplicateKey, Side: side, Span: again.span, Other: first.span,
		Message: fmt.Sprintf("the key %q appears twice", again.text)})
}

func (m *merger) sharedAnchor(n *node) {
	m.find(Finding{Kind: Alias, Side: Base, Span: m.base.short(n),
		Message: "the anchor is used elsewhere too, where the value would change with it"})
}

func (m *merger) checkMergeKeys(n *node) {
	for _, entry := range n.members {
		if entry.key.value.tag == mergeTag {
			m.mergeKey(Base, entry.key)
		}
	}
}

func (m *merger) mergeKey(side Side, key *node) {
	m.find(Finding{Kind: MergeKey, Side: side, Span: key.span, Message: "the map takes keys from elsewhere by <<"})
}

// checkWritten looks into a value of the base that goes away.
func (m *merger) checkWritten(n *node) {
	if n.shared {
		m.sharedAnchor(n)
	}
	m.checkPlain(Base, n, m.checkWritten)
}

// checkOverlay looks into all of the overlay: every path of it is written.
func (m *merger) checkOverlay(n *node) { m.checkPlain(Overlay, n, m.checkOverlay) }

// checkPlain reports what of a value cannot be merged, and goes on with its parts.
func (m *merger) checkPlain(side Side, n *node, deeper func(*node)) {
	if n.kind == alias {
		m.find(Finding{Kind: Alias, Side: side, Span: n.span, Message: "an alias stands for a value that is written elsewhere"})
	}
	at := map[scalarValue]int{}
	for i, entry := range n.members {
		switch first, twice := at[entry.key.value]; {
		case entry.key.kind != scalar:
			m.unmergeable(side, entry.key.span)
			continue
		case entry.key.value.tag == mergeTag:
			m.mergeKey(side, entry.key)
		case twice:
			m.duplicate(side, entry.key, n.members[first].key)
		default:
			at[entry.key.value] = i
		}
		deeper(entry.value)
	}
	for _, item := range n.items {
		deeper(item)
	}
}

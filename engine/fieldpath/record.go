package fieldpath

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// recorder writes down what a walk does, for outcomes that explain. A nil
// recorder records nothing, so that the walk is one and the same code.
type recorder struct {
	steps     []Step
	documents []*Document
	misses    []*Failure
	loose     []Loose
	effects   []Effect
	segments  []Segment
}

func newRecorder(path Path, options Options) *recorder {
	if !options.Explain {
		return nil
	}
	return &recorder{steps: make([]Step, len(path.Segments)), segments: path.Segments}
}

func (r *recorder) from(i int, n *yaml.Node) {
	if r != nil {
		r.steps[i].From = append(r.steps[i].From, n)
	}
}

func (r *recorder) matched(i int, n *yaml.Node) {
	if r != nil {
		r.steps[i].Matched = append(r.steps[i].Matched, n)
	}
}

func (r *recorder) created(i int, n *yaml.Node) {
	if r != nil {
		r.steps[i].Created = append(r.steps[i].Created, n)
	}
}

func (r *recorder) opened(i int, document *Document) {
	if r != nil && !isWord(document) {
		r.steps[i].Document = document
		r.documents = append(r.documents, document)
	}
}

func (r *recorder) skipped(missed Failure) {
	if r != nil {
		r.misses = append(r.misses, &missed)
	}
}

// hit records an element that the pattern of a "[name=value]" matched.
func (r *recorder) hit(i int, list, element *yaml.Node, value string) {
	if r == nil {
		return
	}
	r.matched(i, element)
	last := len(r.loose) - 1
	if last < 0 || r.loose[last].List != list || r.loose[last].Segment != i {
		r.loose = append(r.loose, Loose{Segment: i, List: list})
		last++
	}
	search := &r.loose[last]
	if isExact(element, &r.segments[i]) {
		search.Exact = append(search.Exact, element)
		return
	}
	search.Others = append(search.Others, element)
	search.Values = append(search.Values, value)
}

// walkedTo records the way to a document that was found by a source's walk.
func (r *recorder) walkedTo(target *yaml.Node, path Path, document *Document) {
	if r == nil {
		return
	}
	node := under(target)
	for i := 0; i < document.Segment; i++ {
		if path.trimmed[i].Kind == Blank {
			continue
		}
		r.from(i, node)
		node, _ = lookup(node, &path.trimmed[i], nil)
		r.matched(i, node)
	}
	r.opened(document.Segment, document)
}

// finish puts what was recorded into the outcome.
func (r *recorder) finish(outcome *Outcome, path Path) {
	if r == nil {
		return
	}
	outcome.Steps, outcome.Documents, outcome.Skipped = r.steps, r.documents, r.misses
	for _, search := range r.loose {
		if len(search.Others) > 0 {
			outcome.Loose = append(outcome.Loose, search)
		}
	}
	for _, missed := range r.misses {
		explain(missed, path)
	}
	if failure := outcome.Failure; failure != nil {
		explain(failure, path)
		if failure.Escaped == "" {
			failure.Escaped = r.escaped(failure, path)
		}
		return
	}
	outcome.Effects, outcome.Misspelt = r.effects, r.misspelt()
}

// misspelt looks at the first key that was made, if that is in a document.
func (r *recorder) misspelt() *Misspelt {
	inDocument := false
	for i, step := range r.steps {
		inDocument = inDocument || step.Document != nil
		if len(step.Created) == 0 {
			continue
		}
		if !inDocument || r.segments[i].Kind != Key {
			return nil
		}
		key := r.segments[i].Text
		for _, from := range step.From {
			others := slices.DeleteFunc(keysOf(under(from)), func(k string) bool { return k == key })
			if near, ok := text.Nearest(key, others); ok && text.IsLikelySlip(key, near) && !differInDigits(key, near) {
				return &Misspelt{Segment: i, Meant: near}
			}
		}
		return nil
	}
	return nil
}

// differInDigits tells whether two keys are the same but for digits, as replica1 and
// replica2 are: each is meant.
func differInDigits(a, b string) bool {
	withoutDigits := func(s string) string { return strings.Trim(s, "0123456789") }
	return withoutDigits(a) == withoutDigits(b)
}

// explain fills the fields of a failure that help to mend the path.
func explain(failure *Failure, path Path) {
	if failure.Segment >= len(path.Segments) {
		return
	}
	segment := &path.Segments[failure.Segment]
	failure.path = path
	switch failure.Kind {
	case MissingKey:
		failure.Candidates = keysOf(failure.Node)
	case NoElementMatches:
		failure.Candidates = valuesOf(failure.Node, segment.Name)
	case NotAList:
		failure.Candidates = keysOf(failure.Node)
	}
	if last := longestKey(failure.Node, path.Segments[failure.Segment:]); last > 0 {
		failure.Escaped = path.joined(failure.Segment, failure.Segment+last)
	}
}

// Nearest returns the candidate that is most like the segment, if one is, for MissingKey
// and NoElementMatches. It looks at all of them: ask for as many failures as somebody reads.
func (f *Failure) Nearest() string {
	if len(f.Candidates) == 0 {
		return ""
	}
	segment, near := &f.path.Segments[f.Segment], ""
	switch f.Kind {
	case MissingKey:
		near, _ = text.Nearest(segment.Text, f.Candidates)
	case NoElementMatches:
		near, _ = text.Nearest(segment.Value, f.Candidates)
	}
	return near
}

// Mended returns the whole path with the nearest candidate, escaped and in brackets as need
// be; empty where there is none, or where no path can name it.
func (f *Failure) Mended() string {
	near := f.Nearest()
	if near == "" {
		return ""
	}
	if f.Kind == MissingKey {
		if !CanEscape(near) {
			return ""
		}
		return f.path.replaced(f.Segment, f.Segment, Escape(near))
	}
	mended := "[" + f.path.Segments[f.Segment].Name + "=" + near + "]"
	if !isElement(mended) {
		return ""
	}
	return f.path.replaced(f.Segment, f.Segment, mended)
}

// isElement tells whether a path reads the text as one "[name=value]".
func isElement(s string) bool {
	segments := Parse(s).Segments
	return len(segments) == 1 && segments[0].Kind == Element && segments[0].Text == s
}

func keysOf(n *yaml.Node) []string {
	var keys []string
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			keys = append(keys, n.Content[i].Value)
		}
	}
	return keys
}

// valuesOf are the texts that a "[name=value]" could have asked for.
func valuesOf(list *yaml.Node, name string) []string {
	var values []string
	for _, element := range list.Content {
		if name != "" {
			element = valueOf(under(element), name)
		}
		if element != nil && element.Kind == yaml.ScalarNode {
			values = append(values, element.Value)
		}
	}
	return values
}

// escaped looks in the maps that the walk came through, the last first, for a
// key with dots that the path spells out as several segments.
func (r *recorder) escaped(failure *Failure, path Path) string {
	for i := min(failure.Segment, len(r.steps)-1); i >= 0; i-- {
		for _, from := range r.steps[i].From {
			if last := longestKey(from, path.Segments[i:]); last > 0 {
				return path.joined(i, i+last)
			}
		}
	}
	return ""
}

// longestKey returns how many segments after the first one belong to a key of
// the map; 0 for no such key.
func longestKey(n *yaml.Node, segments []Segment) int {
	longest := 0
	if n = under(n); n.Kind != yaml.MappingNode {
		return 0
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		longest = max(longest, spelledBy(segments, n.Content[i].Value)-1)
	}
	return longest
}

// spelledBy returns how many segments, with dots between them, are the key; 0
// where they are not.
func spelledBy(segments []Segment, key string) int {
	for i, segment := range segments {
		rest, found := strings.CutPrefix(key, segment.Text)
		if found && rest == "" {
			return i + 1
		}
		if key, found = strings.CutPrefix(rest, "."); !found {
			return 0
		}
	}
	return 0
}

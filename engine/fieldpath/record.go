package fieldpath

import (
	yaml "go.yaml.in/yaml/v3"
)

// recorder writes down what a walk does, for outcomes that explain. A nil
// recorder records nothing, so that the walk is one and the same code.
type recorder struct {
	steps     []Step
	documents []*Document
	misses    []*Failure
	loose     []Loose
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
	if r != nil {
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
		node, _ = lookup(node, &path.trimmed[i])
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
}

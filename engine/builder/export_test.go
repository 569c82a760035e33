package builder

import "github.com/kustomize-lsp/kls/engine/memo"

// Remembered returns how many outcomes of layers were made, and how many times one
// was taken over.
func (s *Session) Remembered() (built, taken int) { return s.memo.Built, s.memo.Taken }

// RememberedSize returns how much is remembered, in resources.
func (s *Session) RememberedSize() int { return s.memo.Size }

// BytesOfSteps is about how many bytes are remembered of the steps of all layers.
func (s *Session) BytesOfSteps() (bytes int) {
	for _, known := range s.memo.Steps {
		bytes += known.Steps.Size
	}
	return bytes
}

// TakesStepsOnce tells whether of two builds of one layer at a time the second finds
// nothing, and the next one the memory of the first.
func TakesStepsOnce() bool {
	m, first, second := memo.NewMemo(1), &memo.Turn{}, &memo.Turn{}
	known := m.TakeSteps(memo.LayerKey{}, first)
	alone := m.TakeSteps(memo.LayerKey{}, second) == nil
	m.PutSteps(memo.LayerKey{}, &memo.LayerSteps{}, second) // is not his to put back
	m.PutSteps(memo.LayerKey{}, known, first)
	again := m.TakeSteps(memo.LayerKey{}, second) == known
	m.GiveUp(second)
	return alone && again && len(m.Steps) == 0
}

package builder

// Remembered returns how many outcomes of layers were made, and how many times one
// was taken over.
func (s *Session) Remembered() (built, taken int) { return s.memo.built, s.memo.taken }

// RememberedSize returns how much is remembered, in resources.
func (s *Session) RememberedSize() int { return s.memo.size }

// BytesOfSteps is about how many bytes are remembered of the steps of all layers.
func (s *Session) BytesOfSteps() (bytes int) {
	for _, known := range s.memo.steps {
		bytes += known.steps.size
	}
	return bytes
}

// TakesStepsOnce tells whether of two builds of one layer at a time the second finds
// nothing, and the next one the memory of the first.
func TakesStepsOnce() bool {
	m, first, second := newMemo(1), &turn{}, &turn{}
	known := m.takeSteps(layerKey{}, first)
	alone := m.takeSteps(layerKey{}, second) == nil
	m.putSteps(layerKey{}, &layerSteps{}, second) // is not his to put back
	m.putSteps(layerKey{}, known, first)
	again := m.takeSteps(layerKey{}, second) == known
	m.giveUp(second)
	return alone && again && len(m.steps) == 0
}

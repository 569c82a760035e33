package builder

// Remembered returns how many outcomes of layers were made, and how many times one
// was taken over.
func (s *Session) Remembered() (built, taken int) { return s.memo.built, s.memo.taken }

// RememberedSize returns how much is remembered, in resources.
func (s *Session) RememberedSize() int { return s.memo.size }

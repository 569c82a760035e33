package rules

import "testing"

// What follows from text that is being typed is not told.
func TestHalfTypedEntries(t *testing.T) { runFixture(t, "testdata/halftyped/entries.txtar") }

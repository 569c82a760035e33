// Package panics has the test that a panic in any worker or lazy value is the fault of
// one root, and of one build of it. It runs with the tag faults alone, without which
// nothing can be made to panic: go test -tags faults ./internal/panics
package panics

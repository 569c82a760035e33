//go:build race

package lsp_test

// isRace is true where the race detector slows everything down tenfold.
const isRace = true

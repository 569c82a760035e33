//go:build !race

package lsp_test

const isRace = false

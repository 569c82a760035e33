package main

import (
	"fmt"

	"github.com/kustomize-lsp/kls/analysis"
)

// paint is the parameter of a terminal's colour sequence.
type paint string

const (
	bold    paint = "1"
	faint   paint = "2"
	red     paint = "1;31"
	yellow  paint = "1;33"
	green   paint = "1;32"
	blue    paint = "1;34"
	magenta paint = "1;35"
)

func severityPaint(s analysis.Severity) paint {
	switch s {
	case analysis.Error:
		return red
	case analysis.Warning:
		return yellow
	case analysis.Info:
		return blue
	}
	return magenta
}

// paint colours a text where colour is wanted.
func (v *printer) paint(p paint, text string) string {
	if !v.color || text == "" {
		return text
	}
	return fmt.Sprintf("\x1b[%sm%s\x1b[0m", p, text)
}

func errColor(choice string) error {
	return fmt.Errorf("--color must be auto, always or never, not %q", choice)
}

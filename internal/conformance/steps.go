package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// stepsFile is where a run leaves how the steps that explain names compare with upstream's transformer annotations, a
// tree a line.
func (w *workspace) stepsFile() string { return filepath.Join(w.root, "steps.json") }

// steps sums up what the trees of the tests said.
type steps struct {
	resources, trees int
	differences      []string
}

func readSteps(path string) (steps, error) {
	var sum steps
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return sum, err
	}
	for lines := json.NewDecoder(bytes.NewReader(text)); ; {
		var tree struct {
			Resources   int
			Differences []string
		}
		err := lines.Decode(&tree)
		if errors.Is(err, io.EOF) {
			return sum, nil
		}
		if err != nil {
			return sum, fmt.Errorf("%s: %w", path, err)
		}
		if tree.Resources > 0 {
			sum.trees++
			sum.resources += tree.Resources
			sum.differences = append(sum.differences, tree.Differences...)
		}
	}
}

// hold tells whether nothing differs and, where all tests ran, anything was compared.
func (s steps) hold(all bool) bool { return len(s.differences) == 0 && (!all || s.resources > 0) }

// String is a line for each difference, and one that counts.
func (s steps) String() string {
	var text strings.Builder
	for _, line := range s.differences {
		fmt.Fprintf(&text, "unexpected: %s\n", line)
	}
	fmt.Fprintf(&text, "explain: %d resources on %d trees, %d differ\n", s.resources, s.trees, len(s.differences))
	return text.String()
}

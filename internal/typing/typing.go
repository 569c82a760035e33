package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Count is what came of typing.
type Count struct {
	Files, Keystrokes int
	// Elsewhere counts the keystrokes after which something is said at lines that are not the entry's, Several those after
	// which more than one thing is said.
	Elsewhere, Several int
	// Said has one line for each rule that spoke wrongly of a kustomization.
	Said []string
}

func (c *Count) add(other Count) {
	c.Files, c.Keystrokes = c.Files+other.Files, c.Keystrokes+other.Keystrokes
	c.Elsewhere, c.Several = c.Elsewhere+other.Elsewhere, c.Several+other.Several
	c.Said = append(c.Said, other.Said...)
}

// String gives both figures for 1,000 keystrokes.
func (c Count) String() string {
	share := func(n int) float64 { return 1000 * float64(n) / float64(max(c.Keystrokes, 1)) }
	return fmt.Sprintf("%d keystrokes in %d kustomizations; of 1,000 keystrokes: %.1f with something at unrelated lines, %.1f with more than one thing at once",
		c.Keystrokes, c.Files, share(c.Elsewhere), share(c.Several))
}

// Measure types in kustomizations of a folder, spread over it, at most as many as the limit says.
func Measure(ctx context.Context, folder string, limit int) (Count, error) {
	var count Count
	dir, err := filepath.Abs(folder)
	if err != nil {
		return count, err
	}
	session := builder.NewSession(vfs.NewSnapshot(vfs.Disk()))
	targets, err := analysis.Discover(ctx, session.Files(), dir)
	if err != nil {
		return count, err
	}
	random := rand.New(rand.NewPCG(1, 2)) // always the same
	random.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	for _, target := range targets {
		if count.Files == limit {
			break
		}
		e, ok := lastEntry(session.Files(), target)
		if !ok {
			continue
		}
		if err := e.typeAll(ctx, session, &count); err != nil {
			return count, err
		}
		count.Files++
	}
	return count, nil
}

// entry is the last one of a kustomization.
type entry struct {
	target analysis.Target
	path   string
	// before is the text up to the entry, which is the rest.
	before, written []byte
}

// longestEntry bounds, in bytes, what is typed.
const longestEntry = 600

// lastEntry returns the last element of the last field, where that is a list, or the field.
func lastEntry(files *vfs.Snapshot, target analysis.Target) (entry, bool) {
	for _, name := range kustomization.FileNames() {
		f, err := files.ReadFile(filepath.Join(target.Dir, name))
		if err != nil {
			continue
		}
		var document yaml.Node
		if yaml.Unmarshal(f.Data, &document) != nil || len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
			return entry{}, false
		}
		fields := document.Content[0].Content
		if len(fields) < 4 { // something has to be there already
			return entry{}, false
		}
		line := fields[len(fields)-2].Line
		if value := fields[len(fields)-1]; value.Kind == yaml.SequenceNode && value.Style&yaml.FlowStyle == 0 && len(value.Content) > 1 {
			line = value.Content[len(value.Content)-1].Line
		}
		data := bytes.TrimRight(f.Data, "\n")
		start := text.NewLines(data).LineSpan(line - 1).Start
		written := data[start:]
		return entry{target, f.Path, data[:start], written}, len(written) >= 10 && len(written) <= longestEntry && utf8.Valid(written)
	}
	return entry{}, false
}

func (e entry) typeAll(ctx context.Context, session *builder.Session, count *Count) error {
	known := map[string]bool{}
	for _, whole := range [][]byte{e.before, slices.Concat(e.before, e.written)} {
		found, err := e.check(ctx, session, whole)
		if err != nil {
			return err
		}
		for _, d := range found {
			known[identity(d)] = true
		}
	}
	said := map[string]bool{}
	for end := range string(e.written) {
		if end == 0 {
			continue
		}
		typed := slices.Concat(e.before, e.written[:end])
		session = session.Derive(session.Files().With(e.path, typed))
		found, err := e.check(ctx, session, typed)
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(found, func(d analysis.Diagnostic) bool { return known[identity(d)] })
		count.Keystrokes++
		elsewhere := slices.ContainsFunc(found, func(d analysis.Diagnostic) bool { return e.isElsewhere(d) })
		if elsewhere {
			count.Elsewhere++
		}
		if len(found) > 1 {
			count.Several++
		}
		for _, d := range found {
			wrong := len(found) > 1 || elsewhere
			if line := fmt.Sprintf("%s: %s: %s", e.path, d.Rule, d.Message); wrong && !said[d.Rule] {
				said[d.Rule] = true
				count.Said = append(count.Said, fmt.Sprintf("%s (%d at once, behind %q)", line, len(found), lastLine(typed)))
			}
		}
	}
	return nil
}

// isElsewhere tells whether a diagnostic is neither in the entry nor in a file that the entry names.
func (e entry) isElsewhere(d analysis.Diagnostic) bool {
	if d.File == e.path {
		return d.Span.Start < len(e.before)
	}
	return !bytes.Contains(e.written, []byte(filepath.Base(d.File)))
}

func (e entry) check(ctx context.Context, session *builder.Session, content []byte) ([]analysis.Diagnostic, error) {
	files := session.Files().With(e.path, content)
	all := rules.All()
	report, err := analysis.CheckRoot(ctx, session.Derive(files), e.target, analysis.Options{Rules: all})
	if err != nil {
		return nil, err
	}
	return analysis.Review{Files: files, Rules: all}.Apply(report).Diagnostics, nil
}

// identity is what a diagnostic keeps when lines move.
func identity(d analysis.Diagnostic) string {
	return strings.Join([]string{d.Rule, d.File, d.Message}, "\x00")
}

func lastLine(typed []byte) string { return string(typed[bytes.LastIndexByte(typed, '\n')+1:]) }

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/rogpeppe/go-internal/diff"
)

// mend makes the safe fixes, or shows them, and says what it did. The report is of
// the files as they are then.
func (c *checkRun) mend(ctx context.Context) (*analysis.Report, error) {
	v := c.printer
	m, err := analysis.Mend(ctx, v.files, c.once, v.mayFix(), c.flags.unsafeFixes)
	if err != nil {
		return nil, err
	}
	if c.flags.diff {
		for _, path := range slices.Sorted(maps.Keys(m.After)) {
			name := relative(v.folder, path)
			if _, err := c.std.out.Write(unified(name, m.Before[path], m.After[path])); err != nil {
				return nil, err
			}
		}
		fmt.Fprintf(c.std.err, "%s would be made in %s\n", plural2(len(m.Steps), "fix", "fixes"), plural(len(m.After), "file"))
		return c.once(ctx, v.files)
	}
	written, failed := c.writeFixed(m)
	for _, step := range m.Steps {
		if written[step.File] {
			fmt.Fprintf(c.std.err, "%s:%d: fixed: %s [%s]\n", printable(v.shown(step.File)), step.Line, printable(step.Title), step.Rule)
		}
	}
	if failed != nil {
		return nil, failed
	}
	if len(written) != len(m.After) {
		v.forget(vfs.NewSnapshot(c.flags.outside.disk()))
		return c.once(ctx, v.files)
	}
	v.forget(m.Files)
	return m.Report, nil
}

// writeFixed writes the files, except those that somebody has changed meanwhile. Where
// one cannot be written the others are.
func (c *checkRun) writeFixed(m *analysis.Mended) (written map[string]bool, err error) {
	written = map[string]bool{}
	var failed error
	for _, path := range slices.Sorted(maps.Keys(m.After)) {
		now, err := c.flags.outside.disk().ReadFile(path)
		if err != nil || !bytes.Equal(now, m.Before[path]) {
			fmt.Fprintf(c.std.err, "%s is left as it is: it was changed meanwhile\n", printable(c.printer.shown(path)))
			continue
		}
		if err := writeWhole(path, m.After[path]); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		written[path] = true
	}
	return written, failed
}

// mayFix allows to change what lies in the git repositories, or else the folders,
// of the paths of the command line.
func (v *printer) mayFix() func(path string) bool {
	scopes := []string{v.scope(v.folder)}
	for _, path := range v.paths {
		scopes = append(scopes, v.scope(path))
	}
	return func(path string) bool {
		if isForeign(path) || isKept(path) {
			return false
		}
		return slices.ContainsFunc(scopes, func(scope string) bool { return vfs.Below(scope, path) })
	}
}

// isKept tells whether a file must not be replaced.
func isKept(path string) bool {
	info, err := os.Stat(path)
	return err == nil && keptAsItIs(info) != ""
}

// unified is a unified diff without the line that names the command.
func unified(name string, before, after []byte) []byte {
	text := diff.Diff("a/"+name, before, "b/"+name, after)
	_, text, _ = bytes.Cut(text, []byte("\n"))
	return text
}

func plural2(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

package main

import (
	"bytes"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/linediff"
)

// jsonEncoder names files relative to the working folder, with forward slashes.
func (v *printer) jsonEncoder() explain.Encoder {
	return explain.Encoder{File: func(path string) string { return relative(v.folder, path) }}
}

func (x *explainer) writeJSON(data any) error {
	text, err := encodeJSON(data)
	if err == nil {
		_, err = x.std.out.Write(text)
	}
	return err
}

// writeMissing says on standard error what there is instead.
func (x *explainer) writeMissing(m *explain.Missing) {
	fmt.Fprintln(x.std.err, printable(m.Message))
	switch len(m.Candidates) {
	case 0:
	case 1:
		fmt.Fprintf(x.std.err, "did you mean %s?\n", printable(m.Candidates[0]))
	default:
		fmt.Fprintln(x.std.err, "there are:")
		for _, c := range m.Candidates {
			fmt.Fprintln(x.std.err, "  "+printable(c))
		}
	}
}

// explainWriter writes explanations for people.
type explainWriter struct {
	bytes.Buffer
	x *explainer
}

func (x *explainer) writeText(write func(*explainWriter)) error {
	w := &explainWriter{x: x}
	write(w)
	_, err := x.std.out.Write(w.Bytes())
	return err
}

// explanation writes as git log does: a head, and then each step with what it changed.
func (w *explainWriter) explanation(e *explain.Explanation) {
	title := e.Resource
	if e.Field != "" {
		title += ":" + e.Field
	}
	fmt.Fprintln(w, w.x.paint(yellow, printable(title)))
	if e.Field != "" {
		w.value(e.Value)
		w.place("Written: ", e.Written, "")
	}
	w.place("Read:    ", e.Read, "")
	w.place("Included:", e.Included, "")
	for _, s := range e.Steps {
		fmt.Fprintln(w)
		if len(s.Variables) > 0 {
			w.variables(s)
		} else {
			w.place(w.x.paint(bold, s.Transformer), s.Place, ofDeployment(s.Deployment))
		}
		w.diff(s)
	}
	if len(e.Steps) == 0 {
		fmt.Fprintln(w, "\nNo step of the build changed it.")
	}
}

func ofDeployment(id string) string {
	if id == "" {
		return ""
	}
	return " for " + printable(id)
}

func (w *explainWriter) variables(s explain.Step) {
	fmt.Fprintln(w, w.x.paint(bold, s.Transformer))
	for _, v := range s.Variables {
		fmt.Fprintf(w, "  %s from ", printable(v.Expression))
		if v.Written.Known() {
			fmt.Fprintf(w, "%s%s", w.shownPlace(v.Written), ofDeployment(v.Deployment))
		} else {
			fmt.Fprint(w, printable(v.From))
		}
		fmt.Fprintln(w)
	}
}

func (w *explainWriter) value(v explain.Value) {
	text := strings.TrimSuffix(v.Text(), "\n")
	if !strings.Contains(text, "\n") {
		fmt.Fprintf(w, "Value:    %s\n", printable(text))
		return
	}
	fmt.Fprintln(w, "Value:")
	for line := range strings.Lines(text) {
		fmt.Fprintf(w, "    %s\n", printable(strings.TrimSuffix(line, "\n")))
	}
}

func (w *explainWriter) place(label string, p explain.Place, note string) {
	if p.Known() {
		fmt.Fprintf(w, "%s %s%s\n", label, w.shownPlace(p), note)
	} else if label != "Included:" {
		fmt.Fprintf(w, "%s nowhere: kls or an option adds it%s\n", label, note)
	}
}

func (w *explainWriter) shownPlace(p explain.Place) string {
	return fmt.Sprintf("%s:%d:%d", printable(w.x.shown(p.File)), p.Line, p.Column)
}

// diff writes what a step changed. A field that was or became missing is told apart
// from an empty one.
func (w *explainWriter) diff(s explain.Step) {
	fmt.Fprintln(w)
	before, after := s.Before.Text(), s.After.Text()
	lines := linediff.Lines(before, after, maxExplained)
	if before == "" && s.Before.Present() {
		lines = append([]string{`- ""`}, lines...)
	}
	if after == "" && s.After.Present() {
		lines = append(lines, `+ ""`)
	}
	for _, line := range lines {
		color := faint
		switch line[0] {
		case '-':
			color = red
		case '+':
			color = green
		}
		fmt.Fprintf(w, "    %s\n", w.x.paint(color, printable(line)))
	}
}

// maxExplained is how many lines of a change are shown.
const maxExplained = 200

func (w *explainWriter) origins(origins []explain.Origin) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "RESOURCE\tWRITTEN AT\tINCLUDED BY")
	for _, o := range origins {
		fmt.Fprintf(t, "%s\t%s\t%s\n", printable(o.Resource), w.tablePlace(o.Read), w.tablePlace(o.Included))
	}
	t.Flush() // into memory
}

func (w *explainWriter) tablePlace(p explain.Place) string {
	if !p.Known() {
		return "-"
	}
	return fmt.Sprintf("%s:%d", printable(w.x.shown(p.File)), p.Line)
}

// uses writes what becomes of a line in each root.
func (w *explainWriter) uses(file string, line int, uses []*explain.Use) {
	if len(uses) == 0 {
		fmt.Fprintf(w, "No kustomization in or below %s uses %s.\n", printable(w.x.shown(w.x.searched())), printable(w.x.shown(file)))
	}
	for i, u := range uses {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintln(w, w.x.paint(yellow, printable(w.x.shown(u.Dir))))
		switch {
		case u.Dropped:
			fmt.Fprintln(w, "    The resource is not in the output.")
		case len(u.Fields) == 0:
			fmt.Fprintln(w, "    Nothing in the output comes from the line.")
		}
		for _, e := range u.Fields {
			w.use(file, line, e)
		}
	}
}

// use writes one field, and who overwrote it where its value is not the line's.
func (w *explainWriter) use(file string, line int, e *explain.Explanation) {
	value := e.Value.OneLine(72)
	if !e.Value.Present() {
		value = "(gone)"
	}
	name := e.Resource
	if e.Field != "" {
		name += ":" + e.Field
	}
	fmt.Fprintf(w, "    %s  %s\n", printable(name), printable(value))
	if e.Written.File == file && e.Written.Line == line {
		return
	}
	for _, s := range e.Steps {
		after := s.After.OneLine(72)
		if !s.After.Present() {
			after = "(gone)"
		}
		fmt.Fprintf(w, "        %s %s  %s\n", s.Transformer, w.tablePlace(s.Place), w.x.paint(faint, printable(after)))
	}
}

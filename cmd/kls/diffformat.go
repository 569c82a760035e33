package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/analysis/diff"
	"github.com/kustomize-lsp/kls/engine/text"
)

func (v *printer) writeDiff(out io.Writer, flags diffFlags, c comparison) error {
	var b bytes.Buffer
	switch flags.format {
	case "json":
		if err := writeDiffJSON(&b, c); err != nil {
			return err
		}
	case "markdown":
		writeMarkdown(&b, c)
	case "summary":
		v.writeDiffSummary(&b, c.report)
	default:
		for _, r := range c.report.Resources {
			v.writeResourceDiff(&b, flags, r)
		}
		fmt.Fprintln(&b, v.paint(bold, countsOf(c.report)))
	}
	_, err := out.Write(b.Bytes())
	return err
}

// countsOf sums up: "1 added, 2 changed, 40 unchanged".
func countsOf(report *diff.Report) string {
	var parts []string
	for _, change := range []diff.Change{diff.Added, diff.Removed, diff.Changed, diff.Reformatted} {
		if n := report.Count(change); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, change))
		}
	}
	if len(parts) == 0 {
		return fmt.Sprintf("nothing changes in %s", plural(report.Unchanged, "resource"))
	}
	return strings.Join(append(parts, fmt.Sprintf("%d unchanged", report.Unchanged)), ", ")
}

func (v *printer) writeResourceDiff(b *bytes.Buffer, flags diffFlags, r diff.Resource) {
	if r.Change == diff.Reformatted {
		fmt.Fprintln(b, v.paint(faint, printable(r.Address())+": a document in a string is laid out in another way"))
		return
	}
	before, after := "/dev/null", "/dev/null"
	if r.Before != "" {
		before = printable(r.Before)
	}
	if r.After != "" {
		after = printable(r.After)
	}
	fmt.Fprintf(b, "%s\n%s\n", v.paint(bold, "--- "+before), v.paint(bold, "+++ "+after))
	for _, h := range r.Hunks {
		fmt.Fprintln(b, v.paint(faint, h.Header()))
		if flags.format == "side-by-side" {
			v.writeSides(b, h.Lines, flags.width)
			continue
		}
		for _, line := range h.Lines {
			fmt.Fprintln(b, v.paint(linePaint(line.Kind), string(line.Kind)+text.Visible(line.Text)))
		}
	}
}

func linePaint(kind byte) paint {
	switch kind {
	case '-':
		return "31"
	case '+':
		return "32"
	}
	return "0"
}

// minWidth is the least width of a diff with two columns.
const minWidth = 20

// writeSides writes lines in two columns: what was before to the left of "|" for a
// changed line, "<" for one that is gone, ">" for a new one.
func (v *printer) writeSides(b *bytes.Buffer, lines []diff.Line, width int) {
	column := (width - 3) / 2
	for len(lines) > 0 {
		if lines[0].Kind == ' ' {
			v.writeRow(b, lines[0].Text, ' ', lines[0].Text, column)
			lines = lines[1:]
			continue
		}
		var old, now []string
		for len(lines) > 0 && lines[0].Kind != ' ' {
			if lines[0].Kind == '-' {
				old = append(old, lines[0].Text)
			} else {
				now = append(now, lines[0].Text)
			}
			lines = lines[1:]
		}
		for i := range max(len(old), len(now)) {
			switch {
			case i >= len(now):
				v.writeRow(b, old[i], '<', "", column)
			case i >= len(old):
				v.writeRow(b, "", '>', now[i], column)
			default:
				v.writeRow(b, old[i], '|', now[i], column)
			}
		}
	}
}

func (v *printer) writeRow(b *bytes.Buffer, left string, mark byte, right string, column int) {
	left, leftWidth := fit(left, column)
	right, _ = fit(right, column)
	leftPaint, rightPaint := linePaint('-'), linePaint('+')
	if mark == ' ' {
		leftPaint, rightPaint = linePaint(' '), linePaint(' ')
	}
	row := v.paint(leftPaint, left) + strings.Repeat(" ", column-leftWidth) + " " + string(mark) + " " + v.paint(rightPaint, right)
	fmt.Fprintln(b, strings.TrimRight(row, " "))
}

// fit cuts a line to as many columns of a terminal.
func fit(line string, columns int) (cut string, width int) {
	line = strings.ReplaceAll(text.Visible(line), "\t", "    ")
	for i, r := range line {
		w := runeWidth(r)
		if width+w > columns-1 && len(line) > i+utf8.RuneLen(r) || width+w > columns {
			return line[:i] + "…", width + 1
		}
		width += w
	}
	return line, width
}

var changeMarks = map[diff.Change]struct {
	text  string
	paint paint
}{
	diff.Added:       {"+", green},
	diff.Removed:     {"-", red},
	diff.Changed:     {"~", yellow},
	diff.Reformatted: {"=", faint},
}

func (v *printer) writeDiffSummary(b *bytes.Buffer, report *diff.Report) {
	for _, r := range report.Resources {
		mark := changeMarks[r.Change]
		fmt.Fprintf(b, "%s %s%s\n", v.paint(mark.paint, mark.text), addressOf(r, " → "), v.paint(faint, shownFields(r)))
	}
	fmt.Fprintln(b, v.paint(bold, countsOf(report)))
}

// addressOf names a resource, with both of its names where they differ.
func addressOf(r diff.Resource, arrow string) string {
	if r.Before != "" && r.After != "" && r.Before != r.After {
		return printable(r.Before) + arrow + printable(r.After)
	}
	return printable(r.Address())
}

// shownFields names some of the fields that differ.
func shownFields(r diff.Resource) string {
	const few = 3
	var paths []string
	for _, f := range r.Fields[:min(few, len(r.Fields))] {
		paths = append(paths, printable(f.Path))
	}
	if more := len(r.Fields) - few; more > 0 {
		paths = append(paths, fmt.Sprintf("%d more", more))
	}
	switch {
	case r.Change == diff.Reformatted:
		return "  only laid out in another way"
	case len(paths) == 0:
		return ""
	}
	return "  " + strings.Join(paths, ", ")
}

// maxMarkdown is how long, in bytes, a comment gets: GitHub takes 65,536 characters.
const maxMarkdown = 60_000

// writeMarkdown writes a comment for a pull request.
func writeMarkdown(b *bytes.Buffer, c comparison) {
	fmt.Fprintf(b, "### <code>%s</code>: %s\n\n", markdownText(c.after), countsOf(c.report))
	fmt.Fprintf(b, "Compared with <code>%s</code>.\n", markdownText(c.before))
	if len(c.report.Resources) == 0 {
		return
	}
	b.WriteString("\n| | resource | fields |\n| --- | --- | --- |\n")
	var details []string
	for i, r := range c.report.Resources {
		row := fmt.Sprintf("| %s | <code>%s</code> | %s |\n", r.Change, markdownText(addressOf(r, " → ")), markdownText(strings.TrimSpace(shownFields(r))))
		if b.Len()+len(row) > maxMarkdown/2 {
			fmt.Fprintf(b, "| | %d more | |\n", len(c.report.Resources)-i)
			break
		}
		b.WriteString(row)
	}
	for _, r := range c.report.Resources {
		if len(r.Hunks) > 0 {
			details = append(details, markdownDetails(r))
		}
	}
	for i, text := range details {
		if b.Len()+len(text) > maxMarkdown {
			fmt.Fprintf(b, "\n%s not shown here: the comment would get too long.\n", plural(len(details)-i, "diff"))
			return
		}
		b.WriteString(text)
	}
}

func markdownDetails(r diff.Resource) string {
	var lines strings.Builder
	for _, h := range r.Hunks {
		fmt.Fprintln(&lines, h.Header())
		for _, line := range h.Lines {
			fmt.Fprintf(&lines, "%c%s\n", line.Kind, text.Visible(line.Text))
		}
	}
	fence := "```"
	for strings.Contains(lines.String(), fence) {
		fence += "`"
	}
	return fmt.Sprintf("\n<details><summary>%s <code>%s</code></summary>\n\n%sdiff\n%s%s\n\n</details>\n",
		r.Change, markdownText(addressOf(r, " → ")), fence, lines.String(), fence)
}

// markdownText makes a text stand for itself, also in a table.
func markdownText(text string) string {
	var b strings.Builder
	for _, r := range html.EscapeString(printable(text)) {
		if strings.ContainsRune("|`*_[]\\~@:", r) {
			fmt.Fprintf(&b, "&#%d;", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// The JSON output, version 1.
type (
	jsonDiff struct {
		Version   int                `json:"version"`
		Before    string             `json:"before"`
		After     string             `json:"after"`
		Summary   jsonDiffSummary    `json:"summary"`
		Resources []jsonDiffResource `json:"resources"`
	}
	jsonDiffSummary struct {
		Added       int `json:"added"`
		Removed     int `json:"removed"`
		Changed     int `json:"changed"`
		Reformatted int `json:"reformatted"`
		Unchanged   int `json:"unchanged"`
	}
	jsonDiffResource struct {
		Change diff.Change `json:"change"`
		// Before and After are addresses; the side on which the resource is not has none.
		Before string          `json:"before,omitempty"`
		After  string          `json:"after,omitempty"`
		Fields []jsonDiffField `json:"fields"`
		Diff   []string        `json:"diff"`
	}
	jsonDiffField struct {
		Path string `json:"path"`
		// Before and After are missing where the field is.
		Before json.RawMessage `json:"before,omitempty"`
		After  json.RawMessage `json:"after,omitempty"`
	}
)

func writeDiffJSON(out io.Writer, c comparison) error {
	shown := jsonDiff{Version: 1, Before: c.before, After: c.after, Resources: resourcesOf(c.report), Summary: *summaryOf(c.report)}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(shown)
}

func summaryOf(report *diff.Report) *jsonDiffSummary {
	count := report.Count
	return &jsonDiffSummary{count(diff.Added), count(diff.Removed), count(diff.Changed), count(diff.Reformatted), report.Unchanged}
}

func resourcesOf(report *diff.Report) []jsonDiffResource {
	list := []jsonDiffResource{}
	for _, r := range report.Resources {
		x := jsonDiffResource{Change: r.Change, Before: r.Before, After: r.After, Fields: []jsonDiffField{}, Diff: []string{}}
		for _, f := range r.Fields {
			x.Fields = append(x.Fields, jsonDiffField(f))
		}
		for _, h := range r.Hunks {
			x.Diff = slices.Concat(x.Diff, []string{h.Header()}, diffLinesOf(h))
		}
		list = append(list, x)
	}
	return list
}

func diffLinesOf(h diff.Hunk) []string {
	lines := make([]string, len(h.Lines))
	for i, line := range h.Lines {
		lines[i] = string(line.Kind) + line.Text
	}
	return lines
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/render"
)

// jsonLine is a line of kls build --blame=json. Files are relative to the working
// folder; null stands for a line that was written nowhere.
type jsonLine struct {
	Line     int                `json:"line"`
	Text     string             `json:"text"`
	Resource string             `json:"resource,omitempty"`
	Written  *explain.JSONPlace `json:"written"`
	// Variables are those that a deployment substituted in the line.
	Variables []explain.JSONVariable `json:"variables,omitempty"`
}

// blameDir returns the counterpart of renderDir that shows beside each line where it
// was written.
func (v *printer) blameDir(format string) func(context.Context, *builder.Session, string, builder.Options) ([]byte, error) {
	return func(ctx context.Context, session *builder.Session, dir string, options builder.Options) ([]byte, error) {
		options.Recorder = explain.Unwatched
		result, err := session.Build(ctx, dir, options)
		if err != nil || result.Failed() || result.Unknown {
			return nil, err
		}
		lines, err := explain.Blame(ctx, session.Table(), result)
		if refusal := new(render.Refusal); errors.As(err, &refusal) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if format == "json" {
			return v.blameJSON(lines, func(i int) string { return result.Resources[i].ID().String() })
		}
		return v.blameText(lines), nil
	}
}

// maxBlameWidth is how many characters of a place are shown beside a line.
const maxBlameWidth = 48

// blameText prints the place of each line to the left of it, as git blame does.
func (v *printer) blameText(lines []explain.Line) []byte {
	places := make([]string, len(lines))
	width := 0
	for i, line := range lines {
		if line.Written.Known() {
			places[i] = v.blamePlace(line.Written)
		}
		for _, variable := range line.Variables {
			places[i] += ", ${" + variable.Name + "} " + v.blameSource(variable)
		}
		width = max(width, utf8.RuneCountInString(places[i]))
	}
	out := bytes.NewBuffer([]byte{})
	for i, line := range lines {
		pad := strings.Repeat(" ", width-utf8.RuneCountInString(places[i]))
		fmt.Fprintf(out, "%s%s | %s\n", printable(places[i]), pad, line.Text)
	}
	return out.Bytes()
}

func (v *printer) blamePlace(p explain.Place) string {
	return shortened(fmt.Sprintf("%s:%d", v.shown(p.File), p.Line), maxBlameWidth)
}

func (v *printer) blameSource(variable explain.Variable) string {
	if variable.Written.Known() {
		return v.blamePlace(variable.Written)
	}
	return variable.From
}

// shortened cuts a text at the front.
func shortened(text string, width int) string {
	runes := []rune(text)
	if len(runes) <= width {
		return text
	}
	return "…" + string(runes[len(runes)-width+1:])
}

func (v *printer) blameJSON(lines []explain.Line, resource func(index int) string) ([]byte, error) {
	shown := make([]jsonLine, len(lines))
	for i, line := range lines {
		shown[i] = jsonLine{Line: i + 1, Text: line.Text, Written: v.jsonEncoder().Place(line.Written),
			Variables: v.jsonEncoder().Variables(line.Variables)}
		if line.Resource >= 0 {
			shown[i].Resource = resource(line.Resource)
		}
	}
	return encodeJSON(shown)
}

func encodeJSON(data any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(data)
	return out.Bytes(), err
}

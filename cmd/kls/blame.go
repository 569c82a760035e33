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
			return v.blameJSON(result, lines)
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
			places[i] = shortened(fmt.Sprintf("%s:%d", v.shown(line.Written.File), line.Written.Line), maxBlameWidth)
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

// shortened cuts a text at the front.
func shortened(text string, width int) string {
	runes := []rune(text)
	if len(runes) <= width {
		return text
	}
	return "…" + string(runes[len(runes)-width+1:])
}

func (v *printer) blameJSON(result *builder.Result, lines []explain.Line) ([]byte, error) {
	shown := make([]jsonLine, len(lines))
	for i, line := range lines {
		shown[i] = jsonLine{Line: i + 1, Text: line.Text, Written: v.jsonEncoder().Place(line.Written)}
		if line.Resource >= 0 {
			shown[i].Resource = result.Resources[line.Resource].ID().String()
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

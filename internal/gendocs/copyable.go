package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/fixture"
	yaml "go.yaml.in/yaml/v3"
)

// copyable returns the text of an example that can be copied as it is: the markers of findings are comments. Where a
// comment would be part of the content, as in a block scalar or in JSON, the findings are listed behind the example.
func copyable(f fixture.File) (code, below string) {
	commented := commentedMarkers(f)
	if len(f.Markers) == 0 || takesComments(f, commented) {
		return string(commented), ""
	}
	var list strings.Builder
	for _, m := range f.Markers {
		fmt.Fprintf(&list, "- line %d: %s `%s`: %s\n", m.Line, m.Severity, m.Rule, m.Message)
	}
	return string(f.Data), list.String()
}

// commentedMarkers returns the text with its markers as comments, with the carets below what they mean where there is
// room for the comment's sign in front of them.
func commentedMarkers(f fixture.File) []byte {
	var b bytes.Buffer
	data := bytes.SplitAfter(f.Data, []byte("\n"))
	for line := range bytes.Lines(f.Marked) {
		if len(data) > 0 && bytes.Equal(bytes.TrimRight(line, "\r\n"), bytes.TrimRight(data[0], "\r\n")) {
			b.Write(line)
			data = data[1:]
			continue
		}
		marker := strings.TrimLeft(string(line), " \t")
		indent := len(line) - len(marker)
		b.WriteString("#" + strings.Repeat(" ", max(1, indent-1)) + marker)
	}
	return b.Bytes()
}

// takesComments tells whether the comments change nothing in what the file says.
func takesComments(f fixture.File, commented []byte) bool {
	switch filepath.Ext(f.Path) {
	case ".yaml", ".yml", "":
	case ".env", ".properties":
		return true
	default:
		return false
	}
	clean, err := documents(f.Data)
	if err != nil {
		return true // the example is about broken YAML
	}
	same, err := documents(commented)
	return err == nil && reflect.DeepEqual(clean, same)
}

func documents(text []byte) (all []any, err error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document any
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		all = append(all, document)
	}
}

package fieldpath

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// openDocument parses the text of a string that the walk wants to go on in,
// before the segment with that index.
func openDocument(
	host *yaml.Node, parent *Document, segment int, options Options, parse func(string) (*yaml.Node, error),
) (*Document, *Failure) {
	failure := Failure{Segment: segment, Node: host, Document: parent}
	root, err := parse(host.Value)
	if err != nil {
		failure.Kind = UnparsableDocument
		failure.Line, failure.Column, failure.Message = parserPosition(host.Value, err)
		return nil, &failure
	}
	if root.Kind == 0 {
		failure.Kind = EmptyDocument
		if host.Tag == nullTag {
			failure.Kind = NullContinues
		}
		return nil, &failure
	}
	document := &Document{
		Host: host, Parent: parent, Root: root, Segment: segment,
		Format: formatOf(host.Value), Before: host.Value, After: host.Value,
	}
	if options.Embedded != nil && !isWord(document) {
		setFile(root, options.Embedded(host, host.Value))
	}
	return document, nil
}

// formatOf looks at the first character only, as kustomize does before it
// writes a document back.
func formatOf(value string) Format {
	value = strings.TrimSpace(value)
	if strings.HasPrefix(value, "{") || strings.HasPrefix(value, "[") {
		return JSON
	}
	return YAML
}

// isWord tells whether a document is a scalar without quotes, as which most
// strings parse: no document that anybody meant to walk into.
func isWord(document *Document) bool {
	const quotes = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	root := under(document.Root)
	return root.Kind == yaml.ScalarNode && root.Style&quotes == 0
}

func setFile(n *yaml.Node, file text.FileID) {
	_, line, column := syntax.Place(n)
	syntax.SetPlace(n, file, line, column)
	for _, child := range n.Content {
		setFile(child, file)
	}
}

// parseTarget parses as kustomize does, which takes JSON for YAML.
func parseTarget(value string) (*yaml.Node, error) {
	return parseYAML(value)
}

// parseSource parses strict JSON as JSON: the two languages differ in a few
// escapes and line breaks.
func parseSource(value string) (*yaml.Node, error) {
	if formatOf(value) == JSON && json.Valid([]byte(value)) {
		return parseJSON(value)
	}
	return parseYAML(value)
}

// parseYAML parses the first document. The node is zero where there is none. A
// panic of the parser is an error: the text is a user's.
func parseYAML(value string) (root *yaml.Node, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("yaml: %v", reason)
		}
	}()
	root = &yaml.Node{}
	return root, yaml.Unmarshal([]byte(value), root)
}

// parserPosition finds where a parser stumbled: exactly where the text begins
// as JSON and is none, else on the line that yaml.v3 tells, in its message
// only. It leaves the first line out, and counts from 0 where it stumbled over
// the order of tokens and not within one. The line can be that of the beginning
// of the list or map that is wrong.
func parserPosition(value string, err error) (line, column int, message string) {
	var syntaxError *json.SyntaxError
	if formatOf(value) == JSON && errors.As(json.Unmarshal([]byte(value), new(any)), &syntaxError) {
		line, column = positionAt(value, int(syntaxError.Offset)-1)
		return line, column, syntaxError.Error()
	}
	message = strings.TrimPrefix(err.Error(), "yaml: ")
	match := linePrefix().FindStringSubmatch(message)
	if match == nil {
		return 1, 0, message
	}
	line, _ = strconv.Atoi(match[1])
	message = message[len(match[0]):]
	if tokenOrder().MatchString(message) {
		line++
	}
	return line, 0, message
}

var (
	linePrefix = text.Regexp(`^line (\d+): `)
	tokenOrder = text.Regexp(`^did not find expected (node content|key|'-' indicator|',' or .*|<.*>)$`)
)

// positionAt turns a byte offset into a 1-based line and column in runes.
func positionAt(value string, offset int) (line, column int) {
	before := value[:max(0, min(offset, len(value)))]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, utf8.RuneCountInString(before[start:]) + 1
}

package schema

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// library holds the definitions of one version of Kubernetes, and reads,
// compiles and parses each when it is first wanted.
type library struct {
	version string
	bit     uint64
	kinds   map[kindName]string // definitions
	lives   map[kindName]life
	archive *archive

	mutex    sync.Mutex // guards what follows
	packages map[string]map[string]string
	texts    map[string]map[string]string
	elements map[string]*element
	shapes   map[string]*shape
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema
}

func newLibrary(archive *archive, version string, bit uint64) (*library, error) {
	l := &library{
		version: version, bit: bit, archive: archive,
		kinds:    map[kindName]string{},
		packages: map[string]map[string]string{},
		texts:    map[string]map[string]string{},
		elements: map[string]*element{},
		shapes:   map[string]*shape{},
		compiled: map[string]*jsonschema.Schema{},
	}
	lines, err := archive.lines("kinds")
	for _, line := range lines {
		if holds(line[3], bit) {
			l.kinds[kindName{line[0], line[1]}] = line[2]
		}
	}
	if err != nil {
		return nil, err
	}
	if l.lives, err = readLives(archive); err != nil {
		return nil, err
	}
	l.compiler = newCompiler(l.compile, l.read)
	return l, nil
}

// compile returns the validator of a definition.
func (l *library) compile(definition string) (*jsonschema.Schema, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if schema := l.compiled[definition]; schema != nil {
		return schema, nil
	}
	schema, err := l.compiler.Compile(scheme + definition)
	if err != nil {
		return nil, fmt.Errorf("the embedded schema %s: %w", definition, err)
	}
	l.compiled[definition] = schema
	return schema, nil
}

// read returns the JSON Schema of a definition.
func (l *library) read(definition string) (string, error) {
	schemas, err := l.member("structure/", l.packages, definition)
	if err != nil {
		return "", err
	}
	schema, ok := schemas[definition]
	if !ok {
		return "", fmt.Errorf("the embedded schemas have no %s", definition)
	}
	return schema, nil
}

// element returns what is known of a definition; nil where there is none.
func (l *library) element(definition string) *element {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if e, ok := l.elements[definition]; ok {
		return e
	}
	var e *element
	if schema, err := l.read(definition); err == nil && json.Unmarshal([]byte(schema), &e) == nil {
		l.describe(definition, e)
	}
	l.elements[definition] = e
	return e
}

// describe adds the descriptions, which are kept apart because validation does
// not need them.
func (l *library) describe(definition string, e *element) {
	texts, err := l.member("text/", l.texts, definition)
	var descriptions map[string]string
	if err != nil || json.Unmarshal([]byte(texts[definition]), &descriptions) != nil {
		return
	}
	e.Description = descriptions[""]
	for name, property := range e.Properties {
		property.Description = descriptions[name]
	}
}

// member returns the lines of this version of a definition's package, by
// definition.
func (l *library) member(prefix string, read map[string]map[string]string, definition string) (map[string]string, error) {
	folder := definition[:max(0, strings.LastIndexByte(definition, '.'))]
	if content, ok := read[folder]; ok {
		return content, nil
	}
	lines, err := l.archive.lines(prefix + folder)
	if err != nil {
		return nil, err
	}
	content := map[string]string{}
	for _, line := range lines {
		if holds(line[1], l.bit) {
			content[line[0]] = line[2]
		}
	}
	read[folder] = content
	return content, nil
}

// scheme begins the URL of a definition.
const scheme = "kubernetes:///"

// newCompiler returns a compiler that knows Kubernetes' formats. It follows
// references with one function and gets what it compiles itself from another.
func newCompiler(
	follow func(definition string) (*jsonschema.Schema, error), read func(definition string) (string, error),
) *jsonschema.Compiler {
	compiler := jsonschema.NewCompiler()
	compiler.Draft = jsonschema.Draft7
	compiler.AssertFormat = true
	for name, isValid := range formats() {
		compiler.Formats[name] = isValid
	}
	compiler.RegisterExtension(referenceKeyword, nil, references{follow})
	compiler.LoadURL = func(url string) (io.ReadCloser, error) {
		schema, err := read(strings.TrimPrefix(url, scheme))
		return io.NopCloser(strings.NewReader(schema)), err
	}
	return compiler
}

package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	yaml "go.yaml.in/yaml/v3"

	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// maxFile is the size in bytes of the largest file that is taken into a tree.
const maxFile = 1 << 20

// Tree is the text of all files of a folder, by absolute path.
type Tree struct {
	Dir   string
	Files map[string][]byte
}

// mount is where a tree stands in memory: kustomize's file system in memory refuses some characters that folders on disk
// may have.
const mount = "/tree"

// LoadTree reads a folder.
func LoadTree(dir string) (*Tree, error) {
	t := &Tree{Dir: mount, Files: map[string][]byte{}}
	return t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		if info, err := entry.Info(); err != nil || info.Size() > maxFile {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(dir, path)
		t.Files[filepath.Join(mount, inside)] = text
		return err
	})
}

// document is one YAML document and where its text stands.
type document struct {
	path string
	text []byte
	root *yaml.Node
	// shift is the number of lines in the file before the document's first: not 0
	// for one that stands in a block scalar.
	shift int
}

// documents parses a file; nothing comes of one that does not parse.
func (t *Tree) documents(path string) []document {
	text := t.Files[path]
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var all []document
	for {
		var n yaml.Node
		err := decoder.Decode(&n)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			return nil
		}
		if len(n.Content) == 1 {
			all = append(all, document{path: path, text: text, root: n.Content[0]})
		}
	}
}

// spot is a value in a document, with its key where it is in a mapping.
type spot struct {
	document
	key, value *yaml.Node
}

// find returns the values at a path of keys, where * is every element of a list
// or every value of a mapping, and ** any number of steps.
func (d document) find(path string) []spot {
	if d.root == nil {
		return nil
	}
	var found []spot
	d.walk(nil, d.root, strings.Split(path, "/"), &found)
	return found
}

func (d document) walk(key, n *yaml.Node, path []string, found *[]spot) {
	if len(path) == 0 {
		*found = append(*found, spot{d, key, n})
		return
	}
	step, rest := path[0], path[1:]
	if step == "**" {
		d.walk(key, n, rest, found)
		rest = path
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if step == "*" || step == "**" || n.Content[i].Value == step {
				d.walk(n.Content[i], n.Content[i+1], rest, found)
			}
		}
	case yaml.SequenceNode:
		if step == "*" || step == "**" {
			for _, element := range n.Content {
				d.walk(nil, element, rest, found)
			}
		}
	}
}

// inner returns the document that stands in a literal block scalar.
func (s spot) inner() (document, bool) {
	if s.value.Kind != yaml.ScalarNode || s.value.Style != yaml.LiteralStyle {
		return document{}, false
	}
	var n yaml.Node
	if yaml.Unmarshal([]byte(s.value.Value), &n) != nil || len(n.Content) != 1 {
		return document{}, false
	}
	return document{path: s.path, text: s.text, root: n.Content[0], shift: s.shift + s.value.Line}, true
}

// subject is a root and its own kustomization file.
type subject struct {
	tree *Tree
	dir  string
	document
}

// subject returns the root in a folder; false where its file does not parse.
func (t *Tree) subject(dir string) (subject, bool) {
	for _, name := range kustomization.FileNames() {
		path := filepath.Join(dir, name)
		if documents := t.documents(path); len(documents) > 0 && documents[0].root.Kind == yaml.MappingNode {
			return subject{t, dir, documents[0]}, true
		}
	}
	return subject{}, false
}

// files returns the documents of the files in this tree that the values at a path
// of the kustomization name.
func (s subject) files(path string) []document {
	var all []document
	for _, named := range s.find(path) {
		if named.value.Kind == yaml.ScalarNode && !strings.Contains(named.value.Value, "\n") {
			all = append(all, s.tree.documents(filepath.Join(s.dir, named.value.Value))...)
		}
	}
	return all
}

// patches returns the documents of all patches of a form: mappings are strategic
// merge patches, sequences are JSON6902 ones.
func (s subject) patches(form yaml.Kind) []document {
	var all []document
	for _, field := range []string{"patches/*/path", "patchesStrategicMerge/*", "patchesJson6902/*/path"} {
		all = append(all, s.files(field)...)
	}
	for _, field := range []string{"patches/*/patch", "patchesStrategicMerge/*", "patchesJson6902/*/patch"} {
		for _, inline := range s.find(field) {
			if d, ok := inline.inner(); ok {
				all = append(all, d)
			}
		}
	}
	var of []document
	for _, d := range all {
		if d.root.Kind == form {
			of = append(of, d)
		}
	}
	return of
}

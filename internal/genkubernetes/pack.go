package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// pack makes the archive. Its members hold lines of fields separated by tabs:
//
//	versions             the minor version and the tag it was made from, the oldest first
//	kinds                apiVersion, kind, definition, mask
//	lives                apiVersion, kind, minor of the deprecation, minor of the removal, successor's apiVersion and kind
//	structure/PACKAGE    definition, mask, JSON Schema with "reference" in place of $ref
//	text/PACKAGE         definition, mask, JSON of the descriptions by field
//
// A mask has a bit for every version in which the line holds, in hexadecimal, the lowest bit for the oldest: what does
// not change from version to version is there once. A package is a definition's name without its last word.
func pack(all []*release) ([]byte, error) {
	members := map[string]*lines{"versions": {}, "kinds": {}, "lives": {}}
	member := func(name string) *lines {
		if members[name] == nil {
			members[name] = &lines{}
		}
		return members[name]
	}
	for i, r := range all {
		members["versions"].add(1<<i, r.minor+"\t"+r.tag)
		for name, d := range r.definitions {
			for _, k := range d.kinds {
				members["kinds"].add(1<<i, k.apiVersion()+"\t"+k.Kind+"\t"+name)
			}
			folder := name[:strings.LastIndexByte(name, '.')]
			for kind, content := range map[string]any{"structure/": d.schema, "text/": d.text} {
				encoded, err := marshal(content)
				if err != nil {
					return nil, err
				}
				member(kind+folder).addSplit(1<<i, name, encoded)
			}
		}
	}
	for kind, l := range livesOf(all) {
		if l.removed > 0 {
			members["lives"].add(0, fmt.Sprintf("%s\t%s\t%d\t%d\t%s\t%s",
				kind.apiVersion(), kind.Kind, l.deprecated, l.removed, l.successor.apiVersion(), l.successor.Kind))
		}
	}
	return compress(members)
}

// livesOf takes the newest word on every kind; older ones know kinds whose types are gone.
func livesOf(all []*release) map[groupVersionKind]life {
	lives := maps.Clone(written)
	for _, r := range all {
		for kind, l := range r.lives {
			if !strings.HasSuffix(kind.Kind, "List") {
				lives[kind] = l
			}
		}
	}
	return lives
}

// written are the lives of kinds whose Go types are in other modules, or nowhere any more:
// https://kubernetes.io/docs/reference/using-api/deprecation-guide/
var written = map[groupVersionKind]life{
	{"apiextensions.k8s.io", "v1beta1", "CustomResourceDefinition"}: {
		16, 22, groupVersionKind{"apiextensions.k8s.io", "v1", "CustomResourceDefinition"}},
	{"apiregistration.k8s.io", "v1beta1", "APIService"}: {
		19, 22, groupVersionKind{"apiregistration.k8s.io", "v1", "APIService"}},
	{"policy", "v1beta1", "PodSecurityPolicy"}:     {deprecated: 21, removed: 25},
	{"extensions", "v1beta1", "PodSecurityPolicy"}: {deprecated: 11, removed: 16},
	{"autoscaling", "v2beta1", "HorizontalPodAutoscaler"}: {
		22, 25, groupVersionKind{"autoscaling", "v2", "HorizontalPodAutoscaler"}},
	{"autoscaling", "v2beta2", "HorizontalPodAutoscaler"}: {
		23, 26, groupVersionKind{"autoscaling", "v2", "HorizontalPodAutoscaler"}},
}

// lines are lines and the versions in which they hold.
type lines struct{ masks map[string]uint }

func (l *lines) add(mask uint, line string) {
	if l.masks == nil {
		l.masks = map[string]uint{}
	}
	l.masks[line] |= mask
}

// addSplit keeps the mask's place between a name and its content.
func (l *lines) addSplit(mask uint, name string, content []byte) {
	l.add(mask, name+"\t%MASK%\t"+string(content))
}

func (l *lines) text() string {
	var b strings.Builder
	for _, line := range slices.Sorted(maps.Keys(l.masks)) {
		mask := fmt.Sprintf("%x", l.masks[line])
		if before, after, ok := strings.Cut(line, "%MASK%"); ok {
			line = before + mask + after
		} else if l.masks[line] != 0 {
			line += "\t" + mask
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// marshal gives JSON without escapes that nobody needs here; it has neither tabs nor ends of lines.
func marshal(content any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(content)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// compress makes a zip archive that depends on nothing but its content.
func compress(members map[string]*lines) ([]byte, error) {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, name := range slices.Sorted(maps.Keys(members)) {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		if _, err := io.WriteString(w, members[name].text()); err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return b.Bytes(), err
}

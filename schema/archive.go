package schema

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// compressed is written by internal/genkubernetes, whose pack.go tells its form.
//
//go:embed kubernetes.zip
var compressed []byte

// archive gives the members of the embedded data.
type archive struct{ files map[string]*zip.File }

func openArchive() (*archive, error) {
	reader, err := zip.NewReader(bytes.NewReader(compressed), int64(len(compressed)))
	if err != nil {
		return nil, fmt.Errorf("the embedded schemas: %w", err)
	}
	a := &archive{map[string]*zip.File{}}
	for _, file := range reader.File {
		a.files[file.Name] = file
	}
	return a, nil
}

// lines returns the lines of a member, each split at its tabs; none where there
// is no such member.
func (a *archive) lines(name string) ([][]string, error) {
	file := a.files[name]
	if file == nil {
		return nil, nil
	}
	member, err := file.Open()
	if err != nil {
		return nil, fmt.Errorf("the embedded schemas, %s: %w", name, err)
	}
	content, err := io.ReadAll(member)
	if err != nil {
		return nil, fmt.Errorf("the embedded schemas, %s: %w", name, err)
	}
	var lines [][]string
	for line := range strings.Lines(string(content)) {
		lines = append(lines, strings.Split(strings.TrimSuffix(line, "\n"), "\t"))
	}
	return lines, nil
}

func (a *archive) versions() ([]string, error) {
	lines, err := a.lines("versions")
	var versions []string
	for _, line := range lines {
		versions = append(versions, line[0])
	}
	return versions, err
}

// holds tells whether a line with this mask is of the version with that bit.
func holds(mask string, version uint64) bool {
	bits, err := strconv.ParseUint(mask, 16, 64)
	return err == nil && bits&version != 0
}

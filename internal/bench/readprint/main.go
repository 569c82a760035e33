// Command readprint reads every YAML file below a folder and prints its documents again with yaml.v3, one after the
// other. It does nothing that a build would have to do, so it is what a build is measured against.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	yaml "go.yaml.in/yaml/v3"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: readprint FOLDER")
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	err := readPrint(os.Args[1], out)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "readprint:", err)
		os.Exit(1)
	}
}

func readPrint(folder string, out io.Writer) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return printDocuments(text, out)
	})
}

func printDocuments(text []byte, out io.Writer) error {
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		printed, err := yaml.Marshal(&document)
		if err != nil {
			return err
		}
		if _, err := out.Write(append([]byte("---\n"), printed...)); err != nil {
			return err
		}
	}
}

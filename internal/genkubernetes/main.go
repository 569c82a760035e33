// Command genkubernetes writes schema/kubernetes.zip, the data of package schema: what Kubernetes' OpenAPI says of
// every kind in each of the versions named here, the enumerations and the life of API versions, which only the Go
// source tells. It is run by hand, downloads the pinned modules through the go command, and gives the same bytes
// whenever it is run.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// releases are the versions to keep, the oldest first: k8s.io/kubernetes at v1.X.Y, and k8s.io/api, where the types
// are, at v0.X.Y.
var releases = []string{"30.14", "31.14", "32.13", "33.13", "34.4", "35.4", "36.3"}

func main() {
	output := flag.String("o", filepath.Join("schema", "kubernetes.zip"), "the file to write")
	flag.Parse()
	if err := run(*output); err != nil {
		fmt.Fprintln(os.Stderr, "genkubernetes:", err)
		os.Exit(1)
	}
}

func run(output string) error {
	var all []*release
	for _, version := range releases {
		r, err := load(version)
		if err != nil {
			return err
		}
		all = append(all, r)
	}
	relaxRequired(all)
	archive, err := pack(all)
	if err != nil {
		return err
	}
	fmt.Printf("%s: %d bytes\n", output, len(archive))
	return os.WriteFile(output, archive, 0o644)
}

// release is what one version of Kubernetes says.
type release struct {
	minor       string // 1.36
	tag         string // v1.36.3
	definitions map[string]*definition
	lives       map[groupVersionKind]life
}

func load(version string) (*release, error) {
	kubernetes, err := download("k8s.io/kubernetes@v1." + version)
	if err != nil {
		return nil, err
	}
	definitions, err := readOpenAPI(filepath.Join(kubernetes, "api", "openapi-spec", "swagger.json"))
	if err != nil {
		return nil, err
	}
	api, err := download("k8s.io/api@v0." + version)
	if err != nil {
		return nil, err
	}
	source, err := readSource(api)
	if err != nil {
		return nil, err
	}
	addEnums(definitions, source.enums)
	minor, _, _ := strings.Cut(version, ".")
	return &release{"1." + minor, "v1." + version, definitions, source.lives}, nil
}

// download returns the folder of a module in the module cache.
func download(module string) (string, error) {
	var stdout, stderr bytes.Buffer
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Stdout, command.Stderr = &stdout, &stderr
	runErr := command.Run()
	var answer struct{ Dir, Error string }
	if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
		return "", errors.Join(runErr, err, errors.New(stderr.String()))
	}
	if answer.Error != "" || answer.Dir == "" {
		return "", fmt.Errorf("%s: %s", module, answer.Error)
	}
	return answer.Dir, nil
}

package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/kustomize-lsp/kls"

// layers says which top-level folders a package may import from, its own included. What is not named here imports
// nothing of ours.
var layers = map[string][]string{
	"cmd":      {"cmd", "lsp", "analysis", "schema", "engine", "docs"},
	"lsp":      {"lsp", "analysis", "engine"},
	"analysis": {"analysis", "schema", "engine"},
	"schema":   {"schema", "engine"},
	"engine":   {"engine"},
	"internal": {"internal", "analysis", "schema", "engine"},
}

// engineOrder lists the engine's packages from the bottom up: each imports only those before it in this list.
var engineOrder = []string{
	"engine/parallel",
	"engine/text",
	"engine/jsonpointer",
	"engine/equal",
	"engine/vfs",
	"engine/scalar",
	"engine/syntax",
	"engine/kubernetes",
	"engine/fieldpath",
	"engine/textmerge",
	"engine/kustomization",
	"engine/resource",
	"engine/patch",
	"engine/render",
	"engine/gitrepo",
	"engine/trace",
	"engine/problem",
	"engine/selector",
	"engine/accumulator",
	"engine/load",
	"engine/advice",
	"engine/memo",
	"engine/transform",
	"engine/builder",
	"engine/applicationset",
	"engine/deployment",
	"engine/external",
}

// rooms says what each package of analysis imports from analysis: all crossings there are. Rooms that do not name each
// other stand side by side.
var rooms = map[string][]string{
	"analysis":               {"analysis/config"},
	"analysis/affected":      {"analysis", "analysis/config"},
	"analysis/baseline":      {},
	"analysis/config":        {},
	"analysis/deployments":   {"analysis", "analysis/config", "analysis/diff", "analysis/explain"},
	"analysis/diff":          {},
	"analysis/edit":          {"analysis"},
	"analysis/explain":       {},
	"analysis/fixture":       {"analysis", "analysis/config", "analysis/deployments"},
	"analysis/graph":         {"analysis"},
	"analysis/linediff":      {},
	"analysis/rewrite":       {"analysis/affected", "analysis/config", "analysis/deployments", "analysis/explain"},
	"analysis/rules":         {"analysis", "analysis/rules/pods"},
	"analysis/rules/pods":    {},
	"analysis/workspace":     {"analysis", "analysis/config", "analysis/deployments", "analysis/linediff"},
	"analysis/ide/markdown":  {"analysis/linediff"},
	"analysis/ide/change":    {"analysis/explain", "analysis/ide/preview", "analysis/rewrite", "analysis/workspace"},
	"analysis/ide/cursor":    {"analysis", "analysis/explain", "analysis/workspace"},
	"analysis/ide/annotate":  {"analysis", "analysis/ide/cursor", "analysis/ide/markdown", "analysis/workspace"},
	"analysis/ide/include":   {"analysis", "analysis/graph", "analysis/ide/cursor", "analysis/ide/structure", "analysis/workspace"},
	"analysis/ide/deployed":  {"analysis", "analysis/deployments", "analysis/diff", "analysis/ide/cursor", "analysis/ide/markdown", "analysis/workspace"},
	"analysis/ide/structure": {"analysis", "analysis/edit", "analysis/ide/cursor", "analysis/workspace"},
	"analysis/ide/action":    {"analysis", "analysis/edit", "analysis/ide/cursor", "analysis/rewrite", "analysis/workspace"},
	"analysis/ide/complete":  {"analysis", "analysis/config", "analysis/ide/cursor", "analysis/ide/markdown", "analysis/workspace"},
	"analysis/ide/preview":   {"analysis", "analysis/config", "analysis/deployments", "analysis/explain", "analysis/ide/markdown", "analysis/workspace"},
	"analysis/ide":           {"analysis", "analysis/explain", "analysis/ide/cursor", "analysis/ide/deployed", "analysis/ide/markdown", "analysis/workspace"},
}

// owners says who alone may import a package, or, with a slash at the end, anything below a path. Owners are folders,
// and speak for what is below them; an empty list means nobody. Tests are free.
var owners = map[string][]string{
	// One package knows the protocol, one validates JSON Schema, one has flags.
	"go.lsp.dev/":                            {"lsp"},
	"github.com/santhosh-tekuri/jsonschema/": {"schema"},
	"github.com/spf13/":                      {"cmd"},

	// One package substitutes Flux's variables, one expands Argo CD's templates.
	"github.com/fluxcd/":      {"engine/deployment"},
	"github.com/Masterminds/": {"engine/applicationset"},

	// The engine is handed its files. Disk, processes and the network have few doors; the editor's socket is one.
	"os":       {"engine/vfs", "engine/external", "cmd", "analysis/fixture", "internal"},
	"os/exec":  {"engine/external", "cmd", "internal"},
	"os/user":  {},
	"plugin":   {},
	"syscall":  {"engine/external", "engine/vfs", "cmd", "internal"},
	"net":      {"engine/external", "lsp", "cmd"},
	"net/http": {"engine/external"},

	// Nothing logs unless it was given a logger.
	"log": {"cmd", "internal"},

	// kustomize's own packages keep global state and know no spans: they run functions and charts, and are the oracle
	// of tests.
	"sigs.k8s.io/": {"engine/external", "internal"},

	// A panic in a goroutine of an errgroup ends the process; engine/parallel has the loops.
	"golang.org/x/sync/": {},

	// The same library under its old path has other types.
	"gopkg.in/": {},

	"testing":                   {"analysis/fixture", "internal"},
	"golang.org/x/tools/txtar":  {"analysis/fixture", "internal"},
	"github.com/google/go-cmp/": {"analysis/fixture", "internal"},
}

func TestImports(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		for _, imported := range p.Imports {
			if reason := refuse(name, imported); reason != "" {
				t.Errorf("%s imports %s: %s", name, imported, reason)
			}
		}
	}
}

func TestEngineOrderIsComplete(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		if strings.HasPrefix(name, "engine/") && enginePlace(name) < 0 {
			t.Errorf("%s has no place in engineOrder", name)
		}
	}
}

func TestRoomsAreComplete(t *testing.T) {
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module+"/")
		if _, listed := rooms[name]; !listed && strings.HasPrefix(name+"/", "analysis/") {
			t.Errorf("%s is not among the rooms of analysis", name)
		}
		for _, target := range rooms[name] {
			if !slices.Contains(p.Imports, module+"/"+target) {
				t.Errorf("%s does not import %s any more", name, target)
			}
		}
	}
}

// maxRoom is how many lines of Go, without tests, a package of analysis may have.
const maxRoom = 5000

func TestRoomsAreSmall(t *testing.T) {
	for _, p := range listPackages(t) {
		if !strings.HasPrefix(p.ImportPath, module+"/analysis") {
			continue
		}
		lines := 0
		for _, name := range p.GoFiles {
			content, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			lines += bytes.Count(content, []byte("\n"))
		}
		if lines > maxRoom {
			t.Errorf("%s has %d lines, more than %d: what in it is a room of its own?", p.ImportPath, lines, maxRoom)
		}
	}
}

// TestTableRefuses holds the table itself: a table that allows everything would pass the tests above.
func TestTableRefuses(t *testing.T) {
	for _, pair := range [][2]string{
		{"engine/builder", module + "/analysis"},
		{"engine/syntax", module + "/engine/builder"},
		{"analysis/rules", module + "/lsp"},
		{"schema", module + "/analysis"},
		{"analysis/ide", "go.lsp.dev/protocol"},
		{"analysis", "github.com/santhosh-tekuri/jsonschema/v5"},
		{"engine/transform", module + "/engine/builder"},
		{"engine/advice", module + "/engine/transform"},
		{"engine/load", module + "/engine/advice"},
		{"engine/builder", "os"},
		{"engine/builder", "sigs.k8s.io/kustomize/kyaml/yaml"},
		{"engine/vfs", "os/exec"},
		{"analysis/ide/action", module + "/analysis/ide/preview"},
		{"analysis/workspace", module + "/analysis/ide/cursor"},
		{"lsp", "log"},
		{"cmd/kls", "gopkg.in/yaml.v3"},
	} {
		if refuse(pair[0], pair[1]) == "" {
			t.Errorf("%s may import %s", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{
		{"engine/builder", module + "/engine/syntax"},
		{"engine/vfs", "os"},
		{"lsp", "go.lsp.dev/protocol"},
		{"cmd/kls", module + "/lsp"},
		{"engine/builder", "io/fs"},
	} {
		if reason := refuse(pair[0], pair[1]); reason != "" {
			t.Errorf("%s may not import %s: %s", pair[0], pair[1], reason)
		}
	}
}

// refuse returns why a package, named by its folder, may not import another, or the empty string.
func refuse(name, imported string) string {
	if ours, ok := strings.CutPrefix(imported, module+"/"); ok {
		return refuseOurs(name, ours)
	}
	for path, allowed := range owners {
		if !covers(path, imported) {
			continue
		}
		if !slices.ContainsFunc(allowed, func(folder string) bool { return covers(folder+"/", name+"/") }) {
			return "only " + strings.Join(allowed, ", ") + " may"
		}
	}
	return ""
}

func refuseOurs(name, imported string) string {
	layer, _, _ := strings.Cut(name, "/")
	target, _, _ := strings.Cut(imported, "/")
	if !slices.Contains(layers[layer], target) {
		return layer + " imports from " + strings.Join(layers[layer], ", ") + " only"
	}
	if layer == "analysis" && target == "analysis" && !slices.Contains(rooms[name], imported) {
		return "rooms does not name that crossing"
	}
	if layer == "engine" && enginePlace(imported) >= enginePlace(name) {
		return "it does not stand before it in engineOrder"
	}
	return ""
}

// covers tells whether the path is the imported one or, where it ends with a slash, above it.
func covers(path, imported string) bool {
	return path == imported || strings.HasSuffix(path, "/") && strings.HasPrefix(imported, path)
}

// enginePlace returns where a package stands in engineOrder; one below a listed package stands with it.
func enginePlace(name string) int {
	return slices.IndexFunc(engineOrder, func(listed string) bool { return covers(listed+"/", name+"/") })
}

type goPackage struct {
	ImportPath, Dir  string
	GoFiles, Imports []string // without tests
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	tellCache(t)
	command := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,Imports", module+"/...")
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(printed))); ; {
		var p goPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	if len(packages) < 5 {
		t.Fatalf("go list knows only %d packages", len(packages))
	}
	return packages
}

// tellCache looks into every folder, so that `go test` sees what this test depends on and does not give the result of
// another tree from its cache: it follows what a test opens, and not what a process that it starts does.
func tellCache(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == ".git" || entry.Name() == "node_modules") {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

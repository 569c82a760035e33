package external_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/render"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// allowed is a configuration that allows repositories and files, with a cache of
// the test's own.
func allowed(t *testing.T) external.Config {
	t.Helper()
	return external.Config{EnableRemote: true, CacheDir: t.TempDir()}
}

// tree writes a txtar archive into a new folder, with $NAME replaced, and returns
// the folder.
func tree(t *testing.T, archive string, variables ...string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, archive, variables...)
	return dir
}

func write(t *testing.T, dir, archive string, variables ...string) {
	t.Helper()
	files := txtar.Parse([]byte(strings.NewReplacer(variables...).Replace(archive))).Files
	if len(files) == 0 {
		t.Fatalf("no files in %q", archive)
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		mode := os.FileMode(0o644)
		if strings.HasPrefix(string(f.Data), "#!") {
			mode = 0o755
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, f.Data, mode)); err != nil {
			t.Fatal(err)
		}
	}
}

// outcome is what a build gives: its output, or that it was refused and why.
type outcome struct {
	output  string
	refused bool
	why     string
	unknown bool
}

func ours(t *testing.T, dir string, config external.Config, options builder.Options) outcome {
	t.Helper()
	return oursWith(t, dir, external.New(config), options)
}

func oursWith(t *testing.T, dir string, runner builder.Outside, options builder.Options) outcome {
	t.Helper()
	options.Outside = runner
	if options.Reorder == "" {
		options.Reorder = load.ReorderNone // krusty's default
	}
	result, err := builder.NewSession(vfs.NewSnapshot(vfs.Disk())).Build(context.Background(), dir, options)
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{refused: result.Failed(), unknown: result.Unknown}
	for _, p := range result.Problems {
		o.why += fmt.Sprintf("%s: %s %s\n", p.Code, p.Message, p.Help)
	}
	if o.refused || o.unknown {
		return o
	}
	output, err := result.YAML(context.Background())
	if refusal := new(render.Refusal); errors.As(err, &refusal) {
		return outcome{refused: true, why: refusal.Detail}
	} else if err != nil {
		t.Fatal(err)
	}
	o.output = string(output)
	return o
}

func theirs(t *testing.T, dir string, change func(*krusty.Options)) outcome {
	t.Helper()
	options := krusty.MakeDefaultOptions()
	if change != nil {
		change(options)
	}
	resources, err := krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), dir)
	if err != nil {
		return outcome{refused: true, why: err.Error()}
	}
	output, err := resources.AsYaml()
	if err != nil {
		return outcome{refused: true, why: err.Error()}
	}
	return outcome{output: string(output)}
}

// same holds ours against theirs: the same bytes, or both refuse. A refusal that
// the test does not expect is a mistake in the test.
func same(t *testing.T, ours, theirs outcome, refused bool) {
	t.Helper()
	if theirs.refused != refused {
		t.Fatalf("kustomize refused: %v, unlike what the test expects; %s", theirs.refused, theirs.why)
	}
	if ours.refused != theirs.refused || ours.unknown {
		t.Fatalf("refused: ours %v (unknown: %v), theirs %v\n--- ours\n%s--- theirs\n%s", ours.refused, ours.unknown, theirs.refused, ours.why, theirs.why)
	}
	if diff := cmp.Diff(theirs.output, ours.output); diff != "" {
		t.Errorf("output (-kustomize +kls)\n%s", diff)
	}
}

// plugins makes krusty run functions and charts.
func plugins(helm string) func(*krusty.Options) {
	return func(o *krusty.Options) {
		o.PluginConfig = types.EnabledPluginConfig(types.BploUseStaticallyLinked)
		o.PluginConfig.FnpLoadingOptions.EnableExec = true
		o.PluginConfig.HelmConfig.Command = helm
	}
}

// gitRepository makes a repository of an archive, commits it on main and returns
// its folder and the commit.
func gitRepository(t *testing.T, archive string, variables ...string) (dir, commit string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "repo.git")
	write(t, dir, archive, variables...)
	inGit(t, dir, "init", "--quiet", "--initial-branch=main")
	return dir, commitAll(t, dir)
}

func commitAll(t *testing.T, dir string) (commit string) {
	t.Helper()
	inGit(t, dir, "add", ".")
	inGit(t, dir, "commit", "--quiet", "-m", "a state")
	return strings.TrimSpace(inGit(t, dir, "rev-parse", "HEAD"))
}

func inGit(t *testing.T, dir string, arguments ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	command := exec.Command("git", arguments...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b",
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
	return string(out)
}

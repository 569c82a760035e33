package external_test

import (
	"context"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/gitrepo"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/types"
)

const repository = `
-- kustomization.yaml --
resources: [cm.yaml]
-- cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: root}
-- base/kustomization.yaml --
resources: [cm.yaml]
configMapGenerator:
- name: generated
  literals: [a=b]
-- base/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: base}
-- overlay/kustomization.yaml --
resources: [../base]
namePrefix: over-
-- component/kustomization.yaml --
apiVersion: kustomize.config.k8s.io/v1alpha1
kind: Component
nameSuffix: -c
-- above/kustomization.yaml --
resources: [../cm.yaml]
-- outside/kustomization.yaml --
resources: [../../elsewhere]
-- self/kustomization.yaml --
resources: ["file://$ROOT//self"]
-- mutual/kustomization.yaml --
resources: ["file://$ROOT//overlay"]
`

func TestRepositoryOnDisk(t *testing.T) {
	dir, first := gitRepository(t, repository)
	write(t, dir, repository, "$ROOT", dir)
	if err := os.Symlink("/tmp", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	commitAll(t, dir)
	inGit(t, dir, "tag", "-a", "v1", "-m", "first")
	inGit(t, dir, "checkout", "--quiet", "-b", "feature/x")
	write(t, dir, "-- cm.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: branch}\n")
	commitAll(t, dir)
	inGit(t, dir, "checkout", "--quiet", "main")
	config := allowed(t)
	for _, test := range []struct {
		name, kustomization string
		refused             bool
	}{
		{"default branch", `resources: ["file://$ROOT"]`, false},
		{"a folder", `resources: ["file://$ROOT/overlay"]`, false},
		{"a folder after two slashes", `resources: ["file://$ROOT//overlay"]`, false},
		{"a branch", `resources: ["file://$ROOT?ref=feature/x"]`, false},
		{"a tag", `resources: ["file://$ROOT/base?ref=v1&timeout=20s"]`, false},
		{"version", `resources: ["file://$ROOT?version=feature%2Fx&submodules=0"]`, false},
		{"a commit", `resources: ["file://$ROOT?ref=$FIRST"]`, false},
		{"two of them", `resources: ["file://$ROOT", "file://$ROOT//overlay", "file://$ROOT?ref=feature/x"]`, false},
		{"twice the same", `resources: ["file://$ROOT", "file://$ROOT"]`, true},
		{"a component", `{resources: ["file://$ROOT//base"], components: ["file://$ROOT//component"]}`, false},
		{"a component as resource", `resources: ["file://$ROOT//component"]`, true},
		{"a base as component", `components: ["file://$ROOT//base"]`, true},
		{"a repository in a repository", `resources: ["file://$ROOT//mutual"]`, false},
		{"a repository in itself", `resources: ["file://$ROOT//self"]`, true},
		{"a file above the folder", `resources: ["file://$ROOT//above"]`, true},
		{"a base outside", `resources: ["file://$ROOT//outside"]`, true},
		{"a link out", `resources: ["file://$ROOT//link"]`, true},
		{"a path out", `resources: ["file://$ROOT//../x"]`, true},
		{"a file", `resources: ["file://$ROOT//cm.yaml"]`, true},
		{"no such folder", `resources: ["file://$ROOT//nothing"]`, true},
		{"no such ref", `resources: ["file://$ROOT?ref=nothing"]`, true},
		{"no such repository", `resources: ["file://$ROOT/../nothing.git"]`, true},
		{"origins", `{resources: ["file://$ROOT//overlay?ref=v1", "file://$ROOT"], buildMetadata: [originAnnotations, transformerAnnotations], nameSuffix: -x}`, false},
		{"origins of a component", `{components: ["file://$ROOT//component?ref=v1"], resources: ["file://$ROOT//base"], buildMetadata: [originAnnotations, transformerAnnotations]}`, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			here := tree(t, "-- kustomization.yaml --\n"+test.kustomization+"\n", "$ROOT", dir, "$FIRST", first)
			// A clone is kept to itself even where nothing else is.
			restriction := types.LoadRestrictionsNone
			same(t, ours(t, here, config, builder.Options{LoadRestrictor: restriction.String()}),
				theirs(t, here, func(o *krusty.Options) { o.LoadRestrictions = restriction }), test.refused)
		})
	}
}

// A repository can also be what is built.
func TestRepositoryAsRoot(t *testing.T) {
	dir, _ := gitRepository(t, repository)
	for _, url := range []string{"file://" + dir, "file://" + dir + "//overlay"} {
		same(t, ours(t, url, allowed(t), builder.Options{}), theirs(t, url, nil), false)
	}
	if o := ours(t, "file://"+dir, external.Config{}, builder.Options{}); !o.unknown || o.refused {
		t.Errorf("without permission: %+v", o)
	}
}

func TestSubmodules(t *testing.T) {
	t.Setenv("GIT_CONFIG_COUNT", "1")
	t.Setenv("GIT_CONFIG_KEY_0", "protocol.file.allow")
	t.Setenv("GIT_CONFIG_VALUE_0", "always")
	inner, _ := gitRepository(t, repository)
	outer, _ := gitRepository(t, "-- kustomization.yaml --\nresources: [sub/base]\n")
	inGit(t, outer, "submodule", "add", "--quiet", inner, "sub")
	commitAll(t, outer)
	config := allowed(t)
	for query, refused := range map[string]bool{"": false, "?submodules=true": false, "?submodules=false": true} {
		here := tree(t, "-- kustomization.yaml --\nresources: [\"file://"+outer+query+"\"]\n")
		same(t, ours(t, here, config, builder.Options{}), theirs(t, here, nil), refused)
	}
}

// A hook runs with variables that tie git to the repository that it is a hook of.
func TestRepositoryInHook(t *testing.T) {
	dir, _ := gitRepository(t, repository)
	victim, _ := gitRepository(t, "-- file --\n")
	before := inGit(t, victim, "remote", "-v")
	here := tree(t, "-- kustomization.yaml --\nresources: [\"file://"+dir+"\"]\n")
	want := theirs(t, here, nil)
	t.Setenv("GIT_DIR", filepath.Join(victim, ".git"))
	t.Setenv("GIT_INDEX_FILE", filepath.Join(victim, ".git", "index"))
	same(t, ours(t, here, allowed(t), builder.Options{}), want, false)
	if after := inGit(t, victim, "remote", "-v"); after != before {
		t.Errorf("the hook's own repository was changed: %s", after)
	}
}

// gitServer serves the repositories in a folder over git's http protocol, and
// counts the requests.
func gitServer(t *testing.T, folder string) (address string, requests *atomic.Int64, stop func()) {
	t.Helper()
	out, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Skip("git is not installed")
	}
	backend := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, err := os.Stat(backend); err != nil {
		t.Skip("git has no http-backend here")
	}
	requests = new(atomic.Int64)
	handler := &cgi.Handler{Path: backend, Env: []string{"GIT_PROJECT_ROOT=" + folder, "GIT_HTTP_EXPORT_ALL=1"}, Stderr: io.Discard}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, requests, server.Close
}

func TestRepositoryOverHTTP(t *testing.T) {
	dir, commit := gitRepository(t, repository)
	inGit(t, dir, "config", "uploadpack.allowAnySHA1InWant", "true")
	address, requests, stop := gitServer(t, filepath.Dir(dir))
	config := allowed(t)
	pinned := tree(t, "-- kustomization.yaml --\nresources: [\""+address+"/repo.git//overlay?ref="+commit+"\"]\n")
	branch := tree(t, "-- kustomization.yaml --\nresources: [\""+address+"/repo.git//base?ref=main\"]\n")
	missing := tree(t, "-- kustomization.yaml --\nresources: [\""+address+"/none.git//base\"]\n")
	wantPinned, wantBranch := theirs(t, pinned, nil), theirs(t, branch, nil)
	same(t, ours(t, pinned, config, builder.Options{}), wantPinned, false)
	same(t, ours(t, branch, config, builder.Options{}), wantBranch, false)
	same(t, ours(t, missing, config, builder.Options{}), theirs(t, missing, nil), true)

	// A commit is never fetched twice, by whatever process.
	before := requests.Load()
	same(t, ours(t, pinned, config, builder.Options{}), wantPinned, false)
	if asked := requests.Load() - before; asked != 0 {
		t.Errorf("a commit in the cache cost %d requests", asked)
	}
	// A branch is asked for once by a runner, and again by the next.
	runner := external.New(config)
	oursWith(t, branch, runner, builder.Options{})
	once := requests.Load()
	if once == before {
		t.Error("a branch was not asked for again by a new runner")
	}
	oursWith(t, branch, runner, builder.Options{})
	if requests.Load() != once {
		t.Error("a branch was asked for twice by one runner")
	}
	runner.Forget()
	oursWith(t, branch, runner, builder.Options{})
	if requests.Load() == once {
		t.Error("a branch was not asked for after Forget")
	}
	stop()
	same(t, ours(t, pinned, config, builder.Options{}), wantPinned, false)
	if o := ours(t, branch, config, builder.Options{}); !o.refused || !strings.Contains(o.why, "remote-fails") {
		t.Errorf("the server is gone: %+v", o)
	}
	config.Offline = true
	same(t, ours(t, branch, config, builder.Options{}), wantBranch, false)
	if o := ours(t, missing, config, builder.Options{}); !o.unknown || o.refused || !strings.Contains(o.why, "offline") {
		t.Errorf("what offline mode cannot give is unknown: %+v", o)
	}
}

func TestRefIsNoOption(t *testing.T) {
	dir, _ := gitRepository(t, repository)
	proof := filepath.Join(t.TempDir(), "proof")
	here := tree(t, "-- kustomization.yaml --\nresources: [\"file://"+dir+"?ref=--upload-pack=touch%20"+proof+"\"]\n")
	if o := ours(t, here, allowed(t), builder.Options{}); !o.refused || !strings.Contains(o.why, "begins with a dash") {
		t.Errorf("%+v", o)
	}
	if _, err := os.Stat(proof); err == nil {
		t.Error("a ref ran a program")
	}
}

func TestWithoutPermission(t *testing.T) {
	dir, _ := gitRepository(t, repository)
	for _, entry := range []string{`resources: ["file://$ROOT"]`, `components: ["file://$ROOT"]`, `resources: ["https://localhost:1/a.yaml"]`,
		`{resources: ["file://$ROOT"], patches: [{path: "https://localhost:1/p.yaml"}]}`} {
		here := tree(t, "-- kustomization.yaml --\n"+entry+"\n", "$ROOT", dir)
		o := ours(t, here, external.Config{CacheDir: filepath.Join(t.TempDir(), "cache")}, builder.Options{})
		if o.refused || !o.unknown || !strings.Contains(o.why, "remote-not-loaded") || !strings.Contains(o.why, "--enable-remote") {
			t.Errorf("%s: %+v", entry, o)
		}
	}
}

func TestGitTimeout(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/info/refs") {
			<-release
			return
		}
		http.NotFound(w, r)
	}))
	defer server.Close()
	defer close(release)
	here := tree(t, "-- kustomization.yaml --\nresources: [\""+server.URL+"/repo.git?timeout=700ms\"]\n")
	start := time.Now()
	if o := ours(t, here, allowed(t), builder.Options{}); !o.refused || !strings.Contains(o.why, "did not end within 700ms") {
		t.Errorf("%+v", o)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("it took %s", took)
	}
}

// A build that is cancelled leaves nothing behind that the next would trip over.
func TestCancelledFetch(t *testing.T) {
	dir, _ := gitRepository(t, repository)
	runner := external.New(allowed(t))
	url, ok := gitrepo.Parse("file://" + dir)
	if !ok {
		t.Fatal("no repository")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := runner.Repository(ctx, url); err == nil {
		t.Fatal("a cancelled fetch succeeded")
	}
	root, err := runner.Repository(context.Background(), url)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "kustomization.yaml")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
		t.Error("git's own folder is part of the result")
	}
}

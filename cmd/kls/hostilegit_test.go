package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hostileSettings are lines of a git configuration, each with a program that git
// may be made to run; $RUN stands for a command that leaves a marker.
var hostileSettings = map[string]string{
	"filter.clean":           "[filter \"f\"]\n\tclean = $RUN\n",
	"filter.process":         "[filter \"f\"]\n\tprocess = $RUN\n",
	"filter.smudge":          "[filter \"f\"]\n\tsmudge = $RUN\n\tclean = $RUN\n\trequired = true\n",
	"filter with =":          "[filter \"a=b\"]\n\tclean = $RUN\n[filter \"f\"]\n\tclean = $RUN\n",
	"filter in include":      "[include]\n\tpath = more\n",
	"filter in includeIf":    "[includeIf \"gitdir:**\"]\n\tpath = more\n",
	"filter in worktree":     "[extensions]\n\tworktreeConfig = true\n",
	"filter in capitals":     "[FILTER \"f\"]\n\tCLEAN = $RUN\n\tProcess = $RUN\n",
	"diff.external":          "[diff]\n\texternal = $RUN\n",
	"diff.command":           "[diff \"f\"]\n\tcommand = $RUN\n",
	"diff.textconv":          "[diff \"f\"]\n\ttextconv = $RUN\n\tbinary = true\n",
	"diff.default":           "[diff \"default\"]\n\tcommand = $RUN\n\ttextconv = $RUN\n",
	"merge.driver":           "[merge \"f\"]\n\tdriver = $RUN\n",
	"core.fsmonitor":         "[core]\n\tfsmonitor = $RUN\n",
	"core.hooksPath":         "[core]\n\thooksPath = hooks\n",
	"hook.command":           "[hook \"h\"]\n\tcommand = $RUN\n\tevent = post-index-change\n",
	"core.pager":             "[core]\n\tpager = $RUN\n[pager]\n\tdiff = $RUN\n\tls-files = $RUN\n",
	"core.editor":            "[core]\n\teditor = $RUN\n[sequence]\n\teditor = $RUN\n",
	"core.askPass":           "[core]\n\taskPass = $RUN\n[credential]\n\thelper = !$RUN\n",
	"core.sshCommand":        "[core]\n\tsshCommand = $RUN\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = ssh://x/y\n\tpromisor = true\n",
	"core.gitProxy":          "[core]\n\tgitProxy = $RUN\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = git://x/y\n\tpromisor = true\n",
	"remote.uploadpack":      "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = /\n\tpromisor = true\n\tuploadpack = $RUN\n[protocol]\n\tallow = always\n",
	"remote.ext":             "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = o\n[remote \"o\"]\n\turl = \"ext::$RUN\"\n\tpromisor = true\n[protocol \"ext\"]\n\tallow = always\n",
	"uploadpack.hook":        "[uploadpack]\n\tpackObjectsHook = $RUN\n",
	"gpg.program":            "[gpg]\n\tprogram = $RUN\n[log]\n\tshowSignature = true\n[gpg \"ssh\"]\n\tprogram = $RUN\n",
	"alias":                  "[alias]\n\tdiff = !$RUN\n\trev-parse = !$RUN\n\tconfig = !$RUN\n",
	"interactive.diffFilter": "[interactive]\n\tdiffFilter = $RUN\n",
	"alternateRefsCommand":   "[core]\n\talternateRefsCommand = $RUN\n",
	"trailer.command":        "[trailer \"t\"]\n\tcommand = $RUN\n\tcmd = $RUN\n",
	"diff.orderFile":         "[diff]\n\torderFile = fifo\n[filter \"f\"]\n\tclean = $RUN\n",
	"submodule":              "[diff]\n\tignoreSubmodules = none\n[status]\n\tsubmoduleSummary = true\n[submodule]\n\trecurse = true\n[submodule \"sub\"]\n\tactive = true\n\tupdate = !$RUN\n",
}

// hostileRepository is a repository whose configuration can be exchanged.
type hostileRepository struct {
	dir, marker string
}

// newHostileRepository makes a repository in which git has reason to run whatever its
// configuration names: each file has all attributes, the work tree differs, a hook of each
// kind is there, a submodule has a configuration of its own, and an object is missing.
func newHostileRepository(t *testing.T) hostileRepository {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	r := hostileRepository{dir, filepath.Join(t.TempDir(), "marker")}
	for name, text := range map[string]string{
		".gitattributes":          "* filter=f diff=f merge=f\n*.txt filter=a=b\n",
		"prod/kustomization.yaml": "resources: [cm.yaml]\n",
		"prod/cm.yaml":            configMapText("a"),
		"prod/gone.txt":           "this object is removed\n",
		"sub/kustomization.yaml":  "resources: [cm.yaml]\n",
		"sub/cm.yaml":             configMapText("b"),
		"more":                    "",
	} {
		r.write(t, name, text)
	}
	sub := filepath.Join(dir, "sub")
	for _, arguments := range [][]string{
		{"-C", sub, "init", "-q"}, {"-C", sub, "add", "-A"}, {"-C", sub, "commit", "-q", "-m", "sub"},
		{"-C", dir, "init", "-q"}, {"-C", dir, "add", "-A"}, {"-C", dir, "commit", "-q", "-m", "one"},
	} {
		r.git(t, arguments...)
	}
	r.git(t, "-C", dir, "rm", "-q", "-f", "--cached", "prod/gone.txt")
	object := strings.TrimSpace(r.git(t, "-C", dir, "rev-parse", "HEAD:prod/gone.txt"))
	if err := os.Remove(filepath.Join(dir, ".git", "objects", object[:2], object[2:])); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction", "pre-auto-gc", "query-watchman"} {
		r.writeMode(t, ".git/hooks/"+hook, "#!/bin/sh\n"+r.command()+"\n", 0o755)
		r.writeMode(t, "hooks/"+hook, "#!/bin/sh\n"+r.command()+"\n", 0o755)
	}
	r.touchFiles(t)
	return r
}

func configMapText(value string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: " + value + "}\n"
}

// touchFiles changes files so that their size is that of the index and only their
// contents tell that they changed.
func (r hostileRepository) touchFiles(t *testing.T) {
	t.Helper()
	r.write(t, "prod/cm.yaml", configMapText("c"))
	r.write(t, "sub/cm.yaml", configMapText("d"))
}

// command is what a setting makes git run.
func (r hostileRepository) command() string { return "touch " + r.marker }

// configure makes a text the configuration of the repository, and of its submodule.
func (r hostileRepository) configure(t *testing.T, text string) {
	t.Helper()
	text = strings.ReplaceAll(text, "$RUN", r.command())
	plain := "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
	filter := "[filter \"f\"]\n\tclean = " + r.command() + "\n"
	for _, git := range []string{".git", "sub/.git"} {
		r.write(t, git+"/config", plain+text)
		r.write(t, git+"/more", filter)
		r.write(t, git+"/config.worktree", filter)
	}
}

// embed commits nothing and writes a bare repository into prod, as a commit can
// hold one, with the same configuration and a work tree around it.
func (r hostileRepository) embed(t *testing.T, text string) {
	t.Helper()
	git, bare := filepath.Join(r.dir, ".git"), filepath.Join(r.dir, "prod")
	for _, name := range []string{"objects", "refs", "HEAD", "index", "hooks"} {
		from, to := filepath.Join(git, name), filepath.Join(bare, name)
		if err := errors.Join(os.RemoveAll(to), copyAll(from, to)); err != nil {
			t.Fatal(err)
		}
	}
	text = strings.ReplaceAll(text, "$RUN", r.command())
	r.write(t, "prod/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = "+r.dir+"\n"+text)
	r.write(t, "prod/more", "[filter \"f\"]\n\tclean = "+r.command()+"\n")
}

func copyAll(from, to string) error {
	if info, err := os.Stat(from); err == nil && info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	data, err := os.ReadFile(from)
	return errors.Join(err, os.WriteFile(to, data, 0o644))
}

func (r hostileRepository) write(t *testing.T, name, text string) {
	t.Helper()
	r.writeMode(t, name, text, 0o644)
}

func (r hostileRepository) writeMode(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode)); err != nil {
		t.Fatal(err)
	}
}

func (r hostileRepository) git(t *testing.T, arguments ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, arguments...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", arguments, err, out)
	}
	return string(out)
}

// ran tells whether the marker is there, and takes it away.
func (r hostileRepository) ran() bool { return os.Remove(r.marker) == nil }

// gitCommands are the commands that ask git something; $DIR is the folder.
var gitCommands = map[string][]string{
	"affected":            {"affected", "-C", "$DIR"},
	"affected --exact":    {"affected", "--exact", "--since", "HEAD", "-C", "$DIR"},
	"affected since fork": {"affected", "--since", "HEAD...", "-C", "$DIR"},
	"affected of a file":  {"affected", "--since", "HEAD", "-C", "$DIR", "$DIR/cm.yaml"},
	"check":               {"check", "--changed-since", "HEAD", "$DIR"},
	"check a gone file":   {"check", "$DIR/gone.txt"},
	"diff":                {"diff", "$DIR"},
	"edit fix":            {"edit", "fix", "--diff", "-C", "$DIR"},
}

func TestGitRunsNothingOfTheRepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	r := newHostileRepository(t)
	r.mustBeHostile(t)
	for _, place := range []string{"plain", "embedded"} {
		for name, text := range hostileSettings {
			r.configure(t, text)
			if place == "embedded" {
				r.configure(t, "")
				r.embed(t, text)
			}
			r.tryCommands(t, place, name)
		}
	}
}

// mustBeHostile holds that git itself runs what the repository says, so that the test
// would notice if kls had it do so.
func (r hostileRepository) mustBeHostile(t *testing.T) {
	t.Helper()
	for _, name := range []string{"filter.clean", "filter.process", "core.fsmonitor", "filter in include", "submodule"} {
		text := hostileSettings[name]
		if name == "submodule" {
			text += hostileSettings["filter.clean"]
		}
		r.configure(t, text)
		r.touchFiles(t)
		_ = exec.Command("git", "-C", r.dir, "diff", "--name-status", "HEAD").Run()
		if !r.ran() {
			t.Errorf("git itself does not run %s: the test shows nothing", name)
		}
	}
	r.embed(t, hostileSettings["filter.clean"])
	_ = exec.Command("git", "-C", filepath.Join(r.dir, "prod"), "diff", "--name-status", "HEAD", "--").Run()
	if !r.ran() {
		t.Errorf("git itself does not enter the embedded repository: the test shows nothing")
	}
	for _, name := range []string{"objects", "refs", "HEAD", "index", "hooks", "config", "more"} {
		if err := os.RemoveAll(filepath.Join(r.dir, "prod", name)); err != nil {
			t.Fatal(err)
		}
	}
}

func (r hostileRepository) tryCommands(t *testing.T, place, setting string) {
	t.Helper()
	what := place + ", " + setting
	for _, folder := range []string{"prod", "sub"} {
		dir := filepath.Join(r.dir, folder)
		for name, arguments := range gitCommands {
			if (folder == "sub" || place == "embedded") && !slices.Contains([]string{"affected", "check", "diff"}, name) {
				continue // the others start git in the same way
			}
			r.touchFiles(t)
			var all []string
			for _, a := range arguments {
				all = append(all, strings.ReplaceAll(a, "$DIR", dir))
			}
			var out bytes.Buffer
			run(context.Background(), all, streams{strings.NewReader(""), &out, &out})
			if r.ran() {
				t.Errorf("%s: kls %s in %s runs a program of the repository", what, name, folder)
			}
		}
		if source, closeIt, err := openFiles(context.Background(), dir, "HEAD"); err == nil { // as the server does
			_, _ = source.ReadFile(filepath.Join(dir, "gone.txt"))
			_, _ = source.ReadFile(filepath.Join(dir, "cm.yaml"))
			_ = closeIt()
		}
		if r.ran() {
			t.Errorf("%s: the server in %s runs a program of the repository", what, folder)
		}
	}
}

// TestAffectedPassesOverEmbeddedRepository holds that the changes are those of the
// repository around it, and that the user is told.
func TestAffectedPassesOverEmbeddedRepository(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	r := newHostileRepository(t)
	r.configure(t, "")
	r.embed(t, "")
	r.touchFiles(t)
	var out, complaint bytes.Buffer
	dir := filepath.Join(r.dir, "prod")
	if code := run(context.Background(), []string{"affected", "-C", dir}, streams{strings.NewReader(""), &out, &complaint}); code != exitOK {
		t.Fatalf("exit status %d: %s", code, complaint.String())
	}
	if !strings.HasSuffix(strings.TrimSpace(out.String()), "prod") {
		t.Errorf("affected are %q", out.String())
	}
	if want := "prod looks like a git repository of its own; kls does not enter it"; !strings.Contains(complaint.String(), want) {
		t.Errorf("it says %q", complaint.String())
	}
}

// TestGitIsNotLedElsewhere holds that variables, as they are set in a hook, and a
// configured work tree do not make kls read another repository.
func TestGitIsNotLedElsewhere(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git here")
	}
	other, r := newHostileRepository(t), newHostileRepository(t)
	other.configure(t, hostileSettings["filter.clean"])
	r.configure(t, "")
	for name, value := range map[string]string{
		"GIT_DIR": filepath.Join(other.dir, ".git"), "GIT_WORK_TREE": other.dir, "GIT_INDEX_FILE": filepath.Join(other.dir, ".git", "index"),
		"GIT_EXTERNAL_DIFF": other.command(), "GIT_PAGER": other.command(), "GIT_SSH_COMMAND": other.command(),
		"GIT_CONFIG_PARAMETERS": "'filter.f.clean=" + other.command() + "'", "GIT_CONFIG": filepath.Join(other.dir, ".git", "config"),
		"GIT_ATTR_SOURCE": "HEAD", "GIT_TRACE": filepath.Join(t.TempDir(), "trace"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			var out bytes.Buffer
			code := run(context.Background(), []string{"affected", "-C", filepath.Join(r.dir, "prod")}, streams{strings.NewReader(""), &out, &out})
			if code != exitOK || !strings.HasSuffix(strings.TrimSpace(out.String()), "prod") || other.ran() {
				t.Errorf("exit status %d, %s", code, out.String())
			}
			if _, err := os.Stat(value); name == "GIT_TRACE" && err == nil {
				t.Error("git wrote a trace")
			}
		})
	}
	r.configure(t, fmt.Sprintf("[core]\n\tworktree = %s\n", other.dir))
	var out bytes.Buffer
	if code := run(context.Background(), []string{"affected", "-C", filepath.Join(r.dir, "prod")}, streams{strings.NewReader(""), &out, &out}); code != exitBroken {
		t.Errorf("with a work tree elsewhere the exit status is %d: %s", code, out.String())
	}
}

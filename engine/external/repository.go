package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/vfs"
)

// localRepository is a git repository on this machine. It may be a stranger's, so
// git is kept from running what its configuration names.
type localRepository struct {
	// root is the folder of the work tree, absolute and without symbolic links.
	root string
	// programs are the configured keys that name programs; see configuredPrograms.
	programs []string
}

// openRepository finds the repository whose work tree a folder belongs to. Folders
// that look like a bare repository are passed over: anybody can commit one, with a
// configuration of their choice.
func openRepository(ctx context.Context, dir string) (*localRepository, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	start, ok := folderWithGit(dir)
	if !ok {
		return nil, fmt.Errorf("%s is not in a git repository, so it has no earlier commit to compare with", dir)
	}
	r := &localRepository{root: start}
	if r.programs, err = configuredPrograms(ctx, start, namesProgram); err != nil {
		return nil, err
	}
	out, err := r.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, notOpened(start, err)
	}
	r.root = filepath.FromSlash(strings.TrimRight(string(out), "\r\n"))
	if !vfs.Below(r.root, dir) || !hasGit(r.root) {
		return nil, fmt.Errorf("the git repository of %s says that its work tree is %s; kls does not go there", start, r.root)
	}
	return r, nil
}

// EmbeddedRepository returns the nearest folder, from dir upwards to the root of
// the repository, that looks like a bare git repository; empty for none. kls reads
// its files as those of the repository around it and does not enter it.
func EmbeddedRepository(dir string) string {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return ""
	}
	if _, ok := folderWithGit(dir); !ok {
		return ""
	}
	for ; !hasGit(dir); dir = filepath.Dir(dir) {
		if looksBare(dir) {
			return dir
		}
	}
	return ""
}

// folderWithGit returns the nearest folder upwards that has a .git, be it a folder
// or the file of a submodule or a linked work tree.
func folderWithGit(dir string) (string, bool) {
	for ; !hasGit(dir); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return "", false
		}
	}
	return dir, true
}

func hasGit(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// looksBare applies git's own criteria.
func looksBare(dir string) bool {
	for _, name := range []string{"HEAD", "objects", "refs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			return false
		}
	}
	return true
}

// git runs a git command that reads the repository, and returns what it prints.
func (r *localRepository) git(ctx context.Context, arguments ...string) ([]byte, error) {
	out, _, err := r.process(arguments...).run(ctx)
	return out, err
}

func (r *localRepository) process(arguments ...string) process {
	return gitProcess(r.root, r.programs, localEnvironment(), arguments...)
}

// gitProcess makes every call of git. Whatever the repository's configuration says,
// git runs no program for it: no hook, file system monitor, external diff, text
// conversion or filter; and a bare repository counts only where it is named.
// Programs are further keys whose values are taken away.
func gitProcess(dir string, programs, environment []string, arguments ...string) process {
	all := []string{"--no-pager"}
	for _, key := range programs {
		value := ""
		if strings.HasSuffix(key, ".required") {
			value = "false" // else git fails for want of the filter
		}
		all = append(all, "-c", key+"="+value)
	}
	for _, setting := range []string{
		"safe.bareRepository=explicit",
		"core.fsmonitor=false",
		"core.hooksPath=" + os.DevNull,
		"core.quotePath=false",
		"diff.external=",
		"diff.orderFile=" + os.DevNull,
		"protocol.ext.allow=never",
		"http.followRedirects=false", // see finalAddress
		"submodule.recurse=false",
		"fetch.recurseSubmodules=false",
		"gc.auto=0",
		"maintenance.auto=false",
	} {
		all = append(all, "-c", setting)
	}
	return process{path: "git", arguments: append(all, arguments...), dir: dir, environment: environment, timeout: localTimeout}
}

// configuredPrograms returns the keys of the configuration that counts in a folder
// and that are such keys.
func configuredPrograms(ctx context.Context, dir string, isOne func(key string) bool) ([]string, error) {
	out, _, err := gitProcess(dir, nil, localEnvironment(), "config", "--list", "--name-only", "-z").run(ctx)
	if err != nil {
		return nil, err
	}
	var programs []string
	for key := range strings.SplitSeq(string(out), "\x00") {
		if !isOne(key) {
			continue
		}
		if strings.ContainsAny(key, "=\n") { // git could not be told to forget it
			return nil, fmt.Errorf("git's configuration has the odd key %q, which kls does not trust", key)
		}
		programs = append(programs, key)
	}
	slices.Sort(programs)
	if programs = slices.Compact(programs); len(programs) > maxPrograms {
		return nil, errors.New("git's configuration names too many programs")
	}
	return programs, nil
}

// maxPrograms keeps the command line of git within what systems allow.
const maxPrograms = 500

// isFilter is true for the keys of filters, which git runs on contents of files.
func isFilter(key string) bool {
	return strings.HasPrefix(key, "filter.") && slices.Contains([]string{"clean", "smudge", "process", "required"}, lastPart(key))
}

// namesProgram is true for every key whose value git may run, whether or not the
// commands that kls uses would do so.
func namesProgram(key string) bool {
	return isFilter(key) || slices.Contains([]string{"alternaterefscommand", "askpass", "cmd", "command", "difffilter", "driver", "editor",
		"external", "gitproxy", "helper", "packobjectshook", "pager", "program", "receivepack", "sshcommand", "textconv", "uploadpack",
		"vcs"}, lastPart(key))
}

// lastPart returns the name of the variable in a key, which git prints in lower case.
func lastPart(key string) string { return key[strings.LastIndexByte(key, '.')+1:] }

// localEnvironment keeps git from fetching what a partial clone lacks, also in
// releases that do not know GIT_NO_LAZY_FETCH, and from taking locks.
func localEnvironment() []string {
	kept := slices.DeleteFunc(gitEnvironment(), func(variable string) bool { return strings.HasPrefix(variable, "GIT_ALLOW_PROTOCOL=") })
	return append(kept, "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "GIT_OPTIONAL_LOCKS=0")
}

// gitEnvironment is ours with only those of git's variables that say how a person
// reaches servers and where their own configuration is: none that points to another
// repository, as they are set while a hook runs, none that runs or traces anything,
// and no question for a password, which nobody would see.
func gitEnvironment() []string {
	kept := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.HasPrefix(name, "GIT_") && !slices.ContainsFunc(personalVariables(), func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	})
	return append(kept, "GIT_TERMINAL_PROMPT=0")
}

// personalVariables are prefixes of names. GIT_CONFIG_PARAMETERS is not among them:
// it would count more than what kls says.
func personalVariables() []string {
	return []string{"GIT_ALLOW_PROTOCOL", "GIT_ASKPASS", "GIT_CONFIG_COUNT", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_KEY_", "GIT_CONFIG_NOSYSTEM",
		"GIT_CONFIG_SYSTEM", "GIT_CONFIG_VALUE_", "GIT_EXEC_PATH", "GIT_HTTP_", "GIT_PROXY_", "GIT_SSH", "GIT_SSL_"}
}

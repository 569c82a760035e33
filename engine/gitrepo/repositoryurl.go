// Package gitrepo reads the entries of a kustomization that name a git repository, as kustomize does.
package gitrepo

import (
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// URL is an entry that names a git repository, taken apart as kustomize
// does (git.NewRepoSpecFromURL in api/internal/git).
type URL struct {
	// Raw is the entry as it was written.
	Raw string
	// Clone is what git is given to fetch from.
	Clone string
	// Path is the folder in the repository, as written; empty for its root.
	Path string
	// Ref is a branch, a tag or a commit; empty for the default branch.
	Ref string
	// Timeout limits each git command; 0 where the entry does not say.
	Timeout time.Duration
	// Submodules is true unless the entry says otherwise.
	Submodules bool
}

// Parse takes the entry apart; it is false for one that kustomize
// does not take for a repository.
func Parse(raw string) (URL, bool) {
	r := URL{Raw: raw, Submodules: true}
	if filepath.IsAbs(raw) {
		return r, false
	}
	rest, query, _ := strings.Cut(raw, "?")
	r.readQuery(query)
	host, rest, ok := cutHost(rest)
	if !ok {
		return r, false
	}
	repository, folder, ok := cutRepository(rest, host == fileScheme)
	if !ok {
		return r, false
	}
	r.Clone, r.Path = host+repository, strings.TrimPrefix(folder, "/")
	return r, true
}

// Pinned tells whether Ref is the full name of a commit: what it names never
// changes.
func (r URL) Pinned() bool {
	if len(r.Ref) != 40 && len(r.Ref) != 64 {
		return false
	}
	return strings.Trim(r.Ref, "0123456789abcdef") == ""
}

// readQuery takes what kustomize knows of a query; a value that does not parse
// counts for nothing.
func (r *URL) readQuery(query string) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return
	}
	r.Ref = values.Get("version")
	if ref := values.Get("ref"); ref != "" {
		r.Ref = ref
	}
	timeout := values.Get("timeout")
	if seconds, err := strconv.Atoi(timeout); err == nil && seconds > 0 {
		r.Timeout = time.Duration(seconds) * time.Second
	} else if d, err := time.ParseDuration(timeout); err == nil && d > 0 {
		r.Timeout = d
	}
	if submodules, err := strconv.ParseBool(values.Get("submodules")); err == nil {
		r.Submodules = submodules
	}
}

const fileScheme = "file://"

// cutHost splits off all that comes before the repository's path: scheme, user
// and host with the separator after it. A path on disk follows file://.
func cutHost(s string) (host, rest string, ok bool) {
	s, _ = cutFold(s, "git::")
	scheme, rest := "", s
	for _, known := range []string{"ssh://", "https://", "http://", fileScheme} {
		if after, found := cutFold(s, known); found {
			scheme, rest = known, after
			break
		}
	}
	user, rest := cutUser(rest)
	if scheme == fileScheme {
		return scheme, user + rest, true
	}
	lower := strings.ToLower(rest)
	github := strings.HasPrefix(lower, "github.com/") || strings.HasPrefix(lower, "github.com:")
	// Without a scheme it can be git's own user@host:path, or github by name.
	short := scheme == "" && (user != "" || github)
	if scheme == "" && !short {
		return "", "", false
	}
	end := strings.IndexByte(rest, '/')
	if colon := strings.IndexByte(rest, ':'); short && (end < 0 || colon > 0 && colon < end) {
		end = colon
	}
	host, rest = rest[:end+1], rest[end+1:]
	switch {
	case host == "":
		return "", "", false
	case github && (scheme == "ssh://" || user != ""):
		return user + "github.com:", rest, true
	case github:
		return "https://github.com/", rest, true
	}
	return scheme + user + host, rest, true
}

// cutRepository splits the part after the host into the repository and the folder
// in it: at a mark, else after all of a path on disk and after two segments of
// any other (parsePathParts).
func cutRepository(path string, onDisk bool) (repository, folder string, ok bool) {
	switch {
	case strings.Contains(path, "_git/"):
		at := strings.Index(path, "_git/") + len("_git/")
		name, rest, _ := strings.Cut(path[at:], "/")
		repository, folder = path[:at]+name, rest
	case strings.Contains(path, "//"):
		repository, folder, _ = strings.Cut(path, "//")
	case strings.Contains(path, ".git"):
		at := strings.Index(path, ".git") + len(".git")
		repository, folder = path[:at], path[at:]
	case onDisk:
		repository = path
	default:
		parts := strings.Split(path, "/")
		if len(parts) < 2 {
			return "", "", false
		}
		repository, folder = strings.Join(parts[:2], "/"), strings.Join(parts[2:], "/")
	}
	first, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(strings.TrimPrefix(folder, "/"))), "/")
	return repository, folder, repository != "" && first != ".."
}

func cutFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}

// cutUser splits "name@" off: a letter, then letters, digits and hyphens.
func cutUser(s string) (user, rest string) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		switch {
		case c == '@' && i > 0:
			return s[:i+1], s[i+1:]
		case !letter && (i == 0 || c != '-' && (c < '0' || '9' < c)):
			return "", s
		}
	}
	return "", s
}

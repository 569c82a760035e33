package build

import (
	"path/filepath"
	"strings"
)

// isRepository tells whether kustomize would clone the path of a folder entry as
// a git repository (git.NewRepoSpecFromURL succeeds).
func isRepository(path string) bool {
	if filepath.IsAbs(path) {
		return false
	}
	path, _, _ = strings.Cut(path, "?")
	path, _ = cutFold(path, "git::")
	scheme, rest := "", path
	for _, s := range []string{"ssh://", "https://", "http://", "file://"} {
		if after, ok := cutFold(path, s); ok {
			scheme, rest = s, after
			break
		}
	}
	user, rest := cutUser(rest)
	github := strings.HasPrefix(strings.ToLower(rest), "github.com/") || strings.HasPrefix(strings.ToLower(rest), "github.com:")
	scp := scheme == "" && (user != "" || github)
	if scheme == "" && !scp {
		return false
	}
	if scheme == "file://" {
		return hasRepository(user+rest, true)
	}
	end := strings.IndexByte(rest, '/')
	if colon := strings.IndexByte(rest, ':'); scp && (end < 0 || colon > 0 && colon < end) {
		end = colon
	}
	if end < 0 {
		// No separator: all of it is the host, and no path is left for a repository.
		return false
	}
	return hasRepository(rest[end+1:], false)
}

// hasRepository tells whether the part after the host names a repository and a
// folder within it (parsePathParts).
func hasRepository(path string, whole bool) bool {
	var repository, folder string
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
	case whole:
		repository = path
	default:
		parts := strings.Split(path, "/")
		if len(parts) < 2 {
			return false
		}
		repository, folder = strings.Join(parts[:2], "/"), strings.Join(parts[2:], "/")
	}
	first, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(strings.TrimPrefix(folder, "/"))), "/")
	return repository != "" && first != ".."
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

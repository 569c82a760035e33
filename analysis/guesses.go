package analysis

import (
	"bytes"

	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// withoutWrongGuesses leaves out what is a mistake only if a value is misspelt, where
// another file has that value too: then it is the name of something. Of a mistake that
// is one in any case it leaves out what was supposedly meant.
func (r Review) withoutWrongGuesses(list []Diagnostic) []Diagnostic {
	if r.Inclusion == nil {
		return list
	}
	var paths map[string]bool // read by any build
	var kept []Diagnostic
	for _, d := range list {
		if d.Guess == problem.NoGuess {
			kept = append(kept, d)
			continue
		}
		if paths == nil {
			paths = r.Inclusion.files()
		}
		switch {
		case !r.isWritten(d, paths):
			kept = append(kept, d)
		case d.Guess == problem.GuessedFix:
			d.Help, d.Fixes = "", nil
			kept = append(kept, d)
		}
	}
	return kept
}

// isWritten tells whether another file than that of the diagnostic has its value as a
// word.
func (r Review) isWritten(d Diagnostic, paths map[string]bool) bool {
	for path := range paths {
		if path == d.File {
			continue
		}
		if f, err := r.Files.ReadFile(path); err == nil && hasWord(f.Data, d.Guessed) {
			return true
		}
	}
	return false
}

// hasWord tells whether a word stands in a text with no letter, digit, hyphen or
// underscore beside it.
func hasWord(content []byte, word string) bool {
	for from := 0; word != ""; {
		at := bytes.Index(content[from:], []byte(word))
		if at < 0 {
			return false
		}
		start, end := from+at, from+at+len(word)
		if (start == 0 || !isWordByte(content[start-1])) && (end == len(content) || !isWordByte(content[end])) {
			return true
		}
		from = start + 1
	}
	return false
}

func isWordByte(c byte) bool {
	return c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// files are those that any build read.
func (x *Inclusion) files() map[string]bool {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	var all []*vfs.Reads
	for _, one := range x.list {
		all = append(all, one.reads)
	}
	return vfs.FilesOf(all...)
}

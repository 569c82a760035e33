package builder

import (
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Session builds from one snapshot. What it parsed it keeps for the next build, and
// what included layers came to, if it is told to. It is safe for concurrent use.
type Session struct {
	*load.Sources
	// memo is nil where nothing is remembered; moment is when, by its count of
	// changes, the snapshot was taken.
	memo   *memo.Memo
	moment int
}

// NewSession returns a session over the snapshot.
func NewSession(files *vfs.Snapshot) *Session {
	return &Session{Sources: load.NewSources(files)}
}

// Remember makes the session, and those that are derived from it, keep what included
// layers came to, so that a base of many builds is built once. limit is about how
// many resources are kept. It must be called before the first build.
func (s *Session) Remember(limit int) *Session {
	s.memo = memo.NewMemo(limit)
	s.Sources = s.At(s.memo, s.moment)
	return s
}

// Derive returns a session over another snapshot of the same files. The two share
// what was parsed, and the table, which grows with every version of a file: after
// many a fresh session saves memory. Where it is told of all paths at which the
// snapshots differ, what was built is shared as well, as far as no change touches it.
func (s *Session) Derive(files *vfs.Snapshot, changed ...string) *Session {
	next := &Session{Sources: s.Of(files)}
	if s.memo == nil {
		return next
	}
	if files == s.Files() {
		next.memo, next.moment = s.memo, s.moment
		return next
	}
	if len(changed) > 0 {
		if moment, ok := s.memo.Advance(s.moment, changed); ok {
			next.memo, next.moment = s.memo, moment
			next.Sources = next.At(s.memo, moment)
			return next
		}
	}
	return next.Remember(s.memo.Limit)
}

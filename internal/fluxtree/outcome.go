package fluxtree

import (
	"crypto/sha256"
	"fmt"

	"github.com/kustomize-lsp/kls/engine/deployment"
)

// What comes of a Kustomization, besides a hash of the text.
const (
	Refused  = "refused"
	NotKnown = "not-known"
)

// Outcome is what kls makes of a Kustomization.
func Outcome(set *deployment.Set, id string) string {
	found := set.Find(id)
	if len(found) != 1 {
		return fmt.Sprintf("listed-%d-times", len(found))
	}
	switch d := found[0]; d.Verdict {
	case deployment.Fails:
		return Refused
	case deployment.Exact:
		text, err := set.YAML(d)
		if err != nil {
			return Refused
		}
		return Hash(text)
	}
	return NotKnown
}

// Hash tells texts apart.
func Hash(text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%x", sum[:8])
}

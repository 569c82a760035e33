package explain

import (
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
)

// Missing says that an address names no resource or field, or several.
type Missing struct {
	// Message says what is wrong, without a period.
	Message string
	// Candidates are what was probably meant: addresses for resources.
	Candidates []string
}

// maxCandidates is how many candidates are offered where none is likely.
const maxCandidates = 20

// Find returns the index of the resource that RESOURCE[:FIELDPATH] names, by
// rendered or original name, and the field path. Names may contain colons: the
// longest beginning that names a resource counts. Where both a rendered and an
// original name fit, the rendered one does.
func Find(resources []*resource.Resource, address string) (index int, field string, missing *Missing) {
	var found []int
	longest, current := 0, false
	for i, r := range resources {
		length, isCurrent := matchResource(r, address)
		if length == 0 || length < longest || length == longest && current && !isCurrent {
			continue
		}
		if length > longest || isCurrent != current {
			found = found[:0]
		}
		longest, current = length, isCurrent
		found = append(found, i)
	}
	switch len(found) {
	case 0:
		return 0, "", noResource(resources, address)
	case 1:
		return found[0], strings.TrimPrefix(address[longest:], ":"), nil
	}
	// What a candidate is called in full is its address, also where it has neither group
	// nor namespace and others have the same kind and name.
	full := slices.IndexFunc(found, func(i int) bool { return resources[i].ID().String() == address[:longest] })
	if full >= 0 {
		return found[full], strings.TrimPrefix(address[longest:], ":"), nil
	}
	missing = &Missing{Message: address[:longest] + " names several resources"}
	for _, i := range found {
		missing.Candidates = append(missing.Candidates, resources[i].ID().String())
	}
	return 0, "", missing
}

// matchResource returns how many bytes of the address name the resource, and
// whether by its current identity.
func matchResource(r *resource.Resource, address string) (length int, current bool) {
	if length = matchID(r.ID(), address); length > 0 {
		current = true
	}
	r.PreviousIDs(func(id resource.ID) bool {
		if n := matchID(id, address); n > length {
			length, current = n, false
		}
		return true
	})
	return length, current
}

// matchID returns how many bytes of the address are Kind[.group]/[namespace/]name
// of an identity, followed by a colon or nothing; 0 where they are not.
func matchID(id resource.ID, address string) int {
	kind, rest, ok := strings.Cut(address, "/")
	if !ok || kind != id.Kind && kind != id.Kind+"."+id.Group {
		return 0
	}
	names := []string{id.Name, id.EffectiveNamespace() + "/" + id.Name}
	for _, name := range names {
		after, ok := strings.CutPrefix(rest, name)
		if ok && id.Name != "" && (after == "" || after[0] == ':') {
			return len(address) - len(after)
		}
	}
	return 0
}

func noResource(resources []*resource.Resource, address string) *Missing {
	missing := &Missing{Message: "there is no resource " + address}
	asked, _, _ := strings.Cut(address, ":")
	var all []string
	for _, r := range resources {
		for _, id := range r.AllIDs() {
			short := id
			short.Group, short.Namespace = "", ""
			all = append(all, id.String(), short.String())
		}
		if name := r.ID().Name; name == asked || strings.HasSuffix(asked, "/"+name) || r.OriginalID().Name == asked {
			missing.Candidates = append(missing.Candidates, r.ID().String())
		}
	}
	if near, ok := text.Nearest(asked, all); ok && !slices.Contains(missing.Candidates, near) {
		missing.Candidates = append([]string{near}, missing.Candidates...)
	}
	if len(missing.Candidates) > maxCandidates {
		missing.Candidates = missing.Candidates[:maxCandidates]
	}
	return missing
}

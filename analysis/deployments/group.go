package deployments

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/diff"
)

// Group is changes of several deployments that are the same but for the names in them.
type Group struct {
	// Changes are sorted by ID; there is at least one.
	Changes []Change
}

// Groups puts together the deployments in which the same lines of the same kinds change, the most first.
func Groups(changes []Change) []Group {
	at := map[string]int{}
	var groups []Group
	for _, c := range changes {
		key := signature(c)
		i, known := at[key]
		if !known {
			i = len(groups)
			at[key] = i
			groups = append(groups, Group{})
		}
		groups[i].Changes = append(groups[i].Changes, c)
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(len(b.Changes), len(a.Changes)) })
	return groups
}

// signature is the same for changes that a reader would take for the same.
func signature(c Change) string {
	var b strings.Builder
	b.WriteString(string(c.Change))
	for _, note := range c.Notes {
		b.WriteString("\n" + note)
	}
	if c.Report == nil {
		return b.String() + "\n?"
	}
	for _, r := range c.Report.Resources {
		kind, _, _ := strings.Cut(r.Address(), "/")
		b.WriteString("\n" + string(r.Change) + " " + kind)
		for _, h := range r.Hunks {
			for _, line := range h.Lines {
				if line.Kind != ' ' {
					b.WriteString("\n" + string(line.Kind) + line.Text)
				}
			}
		}
	}
	return b.String()
}

// ImageChange is a container image that takes the place of another.
type ImageChange struct {
	Before, After string
	// Deployments is in how many deployments it does.
	Deployments int
}

// Images returns the images that change in deployments that are there before and after, the most frequent first.
func Images(changes []Change) []ImageChange {
	count := map[[2]string]int{}
	for _, c := range changes {
		if c.Report == nil {
			continue
		}
		met := map[[2]string]bool{}
		for _, r := range c.Report.Resources {
			for _, f := range r.Fields {
				if at, ok := imageChange(f); ok && !met[at] {
					met[at] = true
					count[at]++
				}
			}
		}
	}
	var images []ImageChange
	for at, n := range count {
		images = append(images, ImageChange{at[0], at[1], n})
	}
	slices.SortFunc(images, func(a, b ImageChange) int {
		return cmp.Or(cmp.Compare(b.Deployments, a.Deployments), cmp.Compare(a.Before, b.Before), cmp.Compare(a.After, b.After))
	})
	return images
}

func imageChange(f diff.Field) (change [2]string, ok bool) {
	if !strings.HasSuffix(f.Path, ".image") || json.Unmarshal(f.Before, &change[0]) != nil || json.Unmarshal(f.After, &change[1]) != nil {
		return change, false
	}
	return change, true
}

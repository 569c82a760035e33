package transform

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"

	"github.com/kustomize-lsp/kls/engine/kustomization"
)

// Whatever the entries are called, those that match an image are found, in their order.
func TestImageEntriesFindEveryMatch(t *testing.T) {
	names := []string{"", "a", "a:b", "a@b", "ab", "a.b", "a+", "r/a", "r:5/a", "r.io/a", "r.io/x.y", "r/.*", "r.*/a", "a/", "(", ".*", "a:1", "é"}
	values := []string{"", "a", "a:1", "a:b", "a:b:1", "a@sha256:12", "a@b", "ab:2", "aab:1", "r/a:1@sha256:ab", "r:5/a", "r:5/a:1", "axb", "é:1", "r.io/a:1", "rxio/a@b:1", "r.io/x.y", "r.io/xzy:1", "rr/a", "r/s/a", "a/", "a/:1", "a:1:2", "("}
	random := rand.New(rand.NewPCG(1, 2))
	matches := 0
	for range 500 {
		var images []kustomization.Image
		var patterns []*regexp.Regexp
		for range 1 + random.IntN(6) {
			image := kustomization.Image{Name: kustomization.Text{Value: names[random.IntN(len(names))]}}
			images, patterns = append(images, image), append(patterns, imagePattern(image))
		}
		entries := newImageEntries(images, patterns)
		for _, value := range values {
			var want, got []int
			for i, p := range patterns {
				if p != nil && p.MatchString(value) {
					want = append(want, i)
				}
			}
			for i := entries.after(-1, value); i >= 0; i = entries.after(i, value) {
				if patterns[i].MatchString(value) {
					got = append(got, i)
				}
			}
			if matches += len(want); !slices.Equal(got, want) || entries.match(value) != (len(want) > 0) {
				t.Fatalf("%q: entries %v match, want %v", value, got, want)
			}
		}
	}
	if matches < 1000 {
		t.Errorf("only %d matches were looked at", matches)
	}
}

// An entry is asked only about images that may begin with its name, however many entries there are.
func TestImageEntriesAskFew(t *testing.T) {
	var images []kustomization.Image
	for i := range 1000 {
		images = append(images, kustomization.Image{Name: kustomization.Text{Value: fmt.Sprintf("registry.example.com/app-%d", i)}})
	}
	patterns := make([]*regexp.Regexp, len(images))
	for i := range images {
		patterns[i] = imagePattern(images[i])
	}
	entries := newImageEntries(images, patterns)
	for i, image := range images {
		asked := 0
		for at := entries.after(-1, image.Name.Value+":1"); at >= 0; at = entries.after(at, image.Name.Value+":1") {
			asked++
		}
		if asked != 1 {
			t.Fatalf("%d entries are asked about the image of entry %d", asked, i)
		}
	}
}

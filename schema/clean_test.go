package schema

import (
	"fmt"
	"strings"
	"testing"
)

// What is remembered of a resource says nothing of one that differs from it.
func TestCleanResourcesAreNotConfused(t *testing.T) {
	k := newest(t)
	good := "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: 80\n"
	for range 2 {
		if found := k.Validate(parse(t, good)); len(found) > 0 {
			t.Fatal(found)
		}
	}
	for _, change := range [][2]string{
		{"port: 80", "port: eighty"}, {"port: 80", `port: "80"`}, {"port: 80", "prot: 80"}, {"name: web", "name: 1"},
		{"name: web", "name: [web]"}, {"name: web", "name: web\n  nmae: web"}, {"  - port: 80", "    port: 80"},
	} {
		if found := k.Validate(parse(t, strings.Replace(good, change[0], change[1], 1))); len(found) == 0 {
			t.Errorf("nothing is found of %q", change[1])
		}
	}
	if found := k.Validate(parse(t, strings.Replace(good, "name: web", "name: other", 1))); len(found) > 0 {
		t.Error(found)
	}
}

func TestCleanSetIsBounded(t *testing.T) {
	c := newCleanSet()
	for i := range maxClean * 2 {
		c.add([2]uint64{uint64(i), 1})
	}
	if size := len(c.recent) + len(c.old); size > maxClean {
		t.Error(fmt.Sprint(size, " are remembered"))
	}
	if !c.has([2]uint64{maxClean*2 - 1, 1}) || c.has([2]uint64{0, 1}) {
		t.Error("not those are remembered that were asked for last")
	}
}

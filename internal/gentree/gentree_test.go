package gentree

import (
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// Every part of the overlay has to reach every application, or a measurement measures less than it says.
func TestOverlayReachesEveryResource(t *testing.T) {
	const apps = 3
	files := filesys.MakeFsInMemory()
	for path, text := range Files(apps) {
		if err := files.WriteFile("/"+path, text); err != nil {
			t.Fatal(err)
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, "/"+Overlay)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := built.Size(), Resources(apps); got != want {
		t.Errorf("%d resources, want %d", got, want)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range []string{
		"image: registry.example.com/app:2.0\n",
		"memory: 256Mi\n",
		`"region": "eu-west-3"`,
		"serviceAccountName: big-app-",
	} {
		if got := strings.Count(string(text), one); got != apps {
			t.Errorf("%q is there %d times, want %d", one, got, apps)
		}
	}
	if got, want := strings.Count(string(text), "namespace: measured\n"), 4*apps; got != want {
		t.Errorf("the namespace is there %d times, want %d", got, want)
	}
}

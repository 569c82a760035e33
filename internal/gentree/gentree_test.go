package gentree

import (
	"path"
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

// A shape renders as many resources as it says, in kustomize itself.
func TestShapesRenderWhatTheySay(t *testing.T) {
	for _, shape := range Shapes() {
		t.Run(shape.Name, func(t *testing.T) {
			const size = 4
			files := filesys.MakeFsInMemory()
			for name, text := range shape.Files(size) {
				if err := files.WriteFile("/"+name, text); err != nil {
					t.Fatal(err)
				}
			}
			built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, path.Join("/", shape.Root))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := built.Size(), shape.Resources(size); got != want {
				t.Errorf("%d resources, want %d", got, want)
			}
			text, err := built.AsYaml()
			if err != nil {
				t.Fatal(err)
			}
			// What the shape is about has happened.
			if mark := marks[shape.Name]; strings.Count(string(text), mark.text) != mark.perSize*size {
				t.Errorf("%q is there %d times, want %d", mark.text, strings.Count(string(text), mark.text), mark.perSize*size)
			}
		})
	}
}

var marks = map[string]struct {
	text    string
	perSize int
}{
	"applications": {"image: registry.example.com/app:2.0\n", 1},
	"vars":         {"value: http://app-", 1},
	"patches":      {"replicas: 2\n", 0},
	"replacements": {"value: app-", 1},
	"generators":   {"level: info\n", 1},
	"deep":         {"layer-29: here\n", 30},
	"wide":         {"replicas: 4\n", 1},
}

// The definitions are large, both patches of an overlay meet one, and the label comes to all.
func TestCRDRepository(t *testing.T) {
	files := filesys.MakeFsInMemory()
	for name, text := range CRDRepository(3, 3) {
		if err := files.WriteFile("/"+name, text); err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(name, "base/app") && (len(text) < 80_000 || len(text) > 120_000) {
			t.Errorf("%s has %d bytes", name, len(text))
		}
	}
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, "/overlays/app-0001")
	if err != nil {
		t.Fatal(err)
	}
	text, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	for mark, want := range map[string]int{"overlay: app-0001": 3, "strategy: Webhook": 1, "inject-ca-from": 1} {
		if got := strings.Count(string(text), mark); got != want {
			t.Errorf("%q is there %d times, want %d", mark, got, want)
		}
	}
}

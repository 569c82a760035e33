package transform

import "testing"

func TestNearestImage(t *testing.T) {
	for name, tt := range map[string]struct {
		written string
		images  []string
		want    string
	}{
		"letters swapped":                       {"example.com/wbe", []string{"example.com/api", "example.com/web"}, "example.com/web"},
		"letters swapped in the registry":       {"exmaple.com/web", []string{"example.com/api", "example.com/web"}, "example.com/web"},
		"no registry":                           {"nginx", []string{"docker.io/library/nginx"}, "docker.io/library/nginx"},
		"with a tag, without registry":          {"web:placeholder", []string{"ghcr.io/shop/web"}, "ghcr.io/shop/web"},
		"another registry":                      {"gcr.io/shop/cart", []string{"gcr.io/shop/card", "pkg.dev/shop/cart"}, "pkg.dev/shop/cart"},
		"another image of the same registry":    {"gcr.io/example/shop/frontend", []string{"gcr.io/example/shop/cartservice"}, ""},
		"the same name in two other registries": {"nginx", []string{"one.example.com/nginx", "two.example.com/nginx"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _ := nearestImage(tt.written, tt.images); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

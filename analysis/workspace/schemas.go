package workspace

import (
	"path/filepath"
	"sync"

	"github.com/kustomize-lsp/kls/schema"
)

// schemas are the versions of Kubernetes that were asked about, each made once for
// all views.
type schemas struct {
	mutex     sync.Mutex
	byVersion map[string]*schema.Kubernetes
}

// Kubernetes returns the kinds of the version that the configuration of a file
// names, else of the newest.
func (v *View) Kubernetes(file string) *schema.Kubernetes {
	dir, version := filepath.Dir(file), ""
	if v.options.Kubernetes != nil {
		if known := v.options.Kubernetes(dir); known != nil {
			return known
		}
	}
	if v.options.Config != nil {
		version = v.options.Config.For(dir).Kubernetes
	}
	return v.schemas.of(version)
}

func (s *schemas) of(version string) *schema.Kubernetes {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if known := s.byVersion[version]; known != nil {
		return known
	}
	known, err := schema.New(version)
	if err != nil {
		known, err = schema.New("")
	}
	if err != nil {
		return nil // the embedded data are broken, which a test would tell
	}
	if s.byVersion == nil {
		s.byVersion = map[string]*schema.Kubernetes{}
	}
	s.byVersion[version] = known
	return known
}

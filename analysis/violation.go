package analysis

import (
	"context"
	"slices"
	"sync"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

// Kubernetes returns schemas for Options.Kubernetes: those of the version, such as
// "1.36", that is given, else of the one that the configuration of the folder
// names, else of the newest. The configurations may be nil. The error is for a
// given version that is not known; of one in a configuration it takes the newest,
// as the configuration's own mistake is reported.
func Kubernetes(version string, configs *config.Set) (func(dir string) *schema.Kubernetes, error) {
	given, err := schema.New(version)
	if err != nil || version != "" || configs == nil {
		return func(string) *schema.Kubernetes { return given }, err
	}
	return NewSchemas().For(configs), nil
}

// Schemas keeps the schemas of each version of Kubernetes that was asked for. It is
// safe for concurrent use.
type Schemas struct {
	mutex     sync.Mutex
	byVersion map[string]*schema.Kubernetes
}

// NewSchemas returns schemas that are read when they are first asked for.
func NewSchemas() *Schemas { return &Schemas{byVersion: map[string]*schema.Kubernetes{}} }

// For returns schemas for Options.Kubernetes: those of the version that the
// configuration of a folder names, else of the newest.
func (s *Schemas) For(configs *config.Set) func(dir string) *schema.Kubernetes {
	return func(dir string) *schema.Kubernetes {
		wanted := configs.For(dir).Kubernetes
		s.mutex.Lock()
		defer s.mutex.Unlock()
		known, ok := s.byVersion[wanted]
		if !ok {
			var err error
			if known, err = schema.New(wanted); err != nil {
				known, _ = schema.New("") // the newest is always there
			}
			s.byVersion[wanted] = known
		}
		return known
	}
}

// ReportViolations reports what the schemas of Kubernetes, and of the custom
// resource definitions that the build renders, find in the rendered resources,
// as far as it is of a wanted kind. It reports nothing where no schemas were
// given, and of a build that fails or is not known whole what is certain all the
// same. Each violation is reported where the offending value was written.
func (p *Pass) ReportViolations(wanted func(schema.ViolationKind) bool) {
	certain := certainty(p)
	for _, v := range p.shared.violations(p.Result) {
		if !wanted(v.Kind) || !certain(v.Kind) {
			continue
		}
		violation := builder.Problem{Node: v.place(), Message: v.Message}
		if (v.Kind == schema.UnknownField || v.Kind == schema.UnknownKind) && v.Nearest != "" {
			violation.Fixes = []builder.Fix{problem.ChangeTo(v.Nearest)}
		}
		p.Report(violation)
	}
}

// certainty returns a function that tells whether a kind of violation can be told of
// a build. Nothing gives a resource another kind. All else a patch that was left
// out could mend, and a value that was not copied because its source is missing.
// What is missing something that is switched off could supply.
func certainty(p *Pass) func(schema.ViolationKind) bool {
	failed := p.Result.Failed()
	copies := slices.ContainsFunc(p.Layers(), func(l *builder.Layer) bool {
		k := l.Kustomization
		return len(k.Replacements) > 0 || len(k.Vars) > 0 || len(k.Transformers) > 0
	})
	return func(kind schema.ViolationKind) bool {
		switch {
		case kind == schema.UnknownKind || !failed && !p.Result.Unknown:
			return true
		case kind == schema.MissingField || failed && p.Result.Unfinished:
			return false
		}
		return !failed || !copies || kind == schema.UnknownField || kind == schema.RemovedVersion
	}
}

// shared is what the rules of one build share.
type shared struct {
	ctx        context.Context // of the check: what it gives up on is thrown away
	kubernetes *schema.Kubernetes
	validated  bool
	found      []violation
	made       map[any]any // see Pass.Once
}

// violation is one of a rendered resource.
type violation struct {
	schema.Violation
	resource *resource.Resource
}

func (s *shared) violations(result *builder.Result) []violation {
	if s.validated || s.kubernetes == nil {
		return s.found
	}
	s.validated = true
	kubernetes := s.kubernetes
	if definitions := customDefinitions(result); len(definitions) > 0 {
		kubernetes = kubernetes.WithCRDs(definitions)
	}
	for _, r := range result.Resources {
		if s.ctx.Err() != nil {
			return nil
		}
		for _, v := range validate(kubernetes, r) {
			s.found = append(s.found, violation{v, r})
		}
	}
	return s.found
}

// validate returns the violations of a resource. What the kinds that come with
// Kubernetes say of the same nodes is always the same.
func validate(kubernetes *schema.Kubernetes, r *resource.Resource) []schema.Violation {
	if kubernetes.IsCustom(r.Node) {
		return kubernetes.Validate(r.Node)
	}
	type violationsOf struct{ version string }
	return r.Note(violationsOf{kubernetes.Version()}, func() any { return kubernetes.ValidateKnowing(r.Node, r.KnownOfPart) }).([]schema.Violation)
}

func customDefinitions(result *builder.Result) []*yaml.Node {
	var definitions []*yaml.Node
	for _, r := range result.Resources {
		if r.ID().Kind == "CustomResourceDefinition" {
			definitions = append(definitions, r.Node)
		}
	}
	return definitions
}

// place returns the node at which a violation is shown: the value itself; the
// resource's kind for a field that the resource as a whole misses; the entry that
// brought the resource in where nobody wrote the value.
func (v violation) place() *yaml.Node {
	n := v.Node
	if v.Kind == schema.MissingField && len(v.Path) == 1 {
		_, n = syntax.Field(v.resource.Node, "kind")
	}
	if n != nil {
		if file, _, _ := syntax.Place(n); file != 0 {
			return n
		}
	}
	return v.resource.Entry
}

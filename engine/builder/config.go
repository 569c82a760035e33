package builder

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// readKustomization finds and reads the kustomization file of a layer's folder
// (target.LoadKustFile, KustTarget.Load). Where there is none, or more than one,
// the problem is returned and the layer cannot be built.
func (b *loader) readKustomization(l *Layer) (Problem, bool) {
	l.Kustomization = &kustomization.Kustomization{}
	var found []*vfs.File
	var unread string // and why
	var why Problem
	for _, name := range kustomization.FileNames() {
		if !b.isFile(l, name) {
			continue
		}
		f, p := b.tryLoad(l, name)
		if f != nil {
			found = append(found, f)
		} else {
			unread, why = name, p
		}
	}
	switch len(found) {
	case 0:
		if unread == "" && b.generateRoot(l) {
			return Problem{}, true
		}
		return b.noKustomization(l, unread, why), false
	case 1:
	default:
		p := Problem{Code: TwoKustomizationFiles, Fatal: true,
			Message: fmt.Sprintf("the folder has %d kustomization files: %s and %s", len(found),
				filepath.Base(found[0].Path), filepath.Base(found[1].Path)),
			Help: "kustomize refuses to choose; remove one"}
		p.File = b.sources.FileID(found[0])
		return p, false
	}
	l.Path = found[0].Path
	l.File = b.sources.FileID(found[0])
	read := b.sources.kustomizationOf(found[0])
	l.Kustomization = read.kustomization
	l.losesResources, l.losesFields, l.half = read.losesResources, read.losesFields, read.half
	for _, p := range b.mended(l, read.problems) {
		b.report(l, p)
	}
	b.overlay(l)
	return Problem{}, true
}

// noKustomization says what kustomize does of a folder whose kustomization file it will
// not read, too, and why that is.
func (b *loader) noKustomization(l *Layer, unread string, why Problem) Problem {
	p := Problem{Code: MissingKustomization, Fatal: true, Message: "the folder has no kustomization file",
		Help: "add a kustomization.yaml to it"}
	if _, err := b.files.IsDir(l.Dir); errors.Is(err, fs.ErrNotExist) {
		p.Code, p.Message, p.Help = MissingPath, "the folder does not exist", ""
	}
	switch {
	case unread == "":
	case why.Code == OutsideRoot:
		p.Message, p.Help = unread+" is a link that leads out of its folder, and is not read", "put the file itself there"
	default:
		p.Message, p.Help = why.Message, why.Help
	}
	return p
}

// kustomizationFile is a kustomization file that was read, with its mistakes.
type kustomizationFile struct {
	once          parallel.Once
	kustomization *kustomization.Kustomization
	problems      []Problem

	losesResources, losesFields bool
	half                        halfTyped
}

// kustomizationOf reads a kustomization file, once for each version of it.
func (s *sources) kustomizationOf(f *vfs.File) *kustomizationFile {
	s.cache.mu.Lock()
	read, ok := s.cache.kustomizations[f]
	if !ok {
		read = &kustomizationFile{}
		if s.cache.kustomizations == nil {
			s.cache.kustomizations = map[*vfs.File]*kustomizationFile{}
		}
		s.cache.kustomizations[f] = read
	}
	s.cache.mu.Unlock()
	read.once.Do(func() { read.parse(s.table, s.FileID(f)) })
	return read
}

func (f *kustomizationFile) parse(table *syntax.Table, id text.FileID) {
	parsed := syntax.Parse(table, id)
	f.problems = nil // what an attempt that panicked left behind
	for _, p := range parsed.Problems {
		f.problems = append(f.problems, syntaxProblem(p, nil))
	}
	var root *yaml.Node
	if len(parsed.Documents) > 0 {
		root = parsed.Documents[0].Root
	}
	k, problems := kustomization.Read(root)
	f.kustomization = k
	f.losesResources = len(f.problems) > 0
	f.half = halfTypedIn(table, parsed)
	broken := anyFatal(f.problems)
	for _, p := range problems {
		f.noteLoss(p)
		if broken && (followsFromSyntax(p.Kind) || f.half.holds(p.Node)) {
			continue // the parser mended the text in its own way
		}
		f.problems = append(f.problems, fromOwnFile(table, p, id))
	}
}

// loadConfig loads and parses a file that configures a transformer, and notes it
// as an input of the layer. It reports what is wrong and returns false where there
// is nothing to read; an empty file has no root.
func (b *loader) loadConfig(l *Layer, path kustomization.Text) (*yaml.Node, text.FileID, bool) {
	parsed, ok := b.loadParsed(l, path)
	switch {
	case !ok:
		return nil, 0, false
	case len(parsed.Documents) == 0:
		return nil, parsed.ID, len(parsed.Problems) == 0
	}
	return parsed.Documents[0].Root, parsed.ID, true
}

func (b *loader) loadParsed(l *Layer, path kustomization.Text) (*syntax.File, bool) {
	f := b.load(l, path.Node, path.Value)
	if f == nil {
		return nil, false
	}
	id := b.sources.FileID(f)
	l.Facts.Inputs = append(l.Facts.Inputs, Input{Entry: path.Node, Path: f.Path, File: id})
	parsed := syntax.Parse(b.sources.Table(), id)
	for _, p := range parsed.Problems {
		b.report(l, syntaxProblem(p, path.Node))
	}
	return parsed, true
}

// readConfigurations adds the files of configurations to what kustomize knows by
// itself (builtinconfig.MakeTransformerConfig).
func (b *loader) readConfigurations(l *Layer) *kustomization.TransformerConfig {
	config := kustomization.DefaultTransformerConfig()
	if len(l.Kustomization.Configurations) == 0 {
		return config
	}
	custom := &kustomization.TransformerConfig{}
	for _, path := range l.Kustomization.Configurations {
		root, id, ok := b.loadConfig(l, path)
		if !ok {
			continue
		}
		read, problems := kustomization.ReadTransformerConfig(root)
		for _, p := range problems {
			b.report(l, fromKustomization(p, id))
		}
		custom = b.merged(l, custom, read, path.Node)
	}
	return b.merged(l, config, custom, nil)
}

// mergeConfig adds the layer's transformer configuration to what its bases
// brought (KustTarget.accumulateTarget).
func (b *loader) mergeConfig(l *Layer, acc *accumulator) {
	b.mergeInto(l, acc, b.readConfigurations(l), l.Kustomization.Node)
	b.mergeCRDs(l, acc)
}

// mergeInto merges a configuration into the accumulator's. Almost always both
// are kustomize's own, and then there is nothing to do.
func (b *loader) mergeInto(l *Layer, acc *accumulator, config *kustomization.TransformerConfig, entry *yaml.Node) {
	standard := b.sources.cache.standardConfig()
	if config == kustomization.DefaultTransformerConfig() {
		config = standard
	}
	switch {
	case config == standard && (acc.config == nil || acc.config == standard):
		acc.config = standard
	case acc.config == nil:
		acc.config = b.merged(l, &kustomization.TransformerConfig{}, config, entry)
	default:
		acc.config = b.merged(l, acc.config, config, entry)
	}
}

func (b *loader) merged(l *Layer, config, more *kustomization.TransformerConfig, entry *yaml.Node) *kustomization.TransformerConfig {
	merged, conflict := config.Merge(more)
	if conflict != nil {
		b.reportConflict(l, entry, conflict)
		return config
	}
	return merged
}

func (b *loader) reportConflict(l *Layer, entry *yaml.Node, conflict *kustomization.Conflict) {
	b.report(l, Problem{Code: ConflictingFieldSpecs, Fatal: true, Node: entry,
		Message: fmt.Sprintf("two field specs for %s (%s) disagree on create", conflict.New.Path, conflict.Field),
		Related: []Related{{Node: conflict.New.Node, Message: "this one"}, {Node: conflict.Old.Node, Message: "the other one"}}})
}

// noteLoss notes what a mistake in the file may have taken away from the build.
func (f *kustomizationFile) noteLoss(p kustomization.Problem) {
	if !p.Fatal || p.Kind == kustomization.NotInKustomize {
		return
	}
	field, _, _ := strings.Cut(p.Path, ".")
	field, _, _ = strings.Cut(field, "[")
	if p.Kind == kustomization.UnknownField && field == p.Path && p.Candidate != "" {
		field = p.Candidate
	}
	switch field {
	case "kind", "apiVersion", "metadata":
	case "patches", "patchesStrategicMerge", "patchesJson6902", "images", "replicas", "replacements", "labels",
		"commonLabels", "commonAnnotations", "namePrefix", "nameSuffix", "namespace", "vars", "generatorOptions":
		f.losesFields = true
	default:
		f.losesResources, f.losesFields = true, true
	}
}

func anyFatal(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return p.Fatal })
}

// followsFromSyntax tells whether a mistake may be nothing but the consequence of
// a syntax error in the file.
func followsFromSyntax(kind kustomization.ProblemKind) bool {
	switch kind {
	case kustomization.EmptyFile, kustomization.NotAMapping, kustomization.WrongType, kustomization.ListExpected, kustomization.NullEntry:
		return true
	}
	return false
}

// reportSyntax reports what is wrong with a text of resources.
func (b *loader) reportSyntax(l *Layer, docs *documents, entry *yaml.Node) {
	for _, p := range docs.problems {
		b.report(l, syntaxProblem(p, entry))
	}
}

// leaveOut returns the entries without those that are half-typed.
func leaveOut[E any](b *loader, half halfTyped, entries []E, node func(*E) *yaml.Node) []E {
	if len(half) == 0 {
		return entries
	}
	var kept []E
	for i := range entries {
		if half[node(&entries[i])] {
			b.unfinished = true
			continue
		}
		kept = append(kept, entries[i])
	}
	return kept
}

func patchNode(p *kustomization.Patch) *yaml.Node { return p.Node }

func replacementNode(r *kustomization.Replacement) *yaml.Node { return r.Node }

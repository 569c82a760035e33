package load

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/parallel"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/trace"
	"github.com/kustomize-lsp/kls/engine/vfs"
	yaml "go.yaml.in/yaml/v3"
)

// readKustomization finds and reads the kustomization file of a layer's folder
// (target.LoadKustFile, KustTarget.Load). Where there is none, or more than one,
// the problem is returned and the layer cannot be built.
func (b *Loader) readKustomization(l *trace.Layer) (problem.Problem, bool) {
	l.Kustomization = &kustomization.Kustomization{}
	var found []*vfs.File
	var unread string // and why
	var why problem.Problem
	for _, name := range kustomization.FileNames() {
		if !b.IsFile(l, name) {
			continue
		}
		f, p := b.TryLoad(l, name)
		if f != nil {
			found = append(found, f)
		} else {
			unread, why = name, p
		}
	}
	switch len(found) {
	case 0:
		if unread == "" && b.generateRoot(l) {
			return problem.Problem{}, true
		}
		return b.noKustomization(l, unread, why), false
	case 1:
	default:
		p := problem.Problem{Code: problem.TwoKustomizationFiles, Fatal: true,
			Message: fmt.Sprintf("the folder has %d kustomization files: %s and %s", len(found),
				filepath.Base(found[0].Path), filepath.Base(found[1].Path)),
			Help: "kustomize refuses to choose; remove one"}
		p.File = b.Sources.FileID(found[0])
		return p, false
	}
	l.Path = found[0].Path
	l.File = b.Sources.FileID(found[0])
	read := b.Sources.KustomizationOf(found[0])
	l.Kustomization = read.Kustomization
	l.LosesResources, l.LosesFields, l.Half = read.losesResources, read.losesFields, read.half
	for _, p := range b.mended(l, read.problems) {
		b.Report(l, p)
	}
	b.overlay(l)
	return problem.Problem{}, true
}

// noKustomization says what kustomize does of a folder whose kustomization file it will
// not read, too, and why that is.
func (b *Loader) noKustomization(l *trace.Layer, unread string, why problem.Problem) problem.Problem {
	p := problem.Problem{Code: problem.MissingKustomization, Fatal: true, Message: "the folder has no kustomization file",
		Help: "add a kustomization.yaml to it"}
	if _, err := b.Files.IsDir(l.Dir); errors.Is(err, fs.ErrNotExist) {
		p.Code, p.Message, p.Help = problem.MissingPath, fmt.Sprintf("%s does not exist", filepath.Base(l.Dir)), ""
	}
	for _, name := range kustomization.FileNames() {
		if b.isDanglingLink(filepath.Join(l.Dir, name)) {
			p.Message, p.Help = fmt.Sprintf("%s is a symbolic link to something that does not exist", name), ""
		}
	}
	switch {
	case unread == "":
	case why.Code == problem.OutsideRoot:
		p.Message, p.Help = unread+" is a link that leads out of its folder, and is not read", "put the file itself there"
	case why.Code == problem.BuildLimit:
		return why
	default:
		p.Message, p.Help = why.Message, why.Help
	}
	return p
}

// kustomizationFile is a kustomization file that was read, with its mistakes.
type kustomizationFile struct {
	once          parallel.Once
	Kustomization *kustomization.Kustomization
	problems      []problem.Problem

	losesResources, losesFields bool
	half                        halfTyped
}

// KustomizationOf reads a kustomization file, once for each version of it.
func (s *Sources) KustomizationOf(f *vfs.File) *kustomizationFile {
	s.Cache.mu.Lock()
	read, ok := s.Cache.kustomizations[f]
	if !ok {
		read = &kustomizationFile{}
		if s.Cache.kustomizations == nil {
			s.Cache.kustomizations = map[*vfs.File]*kustomizationFile{}
		}
		s.Cache.kustomizations[f] = read
	}
	s.Cache.mu.Unlock()
	read.once.Do(func() { read.parse(s.table, s.FileID(f)) })
	return read
}

func (f *kustomizationFile) parse(table *syntax.Table, id text.FileID) {
	parsed := syntax.Parse(table, id)
	f.problems = nil // what an attempt that panicked left behind
	for _, p := range parsed.Problems {
		f.problems = append(f.problems, problem.SyntaxProblem(p, nil))
	}
	var root *yaml.Node
	if len(parsed.Documents) > 0 {
		root = parsed.Documents[0].Root
	}
	k, problems := kustomization.Read(root)
	f.Kustomization = k
	f.losesResources = len(f.problems) > 0
	f.half = HalfTypedIn(table, parsed)
	broken := slices.ContainsFunc(parsed.Problems, problem.Refuses)
	for _, p := range problems {
		f.noteLoss(p)
		if broken && (followsFromSyntax(p.Kind) || f.half.holds(p.Node)) {
			continue // the parser mended the text in its own way
		}
		f.problems = append(f.problems, problem.FromFile(table, p, id))
	}
}

// LoadConfig loads and parses a file that configures a transformer, and notes it
// as an input of the layer. It reports what is wrong and returns false where there
// is nothing to read; an empty file has no root.
func (b *Loader) LoadConfig(l *trace.Layer, path kustomization.Text) (*yaml.Node, text.FileID, bool) {
	parsed, ok := b.LoadParsed(l, path)
	switch {
	case !ok:
		return nil, 0, false
	case len(parsed.Documents) == 0:
		return nil, parsed.ID, len(parsed.Problems) == 0
	}
	return parsed.Documents[0].Root, parsed.ID, true
}

func (b *Loader) LoadParsed(l *trace.Layer, path kustomization.Text) (*syntax.File, bool) {
	f := b.Load(l, path.Node, path.Value)
	if f == nil {
		return nil, false
	}
	id := b.Sources.FileID(f)
	l.Facts.Inputs = append(l.Facts.Inputs, trace.Input{Entry: path.Node, Path: f.Path, File: id})
	parsed := syntax.Parse(b.Sources.Table(), id)
	for _, p := range parsed.Problems {
		b.Report(l, problem.SyntaxProblem(p, path.Node))
	}
	return parsed, true
}

// readConfigurations adds the files of configurations to what kustomize knows by
// itself (builtinconfig.MakeTransformerConfig).
func (b *Loader) readConfigurations(l *trace.Layer, acc *accumulator.Accumulator) *kustomization.TransformerConfig {
	config := kustomization.DefaultTransformerConfig()
	if len(l.Kustomization.Configurations) == 0 {
		return config
	}
	custom := &kustomization.TransformerConfig{}
	for _, path := range l.Kustomization.Configurations {
		root, id, ok := b.LoadConfig(l, path)
		if !ok {
			acc.Unknown = true // what has an image, replicas or a name it would have said
			continue
		}
		read, problems := kustomization.ReadTransformerConfig(root)
		for _, p := range problems {
			b.Report(l, problem.FromKustomization(p, id))
		}
		custom = b.merged(l, custom, read, path.Node)
	}
	return b.merged(l, config, custom, nil)
}

// MergeConfig adds the layer's transformer configuration to what its bases
// brought (KustTarget.accumulateTarget).
func (b *Loader) MergeConfig(l *trace.Layer, acc *accumulator.Accumulator) {
	b.MergeInto(l, acc, b.readConfigurations(l, acc), l.Kustomization.Node)
	b.mergeCRDs(l, acc)
}

// MergeInto merges a configuration into the accumulator's. Almost always both
// are kustomize's own, and then there is nothing to do.
func (b *Loader) MergeInto(l *trace.Layer, acc *accumulator.Accumulator, config *kustomization.TransformerConfig, entry *yaml.Node) {
	standard := b.Sources.Cache.standardConfig()
	if config == kustomization.DefaultTransformerConfig() {
		config = standard
	}
	switch {
	case config == standard && (acc.Config == nil || acc.Config == standard):
		acc.Config = standard
	case acc.Config == nil:
		acc.Config = b.merged(l, &kustomization.TransformerConfig{}, config, entry)
	default:
		acc.Config = b.merged(l, acc.Config, config, entry)
	}
}

func (b *Loader) merged(l *trace.Layer, config, more *kustomization.TransformerConfig, entry *yaml.Node) *kustomization.TransformerConfig {
	merged, conflict := config.Merge(more)
	if conflict != nil {
		b.ReportConflict(l, entry, conflict)
		return config
	}
	return merged
}

func (b *Loader) ReportConflict(l *trace.Layer, entry *yaml.Node, conflict *kustomization.Conflict) {
	b.Report(l, problem.Problem{Code: problem.ConflictingFieldSpecs, Fatal: true, Node: entry,
		Message: fmt.Sprintf("two field specs for %s (%s) disagree on create", conflict.New.Path, conflict.Field),
		Related: []problem.Related{{Node: conflict.New.Node, Message: "this one"}, {Node: conflict.Old.Node, Message: "the other one"}}})
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

// followsFromSyntax tells whether a mistake may be nothing but the consequence of
// a syntax error in the file.
func followsFromSyntax(kind kustomization.ProblemKind) bool {
	switch kind {
	case kustomization.EmptyFile, kustomization.NotAMapping, kustomization.WrongType, kustomization.ListExpected, kustomization.NullEntry:
		return true
	}
	return false
}

// ReportSyntax reports what is wrong with a text of resources.
func (b *Loader) ReportSyntax(l *trace.Layer, docs *Documents, entry *yaml.Node) {
	for _, p := range docs.Problems {
		b.Report(l, problem.SyntaxProblem(p, entry))
	}
}

// LeaveOut returns the entries without those that are half-typed.
func LeaveOut[E any](b *Loader, half halfTyped, entries []E, node func(*E) *yaml.Node) []E {
	if len(half) == 0 {
		return entries
	}
	var kept []E
	for i := range entries {
		if half[node(&entries[i])] {
			b.Unfinished = true
			continue
		}
		kept = append(kept, entries[i])
	}
	return kept
}

func PatchNode(p *kustomization.Patch) *yaml.Node { return p.Node }

func ReplacementNode(r *kustomization.Replacement) *yaml.Node { return r.Node }

package transform

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/advice"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/textmerge"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// mergeValues carries out a generator's mergeValues: the values of r, which is what
// the generator made, become the base's with them merged into it. kustomize has
// only proposed it (proposals/22-03-value-in-the-structured-data.md). It reports
// whether any two values were merged.
func (b *Transformer) mergeValues(l *trace.Layer, g *kustomization.Generator, r *resource.Resource, base *yaml.Node) bool {
	if g == nil {
		return false
	}
	merged := false
	for i := range g.MergeValues {
		entry := &g.MergeValues[i]
		format, known := mergeFormats[strings.ToLower(entry.Format.Value)]
		if !known || entry.Key.Value == "" {
			continue // reported by checkMergeValues
		}
		v := valueMerge{b: b, l: l, entry: entry, secret: isSecret(r)}
		v.base, v.overlay = findValue(base, entry.Key.Value), findValue(r.Node, entry.Key.Value)
		if v.base.node == nil || v.overlay.node == nil {
			v.reportMissing(base, r.Node)
			continue
		}
		merged = v.merge(format) || merged
	}
	return merged
}

var mergeFormats = map[string]textmerge.Format{"json": textmerge.JSON, "yaml": textmerge.YAML}

func isSecret(r *resource.Resource) bool {
	id := r.ID()
	return id.Kind == "Secret" && id.APIVersion() == "v1"
}

// noteMergeValues records the merge as a transformation of this resource, as KEP
// 21-11 has it for generators that change something; a plain merge is none.
func (b *Transformer) noteMergeValues(l *trace.Layer, r *resource.Resource) {
	by := b.FieldOrigin(l, r.ID().Kind+"Generator")
	switch {
	case by == nil:
	case r.Origin == nil:
		r.Origin = by
	default:
		r.Transformations = &resource.Transformation{By: by, Previous: r.Transformations}
	}
}

// checkMergeValues reports what is wrong with mergeValues whatever is merged.
func (b *Transformer) checkMergeValues(l *trace.Layer, g *kustomization.Generator) {
	if len(g.MergeValues) == 0 {
		return
	}
	if load.BehaviorOf(g.Behavior.Value) != resource.Merge {
		b.reportMergeBehavior(l, g)
	}
	for _, entry := range g.MergeValues {
		if entry.Key.Value == "" {
			b.Report(l, problem.Problem{Code: problem.MergeKeyMissing, Fatal: true, Node: cmpNode(entry.Key.Node, entry.Node), Message: "the entry has no key"})
		}
		if _, known := mergeFormats[strings.ToLower(entry.Format.Value)]; !known {
			b.reportFormat(l, entry)
		}
	}
}

func cmpNode(nodes ...*yaml.Node) *yaml.Node {
	for _, n := range nodes {
		if n != nil {
			return n
		}
	}
	return nil
}

func (b *Transformer) reportMergeBehavior(l *trace.Layer, g *kustomization.Generator) {
	p := problem.Problem{Code: problem.MergeValuesWithoutMerge, Fatal: true, Message: "mergeValues needs behavior: merge"}
	if g.Behavior.Node != nil {
		p.Node = g.Behavior.Node
		p.Message += ", and this is " + behaviorName(g.Behavior.Value)
		p.Fixes = []problem.Fix{{Title: "Change behavior to merge", New: "merge"}}
		b.Report(l, p)
		return
	}
	p.Node, _ = syntax.Field(g.Node, "mergeValues")
	p.Help = "without it the generator creates, and there is nothing to merge with"
	if p.Node == nil {
		p.Node = g.Node
	} else if fix, ok := b.InsertBefore(g.Node, p.Node, "behavior: merge"); ok {
		p.Fixes = []problem.Fix{fix}
	}
	b.Report(l, p)
}

func behaviorName(written string) string {
	if written == "" {
		return "empty"
	}
	return written
}

func (b *Transformer) reportFormat(l *trace.Layer, entry kustomization.MergeValue) {
	p := problem.Problem{Code: problem.UnknownMergeFormat, Fatal: true, Node: cmpNode(entry.Format.Node, entry.Node), Help: "the formats are json and yaml"}
	likely := likelyFormat(entry)
	if entry.Format.Value == "" {
		p.Message = "the entry has no format"
		if entry.Format.Node == nil && entry.Key.Node != nil && likely != "" {
			p.Fixes = b.AddField(entry.Node, entry.Key.Node, "format: "+likely)
		}
		b.Report(l, p)
		return
	}
	p.Message = fmt.Sprintf("%q is not a format that can be merged", entry.Format.Value)
	if likely != "" {
		p.Fixes = []problem.Fix{{Title: "Change to " + likely, New: likely}}
	}
	b.Report(l, p)
}

// likelyFormat is the format that was probably meant: by the ending of the key,
// else by what is written.
func likelyFormat(entry kustomization.MergeValue) string {
	written := strings.ToLower(entry.Format.Value)
	key := entry.Key.Value
	switch {
	case strings.HasSuffix(key, ".json"), strings.HasPrefix(written, "json"):
		return "json"
	case strings.HasSuffix(key, ".yaml"), strings.HasSuffix(key, ".yml"), written == "yml":
		return "yaml"
	}
	near, _ := text.Nearest(written, []string{"json", "yaml"})
	return near
}

// dataValue is a value of a ConfigMap or Secret.
type dataValue struct {
	node   *yaml.Node
	binary bool // from binaryData
}

func findValue(resource *yaml.Node, key string) dataValue {
	for _, field := range []string{"data", "binaryData"} {
		_, data := syntax.Field(resource, field)
		if _, value := syntax.Field(data, key); value != nil {
			return dataValue{value, field == "binaryData"}
		}
	}
	return dataValue{}
}

// valueMerge is the merge of one value.
type valueMerge struct {
	b             *Transformer
	l             *trace.Layer
	entry         *kustomization.MergeValue
	secret        bool
	base, overlay dataValue
}

// reportMissing reports a key that one side lacks, unless that side is not all known.
func (v *valueMerge) reportMissing(base, overlay *yaml.Node) {
	if v.b.Unfinished {
		return
	}
	key := v.entry.Key.Value
	p := problem.Problem{Code: problem.MergeKeyOnOneSide, Node: v.entry.Key.Node}
	var candidates []string
	switch {
	case v.base.node == nil && v.overlay.node == nil:
		p.Code, p.Fatal = problem.MergeKeyMissing, true
		p.Message = fmt.Sprintf("neither this generator nor what it merges with has the key %q", key)
		candidates = append(dataKeys(base), dataKeys(overlay)...)
	case v.base.node == nil:
		p.Message = fmt.Sprintf("only this generator has the key %q: there is nothing to merge it with", key)
		candidates = dataKeys(base)
		p.Related = []problem.Related{{Node: v.overlay.node, Message: "this value is taken as it is"}}
	default:
		p.Message = fmt.Sprintf("only the base has the key %q: there is nothing to merge into it", key)
		candidates = dataKeys(overlay)
		p.Related = []problem.Related{{Node: v.base.node, Message: "this value stays as it is"}}
	}
	slices.Sort(candidates)
	if near, ok := text.Nearest(key, candidates); ok && near != key {
		p.Help = fmt.Sprintf("did you mean %s?", near)
		if p.Fatal {
			p.Fixes = []problem.Fix{{Title: "Change to " + near, New: near}}
		}
	}
	v.b.Report(v.l, p)
}

func dataKeys(resource *yaml.Node) []string {
	var keys []string
	for _, field := range []string{"data", "binaryData"} {
		_, data := syntax.Field(resource, field)
		for i := 0; data != nil && i+1 < len(data.Content); i += 2 {
			keys = append(keys, data.Content[i].Value)
		}
	}
	return keys
}

// merge sets the overlay's value to the merged one. A value that stays as it was
// in the base keeps its place there.
func (v *valueMerge) merge(format textmerge.Format) bool {
	base, ok := v.decode(v.base)
	overlay, fine := v.decode(v.overlay)
	if !ok || !fine {
		return false
	}
	merged, report := textmerge.Merge([]byte(base), []byte(overlay), format)
	v.reportFindings(report, base, overlay)
	if report.Failed() {
		return false
	}
	n := v.overlay.node
	n.Value, n.Tag, n.Style = string(merged), "!!str", 0
	if v.secret {
		n.Value = encodeBase64(n.Value)
	}
	literalIfLines(n)
	if string(merged) == base {
		syntax.CopyPlace(n, v.base.node)
	}
	return true
}

// decode returns the text of a value, of a secret that of what it encodes.
func (v *valueMerge) decode(value dataValue) (string, bool) {
	written := nullableText(value.node)
	if v.secret {
		raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(written), ""))
		if err != nil {
			v.b.Report(v.l, problem.Problem{Code: problem.MergeValueNotText, Fatal: true, Node: value.node,
				Message: fmt.Sprintf("the value of %q is not base64", v.entry.Key.Value), Related: v.related()})
			return "", false
		}
		written = string(raw)
	}
	if value.binary || !utf8.ValidString(written) {
		v.b.Report(v.l, problem.Problem{Code: problem.MergeValueNotText, Fatal: true, Node: value.node,
			Message: fmt.Sprintf("the value of %q is not UTF-8 and cannot be merged as a document", v.entry.Key.Value), Related: v.related()})
		return "", false
	}
	return written, true
}

func (v *valueMerge) related() []problem.Related {
	return []problem.Related{{Node: v.entry.Key.Node, Message: "merged because of this"}}
}

// mergeCodes name the rules for what can be wrong with the documents.
var mergeCodes = map[textmerge.Kind]problem.Code{
	textmerge.Unparsable:       problem.EmbeddedDocumentUnparsable,
	textmerge.DuplicateKey:     problem.EmbeddedDuplicateKey,
	textmerge.Alias:            problem.EmbeddedAlias,
	textmerge.MergeKey:         problem.EmbeddedAlias,
	textmerge.SeveralDocuments: problem.EmbeddedSeveralDocuments,
	textmerge.Unmergeable:      problem.EmbeddedLayoutUnmergeable,
	textmerge.KindMismatch:     problem.MergeReplacesMap,
	textmerge.NotStrict:        problem.EmbeddedJSONNotStrict,
}

// reportFindings reports what is wrong with the documents at their lines in the
// files.
func (v *valueMerge) reportFindings(report textmerge.Report, base, overlay string) {
	if len(report.Findings) == 0 || v.reportFormat(report) {
		return
	}
	sides := map[textmerge.Side]advice.WrittenValue{
		textmerge.Base:    v.b.WhereWritten(v.base.node, base),
		textmerge.Overlay: v.b.WhereWritten(v.overlay.node, overlay),
	}
	for _, f := range report.Findings {
		at := sides[f.Side]
		if f.Kind == textmerge.NotStrict && !at.Exact {
			continue // it was reported where it was written
		}
		p := problem.Problem{Code: mergeCodes[f.Kind], Fatal: f.Fatal(), Message: v.message(f), Related: v.related()}
		if at.Exact {
			p.File, p.Span = at.File, at.Span(f.Span)
		} else {
			p.Node = at.Node
		}
		if at.Exact {
			p.Fixes = advice.DocumentFixes(f, p)
		}
		v.b.Report(v.l, p)
	}
}

// reportFormat reports that the format is wrong, and nothing else, where the values are
// YAML and their key does not say that they should be JSON.
func (v *valueMerge) reportFormat(report textmerge.Report) bool {
	isYAML := slices.ContainsFunc(report.Findings, func(f textmerge.Finding) bool { return f.ReadsAsYAML })
	if !isYAML || strings.HasSuffix(strings.ToLower(v.entry.Key.Value), ".json") {
		return false
	}
	v.b.Report(v.l, problem.Problem{Code: problem.EmbeddedDocumentUnparsable, Fatal: true, Node: v.entry.Format.Node,
		Message: fmt.Sprintf("the value of %q is YAML, not JSON", v.entry.Key.Value), Help: "write format: yaml",
		Fixes: []problem.Fix{problem.ChangeTo("yaml")}, Related: []problem.Related{{Node: v.base.node, Message: "the value"}}})
	return true
}

func (v *valueMerge) message(f textmerge.Finding) string {
	if f.Kind == textmerge.Unparsable {
		return fmt.Sprintf("%s cannot be merged as %s: %s", v.entry.Key.Value, strings.ToUpper(v.entry.Format.Value), f.Message)
	}
	return f.Message
}

// rememberLiteral keeps the scalar that a literal's value is part of.
func (b *Transformer) rememberLiteral(literal kustomization.Text) {
	n := literal.Node
	if n == nil {
		return
	}
	place := [2]int{n.Line, n.Column}
	if n.Kind == yaml.MappingNode && len(n.Content) == 2 {
		n = n.Content[1]
	}
	switch {
	case b.Literals == nil:
		b.Literals = map[[2]int]*yaml.Node{}
	case b.LiteralsShared:
		b.Literals, b.LiteralsShared = maps.Clone(b.Literals), false
	}
	b.Literals[place] = n
}

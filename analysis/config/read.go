package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/schema"
	yaml "go.yaml.in/yaml/v3"
)

// draft is a file that is being read.
type draft struct {
	config *Config
	table  *syntax.Table
	// scope and paths are those of the file, or of the override that is read.
	scope *scope
	paths *globs
	// across is how long the globs are that are tried one by one, in bytes.
	across int
	// registered is the cluster that is read.
	registered Cluster
}

// maxAcross is how long the globs of a file may be together that are tried one by one on
// every path.
const maxAcross = 2000

// value is a field's value, in the form of its kind.
type value struct {
	node  *yaml.Node
	text  string
	truth bool
	texts []string
	globs *globs
	rules map[string]Level
	paths map[string]string // absolute
}

// readConfig reads a configuration. What is wrong in it becomes a problem, and what
// is right counts.
func readConfig(f *vfs.File, table *syntax.Table, id text.FileID) *Config {
	d := &draft{config: &Config{Dir: filepath.Dir(f.Path)}, table: table}
	d.scope = &d.config.scope
	parsed := syntax.Parse(table, id)
	for _, p := range parsed.Problems {
		message := "this is not YAML"
		if p.Detail != "" {
			message += ": " + p.Detail
		}
		d.config.Problems = append(d.config.Problems, Problem{File: p.File, Span: p.Span, Message: message})
	}
	if len(parsed.Documents) == 0 || parsed.Documents[0].Root == nil {
		return d.config
	}
	root := parsed.Documents[0].Root
	if root.Kind == yaml.DocumentNode && len(root.Content) > 0 {
		root = root.Content[0]
	}
	if root.Kind == yaml.ScalarNode && root.ShortTag() == "!!null" {
		return d.config
	}
	d.object(root, fileFields(), FileName)
	return d.config
}

// object reads the fields of a mapping.
func (d *draft) object(n *yaml.Node, fields []field, what string) {
	if n.Kind != yaml.MappingNode {
		d.report(n, fmt.Sprintf("%s has fields, and is not %s", what, describe(n)), "")
		return
	}
	var names []string
	for _, f := range fields {
		names = append(names, f.name)
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, node := n.Content[i], n.Content[i+1]
		at := slices.Index(names, key.Value)
		switch {
		case at < 0:
			d.unknown(key, fmt.Sprintf("%s has no field %s", what, key.Value), names)
		case seen[key.Value]:
			d.report(key, key.Value+" stands here twice", "")
		default:
			d.field(resolve(node), fields[at])
		}
		seen[key.Value] = true
	}
}

func (d *draft) field(n *yaml.Node, f field) {
	v := value{node: n}
	var ok bool
	switch f.kind {
	case kindObject:
		d.object(n, f.object, f.name)
		return
	case kindObjects:
		d.objects(n, f)
		return
	case kindText, kindVersion, kindChoice:
		v.text, ok = d.scalar(n, f)
	case kindBool:
		v.truth, ok = d.bool(n, f)
	case kindTexts:
		v.texts, ok = d.list(n, f)
	case kindGlobs:
		v.globs, ok = d.globs(n, f)
	case kindRules:
		v.rules, ok = d.levels(n, f)
	case kindPaths:
		v.paths, ok = d.pathsOf(n, f)
	case kindLabels:
		v.paths, ok = d.labels(n, f)
	}
	if ok {
		f.set(d, v)
	}
}

// objects reads the entries of a list.
func (d *draft) objects(n *yaml.Node, f field) {
	if n.Kind != yaml.SequenceNode {
		d.report(n, fmt.Sprintf("%s is a list, and not %s", f.name, describe(n)), "")
		return
	}
	for _, entry := range n.Content {
		f.entry(d, resolve(entry), f)
	}
}

// override reads an entry of overrides, which has a scope of its own.
func (d *draft) override(entry *yaml.Node, f field) {
	outer, o := d.scope, override{}
	d.scope, d.paths = &o.scope, nil
	d.object(entry, f.object, "an entry of "+f.name)
	if _, paths := syntax.Field(entry, "paths"); paths == nil && entry.Kind == yaml.MappingNode {
		d.report(entry, "an entry of overrides says by paths what it is for", "")
	}
	o.paths = d.paths
	d.config.overrides = append(d.config.overrides, o)
	d.scope = outer
}

// cluster reads an entry of deployments.clusters.
func (d *draft) cluster(entry *yaml.Node, f field) {
	d.registered = Cluster{}
	d.object(entry, f.object, "an entry of "+f.name)
	if entry.Kind == yaml.MappingNode && d.registered.Name == "" {
		d.report(entry, "an entry of clusters needs a name", "")
		return
	}
	d.config.Deployments.Clusters = append(d.config.Deployments.Clusters, d.registered)
}

// labels reads a mapping of names to texts.
func (d *draft) labels(n *yaml.Node, f field) (map[string]string, bool) {
	if n.Kind != yaml.MappingNode {
		d.report(n, fmt.Sprintf("%s is a mapping, and not %s", f.name, describe(n)), "")
		return nil, false
	}
	labels := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if text, ok := d.scalar(resolve(n.Content[i+1]), field{name: n.Content[i].Value}); ok {
			labels[n.Content[i].Value] = text
		}
	}
	return labels, true
}

func (d *draft) scalar(n *yaml.Node, f field) (string, bool) {
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null":
		d.report(n, fmt.Sprintf("%s is a text, and not %s", f.name, describe(n)), "")
		return "", false
	case f.kind == kindChoice && !slices.Contains(f.choices, n.Value):
		d.unknown(n, fmt.Sprintf("%s is %s, and not %q", f.name, strings.Join(f.choices, " or "), n.Value), f.choices)
		return "", false
	}
	return n.Value, true
}

func (d *draft) bool(n *yaml.Node, f field) (bool, bool) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" {
		d.report(n, fmt.Sprintf("%s is true or false, and not %s", f.name, describe(n)), "")
		return false, false
	}
	return strings.EqualFold(n.Value, "true"), true
}

func (d *draft) list(n *yaml.Node, f field) ([]string, bool) {
	if n.Kind != yaml.SequenceNode {
		d.report(n, fmt.Sprintf("%s is a list, and not %s", f.name, describe(n)), "")
		return nil, false
	}
	texts := []string{}
	for _, entry := range n.Content {
		if text, ok := d.scalar(resolve(entry), field{name: "an entry of " + f.name}); ok {
			texts = append(texts, text)
		}
	}
	return texts, true
}

func (d *draft) globs(n *yaml.Node, f field) (*globs, bool) {
	if n.Kind != yaml.SequenceNode {
		_, ok := d.list(n, f)
		return nil, ok
	}
	patterns := &globs{}
	for _, entry := range n.Content {
		entry = resolve(entry)
		pattern, ok := d.scalar(entry, field{name: "an entry of " + f.name})
		if !ok {
			continue
		}
		g, ok := parseGlob(pattern)
		if !ok {
			d.report(entry, fmt.Sprintf("%q is not a valid pattern for paths below this folder", pattern), "* and ** are allowed, as in overlays/*/patches")
			continue
		}
		if g.pattern != nil {
			if d.across += len(pattern); d.across > maxAcross {
				d.report(entry, fmt.Sprintf("patterns with ** within a name are longer than %d characters together", maxAcross), "let ** stand alone between slashes, as in **/patches")
				continue
			}
		}
		patterns.add(g)
	}
	return patterns, true
}

// pathsOf reads a mapping of names to paths.
func (d *draft) pathsOf(n *yaml.Node, f field) (map[string]string, bool) {
	if n.Kind != yaml.MappingNode {
		d.report(n, fmt.Sprintf("%s is a mapping, and not %s", f.name, describe(n)), "")
		return nil, false
	}
	paths := map[string]string{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, node := n.Content[i], resolve(n.Content[i+1])
		if strings.Count(key.Value, "/") != 2 {
			d.report(key, fmt.Sprintf("%q does not name an object", key.Value), "write Kind/namespace/name")
		} else if path, ok := d.scalar(node, field{name: key.Value}); ok {
			paths[key.Value] = filepath.Join(d.config.Dir, filepath.FromSlash(path))
		}
	}
	return paths, true
}

func (d *draft) levels(n *yaml.Node, f field) (map[string]Level, bool) {
	if n.Kind != yaml.MappingNode {
		d.report(n, fmt.Sprintf("%s has rules, and is not %s", f.name, describe(n)), "")
		return nil, false
	}
	said := map[string]Level{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, node := n.Content[i], resolve(n.Content[i+1])
		id, span := syntax.ValueSpan(d.table, key)
		d.config.Rules = append(d.config.Rules, Name{key.Value, id, span})
		if _, twice := said[key.Value]; twice {
			d.report(key, key.Value+" stands here twice", "")
		}
		level := node.Value
		if node.ShortTag() == "!!bool" && level == "false" {
			level = string(Off) // which it is in YAML 1.1
		}
		if node.Kind != yaml.ScalarNode || !slices.Contains(levels, level) {
			d.unknown(node, fmt.Sprintf("a severity is %s, and not %s", strings.Join(levels, ", "), describe(node)), levels)
			continue
		}
		said[key.Value] = Level(level)
	}
	return said, true
}

var versionForm = text.Regexp(versionPattern)

// versionPattern is the form of versions.
const versionPattern = `^v?[0-9]+(\.[0-9]+){0,2}$`

func (d *draft) kustomize(v value) {
	if !versionForm().MatchString(v.text) {
		d.report(v.node, fmt.Sprintf("%q is not a release of kustomize", v.text), `write it as "5.8" or "5.8.2"`)
		return
	}
	d.config.Kustomize = v.text
}

func (d *draft) kubernetes(v value) {
	known := schema.Versions()
	if parts := strings.SplitN(strings.TrimPrefix(v.text, "v"), ".", 3); len(parts) > 1 && slices.Contains(known, parts[0]+"."+parts[1]) {
		d.config.Kubernetes = v.text
		return
	}
	d.report(v.node, fmt.Sprintf("the schemas of Kubernetes %s are not known, only those of %s", v.text, strings.Join(known, ", ")), "")
}

// unknown reports a text that is none of those known, with the nearest.
func (d *draft) unknown(n *yaml.Node, message string, known []string) {
	p := Problem{Message: text.Message(message, n.Value)}
	p.File, p.Span = syntax.NodeSpan(d.table, n)
	if n.Kind == yaml.ScalarNode {
		if near, ok := text.Nearest(n.Value, known); ok {
			p.Help = "did you mean " + near + "?"
			if n.Style == 0 {
				p.New = near
			}
		}
	}
	d.config.Problems = append(d.config.Problems, p)
}

func (d *draft) report(n *yaml.Node, message, help string) {
	p := Problem{Message: text.Message(message, n.Value), Help: help}
	p.File, p.Span = syntax.NodeSpan(d.table, n)
	d.config.Problems = append(d.config.Problems, p)
}

func resolve(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode && n.Alias != nil {
		return n.Alias
	}
	return n
}

func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.ShortTag() == "!!null":
		return "empty"
	}
	return fmt.Sprintf("%q", text.Excerpt(n.Value))
}

package kustomization

import yaml "go.yaml.in/yaml/v3"

// The structs that keep the mapping they were read from.

func (k *Kustomization) setNode(n *yaml.Node)     { k.Node = n }
func (m *Metadata) setNode(n *yaml.Node)          { m.Node = n }
func (l *Label) setNode(n *yaml.Node)             { l.Node = n }
func (f *FieldSpec) setNode(n *yaml.Node)         { f.Node = n }
func (p *Patch) setNode(n *yaml.Node)             { p.Node = n }
func (s *Selector) setNode(n *yaml.Node)          { s.Node = n }
func (i *Image) setNode(n *yaml.Node)             { i.Node = n }
func (r *Replica) setNode(n *yaml.Node)           { r.Node = n }
func (r *Replacement) setNode(n *yaml.Node)       { r.Node = n }
func (t *ReplacementTarget) setNode(n *yaml.Node) { t.Node = n }
func (o *FieldOptions) setNode(n *yaml.Node)      { o.Node = n }
func (g *Generator) setNode(n *yaml.Node)         { g.Node = n }
func (m *MergeValue) setNode(n *yaml.Node)        { m.Node = n }
func (o *GeneratorOptions) setNode(n *yaml.Node)  { o.Node = n }
func (o *SortOptions) setNode(n *yaml.Node)       { o.Node = n }
func (g *HelmGlobals) setNode(n *yaml.Node)       { g.Node = n }
func (c *HelmChart) setNode(n *yaml.Node)         { c.Node = n }
func (r *NameReference) setNode(n *yaml.Node)     { r.Node = n }

// setNode keeps the entry: a var's objref and fieldref are read into the var too.
func (v *Var) setNode(n *yaml.Node) {
	if v.Node == nil {
		v.Node = n
	}
}

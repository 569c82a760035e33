package kustomization

import (
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
)

// inUpstreams converts what we read to kustomize's type.
func inUpstreams(k *Kustomization) *types.Kustomization {
	u := &types.Kustomization{
		TypeMeta:   types.TypeMeta{Kind: k.Kind.Value, APIVersion: k.APIVersion.Value},
		OpenAPI:    mapOf(k.OpenAPI),
		NamePrefix: k.NamePrefix.Value, NameSuffix: k.NameSuffix.Value, Namespace: k.Namespace.Value,
		CommonLabels:          mapOf(k.CommonLabels),
		Labels:                convert(k.Labels, labelOf),
		CommonAnnotations:     mapOf(k.CommonAnnotations),
		PatchesStrategicMerge: convert(k.PatchesStrategicMerge, func(t Text) types.PatchStrategicMerge { return types.PatchStrategicMerge(t.Value) }),
		PatchesJson6902:       convert(k.PatchesJSON6902, patchOf),
		Patches:               convert(k.Patches, patchOf),
		Images:                convert(k.Images, imageOf),
		Replacements:          convert(k.Replacements, replacementFieldOf),
		Replicas: convert(k.Replicas, func(r Replica) types.Replica {
			return types.Replica{Name: r.Name.Value, Count: r.Count}
		}),
		Vars:      convert(k.Vars, varOf),
		Resources: textsOf(k.Resources), Components: textsOf(k.Components), Crds: textsOf(k.Crds),
		ConfigMapGenerator: convert(k.ConfigMapGenerator, func(g Generator) types.ConfigMapArgs {
			return types.ConfigMapArgs{GeneratorArgs: generatorOf(g)}
		}),
		SecretGenerator: convert(k.SecretGenerator, func(g Generator) types.SecretArgs {
			return types.SecretArgs{GeneratorArgs: generatorOf(g), Type: g.Type.Value}
		}),
		GeneratorOptions: optionsOf(k.GeneratorOptions),
		HelmCharts:       convert(k.HelmCharts, chartOf),
		Configurations:   textsOf(k.Configurations),
		Generators:       textsOf(k.Generators),
		Transformers:     textsOf(k.Transformers),
		Validators:       textsOf(k.Validators),
		BuildMetadata:    textsOf(k.BuildMetadata),
	}
	if m := k.Metadata; m != nil {
		u.MetaData = &types.ObjectMeta{
			Name: m.Name.Value, Namespace: m.Namespace.Value, Labels: mapOf(m.Labels), Annotations: mapOf(m.Annotations),
		}
	}
	if o := k.SortOptions; o != nil {
		u.SortOptions = &types.SortOptions{Order: types.SortOrder(o.Order.Value)}
		if o.HasLegacy {
			u.SortOptions.LegacySortOptions = &types.LegacySortOptions{
				OrderFirst: textsOf(o.OrderFirst), OrderLast: textsOf(o.OrderLast),
			}
		}
	}
	if g := k.HelmGlobals; g != nil {
		u.HelmGlobals = &types.HelmGlobals{ChartHome: g.ChartHome.Value, ConfigHome: g.ConfigHome.Value}
	}
	return u
}

// normalised takes out of kustomize's value what ours does not hold: the values
// of valuesInline, and what of a var's id its apiVersion overrides.
func normalised(k *types.Kustomization) *types.Kustomization {
	for i := range k.HelmCharts {
		if k.HelmCharts[i].ValuesInline != nil {
			k.HelmCharts[i].ValuesInline = map[string]interface{}{}
		}
	}
	for i := range k.Vars {
		k.Vars[i].ObjRef.GVK()
		k.Vars[i].ObjRef.APIVersion = ""
	}
	for i := range k.Patches {
		k.Patches[i] = withOptions(k.Patches[i])
	}
	for i := range k.PatchesJson6902 {
		k.PatchesJson6902[i] = withOptions(k.PatchesJson6902[i])
	}
	for i := range k.ConfigMapGenerator {
		k.ConfigMapGenerator[i].EnvSource = ""
	}
	return k
}

// withOptions gives a patch options, since ours has them by value.
func withOptions(p types.Patch) types.Patch {
	if p.Options == nil {
		p.Options = &types.PatchArgs{}
	}
	return p
}

func convert[A, B any](list []A, one func(A) B) []B {
	if list == nil {
		return nil
	}
	converted := make([]B, len(list))
	for i := range list {
		converted[i] = one(list[i])
	}
	return converted
}

func textsOf(list []Text) []string {
	return convert(list, func(t Text) string { return t.Value })
}

func mapOf(pairs []Pair) map[string]string {
	if pairs == nil {
		return nil
	}
	m := map[string]string{}
	for _, p := range pairs {
		m[p.Key.Value] = p.Value.Value
	}
	return m
}

func labelOf(l Label) types.Label {
	return types.Label{
		Pairs: mapOf(l.Pairs), IncludeSelectors: l.IncludeSelectors, IncludeTemplates: l.IncludeTemplates,
		IncludeVolumeClaimTemplates: l.IncludeVolumeClaimTemplates, FieldSpecs: convert(l.FieldSpecs, fieldSpecOf),
	}
}

func fieldSpecOf(f FieldSpec) types.FieldSpec {
	return types.FieldSpec{
		Gvk: resid.Gvk{Group: f.Group, Version: f.Version, Kind: f.Kind}, Path: f.Path, CreateIfNotPresent: f.Create,
	}
}

func patchOf(p Patch) types.Patch {
	return types.Patch{
		Path: p.Path.Value, Patch: p.Patch.Value, Target: selectorOf(p.Target),
		Options: &types.PatchArgs{AllowNameChange: p.Options.AllowNameChange, AllowKindChange: p.Options.AllowKindChange},
	}
}

func selectorOf(s *Selector) *types.Selector {
	if s == nil {
		return nil
	}
	return &types.Selector{
		ResId: idOf(s), AnnotationSelector: s.AnnotationSelector.Value, LabelSelector: s.LabelSelector.Value,
	}
}

func idOf(s *Selector) resid.ResId {
	return resid.ResId{
		Gvk:  resid.Gvk{Group: s.Group.Value, Version: s.Version.Value, Kind: s.Kind.Value},
		Name: s.Name.Value, Namespace: s.Namespace.Value,
	}
}

func imageOf(i Image) types.Image {
	return types.Image{
		Name: i.Name.Value, NewName: i.NewName.Value, TagSuffix: i.TagSuffix.Value,
		NewTag: i.NewTag.Value, Digest: i.Digest.Value,
	}
}

func replacementFieldOf(r Replacement) types.ReplacementField {
	return types.ReplacementField{Replacement: replacementOf(r), Path: r.Path.Value}
}

func replacementOf(r Replacement) types.Replacement {
	u := types.Replacement{Targets: convert(r.Targets, targetOf)}
	if s := r.Source; s != nil {
		u.Source = &types.SourceSelector{
			ResId: idOf(&s.Selector), FieldPath: s.FieldPath.Value, Options: fieldOptionsOf(s.Options),
		}
	}
	if r.SourceValue != nil {
		u.SourceValue = &r.SourceValue.Value
	}
	return u
}

func targetOf(t ReplacementTarget) *types.TargetSelector {
	return &types.TargetSelector{
		Select: selectorOf(t.Select), Reject: convert(t.Reject, selectorOf),
		FieldPaths: textsOf(t.FieldPaths), Options: fieldOptionsOf(t.Options),
	}
}

func fieldOptionsOf(o *FieldOptions) *types.FieldOptions {
	if o == nil {
		return nil
	}
	return &types.FieldOptions{
		Delimiter: o.Delimiter.Value, Index: o.Index, Encoding: o.Encoding.Value, Create: o.Create,
	}
}

func varOf(v Var) types.Var {
	return types.Var{
		Name: v.Name.Value,
		ObjRef: types.Target{
			Gvk:  resid.Gvk{Group: v.ObjRef.Group.Value, Version: v.ObjRef.Version.Value, Kind: v.ObjRef.Kind.Value},
			Name: v.ObjRef.Name.Value, Namespace: v.ObjRef.Namespace.Value,
		},
		FieldRef: types.FieldSelector{FieldPath: v.FieldPath.Value},
	}
}

func generatorOf(g Generator) types.GeneratorArgs {
	return types.GeneratorArgs{
		Namespace: g.Namespace.Value, Name: g.Name.Value, Behavior: g.Behavior.Value, Options: optionsOf(g.Options),
		KvPairSources: types.KvPairSources{
			LiteralSources: textsOf(g.Literals), FileSources: textsOf(g.Files), EnvSources: textsOf(g.Envs),
		},
	}
}

func optionsOf(o *GeneratorOptions) *types.GeneratorOptions {
	if o == nil {
		return nil
	}
	return &types.GeneratorOptions{
		Labels: mapOf(o.Labels), Annotations: mapOf(o.Annotations),
		DisableNameSuffixHash: o.DisableNameSuffixHash, Immutable: o.Immutable,
	}
}

func chartOf(c HelmChart) types.HelmChart {
	u := types.HelmChart{
		Name: c.Name.Value, Version: c.Version.Value, Repo: c.Repo.Value, ReleaseName: c.ReleaseName.Value,
		Namespace: c.Namespace.Value, AdditionalValuesFiles: textsOf(c.AdditionalValuesFiles),
		ValuesFile: c.ValuesFile.Value, ValuesMerge: c.ValuesMerge.Value, IncludeCRDs: c.IncludeCRDs,
		SkipHooks: c.SkipHooks, ApiVersions: textsOf(c.APIVersions), KubeVersion: c.KubeVersion.Value,
		NameTemplate: c.NameTemplate.Value, SkipTests: c.SkipTests, Debug: c.Debug, Devel: c.Devel,
	}
	if c.ValuesInline != nil {
		u.ValuesInline = map[string]interface{}{}
	}
	return u
}

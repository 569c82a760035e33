package kustomization

import yaml "go.yaml.in/yaml/v3"

var configMapStruct = newStruct("ConfigMapArgs", "A ConfigMap to generate.", generatorArgs)

var secretStruct = newStruct("SecretArgs", "A Secret to generate.", generatorArgs, []Field{
	textField("type", func(g *Generator) *Text { return &g.Type }).byDefault("Opaque").
		doc("The type of the Secret, such as `Opaque` or `kubernetes.io/tls`."),
})

var generatorArgs = []Field{
	textField("name", func(g *Generator) *Text { return &g.Name }).required().
		doc("The name, to which a hash of the content is added."),
	textField("namespace", func(g *Generator) *Text { return &g.Namespace }).doc("The namespace."),
	textField("behavior", func(g *Generator) *Text { return &g.Behavior }).byDefault("create").
		enum("create", "replace", "merge").checked(UnknownBehavior).
		doc("`create` makes a new resource; `replace` and `merge` change one of the same name that a base generated: " +
			"`merge` keeps the keys that are not given here."),
	{
		Name: "literals", Type: TypeList, Element: TypeText,
		Doc: "Entries `key=value`. One pair of quotes around the value is taken off.",
		decode: func(d *decoder, target any, v value) {
			decodeList(d, &target.(*Generator).Literals, dropEntry, v, d.literal)
		},
	},
	textsField("files", func(g *Generator) *[]Text { return &g.Files }).path().
		doc("Files whose content becomes a value: `path`, with the file's name as key, or `key=path`."),
	textsField("envs", func(g *Generator) *[]Text { return &g.Envs }).path().
		doc("Files with a `key=value` on each line."),
	textField("env", func(g *Generator) *Text { return &g.env }).path().replacedBy("envs").
		doc("The older, singular form of `envs`, to which it is added."),
	pointerField("options", generatorOptionsStruct, func(g *Generator) **GeneratorOptions { return &g.Options }).
		doc("Labels, annotations and behaviour of this resource, on top of `generatorOptions`."),
	mergeValuesField,
}

var mergeValuesField = Field{
	Name: "mergeValues", Type: TypeList, Element: TypeObject, Struct: mergeValueStruct, Support: InKlsOnly,
	Doc: "With `behavior: merge`, merges the documents of both sides under these keys instead of replacing the " +
		"value. kls only: kustomize refuses the field.",
	decode: func(d *decoder, target any, v value) {
		decodeList(d, &target.(*Generator).MergeValues, dropEntry, v, func(m *MergeValue, v value) {
			if v.kind == TypeNull {
				m.Node = v.node
				return
			}
			d.structure(m, mergeValueStruct, v)
		})
	},
}

var mergeValueStruct = newStruct("MergeValue", "A key whose value is merged as a document.", []Field{
	textField("key", func(m *MergeValue) *Text { return &m.Key }).required().doc("A key that both sides have."),
	textField("format", func(m *MergeValue) *Text { return &m.Format }).required().enum("json", "yaml").
		doc("The format of the document, in any case."),
})

// literal reads a literal, also where it was written as a map of one entry, as
// the structured-data proposal prints it.
func (d *decoder) literal(at *Text, v value) {
	if v.kind != TypeObject || len(v.members) != 1 || v.members[0].value.kind != TypeText {
		d.text(at, false, v)
		return
	}
	m := v.members[0]
	*at = Text{Value: m.name + "=" + quotedLiteral(m.value.text), Node: v.node}
	d.add(Problem{
		Kind: NotInKustomize, Node: v.node, Struct: "literal", Name: m.name,
		Want: TypeText, Got: TypeObject, Candidate: at.Value, Fatal: true,
	})
}

// quotedLiteral puts quotes around a literal's value from which kustomize would
// take quotes otherwise (kv.removeQuotes).
func quotedLiteral(s string) string {
	if len(s) >= 2 && s[0] == s[len(s)-1] && (s[0] == '"' || s[0] == '\'') {
		return `"` + s + `"`
	}
	return s
}

var generatorOptionsStruct = newStruct("GeneratorOptions", "Options of generated ConfigMaps and Secrets.", []Field{
	textMapField("labels", func(o *GeneratorOptions) *[]Pair { return &o.Labels }).doc("Labels to add."),
	textMapField("annotations", func(o *GeneratorOptions) *[]Pair { return &o.Annotations }).doc("Annotations to add."),
	boolField("disableNameSuffixHash", func(o *GeneratorOptions) *bool { return &o.DisableNameSuffixHash }).
		doc("Leaves the name without the hash of the content. Pods then do not restart when it changes."),
	boolField("immutable", func(o *GeneratorOptions) *bool { return &o.Immutable }).
		doc("Makes the resource immutable."),
})

var helmGlobalsStruct = newStruct("HelmGlobals", "Where helm finds things.", []Field{
	textField("chartHome", func(g *HelmGlobals) *Text { return &g.ChartHome }).path().byDefault("charts").
		doc("The folder with charts. A chart that is there is used as it is; any other is pulled into it."),
	textField("configHome", func(g *HelmGlobals) *Text { return &g.ConfigHome }).path().
		doc("Given to helm as `HELM_CONFIG_HOME`. By default it is a temporary folder."),
})

var helmChartStruct = newStruct("HelmChart", "A helm chart to render.", []Field{
	textField("name", func(c *HelmChart) *Text { return &c.Name }).required().doc("The chart's name."),
	textField("version", func(c *HelmChart) *Text { return &c.Version }).doc("The chart's version."),
	textField("repo", func(c *HelmChart) *Text { return &c.Repo }).doc("The URL of the chart's repository."),
	textField("releaseName", func(c *HelmChart) *Text { return &c.ReleaseName }).
		doc("The name of the release. Without it helm makes one up."),
	textField("namespace", func(c *HelmChart) *Text { return &c.Namespace }).
		doc("The namespace of the release, which templates can read."),
	textField("valuesFile", func(c *HelmChart) *Text { return &c.ValuesFile }).path().
		doc("A file of values to use in place of the chart's own."),
	textsField("additionalValuesFiles", func(c *HelmChart) *[]Text { return &c.AdditionalValuesFiles }).since("5.0.0").path().
		doc("Further files of values; the last one has precedence."),
	freeField("valuesInline", func(c *HelmChart) **yaml.Node { return &c.ValuesInline }).
		doc("Values given here."),
	textField("valuesMerge", func(c *HelmChart) *Text { return &c.ValuesMerge }).byDefault("override").
		enum("merge", "override", "replace").
		doc("How `valuesInline` and the values file come together: `override` prefers the inline values, `merge` the " +
			"file's, `replace` takes the inline values only."),
	boolField("includeCRDs", func(c *HelmChart) *bool { return &c.IncludeCRDs }).
		doc("Renders custom resource definitions as well."),
	boolField("skipHooks", func(c *HelmChart) *bool { return &c.SkipHooks }).since("5.0.0").doc("Leaves out helm hooks."),
	boolField("skipTests", func(c *HelmChart) *bool { return &c.SkipTests }).since("5.0.0").doc("Leaves out tests."),
	textsField("apiVersions", func(c *HelmChart) *[]Text { return &c.APIVersions }).since("5.0.0").
		doc("The API versions that templates find in `Capabilities.APIVersions`."),
	textField("kubeVersion", func(c *HelmChart) *Text { return &c.KubeVersion }).since("5.3.0").
		doc("The Kubernetes version that templates find in `Capabilities.KubeVersion`."),
	textField("nameTemplate", func(c *HelmChart) *Text { return &c.NameTemplate }).since("5.0.0").
		doc("A template for the name of the release."),
	boolField("debug", func(c *HelmChart) *bool { return &c.Debug }).since("5.5.0").doc("Makes helm more talkative."),
	boolField("devel", func(c *HelmChart) *bool { return &c.Devel }).since("5.7.0").doc("Takes development versions as well."),
})

// helmInflation is an entry of helmChartInflationGenerator.
type helmInflation struct {
	node                                                  *yaml.Node
	name, version, repoURL, repoName, values, valuesMerge Text
	releaseName, releaseNamespace                         Text
	chartHome, helmHome, helmBin                          Text
	valuesLocal                                           *yaml.Node
	extraArgs                                             []Text
}

func (h *helmInflation) setNode(n *yaml.Node) { h.node = n }

var helmInflationStruct = newStruct("HelmChartArgs", "A helm chart to render, in the older form.", []Field{
	textField("chartName", func(h *helmInflation) *Text { return &h.name }).doc("Becomes `name`."),
	textField("chartVersion", func(h *helmInflation) *Text { return &h.version }).doc("Becomes `version`."),
	textField("chartRepoUrl", func(h *helmInflation) *Text { return &h.repoURL }).doc("Becomes `repo`."),
	textField("chartRepoName", func(h *helmInflation) *Text { return &h.repoName }).doc("Has no effect."),
	textField("values", func(h *helmInflation) *Text { return &h.values }).path().doc("Becomes `valuesFile`."),
	freeField("valuesLocal", func(h *helmInflation) **yaml.Node { return &h.valuesLocal }).
		doc("Becomes `valuesInline`."),
	textField("valuesMerge", func(h *helmInflation) *Text { return &h.valuesMerge }).
		enum("merge", "override", "replace").doc("As in `helmCharts`."),
	textField("releaseName", func(h *helmInflation) *Text { return &h.releaseName }).doc("As in `helmCharts`."),
	textField("releaseNamespace", func(h *helmInflation) *Text { return &h.releaseNamespace }).doc("Has no effect."),
	textField("chartHome", func(h *helmInflation) *Text { return &h.chartHome }).path().
		doc("Becomes `chartHome` in `helmGlobals`."),
	textField("helmHome", func(h *helmInflation) *Text { return &h.helmHome }).path().
		doc("Becomes `configHome` in `helmGlobals`."),
	textField("helmBin", func(h *helmInflation) *Text { return &h.helmBin }).doc("Has no effect."),
	textsField("extraArgs", func(h *helmInflation) *[]Text { return &h.extraArgs }).doc("Has no effect."),
})

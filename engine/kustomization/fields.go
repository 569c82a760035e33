package kustomization

// Fields returns the struct of a kustomization file's root, which is the same
// for both kinds: kustomize reads every field in a Component, too.
func Fields() *Struct { return rootStruct }

// Structs returns every struct of a kustomization file, the root first, and
// those of transformer configurations last.
func Structs() []*Struct {
	return []*Struct{
		rootStruct, metadataStruct, openAPIStruct, labelStruct, fieldSpecStruct,
		patchStruct, patchOptionsStruct, selectorStruct,
		imageStruct, replicaStruct,
		replacementStruct, sourceStruct, targetStruct, fieldOptionsStruct,
		configMapStruct, secretStruct, mergeValueStruct, generatorOptionsStruct,
		varStruct, objRefStruct, fieldRefStruct, sortOptionsStruct, legacySortStruct,
		helmGlobalsStruct, helmChartStruct, helmInflationStruct,
		transformerConfigStruct, nameReferenceStruct,
	}
}

// draft is a kustomization before the deprecated fields were moved.
type draft struct {
	Kustomization
	bases      []Text
	imageTags  []Image
	inflations []helmInflation
}

var rootStruct = newStruct("Kustomization",
	"A kustomization lists resources and says how to change them. It is read from `kustomization.yaml`, "+
		"`kustomization.yml` or `Kustomization`.",
	typeFields, operandFields, operatorFields, generatorFields, pluginFields,
)

var typeFields = []Field{
	textField("apiVersion", func(k *draft) *Text { return &k.APIVersion }).
		byDefault("kustomize.config.k8s.io/v1beta1").
		enum("kustomize.config.k8s.io/v1beta1", "kustomize.config.k8s.io/v1alpha1").
		doc("The version of the file's format: `kustomize.config.k8s.io/v1beta1` for a Kustomization, " +
			"`kustomize.config.k8s.io/v1alpha1` for a Component. It may be left out."),
	textField("kind", func(k *draft) *Text { return &k.Kind }).
		byDefault(KindKustomization).enum(KindKustomization, KindComponent).
		doc("`Kustomization` can be built by itself. `Component` is a set of changes that other kustomizations " +
			"include with `components`; it works on the resources of the one that includes it."),
	pointerField("metadata", metadataStruct, func(k *draft) **Metadata { return &k.Metadata }).
		doc("A name, labels and annotations of the kustomization itself. They do not reach any resource."),
}

var operandFields = []Field{
	textsField("resources", func(k *draft) *[]Text { return &k.Resources }).path().
		doc("Files with Kubernetes resources, and folders, or git URLs of folders, with a kustomization of their own. " +
			"Paths are relative to this file. They are read in this order."),
	textsField("components", func(k *draft) *[]Text { return &k.Components }).path().
		doc("Folders or git URLs of kustomizations of kind `Component`. They run in their order, after the " +
			"resources and generators of this file and before its transformers."),
	textsField("crds", func(k *draft) *[]Text { return &k.Crds }).path().
		doc("Files with the OpenAPI definitions of custom resource types. kustomize learns from them which fields " +
			"hold names, labels and annotations. The definitions are not added to the output."),
	textsField("bases", func(k *draft) *[]Text { return &k.bases }).path().replacedBy("resources").
		doc("Folders with kustomizations to build on. They are appended to `resources`, which takes folders as well."),
}

var operatorFields = []Field{
	textField("namePrefix", func(k *draft) *Text { return &k.NamePrefix }).
		doc("Put in front of the name of every resource, and of every reference to it. Namespaces, custom resource " +
			"definitions and API services keep their names."),
	textField("nameSuffix", func(k *draft) *Text { return &k.NameSuffix }).
		doc("Put behind the name of every resource, and of every reference to it, before the hash of a generated " +
			"ConfigMap or Secret."),
	textField("namespace", func(k *draft) *Text { return &k.Namespace }).
		doc("Sets the namespace of every resource that can have one, and in the subjects of role bindings that " +
			"refer to them. A namespace that a resource names already is overwritten."),
	textMapField("commonLabels", func(k *draft) *[]Pair { return &k.CommonLabels }).replacedBy("labels").
		doc("Labels for every resource, its pod templates and its selectors. Selectors of workloads are immutable: " +
			"to add this to something that is deployed already means to delete it first."),
	listField("labels", labelStruct, dropEntry, func(k *draft) *[]Label { return &k.Labels }).
		doc("Labels for every resource. Selectors and templates get them only where an entry asks for it."),
	textMapField("commonAnnotations", func(k *draft) *[]Pair { return &k.CommonAnnotations }).
		doc("Annotations for every resource and its pod templates."),
	listField("patches", patchStruct, dropEntry, func(k *draft) *[]Patch { return &k.Patches }).
		doc("Changes to resources, each a strategic merge patch or a JSON 6902 patch, in a file or inline. " +
			"They run in their order. A target says which resources are meant; it may match many."),
	textsField("patchesStrategicMerge", func(k *draft) *[]Text { return &k.PatchesStrategicMerge }).path().
		replacedBy("patches").
		doc("Strategic merge patches: each entry is a file, or the text of a patch. A patch names the one resource " +
			"that it changes."),
	listField("patchesJson6902", patchStruct, dropEntry, func(k *draft) *[]Patch { return &k.PatchesJSON6902 }).
		replacedBy("patches").
		doc("JSON 6902 patches with their targets."),
	listField("images", imageStruct, dropEntry, func(k *draft) *[]Image { return &k.Images }).
		doc("Changes the name, tag or digest of container images by the name they have in the resources."),
	listField("imageTags", imageStruct, dropEntry, func(k *draft) *[]Image { return &k.imageTags }).
		replacedBy("images").
		doc("Appended to `images`, which is the same by another name."),
	listField("replacements", replacementStruct, dropEntry, func(k *draft) *[]Replacement { return &k.Replacements }).
		doc("Copies the value of one field into any number of other fields. An entry either has a source and " +
			"targets or names a file that has them."),
	listField("replicas", replicaStruct, dropEntry, func(k *draft) *[]Replica { return &k.Replicas }).
		doc("Sets the number of replicas of workloads by name."),
	listField("vars", varStruct, dropEntry, func(k *draft) *[]Var { return &k.Vars }).replacedBy("replacements").
		doc("Variables: `$(NAME)` in certain fields is replaced by the value of a field of a resource."),
	pointerField("sortOptions", sortOptionsStruct, func(k *draft) **SortOptions { return &k.SortOptions }).since("5.0.0").
		doc("The order in which resources are printed. Only that of the kustomization that is built counts."),
	textMapField("openapi", func(k *draft) *[]Pair { return &k.OpenAPI }).knownKeys(openAPIStruct).
		doc("With `path`, a file with an OpenAPI schema that replaces the built-in one: patches then know the merge " +
			"keys of custom resources. With `version`, one of the built-in schemas."),
	textsField("buildMetadata", func(k *draft) *[]Text { return &k.BuildMetadata }).
		enum("originAnnotations", "transformerAnnotations", "managedByLabel").checked(UnknownBuildMetadata).
		doc("What kustomize adds to resources about the build: `originAnnotations` says where a resource comes from, " +
			"`transformerAnnotations` what changed it, `managedByLabel` adds a label with kustomize's version."),
}

var generatorFields = []Field{
	listField("configMapGenerator", configMapStruct, keepEntry,
		func(k *draft) *[]Generator { return &k.ConfigMapGenerator }).
		doc("Makes ConfigMaps from files, env files and literals. A hash of the content is put behind the name, and " +
			"behind references to it, so that pods restart when the content changes."),
	listField("secretGenerator", secretStruct, keepEntry,
		func(k *draft) *[]Generator { return &k.SecretGenerator }).
		doc("Makes Secrets from files, env files and literals, in the same way as `configMapGenerator`."),
	pointerField("generatorOptions", generatorOptionsStruct,
		func(k *draft) **GeneratorOptions { return &k.GeneratorOptions }).
		doc("Options for every ConfigMap and Secret that this file generates. What an entry's own `options` say " +
			"has precedence, but a `true` here cannot be made `false` there."),
	pointerField("helmGlobals", helmGlobalsStruct, func(k *draft) **HelmGlobals { return &k.HelmGlobals }).
		doc("Where helm finds charts and its configuration, for all of `helmCharts`."),
	listField("helmCharts", helmChartStruct, dropEntry, func(k *draft) *[]HelmChart { return &k.HelmCharts }).
		doc("Helm charts whose rendered resources are added. Needs `--enable-helm`."),
	listField("helmChartInflationGenerator", helmInflationStruct, dropEntry,
		func(k *draft) *[]helmInflation { return &k.inflations }).replacedBy("helmCharts").
		doc("The older form of `helmCharts`, to which it is converted."),
}

var pluginFields = []Field{
	textsField("configurations", func(k *draft) *[]Text { return &k.Configurations }).path().
		doc("Files that tell kustomize's transformers about further fields: which hold names of other resources, " +
			"labels, images and so on. They are needed for custom resources above all."),
	textsField("generators", func(k *draft) *[]Text { return &k.Generators }).path().
		doc("Files or kustomizations with the configuration of generator plugins, or such configuration inline."),
	textsField("transformers", func(k *draft) *[]Text { return &k.Transformers }).path().
		doc("Files or kustomizations with the configuration of transformer plugins, or such configuration inline. " +
			"They run after the transformers of this file's own fields."),
	textsField("validators", func(k *draft) *[]Text { return &k.Validators }).path().
		doc("Like `transformers`, but they run last and must not change anything."),
}

var openAPIStruct = newStruct("OpenAPI", "The OpenAPI schema to work with. kustomize ignores other keys.", []Field{
	{Name: "path", Type: TypeText, Path: true, Doc: "A file with an OpenAPI schema, in JSON or YAML."},
	{Name: "version", Type: TypeText, Doc: "One of the built-in schemas, as `kustomize openapi info` lists them."},
})

var metadataStruct = newStruct("Metadata", "The kustomization's own name, labels and annotations.", []Field{
	textField("name", func(m *Metadata) *Text { return &m.Name }).doc("A name for people."),
	textField("namespace", func(m *Metadata) *Text { return &m.Namespace }).doc("Without effect."),
	textMapField("labels", func(m *Metadata) *[]Pair { return &m.Labels }).doc("Without effect on resources."),
	textMapField("annotations", func(m *Metadata) *[]Pair { return &m.Annotations }).
		doc("Without effect on resources; tools may read them."),
})

var labelStruct = newStruct("Label", "Labels to add, and where to add them.", []Field{
	textMapField("pairs", func(l *Label) *[]Pair { return &l.Pairs }).doc("The labels."),
	boolField("includeSelectors", func(l *Label) *bool { return &l.IncludeSelectors }).
		doc("Adds the labels to selectors and templates as well, as `commonLabels` does."),
	boolField("includeTemplates", func(l *Label) *bool { return &l.IncludeTemplates }).since("4.5.7").
		doc("Adds the labels to pod templates as well, but not to selectors."),
	boolField("includeVolumeClaimTemplates", func(l *Label) *bool { return &l.IncludeVolumeClaimTemplates }).since("5.8.2").
		doc("Adds the labels to the volume claim templates of StatefulSets as well."),
	listField("fields", fieldSpecStruct, dropEntry, func(l *Label) *[]FieldSpec { return &l.FieldSpecs }).
		doc("Further fields that get the labels."),
})

// FieldSpecName is the name of the Struct of a FieldSpec.
const FieldSpecName = "FieldSpec"

var fieldSpecStruct = newStruct(FieldSpecName, "A field of the resources of some kinds.",
	gvkFields(func(f *FieldSpec) (group, version, kind *string) { return &f.Group, &f.Version, &f.Kind }),
	[]Field{
		plainTextField("path", false, func(f *FieldSpec) *string { return &f.Path }).
			doc("The field's path, its segments separated by `/`; `[]` behind a segment stands for every entry of a " +
				"list, and `\\/` is a slash within a segment."),
		boolField("create", func(f *FieldSpec) *bool { return &f.Create }).
			doc("Adds the field where it is missing."),
	},
)

// gvkFields are the fields of an embedded group, version and kind.
func gvkFields[T any](at func(*T) (group, version, kind *string)) []Field {
	return []Field{
		plainTextField("group", true, func(t *T) *string { group, _, _ := at(t); return group }).
			doc("The API group; empty for any group."),
		plainTextField("version", true, func(t *T) *string { _, version, _ := at(t); return version }).
			doc("The API version without the group; empty for any version."),
		plainTextField("kind", true, func(t *T) *string { _, _, kind := at(t); return kind }).
			doc("The kind; empty for any kind."),
	}
}

var imageStruct = newStruct("Image", "A container image to change.", []Field{
	textField("name", func(i *Image) *Text { return &i.Name }).
		doc("The image's name in the resources, without tag and digest."),
	textField("newName", func(i *Image) *Text { return &i.NewName }).doc("The name to put in its place."),
	textField("newTag", func(i *Image) *Text { return &i.NewTag }).
		doc("The tag to put in place of the tag or digest. Quote tags that look like numbers."),
	textField("digest", func(i *Image) *Text { return &i.Digest }).
		doc("The digest to put in place of the tag or digest, such as `sha256:…`."),
	textField("tagSuffix", func(i *Image) *Text { return &i.TagSuffix }).since("4.5.7").
		doc("Put behind the tag that is there."),
})

var replicaStruct = newStruct("Replica", "The number of replicas of a workload.", []Field{
	textField("name", func(r *Replica) *Text { return &r.Name }).required().
		doc("The name of a Deployment, ReplicaSet, ReplicationController or StatefulSet."),
	{
		Name: "count", Type: TypeInteger, Default: "0", Doc: "How many replicas.",
		decode: func(d *decoder, target any, v value) {
			r := target.(*Replica)
			d.integer(&r.Count, &r.CountNode, v)
		},
	},
})

var sortOptionsStruct = newStruct("SortOptions", "The order of the output.", []Field{
	textField("order", func(o *SortOptions) *Text { return &o.Order }).enum("fifo", "legacy").
		doc("`fifo` keeps the order in which resources were read; `legacy` sorts by kind, so that for example " +
			"namespaces come before what is in them."),
	{
		Name: "legacySortOptions", Type: TypeObject, Struct: legacySortStruct,
		Doc: "Which kinds come first and last with the order `legacy`.",
		decode: func(d *decoder, target any, v value) {
			o := target.(*SortOptions)
			if o.HasLegacy = v.kind != TypeNull; !o.HasLegacy {
				o.OrderFirst, o.OrderLast = nil, nil
				return
			}
			d.object(o, legacySortStruct, v)
		},
	},
})

var legacySortStruct = newStruct("LegacySortOptions", "The order of kinds.", []Field{
	textsField("orderFirst", func(o *SortOptions) *[]Text { return &o.OrderFirst }).
		doc("Kinds to print first, in this order."),
	textsField("orderLast", func(o *SortOptions) *[]Text { return &o.OrderLast }).
		doc("Kinds to print last, in this order."),
})

var varStruct = newStruct("Var", "A variable.", []Field{
	textField("name", func(v *Var) *Text { return &v.Name }).doc("The variable's name: `FOO` for `$(FOO)`."),
	objectField("objref", objRefStruct, func(v *Var) *Var { return v }).
		doc("The resource that has the value, by its original name."),
	objectField("fieldref", fieldRefStruct, func(v *Var) *Var { return v }).doc("The field that has the value."),
})

var objRefStruct = newStruct("ObjRef", "The resource that a variable's value comes from.", []Field{
	textField("apiVersion", func(v *Var) *Text { return &v.apiVersion }).
		doc("Group and version, such as `apps/v1`; takes precedence over `group` and `version`."),
	promotedTextField("group", func(v *Var) *Text { return &v.ObjRef.Group }).doc("The API group."),
	promotedTextField("version", func(v *Var) *Text { return &v.ObjRef.Version }).doc("The API version."),
	promotedTextField("kind", func(v *Var) *Text { return &v.ObjRef.Kind }).doc("The kind."),
	textField("name", func(v *Var) *Text { return &v.ObjRef.Name }).doc("The original name."),
	textField("namespace", func(v *Var) *Text { return &v.ObjRef.Namespace }).doc("The namespace."),
})

var fieldRefStruct = newStruct("FieldRef", "The field that a variable's value comes from.", []Field{
	textField("fieldPath", func(v *Var) *Text { return &v.FieldPath }).byDefault("metadata.name").
		doc("The field's path, its segments separated by dots."),
})

// TransformerConfigFields returns the struct of a file that configurations names.
func TransformerConfigFields() *Struct { return transformerConfigStruct }

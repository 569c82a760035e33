package kustomization

var transformerConfigStruct = newStruct("TransformerConfig",
	"Tells the transformers about further fields. kustomize adds what stands here to what it knows already.", []Field{
		specsField("namePrefix", func(c *TransformerConfig) *[]FieldSpec { return &c.NamePrefix }).
			doc("Fields that `namePrefix` changes."),
		specsField("nameSuffix", func(c *TransformerConfig) *[]FieldSpec { return &c.NameSuffix }).
			doc("Fields that `nameSuffix` changes."),
		specsField("namespace", func(c *TransformerConfig) *[]FieldSpec { return &c.Namespace }).
			doc("Fields that `namespace` sets."),
		specsField("commonLabels", func(c *TransformerConfig) *[]FieldSpec { return &c.CommonLabels }).
			doc("Fields that `commonLabels`, and `labels` with `includeSelectors`, add to."),
		specsField("labels", func(c *TransformerConfig) *[]FieldSpec { return &c.Labels }).
			doc("Fields that `labels` adds to."),
		specsField("templateLabels", func(c *TransformerConfig) *[]FieldSpec { return &c.TemplateLabels }).
			doc("Fields that `labels` with `includeTemplates` adds to."),
		specsField("volumeClaimTemplateLabels",
			func(c *TransformerConfig) *[]FieldSpec { return &c.VolumeClaimTemplateLabels }).
			doc("Fields that `labels` with `includeVolumeClaimTemplates` adds to."),
		specsField("commonAnnotations", func(c *TransformerConfig) *[]FieldSpec { return &c.CommonAnnotations }).
			doc("Fields that `commonAnnotations` adds to."),
		listField("nameReference", nameReferenceStruct, dropEntry,
			func(c *TransformerConfig) *[]NameReference { return &c.NameReference }).
			doc("Fields that hold the name of another resource and follow when it changes."),
		specsField("varReference", func(c *TransformerConfig) *[]FieldSpec { return &c.VarReference }).
			doc("Fields in which `$(NAME)` stands for one of `vars`."),
		specsField("images", func(c *TransformerConfig) *[]FieldSpec { return &c.Images }).
			doc("Fields that hold a container image."),
		specsField("replicas", func(c *TransformerConfig) *[]FieldSpec { return &c.Replicas }).
			doc("Fields that hold a number of replicas."),
	})

func specsField(name string, at func(*TransformerConfig) *[]FieldSpec) Field {
	return listField(name, fieldSpecStruct, dropEntry, at)
}

var nameReferenceStruct = newStruct("NameReference", "Fields that hold the name of a resource of one kind.",
	gvkFields(func(r *NameReference) (group, version, kind *string) { return &r.Group, &r.Version, &r.Kind }),
	[]Field{
		listField("fieldSpecs", fieldSpecStruct, dropEntry,
			func(r *NameReference) *[]FieldSpec { return &r.FieldSpecs }).
			doc("The fields that hold the name."),
	})

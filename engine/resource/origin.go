package resource

// Origin says where a resource or a transformer's configuration came from, as
// kustomize's annotations do (KEP 21-11).
type Origin struct {
	Path, Repo, Ref string
	ConfiguredIn    string
	// ConfiguredBy names the generator or transformer; empty for a file.
	ConfiguredBy Object
}

// Object names an object by type, name and namespace.
type Object struct {
	APIVersion, Kind, Name, Namespace string
}

// Transformation is a list of transformers, the last one first. Resources that
// went the same way share it.
type Transformation struct {
	By       *Origin
	Previous *Transformation
}

package adapter

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	yaml "go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// transformationsAnnotation is where v5.8.2 lists the transformers of a resource.
const transformationsAnnotation = "alpha.config.kubernetes.io/transformations"

// unlisted are the steps that the annotations do not list.
var unlisted = []string{"ConfigMapGenerator", "SecretGenerator", "HashTransformer", "NameReferenceTransformer", "RefVarTransformer",
	"managedByLabel"}

// whole are the transformers that have one entry of the annotations for all that one file configures.
var whole = []string{"ReplacementTransformer", "PatchStrategicMergeTransformer", "PrefixSuffixTransformer"}

// forgotten are the resources of which the annotations do not tell everything.
var forgotten = map[string]string{
	"ServiceAccount/fluentd-sa-abc": "a patch replaces the annotations as a whole, those that list the transformers too",
}

// temporary are the annotations that buildMetadata asks for and those that the end of a build takes away: no
// transformer does either.
var temporary = []string{transformationsAnnotation, "config.kubernetes.io/origin", "config.kubernetes.io/path",
	"config.kubernetes.io/index", "internal.config.kubernetes.io/path", "internal.config.kubernetes.io/index"}

// Steps tells how the steps that explain names for the resources of one tree compare with upstream's annotations.
type Steps struct {
	Resources   int
	Differences []string
}

// AppendTo adds the comparison as a line of JSON to a file.
func (s Steps) AppendTo(path string) {
	line, err := json.Marshal(s)
	if err != nil {
		panic(err) // numbers and strings
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.Write(append(line, '\n'))
	}
	if err == nil {
		err = file.Close()
	}
	if err != nil {
		panic(err)
	}
}

// CompareSteps builds a tree with the real kustomizer, asking for transformer annotations, and holds what explain
// says of every resource against them. Resources is 0 where upstream does not build it so.
func CompareSteps(fSys filesys.FileSystem, path string, options Options,
	upstream func(filesys.FileSystem, string) (resmap.ResMap, error)) (compared Steps) {
	theirs, err := upstream(annotate(fSys, absolute(fSys, path)), path)
	if err != nil {
		return compared
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	cache, err := os.MkdirTemp("", "kls-conformance-cache-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(cache)
	session := builder.NewSession(vfs.NewSnapshot(source{fSys}))
	built, err := session.Build(ctx, absolute(fSys, path), options.engine(cache))
	if err != nil {
		panic(err)
	}
	compared.Resources = len(built.Resources)
	if theirs.Size() != len(built.Resources) {
		compared.Differences = append(compared.Differences, fmt.Sprintf("%d resources, upstream has %d", len(built.Resources), theirs.Size()))
		return compared
	}
	for i, r := range theirs.Resources() {
		address := built.Resources[i].ID().String()
		answer, err := explain.Explain(ctx, session, absolute(fSys, path), address, options.engine(cache))
		if err != nil {
			panic(err)
		}
		if answer.Missing != nil {
			compared.Differences = append(compared.Differences, address+": "+answer.Missing.Message)
			continue
		}
		listed := r.GetAnnotations(transformationsAnnotation)[transformationsAnnotation]
		for _, difference := range compareSteps(fSys, listed, answer.Explanation) {
			compared.Differences = append(compared.Differences, address+": "+difference)
		}
	}
	return compared
}

// compareSteps holds the steps of one resource against the text of the annotation.
func compareSteps(fSys filesys.FileSystem, annotation string, e *explain.Explanation) (differences []string) {
	var listed []struct {
		ConfiguredBy struct{ Kind string } `yaml:"configuredBy"`
	}
	if err := kyaml.Unmarshal([]byte(annotation), &listed); err != nil {
		return []string{err.Error()}
	}
	at, previous := -1, explain.Step{}
	for _, step := range e.Steps {
		if slices.Contains(unlisted, step.Transformer) || sameTransformer(previous, step) || forgotten[e.Resource] != "" {
			continue
		}
		for at++; at < len(listed) && listed[at].ConfiguredBy.Kind != step.Transformer; {
			at++
		}
		if at >= len(listed) {
			return []string{fmt.Sprintf("%s is not listed, or out of order:\n%s", step.Transformer, annotation)}
		}
		previous = step
	}
	return append(differences, unexplained(fSys, e)...)
}

// sameTransformer tells whether two steps, one after the other, are those of one entry of the annotations.
func sameTransformer(previous, step explain.Step) bool {
	return step.Transformer == previous.Transformer &&
		(step.Place == previous.Place || step.Place.File == previous.Place.File && slices.Contains(whole, step.Transformer))
}

// unexplained tells of what changed a resource and is no step: from how it was read, over the steps, to how it is
// rendered, each is as the one before left it.
func unexplained(fSys filesys.FileSystem, e *explain.Explanation) (differences []string) {
	now, last := asRead(fSys, e.Read), "being read"
	hold := func(value explain.Value, name string) {
		next, _ := value.Data().(map[string]any)
		if next != nil {
			dropTemporary(next)
		}
		// A resource of another kind than what was read at its place was made by it: a generator or a function.
		if now != nil && now["kind"] == next["kind"] && !reflect.DeepEqual(now, next) {
			differences = append(differences, fmt.Sprintf("changes between %s and %s: %v -> %v", last, name, now, next))
		}
	}
	for _, step := range e.Steps {
		hold(step.Before, step.Transformer)
		if now, _ = step.After.Data().(map[string]any); now != nil {
			dropTemporary(now)
		}
		last = step.Transformer
	}
	hold(e.Value, "the end")
	return differences
}

// dropTemporary also makes strings of all annotations, as the end of a build does.
func dropTemporary(object map[string]any) {
	fields, _ := object["metadata"].(map[string]any)
	annotations, ok := fields["annotations"].(map[string]any)
	for _, key := range temporary {
		delete(annotations, key)
	}
	for key, value := range annotations {
		annotations[key] = fmt.Sprint(value)
	}
	if ok && len(annotations) == 0 {
		delete(fields, "annotations")
	}
}

// asRead returns the resource that begins at a place in a file; nil where none does, as where it was generated.
func asRead(fSys filesys.FileSystem, place explain.Place) map[string]any {
	text, err := fSys.ReadFile(place.File)
	if err != nil {
		return nil
	}
	documents := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.Node
		if documents.Decode(&document) != nil {
			return nil
		}
		if found := beginningAt(&document, place); found != nil {
			var data map[string]any
			if found.Decode(&data) != nil || data["kind"] == nil {
				return nil
			}
			dropTemporary(data)
			return data
		}
	}
}

func beginningAt(n *yaml.Node, place explain.Place) *yaml.Node {
	if n.Kind == yaml.MappingNode && n.Line == place.Line && n.Column == place.Column {
		return n
	}
	for _, child := range n.Content {
		if found := beginningAt(child, place); found != nil {
			return found
		}
	}
	return nil
}

// annotated is a file system in which one kustomization asks for transformer annotations.
type annotated struct {
	filesys.FileSystem
	path string
	text []byte
}

// ReadFile implements filesys.FileSystem.
func (a annotated) ReadFile(path string) ([]byte, error) {
	if path == a.path {
		return a.text, nil
	}
	return a.FileSystem.ReadFile(path)
}

func annotate(fSys filesys.FileSystem, dir string) filesys.FileSystem {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		path := filepath.Join(dir, name)
		text, err := fSys.ReadFile(path)
		if err != nil {
			continue
		}
		root, err := kyaml.Parse(string(text))
		if err != nil {
			return fSys
		}
		option := kyaml.NewStringRNode(types.TransformerAnnotations).YNode()
		if err := root.PipeE(kyaml.LookupCreate(kyaml.SequenceNode, "buildMetadata"), kyaml.Append(option)); err != nil {
			return fSys
		}
		return annotated{fSys, path, []byte(root.MustString())}
	}
	return fSys
}

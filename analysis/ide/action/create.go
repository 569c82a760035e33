package action

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/scalar"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// createActions offers to create the file or the kustomization that a path names and
// that is not there.
func createActions(ctx context.Context, s *scene) ([]*Action, error) {
	if !workspace.IsKustomization(s.File) {
		return nil, nil
	}
	diagnostics, err := s.diagnostics(ctx)
	if err != nil {
		return nil, err
	}
	var actions []*Action
	for _, d := range diagnostics {
		if d.Rule != "missing-path" && d.Rule != "missing-kustomization" {
			continue
		}
		file, ok := s.missingFile(ctx, d)
		if !ok {
			continue
		}
		actions = append(actions, &Action{
			ID:    "create " + file.Path,
			Title: "Create " + s.view.PathFromFolder(file.Path),
			Kind:  QuickFix,
			Mends: &d,
			make:  fixedEdit(&workspace.Edit{Create: []workspace.NewFile{file}}),
		})
	}
	return actions, nil
}

// missingFile returns the file that a diagnostic misses, with what should stand in
// it at first. False means that nobody can tell, or that it lies elsewhere.
func (s *scene) missingFile(ctx context.Context, d analysis.Diagnostic) (workspace.NewFile, bool) {
	c, ok := cursor.New(s.view.Session(), s.File, d.Span.Start)
	n := c.Scalar()
	if !ok || n == nil || len(c.Steps) == 0 || c.Steps[0].Key == nil {
		return workspace.NewFile{}, false
	}
	top, _ := kustomization.Fields().Field(c.Steps[0].Key.Value)
	field := c.Field(kustomization.Fields())
	if top == nil || field == nil || !field.Path {
		return workspace.NewFile{}, false
	}
	value := n.Value
	if _, after, ok := strings.Cut(value, "="); ok && field.Name == "files" {
		value = after
	}
	if value == "" || strings.ContainsAny(value, "\n:") || filepath.IsAbs(value) {
		return workspace.NewFile{}, false
	}
	file := workspace.NewFile{Path: filepath.Join(c.Dir(), filepath.FromSlash(value))}
	if takesFolders(top.Name) && s.isFolder(file.Path) {
		return s.newKustomization(file.Path, top.Name == "components")
	}
	if !vfs.Below(c.Dir(), file.Path) { // kustomize would not read it
		return workspace.NewFile{}, false
	}
	file.Text, ok = s.firstText(ctx, c, top.Name, field.Name, filepath.Base(file.Path))
	return file, ok
}

// takesFolders tells whether an entry of the field may be the folder of a kustomization.
func takesFolders(field string) bool {
	return slices.Contains([]string{"resources", "bases", "components", "generators", "transformers", "validators"}, field)
}

// isFolder tells whether a path is a folder or, not being there, looks like one.
func (s *scene) isFolder(path string) bool {
	isDir, err := s.view.Files().IsDir(path)
	return err == nil && isDir || err != nil && filepath.Ext(path) == ""
}

// newKustomization makes a kustomization of what stands in a folder. One without any
// field would be refused.
func (s *scene) newKustomization(dir string, component bool) (workspace.NewFile, bool) {
	if !vfs.Below(s.view.FolderOf(s.File), dir) {
		return workspace.NewFile{}, false
	}
	lines := []string{"apiVersion: kustomize.config.k8s.io/v1beta1", "kind: Kustomization"}
	if component {
		lines = []string{"apiVersion: kustomize.config.k8s.io/v1alpha1", "kind: Component"}
	}
	names := objectFiles(s.view, dir)
	if len(names) == 0 {
		lines = append(lines, "resources: []")
	} else {
		lines = append(lines, "resources:")
	}
	for _, name := range names {
		lines = append(lines, "- "+scalar.Write(name, 0, false))
	}
	return workspace.NewFile{Path: filepath.Join(dir, kustomization.FileNames()[0]), Text: s.text(lines...)}, true
}

// text joins lines as those of the file are.
func (s *scene) text(lines ...string) string {
	newline := workspace.NewlineOf(s.content)
	return strings.Join(lines, newline) + newline
}

// firstText is what a new file that an entry names may begin with: enough for
// kustomize to read it, and nothing that changes a build.
func (s *scene) firstText(ctx context.Context, c cursor.Cursor, top, field, name string) (string, bool) {
	switch {
	case top == "resources":
		return s.text(s.object(objectOf(name))...), true
	case top == "patchesJson6902" || top == "patches" || top == "patchesStrategicMerge":
		o, ok := s.patched(ctx, c, name)
		if top == "patchesJson6902" {
			return s.text("- op: test", "  path: /kind", "  value: "+scalar.Write(o.kind, 0, false)), ok
		}
		return s.text(s.object(o)...), ok
	case top == "configMapGenerator" || top == "secretGenerator":
		return "", true
	case field == "valuesFile" || field == "additionalValuesFiles" || top == "openapi" || top == "crds":
		return s.text("{}"), true
	case top == "replacements":
		return s.text("[]"), true
	}
	return "", false
}

// object is what names a resource.
type object struct{ apiVersion, kind, name string }

func (s *scene) object(o object) []string {
	value := func(text string) string { return scalar.Write(text, 0, false) }
	return []string{"apiVersion: " + value(o.apiVersion), "kind: " + value(o.kind), "metadata:", "  name: " + value(o.name)}
}

// kindsByFile are the kinds that files are often named after.
var kindsByFile = map[string]object{
	"cronjob": {"batch/v1", "CronJob", ""}, "daemonset": {"apps/v1", "DaemonSet", ""}, "deploy": {"apps/v1", "Deployment", ""},
	"deployment": {"apps/v1", "Deployment", ""}, "ingress": {"networking.k8s.io/v1", "Ingress", ""}, "job": {"batch/v1", "Job", ""},
	"namespace": {"v1", "Namespace", ""}, "networkpolicy": {"networking.k8s.io/v1", "NetworkPolicy", ""}, "ns": {"v1", "Namespace", ""},
	"role": {"rbac.authorization.k8s.io/v1", "Role", ""}, "rolebinding": {"rbac.authorization.k8s.io/v1", "RoleBinding", ""},
	"sa": {"v1", "ServiceAccount", ""}, "secret": {"v1", "Secret", ""}, "service": {"v1", "Service", ""},
	"serviceaccount": {"v1", "ServiceAccount", ""}, "statefulset": {"apps/v1", "StatefulSet", ""}, "svc": {"v1", "Service", ""},
}

// objectOf makes an object out of a file's name: web-deployment.yaml is the Deployment
// web-deployment, and what has no known kind is a ConfigMap.
func objectOf(file string) object {
	stem := strings.ToLower(strings.TrimSuffix(file, filepath.Ext(file)))
	o := object{"v1", "ConfigMap", ""}
	for _, word := range wordsOf(stem) {
		if known, ok := kindsByFile[word]; ok {
			o = known
		}
	}
	o.name = strings.Trim(strings.Map(nameRune, stem), "-.")
	if o.name == "" {
		o.name = "name"
	}
	return o
}

// nameRune keeps what a Kubernetes name may have.
func nameRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' {
		return r
	}
	return '-'
}

// patched returns the object that a patch at the cursor is for: what its target names,
// or else what its file is named after; if nothing, something with pods.
func (s *scene) patched(ctx context.Context, c cursor.Cursor, file string) (object, bool) {
	used, err := s.view.Scope(ctx, s.File)
	if err != nil || used == nil {
		return object{}, false
	}
	wanted, words := targetAt(c), wordsOf(strings.TrimSuffix(file, filepath.Ext(file)))
	var best object
	most := -1
	for _, x := range used.Result.Resources {
		id := x.OriginalID()
		if wanted.kind != "" && wanted.kind != id.Kind || wanted.name != "" && wanted.name != id.Name {
			continue
		}
		likeness := 2 * sharedWords(words, id)
		if syntax.Lookup(x.Node, "spec", "template", "spec", "containers") != nil {
			likeness++
		}
		if likeness > most {
			best, most = object{id.APIVersion(), id.Kind, id.Name}, likeness
		}
	}
	return best, most >= 0
}

// wordsOf returns the words of a name, in small letters.
func wordsOf(name string) []string {
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == '.' })
}

// sharedWords counts the words of a file's name that the resource's name or kind has.
func sharedWords(words []string, id resource.ID) int {
	count := 0
	for _, word := range words {
		if slices.Contains(wordsOf(id.Name), word) || strings.ToLower(id.Kind) == word || kindsByFile[word].kind == id.Kind {
			count++
		}
	}
	return count
}

// targetAt returns kind and name of the target beside the path at the cursor.
func targetAt(c cursor.Cursor) object {
	var o object
	for _, step := range c.Steps {
		kind, name := kustomization.FieldNode(step.Value, "target", "kind")
		if kind != nil {
			o.kind = name.Value
		}
		key, value := kustomization.FieldNode(step.Value, "target", "name")
		if key != nil {
			o.name = value.Value
		}
	}
	return o
}

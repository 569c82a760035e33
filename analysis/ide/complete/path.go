package complete

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/ide/cursor"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// pathUse is what a field of paths takes.
type pathUse struct {
	folders    bool // folders with a kustomization
	components bool // of kind Component only
	anyFile    bool // not only YAML and JSON
	noFile     bool
	anyFolder  bool
	// outside is true where a path may lead out of the folder of the kustomization.
	outside bool
	keyed   bool // key=path is allowed
}

func pathUseOf(field string) pathUse {
	switch field {
	case "resources", "generators", "transformers", "validators":
		return pathUse{folders: true, outside: true}
	case "bases":
		return pathUse{folders: true, outside: true, noFile: true}
	case "components":
		return pathUse{folders: true, components: true, outside: true, noFile: true}
	case "files":
		return pathUse{anyFile: true, keyed: true}
	case "envs", "env":
		return pathUse{anyFile: true}
	case "chartHome", "helmHome":
		return pathUse{anyFolder: true, noFile: true}
	}
	return pathUse{}
}

// paths suggests files and folders for a field, relative to the file. What is listed
// already comes last.
func (c *completer) paths(at cursor.Place) {
	use, typed, key := pathUseOf(at.Field.Name), c.slot.Typed, ""
	if use.keyed {
		if before, after, ok := strings.Cut(typed, "="); ok {
			key, typed = before+"=", after
		}
	}
	if strings.ContainsAny(typed, ":\n") || path.IsAbs(typed) {
		return
	}
	folder := typed[:strings.LastIndexByte(typed, '/')+1]
	listed := c.listed(at)
	for _, e := range c.readDir(folder) {
		name := e.Name()
		if strings.HasPrefix(name, ".") && !strings.HasPrefix(typed[len(folder):], ".") {
			continue
		}
		if e.IsDir() {
			c.folder(use, key, folder+name, listed)
		} else if !use.noFile && !(use.folders && workspace.IsKustomization(name)) && (use.anyFile || isYAML(name)) && c.join(folder+name) != c.file {
			c.addPath(key, folder+name, SuggestFile, "", rankOf(listed, folder+name))
		}
	}
	if up := strings.Trim(strings.ReplaceAll(folder, "../", ""), "./") == ""; use.outside && up && len(c.view.Folders()) > 0 { // a document that is in no file has none above
		c.addPath(key, folder+"../", SuggestFolder, "", 50)
	}
}

func (c *completer) addPath(key, target string, kind SuggestionKind, detail string, rank int) {
	c.add(choice{label: target, value: key + target, kind: kind, detail: detail, rank: rank})
}

// folder suggests a folder with a kustomization that fits, or a folder to go on from.
func (c *completer) folder(use pathUse, key, name string, listed map[string]bool) {
	dir := c.join(name)
	isComponent, has := c.kustomizationIn(dir)
	switch {
	case use.anyFolder:
		c.addPath(key, name, SuggestFolder, "", 0)
	case use.folders && vfs.Below(dir, c.file): // it would include itself
	case use.folders && has && isComponent == use.components:
		detail := kustomization.KindKustomization
		if isComponent {
			detail = kustomization.KindComponent
		}
		c.addPath(key, name, SuggestFolder, detail, rankOf(listed, name))
	case !use.folders || !has || use.components:
		c.addPath(key, name+"/", SuggestFolder, "", 30)
	}
}

func rankOf(listed map[string]bool, name string) int {
	if listed[name] {
		return 60
	}
	return 0
}

func (c *completer) join(name string) string {
	return filepath.Join(filepath.Dir(c.file), filepath.FromSlash(name))
}

func (c *completer) readDir(folder string) []fs.DirEntry {
	entries, err := c.view.Files().ReadDir(c.join(folder))
	if err != nil {
		return nil // a folder that is not there has nothing in it
	}
	return entries
}

// kustomizationIn tells whether a folder has a kustomization, and whether that is a
// component.
func (c *completer) kustomizationIn(dir string) (isComponent, has bool) {
	roots, err := c.view.RootsFor(c.ctx, c.file)
	if err != nil {
		c.err = err
		return false, false
	}
	if r := roots[dir]; r != nil {
		return r.Component, true
	}
	for _, name := range kustomization.FileNames() {
		if isDir, err := c.view.Files().IsDir(filepath.Join(dir, name)); err == nil && !isDir {
			return false, true
		}
	}
	return false, false
}

// listed are the paths that are in the same list already, or for a single path in
// the entries beside this one.
func (c *completer) listed(at cursor.Place) map[string]bool {
	listed := map[string]bool{}
	values := texts(c.list())
	if !at.Item {
		for _, other := range c.otherEntries(c.owner()) {
			values = append(values, syntax.FieldText(other, at.Field.Name))
		}
	}
	for _, value := range values {
		if _, after, ok := strings.Cut(value, "="); ok && at.Field.Name == "files" {
			value = after
		}
		if value != "" {
			listed[path.Clean(value)] = true
		}
	}
	return listed
}

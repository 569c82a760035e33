package edit

import (
	"context"
	"regexp"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/fieldpath"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// varUse is a text in which kustomize replaces a var.
type varUse struct {
	id resource.ID
	// path is empty where a field path cannot lead to the text.
	path string
	text string
	name string // of the var
}

// varUses finds by the var's name what the vars of a kustomization are used for: in
// its own build, or, for a component, in those that include it.
func (x *Fixer) varUses(ctx context.Context, dir string) (map[string][]varUse, error) {
	roots := x.tree.Roots(dir)
	if !x.tree.components[dir] {
		roots = []string{dir}
	}
	found := useRecorder{uses: map[string][]varUse{}, seen: map[varUse]bool{}}
	for _, root := range roots {
		options := x.Options(root)
		options.Recorder = &found
		if _, err := x.session.Build(ctx, root, options); err != nil {
			return nil, err
		}
	}
	return found.uses, nil
}

// useRecorder collects what a build replaces.
type useRecorder struct {
	uses map[string][]varUse
	seen map[varUse]bool
}

// Before implements builder.Recorder.
func (u *useRecorder) Before(step builder.Step, r *resource.Resource) (after func()) {
	if step.Transformer != "RefVarTransformer" {
		return nil
	}
	before := syntax.Copy(r.Node)
	return func() { u.compare(r.OriginalID(), before, r.Node, nil) }
}

// compare looks for texts that changed. Replacing vars changes no structure.
func (u *useRecorder) compare(id resource.ID, before, after *yaml.Node, path []string) {
	if before.Kind == yaml.ScalarNode {
		if before.Value != after.Value {
			u.note(id, before.Value, path)
		}
		return
	}
	for i, child := range before.Content {
		switch {
		case i >= len(after.Content):
		case before.Kind == yaml.SequenceNode:
			u.compare(id, child, after.Content[i], append(path, elementStep(before, i)))
		case i%2 == 1:
			u.compare(id, child, after.Content[i], append(path, keyStep(before.Content[i-1].Value)))
		}
	}
}

var varReference = text.Regexp(`\$\(([^)]*)\)`)

func (u *useRecorder) note(id resource.ID, text string, path []string) {
	for _, match := range varReference().FindAllStringSubmatch(text, -1) {
		use := varUse{id: id, text: text, name: match[1], path: strings.Join(path, ".")}
		for _, step := range path {
			if step == "" {
				use.path = ""
			}
		}
		if !u.seen[use] {
			u.seen[use] = true
			u.uses[use.name] = append(u.uses[use.name], use)
		}
	}
}

// keyStep writes a key as a step of a field path; empty where it cannot be.
func keyStep(key string) string {
	if !fieldpath.CanEscape(key) {
		return ""
	}
	return fieldpath.Escape(key)
}

// literalName is a name that stands for itself in a regular expression and in a path.
var literalName = text.Regexp(`^[A-Za-z0-9_-]+$`)

// elementStep writes the entry of a list as a step of a field path: by its name
// where that means no other, since names last longer than positions.
func elementStep(list *yaml.Node, i int) string {
	position := strconv.Itoa(i)
	_, name := syntax.Field(list.Content[i], "name")
	if name == nil || !literalName().MatchString(name.Value) {
		return position
	}
	for j, other := range list.Content {
		// A target takes the name as a regular expression that need not match to the ends.
		if _, n := syntax.Field(other, "name"); j != i && n != nil && strings.Contains(n.Value, name.Value) {
			return position
		}
	}
	return "[name=" + name.Value + "]"
}

// varTarget is a target of a replacement.
type varTarget struct {
	selector  kustomization.Selector
	paths     []string
	delimiter string
	index     int
	reason    string // why there can be no such target
}

// targetsOf makes one target of all uses in a resource that take the same part of
// their text.
func targetsOf(uses []varUse) []varTarget {
	type group struct {
		id        resource.ID
		delimiter string
		index     int
	}
	at := map[group]int{}
	var targets []varTarget
	for _, use := range uses {
		delimiter, index, ok := part(use.text, "$("+use.name+")")
		switch {
		case !ok:
			return []varTarget{{reason: "a replacement cannot take " + strconv.Quote(use.text) + " of " + use.id.String() + " apart"}}
		case use.path == "":
			return []varTarget{{reason: "no field path leads to " + strconv.Quote(use.text) + " of " + use.id.String()}}
		}
		g := group{use.id, delimiter, index}
		i, known := at[g]
		if !known {
			i = len(targets)
			at[g] = i
			targets = append(targets, varTarget{selector: selectorOf(use.id), delimiter: delimiter, index: index})
		}
		targets[i].paths = append(targets[i].paths, use.path)
	}
	return targets
}

// selectorOf selects a resource by the identity that it was read with. The fields
// are regular expressions.
func selectorOf(id resource.ID) kustomization.Selector {
	if id.Namespace == resource.DefaultNamespace { // kept for those without one, too
		id.Namespace = ""
	}
	literally := func(s string) kustomization.Text { return kustomization.Text{Value: regexp.QuoteMeta(s)} }
	return kustomization.Selector{Group: literally(id.Group), Version: literally(id.Version), Kind: literally(id.Kind),
		Name: literally(id.Name), Namespace: literally(id.Namespace)}
}

// longestDelimiter bounds, in bytes, what is tried as a delimiter.
const longestDelimiter = 8

// part finds a delimiter between which a text has the reference as one piece, and
// the 0-based number of that piece; the delimiter is empty where it is all of the
// text.
func part(text, reference string) (delimiter string, index int, ok bool) {
	if text == reference {
		return "", 0, true
	}
	before, after, _ := strings.Cut(text, reference)
	if strings.Contains(after, reference) || strings.HasSuffix(before, "$") {
		return "", 0, false
	}
	for length := 1; length <= longestDelimiter; length++ {
		delimiter := ""
		switch {
		case before == "" && length <= len(after):
			delimiter = after[:length]
		case before != "" && length <= len(before):
			delimiter = before[len(before)-length:]
		}
		if delimiter == "" {
			continue
		}
		for i, piece := range strings.Split(text, delimiter) {
			if piece == reference {
				return delimiter, i, true
			}
		}
	}
	return "", 0, false
}

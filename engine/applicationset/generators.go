package applicationset

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kustomize-lsp/kls/engine/syntax"
	yaml "go.yaml.in/yaml/v3"
)

// parameters are those of one element, and where it comes from.
type parameters struct {
	values    Values
	from      *yaml.Node
	condition string
	open      bool
}

// elementsOf returns what a generator makes; outer are the parameters that a matrix hands to its second generator.
func (g *generation) elementsOf(entry *yaml.Node, outer *parameters) ([]parameters, error) {
	if entry.Kind != yaml.MappingNode {
		return nil, errors.New("a generator is a mapping")
	}
	_, selector := syntax.Field(entry, "selector")
	if outer != nil {
		replaced, err := g.renderer.node(entry, outer.values)
		if err != nil {
			return nil, err
		}
		entry = replaced
	}
	var found []parameters
	kind := ""
	for i := 0; i+1 < len(entry.Content); i += 2 {
		name, n := entry.Content[i].Value, entry.Content[i+1]
		if name == "selector" || n.ShortTag() == "!!null" {
			continue
		}
		if kind != "" {
			return nil, fmt.Errorf("an entry has one generator, not %s and %s", kind, name)
		}
		kind = name
		made, err := g.generator(name, n)
		if err != nil {
			return nil, err
		}
		found = made
	}
	if len(found) > maxElements {
		return nil, unknown("it makes more than %d Applications, which kls does not expand", maxElements)
	}
	if isEmpty(selector) {
		return found, nil
	}
	return g.selected(found, selector)
}

// generator returns what one generator makes. Those that are not here ask a service.
func (g *generation) generator(name string, n *yaml.Node) ([]parameters, error) {
	switch name {
	case "list":
		return g.list(n)
	case "git":
		return g.git(n)
	case "matrix":
		return g.matrix(n)
	case "merge":
		return g.merge(n)
	case "clusters":
		return g.clusterElements(n, nil)
	case "scmProvider", "pullRequest", "clusterDecisionResource", "plugin":
		return nil, unknown("the %s generator asks a service, so what it makes is not known", name)
	}
	return nil, fmt.Errorf("%s is not a generator", name)
}

func children(n *yaml.Node, field string) []*yaml.Node {
	_, list := syntax.Field(n, field)
	if list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	return list.Content
}

// list returns the elements of a list generator. Without Go templates they hold only texts.
func (g *generation) list(n *yaml.Node) ([]parameters, error) {
	var found []parameters
	for _, element := range children(n, "elements") {
		value, err := contentOf(element)
		if err != nil {
			return nil, err
		}
		object, ok := value.(map[string]any)
		if !ok {
			return nil, errors.New("an element of a list is a mapping")
		}
		values := Values(object)
		if !g.renderer.goTemplate {
			if values, err = flatElement(object); err != nil {
				return nil, err
			}
		}
		found = append(found, parameters{values: values, from: element})
	}
	if _, source := syntax.Field(n, "elementsYaml"); source != nil && source.Value != "" {
		value, err := fromText([]byte(source.Value))
		if err != nil {
			return nil, fmt.Errorf("elementsYaml cannot be read: %w", err)
		}
		list, ok := value.([]any)
		if !ok && value != nil {
			return nil, errors.New("elementsYaml is not a list")
		}
		for _, item := range list {
			object, ok := item.(map[string]any)
			if !ok {
				return nil, errors.New("an element of elementsYaml is a mapping")
			}
			found = append(found, parameters{values: object, from: source})
		}
	}
	return found, nil
}

func flatElement(object map[string]any) (Values, error) {
	values := Values{}
	for key, value := range object {
		if key == "values" {
			inner, ok := value.(map[string]any)
			if !ok {
				return nil, errors.New("values of a list element is a mapping")
			}
			for name, value := range inner {
				text, ok := value.(string)
				if !ok {
					return nil, fmt.Errorf("values.%s of a list element is text, unless goTemplate is true; put it in quotes", name)
				}
				values["values."+name] = text
			}
			continue
		}
		text, ok := value.(string)
		if !ok {
			return nil, fmt.Errorf("%s of a list element is text, unless goTemplate is true; put it in quotes", key)
		}
		values[key] = text
	}
	return values, nil
}

// contentOf returns a node as JSON would have it.
func contentOf(n *yaml.Node) (any, error) {
	switch n.Kind {
	case yaml.MappingNode:
		object := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			value, err := contentOf(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			object[n.Content[i].Value] = value
		}
		return object, nil
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, item := range n.Content {
			value, err := contentOf(item)
			if err != nil {
				return nil, err
			}
			list[i] = value
		}
		return list, nil
	}
	switch n.ShortTag() {
	case "!!null":
		return nil, nil
	case "!!bool":
		return n.Value == "true", nil
	case "!!int", "!!float":
		var number float64
		if err := n.Decode(&number); err != nil {
			return nil, err
		}
		return number, nil
	}
	return n.Value, nil
}

// git returns the folders or files of a git generator.
func (g *generation) git(n *yaml.Node) ([]parameters, error) {
	url := syntax.FieldText(n, "repoURL")
	if strings.Contains(url, "{{") {
		return nil, unknown("the repository %s of its git generator is not known", url)
	}
	if !g.repository.Is(url) {
		return nil, unknown("its git generator reads another repository: %s", url)
	}
	prefix := syntax.FieldText(n, "pathParamPrefix")
	_, values := syntax.Field(n, "values")
	var found []parameters
	switch {
	case len(children(n, "directories")) > 0:
		for _, m := range g.folders(children(n, "directories")) {
			found = append(found, parameters{values: g.pathValues(m.path, "", prefix), from: m.by})
		}
	case len(children(n, "files")) > 0:
		for _, m := range g.files(children(n, "files")) {
			content, err := g.repository.Read(m.path)
			if err != nil {
				return nil, fmt.Errorf("%s cannot be read: %w", m.path, err)
			}
			objects, err := objectsOf(content)
			if err != nil {
				return nil, fmt.Errorf("%s cannot be read: %w", m.path, err)
			}
			for _, object := range objects {
				made := Values{}
				if g.renderer.goTemplate {
					maps.Copy(made, object)
				} else {
					flatten(object, "", made)
				}
				maps.Copy(made, g.pathValues(path.Dir(m.path), path.Base(m.path), prefix))
				found = append(found, parameters{values: made, from: m.by})
			}
		}
	default:
		return nil, errors.New("a git generator has directories or files")
	}
	for i := range found {
		if err := g.addValues(values, found[i].values); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// match is a path, and the pattern that it was found by.
type match struct {
	path string
	by   *yaml.Node
}

// folders returns the folders that a pattern matches and none that excludes.
func (g *generation) folders(patterns []*yaml.Node) []match {
	var found []match
	for _, folder := range g.repository.Folders() {
		var by *yaml.Node
		excluded := false
		for _, p := range patterns {
			if ok, err := path.Match(syntax.FieldText(p, "path"), folder); err != nil || !ok {
				continue
			}
			excluded = excluded || isTrue(p, "exclude")
			if by == nil {
				by = p
			}
		}
		if by != nil && !excluded {
			found = append(found, match{folder, by})
		}
	}
	return found
}

// files returns the files that a pattern matches, as git ls-files does: * goes over slashes, and a folder stands for
// all that is in it.
func (g *generation) files(patterns []*yaml.Node) []match {
	var found []match
	for _, file := range g.repository.Files() {
		var by *yaml.Node
		excluded := false
		for _, p := range patterns {
			if !matchesPathspec(syntax.FieldText(p, "path"), file) {
				continue
			}
			excluded = excluded || isTrue(p, "exclude")
			if by == nil {
				by = p
			}
		}
		if by != nil && !excluded {
			found = append(found, match{file, by})
		}
	}
	return found
}

// matchesPathspec tells whether git's pathspec selects a path.
func matchesPathspec(pattern, path string) bool {
	if !strings.ContainsAny(pattern, `*?[\`) {
		pattern = strings.TrimSuffix(pattern, "/")
		return pattern == path || strings.HasPrefix(path, pattern+"/") || pattern == "" || pattern == "."
	}
	return Wildmatch(pattern, path)
}

// Wildmatch tells whether a pattern with *, ? and [] matches a name, slashes being letters as others. It takes at most the
// product of the lengths.
func Wildmatch(pattern, name string) bool {
	p, n, star, from := 0, 0, -1, 0
	for n < len(name) {
		if p < len(pattern) && pattern[p] == '*' {
			star, from = p, n
			p++
			continue
		}
		if size, ok := matchOne(pattern[p:], name[n]); ok {
			p, n = p+size, n+1
			continue
		}
		if star < 0 {
			return false
		}
		from++
		p, n = star+1, from
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// matchOne tells whether the pattern begins with something that matches the byte, and how long that is.
func matchOne(pattern string, c byte) (size int, ok bool) {
	switch {
	case pattern == "":
		return 0, false
	case pattern[0] == '?':
		return 1, true
	case pattern[0] == '\\' && len(pattern) > 1:
		return 2, pattern[1] == c
	case pattern[0] == '[':
		if end := strings.IndexByte(pattern[1:], ']'); end > 0 {
			ok, err := path.Match(pattern[:end+2], string(c))
			return end + 2, ok && err == nil
		}
	}
	return 1, pattern[0] == c
}

// objectsOf reads a file that has a mapping or a list of them.
func objectsOf(content []byte) ([]map[string]any, error) {
	value, err := fromText(content)
	if err != nil {
		return nil, err
	}
	switch v := value.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return []map[string]any{v}, nil
	case []any:
		var objects []map[string]any
		for _, item := range v {
			object, ok := item.(map[string]any)
			if !ok {
				return nil, errors.New("it is a list of something else than mappings")
			}
			objects = append(objects, object)
		}
		return objects, nil
	}
	return nil, errors.New("it is neither a mapping nor a list of mappings")
}

// flatten names what is nested with dots.
func flatten(value any, prefix string, into Values) {
	under := func(name string) string {
		if prefix == "" {
			return name
		}
		return prefix + "." + name
	}
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			flatten(inner, under(key), into)
		}
		if len(v) == 0 && prefix != "" {
			into[prefix] = fmt.Sprint(v)
		}
	case map[string]string:
		for key, inner := range v {
			into[under(key)] = inner
		}
	case []any:
		for i, inner := range v {
			flatten(inner, under(strconv.Itoa(i)), into)
		}
		if len(v) == 0 && prefix != "" {
			into[prefix] = fmt.Sprint(v)
		}
	case []string:
		for i, inner := range v {
			into[under(strconv.Itoa(i))] = inner
		}
	default:
		into[prefix] = fmt.Sprint(v)
	}
}

// pathValues are the parameters of a folder, or of a file in it.
func (g *generation) pathValues(folder, file, prefix string) Values {
	segments := strings.Split(folder, "/")
	if g.renderer.goTemplate {
		all := make([]any, len(segments))
		for i, s := range segments {
			all[i] = s
		}
		inner := map[string]any{"path": folder, "basename": path.Base(folder), "basenameNormalized": normalize(path.Base(folder)), "segments": all}
		if file != "" {
			inner["filename"], inner["filenameNormalized"] = file, normalize(file)
		}
		if prefix != "" {
			return Values{prefix: map[string]any{"path": inner}}
		}
		return Values{"path": inner}
	}
	name := "path"
	if prefix != "" {
		name = prefix + ".path"
	}
	values := Values{name: folder, name + ".basename": path.Base(folder), name + ".basenameNormalized": normalize(path.Base(folder))}
	if file != "" {
		values[name+".filename"], values[name+".filenameNormalized"] = file, normalize(file)
	}
	for i, s := range segments {
		if s != "" {
			values[fmt.Sprintf("%s[%d]", name, i)] = s
		}
	}
	return values
}

// addValues adds the values of a generator, with its own parameters in them.
func (g *generation) addValues(values *yaml.Node, to Values) error {
	if values == nil || values.Kind != yaml.MappingNode {
		return nil
	}
	made := map[string]any{}
	for i := 0; i+1 < len(values.Content); i += 2 {
		replaced, err := g.renderer.replace(values.Content[i+1].Value, to)
		if err != nil {
			return err
		}
		made[values.Content[i].Value] = replaced
	}
	if g.renderer.goTemplate {
		to["values"] = made
		return nil
	}
	for name, value := range made {
		to["values."+name] = value
	}
	return nil
}

// matrix returns each element of the first generator with each of the second, which sees the parameters of the first.
func (g *generation) matrix(n *yaml.Node) ([]parameters, error) {
	generators := children(n, "generators")
	if len(generators) != 2 {
		return nil, fmt.Errorf("a matrix has two generators, not %d", len(generators))
	}
	first, err := g.nested(generators[0], nil)
	if err != nil {
		return nil, err
	}
	var found []parameters
	for _, a := range first {
		second, err := g.nested(generators[1], &a)
		if err != nil {
			return nil, err
		}
		for _, b := range second {
			values := Values{}
			if g.renderer.goTemplate {
				overlay(values, b.values)
				overlay(values, a.values)
			} else {
				for key, value := range a.values {
					if other, both := b.values[key]; both && fmt.Sprint(other) != fmt.Sprint(value) {
						return nil, fmt.Errorf("both generators of a matrix have %s, with different values", key)
					}
				}
				maps.Copy(values, a.values)
				maps.Copy(values, b.values)
			}
			condition := a.condition
			if condition == "" {
				condition = b.condition
			}
			found = append(found, parameters{values: values, from: orNode(b.from, a.from), condition: condition, open: a.open || b.open})
			if len(found) > maxElements {
				return nil, unknown("it makes more than %d Applications, which kls does not expand", maxElements)
			}
		}
	}
	return found, nil
}

// nested is a generator inside of a matrix or merge. Selectors in one that is nested again count only where the set
// says so.
func (g *generation) nested(entry *yaml.Node, outer *parameters) ([]parameters, error) {
	if !g.nestedSelectors {
		entry = withoutNestedSelectors(entry)
	}
	return g.elementsOf(entry, outer)
}

func withoutNestedSelectors(entry *yaml.Node) *yaml.Node {
	for _, name := range []string{"matrix", "merge"} {
		_, inner := syntax.Field(entry, name)
		if len(children(inner, "generators")) == 0 {
			continue
		}
		entry = syntax.Copy(entry)
		for _, generator := range children(syntax.Lookup(entry, name), "generators") {
			if generator.Kind == yaml.MappingNode {
				removeField(generator, "selector")
			}
		}
	}
	return entry
}

// overlay puts what is not empty into the values, deeply.
func overlay(to, from map[string]any) {
	for key, value := range from {
		inner, isMap := value.(map[string]any)
		below, hasMap := to[key].(map[string]any)
		switch {
		case isMap && hasMap:
			merged := maps.Clone(below)
			overlay(merged, inner)
			to[key] = merged
		case isMap:
			to[key] = maps.Clone(inner)
		case isZero(value) && to[key] != nil:
		default:
			to[key] = value
		}
	}
}

func isZero(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case float64:
		return v == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// merge returns the elements of its first generator, with what the others have for the same keys.
func (g *generation) merge(n *yaml.Node) ([]parameters, error) {
	generators := children(n, "generators")
	var keys []string
	for _, key := range children(n, "mergeKeys") {
		keys = append(keys, key.Value)
	}
	switch {
	case len(generators) < 2:
		return nil, errors.New("a merge has two generators or more")
	case len(keys) == 0:
		return nil, errors.New("a merge has mergeKeys")
	}
	var others [][]parameters
	for _, generator := range generators[1:] {
		more, err := g.nested(generator, nil)
		if err != nil {
			return nil, err
		}
		others = append(others, more)
	}
	base, err := g.mergeBase(generators[0], keys, others)
	if err != nil {
		return nil, err
	}
	if _, err := byKey(base, keys); err != nil {
		return nil, err
	}
	for _, more := range others {
		found, err := byKey(more, keys)
		if err != nil {
			return nil, err
		}
		for i := range base {
			p, ok := found[keyOf(base[i].values, keys)]
			if !ok {
				continue
			}
			merged := maps.Clone(base[i].values)
			if g.renderer.goTemplate {
				overlay(merged, p.values)
			} else {
				maps.Copy(merged, p.values)
			}
			base[i].values, base[i].from = merged, p.from
		}
	}
	return base, nil
}

// mergeBase returns the elements of the first generator of a merge. Of clusters that nobody has named, those count that
// the other generators name.
func (g *generation) mergeBase(entry *yaml.Node, keys []string, others [][]parameters) ([]parameters, error) {
	_, generator := syntax.Field(entry, "clusters")
	if g.clusters != nil || generator == nil || len(keys) != 1 || !slices.Contains([]string{"name", "nameNormalized", "server"}, keys[0]) {
		return g.nested(entry, nil)
	}
	var named []Cluster
	seen := map[string]bool{}
	for _, more := range others {
		for _, p := range more {
			value, ok := p.values[keys[0]].(string)
			if !ok || seen[value] {
				continue
			}
			seen[value] = true
			c := Cluster{Name: "{{name}}", Server: "{{server}}"}
			if keys[0] == "server" {
				c.Server = value
			} else {
				c.Name = value
			}
			named = append(named, c)
		}
	}
	return g.clusterElements(generator, named)
}

func byKey(list []parameters, keys []string) (map[string]parameters, error) {
	found := map[string]parameters{}
	for _, p := range list {
		key := keyOf(p.values, keys)
		if _, twice := found[key]; twice {
			return nil, fmt.Errorf("two elements of a generator in a merge have the same keys: %s", key)
		}
		found[key] = p
	}
	return found, nil
}

func keyOf(values Values, keys []string) string {
	at := map[string]any{}
	for _, key := range keys {
		at[key] = values[key]
	}
	encoded, err := json.Marshal(at)
	if err != nil {
		return fmt.Sprint(at)
	}
	return string(encoded)
}

// clusterElements returns the clusters that a cluster generator selects. Where nobody has said which there are, named
// are those that are known from elsewhere, and one element stands for all others.
func (g *generation) clusterElements(n *yaml.Node, named []Cluster) ([]parameters, error) {
	_, values := syntax.Field(n, "values")
	_, selector := syntax.Field(n, "selector")
	var found []parameters
	add := func(c Cluster, condition string, open bool) error {
		made := Values{"name": c.Name, "nameNormalized": normalize(c.Name), "server": c.Server}
		if strings.Contains(c.Name, "{{") {
			made["nameNormalized"] = "{{nameNormalized}}"
		}
		if g.renderer.goTemplate {
			made["project"] = ""
			metadata := map[string]any{}
			if len(c.Labels) > 0 {
				metadata["labels"] = textValues(c.Labels)
			}
			if len(c.Annotations) > 0 {
				metadata["annotations"] = textValues(c.Annotations)
			}
			made["metadata"] = metadata
		} else {
			for key, value := range c.Labels {
				made["metadata.labels."+key] = value
			}
			for key, value := range c.Annotations {
				made["metadata.annotations."+key] = value
			}
		}
		if err := g.addValues(values, made); err != nil {
			return err
		}
		found = append(found, parameters{values: made, from: n, condition: condition, open: open})
		return nil
	}
	if g.clusters != nil {
		for _, c := range g.clusters {
			if ok, err := selects(selector, c.Labels); err != nil {
				return nil, err
			} else if !ok {
				continue
			}
			if err := add(c, "", false); err != nil {
				return nil, err
			}
		}
		return found, nil
	}
	labels := map[string]string{}
	if match := syntax.Lookup(selector, "matchLabels"); match != nil {
		for i := 0; i+1 < len(match.Content); i += 2 {
			labels[match.Content[i].Value] = match.Content[i+1].Value
		}
	}
	for _, c := range named {
		c.Labels = labels
		name := c.Name
		if strings.Contains(name, "{{") {
			name = c.Server
		}
		if err := add(c, fmt.Sprintf("if a cluster %s is registered with Argo CD", name), false); err != nil {
			return nil, err
		}
	}
	err := add(Cluster{Name: "{{name}}", Server: "{{server}}", Labels: labels}, "for each cluster that is registered with Argo CD and that .kls.yaml does not name", true)
	return found, err
}

func textValues(m map[string]string) map[string]any {
	out := make(map[string]any, len(m))
	for key, value := range m {
		out[key] = value
	}
	return out
}

// selected returns the elements that the selector of a generator leaves.
func (g *generation) selected(all []parameters, selector *yaml.Node) ([]parameters, error) {
	var left []parameters
	for _, p := range all {
		flat := Values{}
		flatten(map[string]any(p.values), "", flat)
		labels := map[string]string{}
		for key, value := range flat {
			labels[key] = fmt.Sprint(value)
		}
		ok, err := selects(selector, labels)
		if err != nil {
			return nil, err
		}
		if ok || p.open {
			left = append(left, p)
		}
	}
	return left, nil
}

// selects tells whether a label selector matches (metav1.LabelSelector).
func selects(selector *yaml.Node, labels map[string]string) (bool, error) {
	if match := syntax.Lookup(selector, "matchLabels"); match != nil {
		for i := 0; i+1 < len(match.Content); i += 2 {
			if value, has := labels[match.Content[i].Value]; !has || value != match.Content[i+1].Value {
				return false, nil
			}
		}
	}
	for _, e := range children(selector, "matchExpressions") {
		value, has := labels[syntax.FieldText(e, "key")]
		listed := slices.ContainsFunc(children(e, "values"), func(n *yaml.Node) bool { return n.Value == value })
		ok := false
		switch operator := syntax.FieldText(e, "operator"); operator {
		case "In":
			ok = has && listed
		case "NotIn":
			ok = !has || !listed
		case "Exists":
			ok = has
		case "DoesNotExist":
			ok = !has
		default:
			return false, fmt.Errorf("%q is not an operator of a selector", operator)
		}
		if !ok {
			return false, nil
		}
	}
	return true, nil
}

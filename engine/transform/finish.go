package transform

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/accumulator"
	"github.com/kustomize-lsp/kls/engine/kustomization"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/memo"
	"github.com/kustomize-lsp/kls/engine/problem"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/engine/trace"
	yaml "go.yaml.in/yaml/v3"
)

// AddHashes appends a hash of the contents to the names of generated resources
// that want one (HashTransformerPlugin).
func (b *Transformer) AddHashes(l *trace.Layer, acc *accumulator.Accumulator) {
	for _, r := range acc.Set.List() {
		if !r.NeedsHash {
			continue
		}
		hash, err := contentHash(r)
		if err != nil {
			b.Report(l, problem.Problem{Code: problem.Unrenderable, Fatal: true, Node: problem.NameNode(r),
				Message: fmt.Sprintf("no hash can be made of %s: %s", r.ID(), err)})
			continue
		}
		if !HashIsKnown(r) {
			b.Report(l, problem.Problem{Code: problem.UnstableNameHash, Node: r.Entry,
				Message: fmt.Sprintf("the hash in the name of %s cannot be predicted: kustomize computes it from line numbers and from annotations of its own", r.ID()),
				Help:    "set disableNameSuffixHash for it, or keep the kind"})
		}
		b.Change(trace.Step{Layer: l, Transformer: "HashTransformer", Entry: r.Entry}, r, func(e *resource.Edit) { addHash(e, hash) })
	}
}

func addHash(r *resource.Edit, hash string) {
	name := r.ID().Name
	r.StorePrevious()
	r.OwnField("metadata")
	if metadata := ensureMap(r.Node, "metadata"); metadata != nil {
		setField(metadata, "name", name+"-"+hash)
		if _, n := syntax.Field(metadata, "name"); r.Entry != nil {
			syntax.CopyPlace(n, r.Entry)
		}
	}
}

// HashIsKnown tells whether the hash that a resource's name gets, if it wants one,
// is that of kustomize for certain: of a ConfigMap and of a Secret it is made of the
// content alone. Of any other kind, which a patch can make of either, kustomize hashes
// its nodes as JSON, with the style, tag, comments, line and column of each, and with
// the annotations in which it keeps its state (Hasher.Hash in api/hasher). Those tell
// what was done to each node, and not what it says: a value that a transformer set has
// line 0, one that a strategic merge took over its line within the patch's document,
// one that a replacement overwrote the line it had; a JSON6902 patch numbers all of
// them anew, by a text in which the annotations of that moment have lines too; tags are
// there or still to be resolved, annotations sorted or in the order of the steps. To
// know it all, each transformer would have to keep a second tree as kustomize has it.
func HashIsKnown(r *resource.Resource) bool {
	kind := r.ID().Kind
	return !r.NeedsHash || kind == "ConfigMap" || kind == "Secret"
}

// contentHash is kustomize's hash of a ConfigMap, a Secret or any other resource
// (api/hasher): of a JSON text that leaves the name out, since it looks for a
// field called "metadata/name".
func contentHash(r *resource.Resource) (string, error) {
	kind := r.ID().Kind
	var fields []string
	switch kind {
	case "ConfigMap":
		fields = []string{"data", "binaryData"}
	case "Secret":
		fields = []string{"type", "data", "stringData"}
	default:
		text, err := json.Marshal(withoutPlace(r.Node))
		return encodeHash(text), err
	}
	content := map[string]any{"kind": kind, "name": ""}
	for _, name := range fields {
		_, n := syntax.Field(r.Node, name)
		value, err := hashValue(n)
		if err != nil {
			return "", err
		}
		_, isMap := value.(map[string]any)
		if isMap || name == "data" || name == "type" {
			content[name] = value
		}
	}
	text, err := json.Marshal(content)
	return encodeHash(text), err
}

// hashValue is what kustomize takes for a field: "" where it is missing, the
// text of a scalar, and a map with JSON values.
func hashValue(n *yaml.Node) (any, error) {
	switch {
	case n == nil:
		return "", nil
	case n.Kind == yaml.ScalarNode:
		return n.Value, nil
	case n.Kind == yaml.SequenceNode:
		return map[string]any(nil), nil // kustomize ignores that it is no map
	}
	values := make(map[string]any, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		if key.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode || value.Tag != "!!str" {
			return decodedValue(n)
		}
		values[key.Value] = value.Value
	}
	return values, nil
}

func decodedValue(n *yaml.Node) (any, error) {
	text, err := yaml.Marshal(n)
	if err != nil {
		return nil, err
	}
	values := map[string]any{}
	if err := yaml.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	asJSON, err := json.Marshal(values)
	if err != nil {
		return nil, err
	}
	clear(values)
	return values, json.Unmarshal(asJSON, &values)
}

// withoutPlace clears the places. The hash of it stands for one that is not known.
func withoutPlace(n *yaml.Node) *yaml.Node {
	c := *n
	c.Line, c.Column, c.Content = 0, 0, nil
	for _, child := range n.Content {
		c.Content = append(c.Content, withoutPlace(child))
	}
	return &c
}

func isNull(n *yaml.Node, name string) bool {
	_, v := syntax.Field(n, name)
	return v != nil && v.Tag == "!!null"
}

// encodeHash is the first ten hexadecimal digits of a SHA-256 with those digits
// replaced that could make words (hasher.encode).
func encodeHash(text []byte) string {
	sum := sha256.Sum256(text)
	digits := hex.EncodeToString(sum[:])[:10]
	return strings.NewReplacer("0", "g", "1", "h", "3", "k", "a", "m", "e", "t").Replace(digits)
}

// SortResources orders the output (Kustomizer.applySortOrder).
func (b *Transformer) SortResources(l *trace.Layer, acc *accumulator.Accumulator) {
	first, last := defaultOrderFirst, defaultOrderLast
	if o := l.Kustomization.SortOptions; o != nil {
		p := problem.Problem{Code: problem.InvalidSortOptions, Fatal: true, Node: o.Node}
		switch {
		case o.Order.Value != "legacy" && o.Order.Value != "fifo":
			if o.Order.Node != nil {
				p.Node = o.Order.Node
			}
			p.Message, p.Help = fmt.Sprintf("%q is not a sort order", o.Order.Value), "order is legacy or fifo"
			b.Report(l, p)
			return
		case o.Order.Value == "fifo" && o.HasLegacy:
			p.Message = "legacySortOptions goes with order: legacy only"
			b.Report(l, p)
			return
		case o.Order.Value == "fifo":
			b.checkDistinct(l, acc)
			return
		case o.HasLegacy:
			first, last = texts(o.OrderFirst), texts(o.OrderLast)
		}
	} else if b.Options.Reorder == load.ReorderNone {
		b.checkDistinct(l, acc)
		return
	}
	before, rules := b.Finals.Named(acc.Set.List()), fmt.Sprintf("%q %q", first, last)
	if order := b.Finals.Sorted(before, rules); order != nil {
		sorted := make([]*resource.Resource, len(order))
		for i, at := range order {
			sorted[i] = acc.Set.List()[at]
		}
		acc.Set.Reorder(sorted)
		return
	}
	order := sortLegacy(acc.Set, first, last)
	if distinct := b.checkDistinct(l, acc); before != nil && distinct {
		b.Finals.Order = memo.Ordering{Rules: rules, Before: before, Order: order}
	}
}

// checkDistinct reports resources of one identity, with which kustomize panics, whatever
// the order (KustTarget.IgnoreLocal).
func (b *Transformer) checkDistinct(l *trace.Layer, acc *accumulator.Accumulator) bool {
	distinct := true
	for first, r := range acc.Set.Repeated {
		distinct = false
		b.reportTwo(l, l.Kustomization.Node, first, r)
	}
	return distinct
}

// sortLegacy sorts by kind, with some kinds first and some last, then by
// identity (SortOrderTransformer). It returns the indexes that the resources had.
func sortLegacy(set *resource.Set, first, last []string) []int {
	rank := map[string]int{}
	for i, kind := range first {
		rank[kind] = i - len(first)
	}
	for i, kind := range last {
		rank[kind] = i + 1
	}
	kinds := map[[3]string]sortKey{}
	keyed := make([]keyedResource, set.Len())
	for i, r := range set.List() {
		id := r.ID()
		key, ok := kinds[kindOf(id)]
		if !ok {
			key = newSortKey(id, rank)
			kinds[kindOf(id)] = key
		}
		key.id += "|" + orElse(id.Namespace, "~X") + "|" + orElse(id.Name, "~N")
		keyed[i] = keyedResource{key, i}
	}
	slices.SortStableFunc(keyed, func(a, b keyedResource) int {
		switch {
		case a.key.less(b.key):
			return -1
		case b.key.less(a.key):
			return 1
		}
		return 0
	})
	sorted, order := make([]*resource.Resource, len(keyed)), make([]int, len(keyed))
	for i, k := range keyed {
		sorted[i], order[i] = set.List()[k.at], k.at
	}
	set.Reorder(sorted)
	return order
}

type keyedResource struct {
	key sortKey
	at  int
}

type sortKey struct {
	rank     int
	kind, id string
	reversed bool
}

// newSortKey is the key of a kind, to which the namespace and name are to be added.
func newSortKey(id resource.ID, rank map[string]int) sortKey {
	return sortKey{
		rank:     rank[id.Kind],
		kind:     strings.Join([]string{orElse(id.Group, "~G"), orElse(id.Version, "~V"), orElse(id.Kind, "~K")}, "_"),
		id:       strings.Join([]string{orElse(id.Kind, "[noKind]"), orElse(id.Version, "[noVer]"), orElse(id.Group, "[noGrp]")}, "."),
		reversed: id.Kind == "Namespace" && id.Group == "",
	}
}

func (k sortKey) less(other sortKey) bool {
	switch {
	case k.rank != other.rank:
		return k.rank < other.rank
	case k.kind != other.kind && (k.reversed || other.reversed) && strings.HasSuffix(k.kind, "_Namespace") && strings.HasSuffix(other.kind, "_Namespace"):
		return k.kind > other.kind
	case k.kind != other.kind:
		return k.kind < other.kind
	}
	return k.id < other.id
}

func texts(list []kustomization.Text) []string {
	out := make([]string, len(list))
	for i, t := range list {
		out[i] = t.Value
	}
	return out
}

func orElse(text, placeholder string) string {
	if text == "" {
		return placeholder
	}
	return text
}

// The kinds that a legacy sort puts first and last (SortOrderTransformer).
var (
	defaultOrderFirst = []string{"Namespace", "ResourceQuota", "StorageClass", "CustomResourceDefinition",
		"ServiceAccount", "PodSecurityPolicy", "Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding",
		"ConfigMap", "Secret", "Endpoints", "Service", "LimitRange", "PriorityClass", "PersistentVolume",
		"PersistentVolumeClaim", "Deployment", "StatefulSet", "CronJob", "PodDisruptionBudget"}
	defaultOrderLast = []string{"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}
)

// CheckIdentities refuses what a patch left without a kind or name, and returns it
// (Factory.DropLocalNodes).
func (b *Transformer) CheckIdentities(l *trace.Layer, acc *accumulator.Accumulator) (wrong map[*resource.Resource]bool) {
	for _, r := range acc.Set.List() {
		if b.Finals.EndOf(r) != nil {
			continue
		}
		id := r.ID()
		p := problem.Problem{Code: problem.InvalidResource, Fatal: true}
		switch {
		case slices.ContainsFunc(r.Previous, resource.Previous.HasComma):
			p.Message = fmt.Sprintf("kustomize loses track of the %s: its name, kind or namespace had a comma in it when it was changed", id.Kind)
		case r.Broken:
			p.Message = fmt.Sprintf("the %s was without kind or metadata.name when it was to be changed", id.Kind)
		case id.Kind == "" || isNull(r.Node, "kind"):
			p.Message = "the resource no longer has a kind"
		case id.Name == "" && !strings.HasSuffix(id.Kind, "List"):
			p.Message = fmt.Sprintf("the %s no longer has a metadata.name", id.Kind)
		default:
			continue
		}
		p.Node = problem.NameNode(r)
		b.Report(l, p)
		if wrong == nil {
			wrong = map[*resource.Resource]bool{}
		}
		wrong[r] = true
	}
	return wrong
}

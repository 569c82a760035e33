package patch

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

// A resource and a patch are drawn from the same small vocabulary, so that
// fields, keys and kinds meet often.
type drawer struct {
	*rand.Rand
	odd int // how often in 100 a value is not what its field wants
}

var drawnHeads = []string{
	"apiVersion: apps/v1\nkind: Deployment\n", "apiVersion: v1\nkind: Service\n", "apiVersion: v1\nkind: Pod\n",
	"apiVersion: example.com/v1\nkind: Odd\n", "apiVersion: v1\nkind: ConfigMap\n", "apiVersion: v1\nkind: Node\n", "apiVersion: v1\nkind: ServiceAccount\n",
}

func (d *drawer) of(words ...string) string { return words[d.Intn(len(words))] }

func (d *drawer) chance(percent int) bool { return d.Intn(100) < percent }

// document draws a resource whose fields are in flow style, which is enough:
// styles are drawn for the scalars.
func (d *drawer) document(head string, isPatch bool) string {
	fields := []string{
		"metadata: {name: x, " + d.pairs(isPatch, "labels", d.labels, "finalizers", d.words, "ownerReferences", d.keyed("uid")) + "}",
		"spec: " + d.spec(isPatch),
	}
	if d.chance(30) {
		fields = append(fields, d.of("data", "secrets", "imagePullSecrets")+": "+d.of(d.labels(isPatch), d.keyed("name")(isPatch)))
	}
	if isPatch && d.chance(3) {
		fields = append(fields, "$patch: "+d.of("delete", "replace", "merge", "x"))
	}
	d.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	return head + strings.Join(fields, "\n") + "\n"
}

func (d *drawer) spec(isPatch bool) string {
	inner := "{" + d.pairs(isPatch, "containers", d.containers, "volumes", d.keyed("name"), "hostAliases", d.keyed("ip"),
		"tolerations", d.keyed("key"), "topologySpreadConstraints", d.doubleKeyed("topologyKey", "whenUnsatisfiable"),
		"nodeSelector", d.labels, "containers", d.containers) + "}"
	return "{" + d.pairs(isPatch,
		"replicas", d.scalar, "ports", d.doubleKeyed("port", "protocol"), "podCIDRs", d.words, "strategy", d.labels,
		"containers", d.containers, "extra", d.embedded,
		"template", func(bool) string { return "{metadata: {labels: " + d.labels(isPatch) + "}, spec: " + inner + "}" }) + "}"
}

func (d *drawer) containers(isPatch bool) string {
	return d.list(isPatch, func() string {
		return d.element(isPatch, "name: "+d.of("a", "b", "c"), "image", d.scalar, "args", d.words, "env", d.keyed("name"),
			"ports", d.doubleKeyed("containerPort", "protocol"), "volumeMounts", d.keyed("mountPath"), "resources", d.labels)
	})
}

func (d *drawer) keyed(key string) func(bool) string {
	return func(isPatch bool) string {
		return d.list(isPatch, func() string {
			return d.element(isPatch, key+": "+d.of("a", "b", "c", "1", "\"1\""), "value", d.scalar, "valueFrom", d.labels)
		})
	}
}

func (d *drawer) doubleKeyed(first, second string) func(bool) string {
	return func(isPatch bool) string {
		return d.list(isPatch, func() string {
			key := first + ": " + d.of("80", "81", "\"80\"")
			if d.chance(60) {
				key += ", " + second + ": " + d.of("TCP", "UDP")
			}
			return d.element(isPatch, key, "name", d.scalar, "nodePort", d.scalar)
		})
	}
}

// embedded draws a resource inside a resource, whose type is then known.
func (d *drawer) embedded(isPatch bool) string {
	return "{apiVersion: v1, kind: " + d.of("Pod", "Pod", "Service", "\"\"", "null") + ", metadata: {finalizers: " + d.words(isPatch) +
		"}, spec: {containers: " + d.containers(isPatch) + ", ports: " + d.doubleKeyed("port", "protocol")(isPatch) + "}}"
}

func (d *drawer) element(isPatch bool, key string, more ...any) string {
	switch {
	case d.chance(d.odd):
		return d.of("null", "{}", "~", "x", "[]", "{x: y}", "{name: null}", "{name: }", "{name: {}}", "\"\"")
	case isPatch && d.chance(6):
		return "{" + key + ", $patch: " + d.of("delete", "replace", "merge") + ", " + d.pairs(isPatch, more...) + "}"
	case isPatch && d.chance(d.odd):
		return "{$patch: " + d.of("delete", "replace", "merge", "x", "null", "\"\"") + "}"
	}
	return "{" + key + ", " + d.pairs(isPatch, more...) + "}"
}

func (d *drawer) list(isPatch bool, element func() string) string {
	var elements []string
	for range d.Intn(4) {
		elements = append(elements, element())
	}
	if isPatch && d.chance(5) {
		elements = append(elements, "{$patch: "+d.of("delete", "replace", "merge")+"}")
	}
	return "[" + strings.Join(elements, ", ") + "]"
}

func (d *drawer) words(bool) string {
	var words []string
	for range d.Intn(4) {
		words = append(words, d.of("a", "b", "c", "1", "'1'", "on"))
		if d.chance(d.odd) {
			words = append(words, d.of("null", "{a: b}", "\"\"", "[a]", "a"))
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

func (d *drawer) labels(isPatch bool) string {
	return "{" + d.pairs(isPatch, "app", d.scalar, "on", d.scalar, "tier", d.scalar, "\"1\"", d.scalar) + "}"
}

func (d *drawer) scalar(bool) string {
	return d.of("a", "b", "1", "\"1\"", "'on'", "on", "true", "null", "~", "", "1.50", "0o7", "\"\"", "1_000", "\"null\"", "a: b"[:1])
}

// pairs draws some of the named fields.
func (d *drawer) pairs(isPatch bool, namesAndValues ...any) string {
	var fields []string
	for i := 0; i < len(namesAndValues); i += 2 {
		if d.chance(50) {
			continue
		}
		value := namesAndValues[i+1].(func(bool) string)(isPatch)
		if d.chance(d.odd) {
			value = d.of("null", "{}", "[]", "x", "", "[a, b]", "{a: b}", "[{name: a}]")
		}
		fields = append(fields, fmt.Sprintf("%s: %s", namesAndValues[i], value))
	}
	if isPatch && d.chance(3) {
		fields = append(fields, "$patch: "+d.of("delete", "replace", "merge"))
	}
	d.Shuffle(len(fields), func(i, j int) { fields[i], fields[j] = fields[j], fields[i] })
	return strings.Join(fields, ", ")
}

func TestStrategicMergeOfRandomPairs(t *testing.T) {
	for _, odd := range []int{0, 2, 10} {
		for seed := range int64(120) {
			d := &drawer{Rand: rand.New(rand.NewSource(seed)), odd: odd}
			head := drawnHeads[d.Intn(len(drawnHeads))]
			dest, patch := d.document(head, false), d.document(head, true)
			t.Run(fmt.Sprintf("odd=%d/seed=%d", odd, seed), func(t *testing.T) { compareStrategicMerge(t, dest, patch) })
			if t.Failed() {
				return
			}
		}
	}
}

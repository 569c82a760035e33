package selector

import (
	"math/rand"
	"strings"
	"testing"

	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// kyaml's copy of Kubernetes' label selectors is the oracle.
func TestSelectorsAsKubernetes(t *testing.T) {
	labels := map[string]string{"app": "web", "tier": "", "n": "7", "a.b/c": "x"}
	node := kyaml.MustParse("metadata: {labels: {app: web, tier: '', n: '7', a.b/c: x}}")
	cases := []string{
		"", " ", "app", "!app", "app=web", "app==web", "app = web , tier", "app!=web", "app in (web,db)", "app notin (web)",
		"app in ()", "app in (,)", "app in (a,,b)", "tier=", "tier in (,a)", "n>6", "n<6", "n>x", "a.b/c=x", "A.b/c=x", "app=we b",
		"=web", "app=web,", ",app", "app in web", "in", "notin=1", "in in (in)", "!", "!app=web", "app=!web", "(app)", "app=web=x", "x y",
		"app=-x", "app/=x", "a/b/c", "app in (web", "app=(web)", "missing!=web", "missing notin (a)",
	}
	r := rand.New(rand.NewSource(1))
	pieces := []string{"app", "n", "in", "notin", "(", ")", ",", "=", "==", "!=", "!", ">", "<", " ", "web", "7", "a.b/c", "-"}
	for range 3000 {
		var b strings.Builder
		for range 1 + r.Intn(7) {
			b.WriteString(pieces[r.Intn(len(pieces))])
			b.WriteString([]string{"", " "}[r.Intn(2)])
		}
		cases = append(cases, b.String())
	}
	for _, text := range cases {
		want, wantErr := node.MatchesLabelSelector(text)
		rs, err := parseSelector(text)
		if (err != nil) != (wantErr != nil) {
			t.Errorf("%q: error %v, Kubernetes: %v", text, err, wantErr)
			continue
		}
		if err == nil && rs.match(labels) != want {
			t.Errorf("%q: matches %v, Kubernetes: %v", text, !want, want)
		}
	}
}

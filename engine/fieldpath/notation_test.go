package fieldpath

import "testing"

// The expectations are the three notations as their documents have them: RFC 9535, RFC 6901 and the manual of jq.
func TestTranslate(t *testing.T) {
	for _, c := range []struct{ path, want, other string }{
		{"$.spec.l[0].v", "spec.l.0.v", "JSONPath"},
		{"$['spec']['l'][*]", "spec.l.*", "JSONPath"},
		{"{.spec.l[?(@.name==\"a\")].v}", "spec.l.[name=a].v", "JSONPath"},
		{".spec.l[-1]", "spec.l.-", "JSONPath or jq"},
		{".metadata.annotations[\"a.b/c\"]", "metadata.annotations.[a.b/c]", "JSONPath or jq"},
		{"/spec/l/0/v", "spec.l.0.v", "JSON pointer"},
		{"/metadata/annotations/a.b~1c", "metadata.annotations.[a.b/c]", "JSON pointer"},
		{"spec.l[0].v", "spec.l.0.v", "JSONPath or jq"},
		{"spec.l[k=a].v", "spec.l.[k=a].v", "JSONPath or jq"},
		{"spec.l.[k=\"a\"].v", "spec.l.[k=a].v", "JSONPath or jq"},
		{"m[\"a.b\"]", "m.[a.b]", "JSONPath or jq"},
		{".spec.l[].v", "spec.l.*.v", "JSONPath or jq"},
		// a filter of jq has no equal
		{".spec.l[] | select(.name == \"a\") | .v", ".spec.l[] | select(.name == \"a\") | .v", ""},
		// what kustomize has is left alone
		{"spec.l.0.v", "spec.l.0.v", ""},
		{"spec.l.[k=a].v", "spec.l.[k=a].v", ""},
		{"data.config\\.json.host", "data.config\\.json.host", ""},
		{"metadata.annotations.[a.b/c]", "metadata.annotations.[a.b/c]", ""},
		{"data.[config.json.host", "data.[config.json.host", ""},
		{"data.a/b", "data.a/b", ""},
		{".spec.dnsNames.0", "spec.dnsNames.0", ""}, // kustomize skips what is empty
		{"", "", ""},
	} {
		if got, other := Translate(c.path); got != c.want || other != c.other {
			t.Errorf("Translate(%q) = %q, %q; want %q, %q", c.path, got, other, c.want, c.other)
		}
	}
}

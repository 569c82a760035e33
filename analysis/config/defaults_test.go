package config

import "testing"

// A user's settings count where no file says otherwise, by the nearest folder.
func TestFilesComeBeforeSettings(t *testing.T) {
	s := New(snapshot(map[string]string{
		"/one/.git/HEAD":         "",
		"/one/.kls.yaml":         "kubernetes: \"1.36\"\nrules: {a: error}\noverrides:\n- paths: [special]\n  rules: {b: hint}",
		"/one/special/f.yaml":    "",
		"/two/deep/f.yaml":       "",
		"/two/deep/gone/f.yaml":  "",
		"/somewhere/else/f.yaml": "",
	})).WithDefaults([]Defaults{
		{Dir: "/one", Kubernetes: "1.30", Kustomize: "5.4", Rules: map[string]Level{"a": Off, "b": Off, "c": Off}, ClassesOff: []string{"style"}},
		{Dir: "/two", LoadRestrictor: "LoadRestrictionsNone", ClassesOff: []string{"schema"}},
		{Dir: "/two/deep", Exclude: []string{"gone", "[broken"}},
	})
	one := s.For("/one/special")
	if one.Kubernetes != "1.36" || one.Kustomize != "5.4" {
		t.Errorf("versions: %q, %q", one.Kubernetes, one.Kustomize)
	}
	for rule, want := range map[string]Level{"a": "error", "b": "hint", "c": Off, "d": ""} {
		if got := s.Level(rule, "/one/special/f.yaml"); got != want {
			t.Errorf("%s: %q, want %q", rule, got, want)
		}
	}
	if got := s.Level("b", "/one/f.yaml"); got != Off {
		t.Errorf("outside of the override b is %q", got)
	}
	if !s.ClassIsOff("style", "/one/f.yaml") || s.ClassIsOff("schema", "/one/f.yaml") || !s.ClassIsOff("schema", "/two/f.yaml") {
		t.Error("the classes are not those of their folder")
	}
	if s.ClassIsOff("schema", "/two/deep/f.yaml") || !s.Excluded("/two/deep/gone/f.yaml") || s.Excluded("/two/deep/f.yaml") {
		t.Error("the settings of the nearest folder do not count alone")
	}
	if got := s.Build("/two").LoadRestrictor; got != "LoadRestrictionsNone" {
		t.Errorf("the load restrictor is %q", got)
	}
	if c := s.On(s.files).For("/somewhere/else"); c.Kustomize != "" || c.defaults != nil {
		t.Errorf("elsewhere counts %+v", c)
	}
	if got := s.On(s.files).Level("c", "/one/f.yaml"); got != Off {
		t.Errorf("on other files c is %q", got)
	}
}

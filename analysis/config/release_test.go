package config

import "testing"

func TestParseRelease(t *testing.T) {
	for written, want := range map[string]string{
		"5": "5", "5.8": "5.8", "5.8.2": "5.8.2", "v5.8.2": "5.8.2", "4.10": "4.10",
		"": "", "latest": "", "5.x": "", "5.8.2.1": "", "-5": "", "+5": "", "0": "", "5.": "", "5.8.2-rc": "",
	} {
		release, ok := ParseRelease(written)
		if got := release.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q (%v), want %q", written, got, ok, want)
		}
	}
}

func TestReleasesAreOrdered(t *testing.T) {
	order := []string{"4.5.7", "4.5", "4", "5.0.0", "5.7", "5.8.0", "5.8.2", "5.8", "5.10.0", "5"}
	for i := range order {
		for j := range order {
			a, _ := ParseRelease(order[i])
			b, _ := ParseRelease(order[j])
			if a.Before(b) != (i < j) {
				t.Errorf("%s before %s: %v", order[i], order[j], a.Before(b))
			}
		}
	}
}

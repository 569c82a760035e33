package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJudge(t *testing.T) {
	classes := map[string]class{
		"TestPlain": passes, "TestBroken": passes, "TestListed": passes, "TestMended": passes,
		"TestWords": wording, "TestNoRefusal": wording,
		"TestDocker": environment, "TestHelm": environment,
	}
	expected := map[string]string{"TestListed": "not yet", "TestMended": "not yet", "TestGone": "not yet"}
	own := &run{outcomes: map[string]outcome{
		"TestPlain": pass, "TestBroken": fail, "TestListed": fail, "TestMended": pass,
		"TestWords": fail, "TestNoRefusal": pass, "TestDocker": fail, "TestHelm": pass, "TestNew": pass,
	}}
	lent := &run{outcomes: map[string]outcome{
		"TestPlain": fail, "TestBroken": pass, "TestWords": pass, "TestNoRefusal": fail,
	}}

	got := judge(classes, expected, own, lent)
	want := verdict{
		own: 5, total: 9,
		plain: 2, plainTotal: 4,
		wording: 1, wordingTotal: 2,
		environment: 1, environmentTotal: 2,
		unexpected: []string{
			"TestBroken fails",
			"TestMended passes and is in expected-failures.txt: take it out there",
			"TestNew is not in baseline.txt: run `go run ./internal/conformance -baseline`",
			"TestNoRefusal fails",
			"TestGone is in expected-failures.txt and is no test of upstream's",
		},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(verdict{})); diff != "" {
		t.Errorf("judge (-want +got):\n%s", diff)
	}
}

func TestClassify(t *testing.T) {
	real := &run{outcomes: map[string]outcome{"TestA": pass, "TestB": pass, "TestC": fail, "TestD": skip}}
	reworded := &run{outcomes: map[string]outcome{"TestA": pass, "TestB": fail, "TestC": fail, "TestD": skip}}
	want := map[string]class{"TestA": passes, "TestB": wording, "TestC": environment, "TestD": environment}
	got := classify(real, reworded)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("classify (-want +got):\n%s", diff)
	}
	read, err := readBaseline(writeBaseline(got))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("after writing and reading (-want +got):\n%s", diff)
	}
}

func TestListsRefuseWhatSaysNothing(t *testing.T) {
	if _, err := readBaseline("TestA sometimes\n"); err == nil {
		t.Error("an unknown class was accepted")
	}
	if _, err := readExpectedFailures("# comment\nTestA\n"); err == nil {
		t.Error("a failure without a reason was accepted")
	}
}

func TestReadEvents(t *testing.T) {
	r, unfinished := readEvents([]byte(`{"Action":"run","Test":"TestA"}
{"Action":"run","Test":"TestA/sub"}
{"Action":"output","Test":"TestA/sub","Output":"inside\n"}
{"Action":"fail","Test":"TestA/sub"}
{"Action":"fail","Test":"TestA"}
{"Action":"run","Test":"TestCrash"}
panic: not JSON
`))
	if diff := cmp.Diff(map[string]outcome{"TestA": fail}, r.outcomes); diff != "" {
		t.Errorf("outcomes (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"TestCrash"}, unfinished); diff != "" {
		t.Errorf("unfinished (-want +got):\n%s", diff)
	}
	if got, want := r.explain([]string{"TestA"}), "panic: not JSON\ninside\n"; got != want {
		t.Errorf("explain: got %q, want %q", got, want)
	}
}

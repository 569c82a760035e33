package main

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"
)

func TestCompareAlternates(t *testing.T) {
	log := t.TempDir() + "/log"
	note := func(word string) process {
		return process{path: "sh", arguments: []string{"-c", "printf " + word + " >> " + log}}
	}
	p, err := compare(context.Background(), note("a"), note("b"), 3, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	noted, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if string(noted) != "ababab" || p.rounds != 3 {
		t.Errorf("the programs ran as %q in %d rounds", noted, p.rounds)
	}
	if p, err = compare(context.Background(), note("a"), note("b"), 3, 0); err != nil || p.rounds != 1 {
		t.Errorf("past the limit: %d rounds, %v", p.rounds, err)
	}
}

func TestSameOutputRefusesAWrongBuild(t *testing.T) {
	say := func(word string) process { return process{path: "echo", arguments: []string{"build", word}} }
	if err := sameOutput(context.Background(), say("a"), say("a")); err != nil {
		t.Error(err)
	}
	if err := sameOutput(context.Background(), say("a"), say("b")); err == nil {
		t.Error("different bytes were accepted")
	}
}

func TestMedian(t *testing.T) {
	if got := median([]float64{3, 1, 2}); got != 2 {
		t.Errorf("median of 3, 1, 2: %v", got)
	}
}

func TestRowFitsHeader(t *testing.T) {
	r := row{resources: 5, floor: pair{ours: 20 * time.Millisecond, theirs: 10 * time.Millisecond, ratio: 2}}
	if got := r.String(); strings.Count(got, "|") != strings.Count(strings.SplitN(header, "\n", 2)[0], "|") {
		t.Errorf("the row has other columns than the header: %s", got)
	}
}

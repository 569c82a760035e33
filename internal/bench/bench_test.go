package main

import (
	"context"
	"encoding/xml"
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
	if _, _, err := sameOutput(context.Background(), say("a"), say("a")); err != nil {
		t.Error(err)
	}
	if _, _, err := sameOutput(context.Background(), say("a"), say("b")); err == nil {
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

func TestGrowthFindsTheExponent(t *testing.T) {
	var linear, quadratic series
	for _, n := range []int{100, 200, 400, 800} {
		took := startCost + time.Duration(n)*time.Millisecond
		linear.rows = append(linear.rows, row{resources: n, floor: pair{work: took}})
		took = startCost + time.Duration(n*n)*10*time.Microsecond
		quadratic.rows = append(quadratic.rows, row{resources: n, floor: pair{work: took}})
	}
	// A tree of a few resources takes what a start takes, and bends no line.
	linear.rows = append([]row{{resources: 5, floor: pair{work: 5 * startCost}}}, linear.rows...)
	ours := func(r row) (time.Duration, bool) { return r.floor.work, true }
	for want, s := range map[float64]series{1: linear, 2: quadratic} {
		if got, ok := s.growth(ours); !ok || got < want-0.01 || got > want+0.01 {
			t.Errorf("the exponent is %v (%v), want %v", got, ok, want)
		}
	}
	if _, ok := (series{rows: linear.rows[:2]}).growth(ours); ok {
		t.Error("one tree has an exponent")
	}
}

func TestGrowthBetweenTwoTrees(t *testing.T) {
	for want, many := range map[float64]time.Duration{1: 4 * time.Second, 2: 16 * time.Second} {
		if got := (growing{small: time.Second, many: many}).exponent(); got < want-0.001 || got > want+0.001 {
			t.Errorf("the exponent is %v, want %v", got, want)
		}
	}
}

func TestPlotIsXMLWithEveryLine(t *testing.T) {
	s := series{rows: []row{
		{resources: 5, floor: pair{ours: time.Millisecond, theirs: 2 * time.Millisecond}},
		{resources: 400, floor: pair{ours: time.Second, theirs: time.Second}, kustomize: &pair{theirs: time.Minute}},
	}}
	text := plotted(s)
	if err := xml.Unmarshal([]byte(text), new(any)); err != nil {
		t.Error(err)
	}
	if got := strings.Count(text, "<circle"); got != 5 {
		t.Errorf("%d points, want 5", got)
	}
}

// TestEditorSpeaks lets the client speak to a server that echoes what it is sent: what it sends has to be what it reads.
func TestEditorSpeaks(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	c, err := connect(ctx, process{path: "cat"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := c.notify("textDocument/publishDiagnostics", diagnostics{URI: "file:///größer", Version: 3}); err != nil {
		t.Fatal(err)
	}
	if err := c.await(ctx, func(d diagnostics) bool { return d.URI == "file:///größer" && d.Version == 3 }); err != nil {
		t.Error(err)
	}
}

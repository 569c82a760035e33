package main

import (
	"context"
	"path/filepath"
	"testing"
)

func TestTypingSaysOneThingAtOnePlace(t *testing.T) {
	count, err := Measure(context.Background(), filepath.Join("..", "..", "examples"), 60)
	if err != nil {
		t.Fatal(err)
	}
	if count.Keystrokes < 500 {
		t.Errorf("only %s", count)
	}
	if count.Elsewhere*1000 > 2*count.Keystrokes || count.Several*1000 > 20*count.Keystrokes {
		t.Error(count)
		for _, line := range count.Said {
			t.Log(line)
		}
	}
}

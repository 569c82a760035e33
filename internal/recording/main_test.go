package main

import (
	"errors"
	"strings"
	"testing"
)

func echo(arguments []string) (string, error) {
	return strings.Join(arguments, "\n") + "\n", nil
}

func TestFill(t *testing.T) {
	const page = "before\n<!-- recorded: kls a b c | head 2 -->\nold\n<!-- end -->\nbetween\n" +
		"<!-- recorded: kls d -->\n<!-- end -->\nafter\n"
	const want = "before\n<!-- recorded: kls a b c | head 2 -->\n```console\n$ kls a b c\na\nb\n…\n```\n<!-- end -->\nbetween\n" +
		"<!-- recorded: kls d -->\n```console\n$ kls d\nd\n```\n<!-- end -->\nafter\n"
	got, err := fill(page, echo)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if again, _ := fill(got, echo); again != got {
		t.Errorf("recorded again, it became\n%s", again)
	}
}

func TestFillRefuses(t *testing.T) {
	for _, page := range []string{
		"<!-- recorded: kls a -->\nno end\n",
		"<!-- recorded: rm a -->\n<!-- end -->\n",
		"<!-- recorded: kls a | head few -->\n<!-- end -->\n",
	} {
		if got, err := fill(page, echo); err == nil {
			t.Errorf("%q became %q", page, got)
		}
	}
	broken := errors.New("broken")
	_, err := fill("<!-- recorded: kls a -->\n<!-- end -->\n", func([]string) (string, error) { return "", broken })
	if !errors.Is(err, broken) {
		t.Errorf("a failing command gave %v", err)
	}
}

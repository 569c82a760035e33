package edit_test

import (
	"testing"

	"github.com/kustomize-lsp/kls/analysis/edit"
)

func TestJSON(t *testing.T) {
	for document, want := range map[string]string{
		"b: 1\na: [x, '2', true, null, 1.5, {}]\nurl: \"<a&b>\"\n": "{\n  \"b\": 1,\n  \"a\": [\n    \"x\",\n    \"2\",\n    true,\n    null,\n    1.5,\n    {}\n  ],\n  \"url\": \"<a&b>\"\n}\n",
		"- op: add\n  path: /a~1b\n  value: größe\n":               "[\n  {\n    \"op\": \"add\",\n    \"path\": \"/a~1b\",\n    \"value\": \"größe\"\n  }\n]\n",
		"a: 0x10\n":      "{\n  \"a\": 16\n}\n",
		"1: a\n":         "", // keys are text
		"a: .inf\n":      "",
		"a: &x 1\nb: *x": "",
		"a: [\n":         "",
	} {
		if got, ok := edit.JSON(document); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v, not %q", document, got, ok, want)
		}
	}
}

//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "kls-wasm runs in a Web Worker: build it with GOOS=js GOARCH=wasm, or run make web")
	os.Exit(2)
}

//go:build js && wasm

package main

import (
	"context"
	"io"
	"runtime/debug"
	"syscall/js"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
)

// maxWaiting is how many messages of the page may wait for the server.
const maxWaiting = 1024

// main connects the server with the global object klsHost that the worker made:
//
//	klsHost.receive(text)     is called with every message for the client
//	klsHost.log(text)         is called with each line of the server's log
//	klsHost.ready()           is called once the functions below are there
//	klsHost.ended(text)       is called once, with why the server ended, empty for an ordinary end
//
// and adds what the worker calls:
//
//	klsHost.send(text)        a message of the client, as JSON
//	klsHost.put(path, bytes)  a file of the tree, by absolute path, as an Uint8Array
//	klsHost.remove(path)      a file or folder that is gone
func main() {
	host := js.Global().Get("klsHost")
	tree := vfs.NewTree()
	waiting := make(chan string, maxWaiting)
	host.Set("send", function(func(arguments []js.Value) { waiting <- arguments[0].String() }))
	host.Set("put", function(func(arguments []js.Value) { tree.Put(arguments[0].String(), bytesOf(arguments[1])) }))
	host.Set("remove", function(func(arguments []js.Value) { tree.Remove(arguments[0].String()) }))
	host.Call("ready")

	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	go func() {
		for body := range waiting {
			if writeMessage(toServer, body) != nil {
				return
			}
		}
	}()
	go func() {
		_ = readMessages(fromServer, func(body string) { host.Call("receive", body) }) // it ends with the server
	}()
	reason := ""
	if err := lsp.Serve(context.Background(), in, out, options(tree, hostLog{host})); err != nil {
		reason = err.Error()
	}
	host.Call("ended", reason)
}

func options(tree *vfs.Tree, log io.Writer) lsp.Options {
	return lsp.Options{
		Version: version(),
		Source:  tree,
		Check: analysis.Options{Rules: rules.All(), Log: log,
			Config: config.New(vfs.NewSnapshot(tree)), BuildOf: insideOnly,
			Schemas: analysis.NewSchemas()},
		Log: log,
	}
}

// insideOnly takes over of a configuration what neither fetches nor runs anything.
func insideOnly(c config.Build) builder.Options {
	return builder.Options{LoadRestrictor: c.LoadRestrictor, AddManagedByLabel: c.EnableManagedByLabel != nil && *c.EnableManagedByLabel}
}

// function makes something that JavaScript can call and that returns nothing.
func function(run func(arguments []js.Value)) js.Func {
	return js.FuncOf(func(_ js.Value, arguments []js.Value) any {
		run(arguments)
		return nil
	})
}

func bytesOf(array js.Value) []byte {
	data := make([]byte, array.Get("byteLength").Int())
	js.CopyBytesToGo(data, array)
	return data
}

// hostLog writes lines to the worker's console.
type hostLog struct{ host js.Value }

func (l hostLog) Write(line []byte) (int, error) {
	l.host.Call("log", string(line))
	return len(line), nil
}

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown version)"
}

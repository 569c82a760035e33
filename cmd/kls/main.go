// Command kls checks and renders kustomizations, and serves editors. This package
// has the flags, the output formats and the exit codes; what is found and
// rendered comes from analysis and engine.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitOK     = 0
	exitFound  = 1 // mistakes in what was given: --fail-on was reached, the build fails
	exitBroken = 2 // usage, IO, or a mistake of kls itself

	exitInterrupted = 130 // 128 and the number of SIGINT, as shells say it
)

func main() {
	tuneCollector()
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, stop) // a second signal ends what does not end by itself
	os.Exit(run(ctx, os.Args[1:], streams{os.Stdin, os.Stdout, os.Stderr}))
}

// endings are the signals that end a command in order, so that it leaves no temporary files
// behind: a preview may hold Secrets. One that whoever started kls ignores stays ignored.
func endings() []os.Signal {
	return slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}, signal.Ignored)
}

// tuneCollector trades memory for time, up to a bound.
func tuneCollector() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
	switch {
	case os.Getenv("GOGC") != "" || len(os.Args) < 2:
	case os.Args[1] == "lsp":
		// What a large workspace is built of stays in memory anyway, and every edit
		// would go through all of it.
		collectByUse(200)
	case os.Args[1] == "build":
		// No more memory than kustomize uses for the same tree, of whatever shape.
		collectLessOnceLarge()
	default:
		// A command is over before its garbage matters: collecting less often takes a
		// quarter of a check's time away.
		collectByUse(400)
	}
}

// largeHeap is how many bytes have to be in use before garbage may be twice as much.
const largeHeap = 16 << 20

// collectLessOnceLarge looks after each collection whether so much is in use that
// kustomize would need a multiple of it: then collecting less often saves a tenth of the
// time.
func collectLessOnceLarge() {
	runtime.AddCleanup(new(*int), func(int) { // a pointer has memory of its own
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		if metrics.Read(live); live[0].Value.Uint64() >= largeHeap {
			debug.SetGCPercent(200)
			return
		}
		collectLessOnceLarge()
	}, 0)
}

// fewestGarbage is how many bytes of garbage are no reason to collect it, however little is in use.
const fewestGarbage = 96 << 20

// collectByUse lets garbage be as large as a percentage of what is in use, as long as that is little, and looks after each
// collection whether it still is.
func collectByUse(most int) {
	now := most
	debug.SetGCPercent(now)
	var look func()
	look = func() {
		runtime.AddCleanup(new(*int), func(int) { // a pointer has memory of its own
			live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
			metrics.Read(live)
			if percent := garbagePercent(live[0].Value.Uint64(), most); percent != now {
				now = percent
				debug.SetGCPercent(now)
			}
			look()
		}, 0)
	}
	look()
}

// garbagePercent is how large garbage may be, of what is in use: half as large, or fewestGarbage if that is more, and
// never more than most.
func garbagePercent(live uint64, most int) int {
	const least = 50
	return max(least, min(most, int(fewestGarbage*100/max(live, 1))))
}

// memoryLimit is how many bytes may be in use before garbage is collected more often: no repository of a
// stranger takes a GiB.
const memoryLimit = 896 << 20

// streams are the standard streams, which tests replace.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// errFound ends a command with exit code 1; what was found is printed already.
var errFound = errors.New("mistakes were found")

// run runs the command line and returns the exit code.
func run(ctx context.Context, args []string, std streams) int {
	command := newRootCommand(std)
	command.SetArgs(args)
	command.SetIn(std.in)
	command.SetOut(std.out)
	command.SetErr(std.err)
	switch err := command.ExecuteContext(ctx); {
	case err == nil:
		return exitOK
	case errors.Is(err, errFound):
		return exitFound
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(std.err, "kls: interrupted")
		return exitInterrupted
	default:
		fmt.Fprintln(std.err, "kls:", printable(inWords(err)))
		return exitBroken
	}
}

// inWords is what an error says, without the names of system calls in it.
func inWords(err error) string {
	var broken *fs.PathError
	if !errors.As(err, &broken) || !errors.Is(broken.Err, fs.ErrNotExist) {
		return err.Error()
	}
	path := broken.Path
	if dir, err := os.Getwd(); err == nil {
		if inside, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(inside) {
			path = inside
		}
	}
	return strings.Replace(err.Error(), broken.Error(), path+" does not exist", 1)
}

func newRootCommand(std streams) *cobra.Command {
	out := &outlet{std.out}
	std.out = out
	root := &cobra.Command{
		Use:           "kls",
		Short:         "Find mistakes in Kustomize trees, render them, and explain where every value comes from",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newCheckCommand(std), newBuildCommand(std), newDeploymentsCommand(std), newExplainCommand(std), newExplainRuleCommand(std), newServerCommand(std), newEditCommand(std), newAffectedCommand(std), newDiffCommand(std), newGraphCommand(std), newSetCommand(std), newUnsetCommand(std), newInitCommand(std), newConfigCommand(std), newVersionCommand(std))
	addManCommand(root)
	addMCPCommand(root, std)
	addCommonFlags(root, std, out)
	completeArguments(root)
	completeCommands(root)
	return root
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/lsp"
	"github.com/spf13/cobra"
)

func newServerCommand(std streams) *cobra.Command {
	var address string
	command := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor on standard input and output",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			if address != "" {
				return listen(command.Context(), address, std)
			}
			err := lsp.Serve(command.Context(), std.in, std.out, serverOptions(std.err))
			if errors.Is(err, lsp.ErrNoShutdown) {
				fmt.Fprintln(std.err, "kls:", err)
				return errFound // the exit code that the protocol asks for
			}
			return err
		},
	}
	command.Example = "  kls lsp\n  kls lsp --listen localhost:9257"
	command.Flags().Bool("stdio", true, "the default; accepted because editors pass it")
	command.Flags().StringVar(&address, "listen", "", "serve clients at this address instead: localhost:PORT or unix:PATH")
	return command
}

// serverOptions are those of one client's server.
func serverOptions(log io.Writer) lsp.Options {
	disk := (&outsideFlags{}).disk()
	return lsp.Options{
		Version: version(),
		Source:  disk,
		Check: analysis.Options{Rules: rules.All(), Log: log,
			Config: config.New(vfs.NewSnapshot(disk)), BuildOf: insideOnly,
			Schemas: analysis.NewSchemas()},
		Commit:  openFiles,
		Scratch: &scratch{},
		Log:     log,
		Alive:   isAlive,
	}
}

// openFiles opens the files of a commit.
func openFiles(ctx context.Context, dir, ref string) (vfs.Source, func() error, error) {
	commit, err := external.OpenCommit(ctx, dir, ref)
	if err != nil {
		return nil, nil, err
	}
	return commit, commit.Close, nil
}

// serverTime is how long a build of the server may take: somebody waits for it.
const serverTime = 20 * time.Second

// insideOnly takes over what a configuration says, but for what would be fetched or
// run, and what would be read from elsewhere unless the user's settings say so: not
// while somebody types.
func insideOnly(c config.Build) builder.Options {
	if c.LoadRestrictor == load.NoRestrictions && !c.RestrictorOfUser {
		c.LoadRestrictor = load.NoRestrictionsRefused
	}
	limits, _ := (&outsideFlags{}).buildLimits()
	limits.Time = cmp.Or(limits.Time, serverTime)
	return builder.Options{LoadRestrictor: c.LoadRestrictor, Limits: limits, AddManagedByLabel: isTrue(c.EnableManagedByLabel)}
}

// isAlive tells whether there is a process with the number; where the system does
// not say so, it is taken to be there.
func isAlive(pid int) bool {
	process, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return !errors.Is(err, os.ErrProcessDone) && !errors.Is(err, syscall.ESRCH)
}

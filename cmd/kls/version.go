package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// kustomizeVersion is the kustomize whose behaviour kls has.
const kustomizeVersion = "v5.8.2"

func newVersionCommand(std streams) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  kls version",
		Args:    cobra.NoArgs,
		Run: func(*cobra.Command, []string) {
			fmt.Fprintln(std.out, versionLine())
		},
	}
}

// versionLine is what kls version and kls --version print.
func versionLine() string {
	return fmt.Sprintf("kls %s (as kustomize %s, %s, %s/%s)", version(), kustomizeVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// version is what the Go toolchain wrote into the binary.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown version)"
}

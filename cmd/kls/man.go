//go:build man

package main

import (
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// addManCommand adds the command that writes the manual pages that packages carry.
// What makes them has to be initialised at every start, so that it is only in the
// program that a release is packed with.
func addManCommand(root *cobra.Command) {
	root.AddCommand(&cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write the manual pages into a folder",
		Args:   cobra.ExactArgs(1),
		Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o755); err != nil {
				return err
			}
			root.DisableAutoGenTag = true // the same pages on every day
			return doc.GenManTree(root, &doc.GenManHeader{Title: "KLS", Section: "1", Source: "kls", Manual: "kls"}, args[0])
		},
	})
}

package main

import (
	"errors"

	"github.com/spf13/cobra"
)

func newServerCommand(std streams) *cobra.Command {
	command := &cobra.Command{
		Use:   "lsp",
		Short: "Serve an editor on standard input and output",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			return errors.New("the language server is not there yet")
		},
	}
	command.Flags().Bool("stdio", true, "accepted, and what is done anyway")
	return command
}

//go:build !man

package main

import "github.com/spf13/cobra"

// addManCommand adds nothing: see man.go.
func addManCommand(*cobra.Command) {}

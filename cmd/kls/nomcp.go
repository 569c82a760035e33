//go:build !mcp

package main

import "github.com/spf13/cobra"

// addMCPCommand adds nothing: see mcp.go.
func addMCPCommand(*cobra.Command, streams) {}

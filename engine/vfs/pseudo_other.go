//go:build unix && !linux

package vfs

// isPseudo is for systems that have no such file systems, or not where links lead.
func isPseudo(int) bool { return false }

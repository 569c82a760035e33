//go:build noprovenance

package syntax

const Provenance = false

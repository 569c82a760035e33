//go:build !noprovenance

package syntax

// Provenance is false only in the build by which `make bench` measures what it costs
// that nodes know where they were written.
const Provenance = true

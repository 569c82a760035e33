//go:build 386 || arm || mips || mipsle

package syntax

// A node carries its file and its line in one int (SetPlace), which must have 64 bits.
// The name is the message that the compiler prints on targets where it has 32.
var _ = kls_needs_a_64_bit_target

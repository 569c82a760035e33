package main

import (
	"os"
	"syscall"
)

// peakMemory returns the peak of an ended process's memory in bytes.
func peakMemory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss) << 10 // Linux gives KiB
	}
	return 0
}

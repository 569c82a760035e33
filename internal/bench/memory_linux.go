package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// peakMemory returns the peak of an ended process's memory in bytes.
func peakMemory(state *os.ProcessState) int64 {
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(usage.Maxrss) << 10 // Linux gives KiB
	}
	return 0
}

// residentMemory returns the peak of a running process's memory in bytes, 0 where it is not known.
func residentMemory(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kibibytes int64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kibibytes); err == nil {
			return kibibytes << 10
		}
	}
	return 0
}

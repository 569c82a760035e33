package main

import (
	"cmp"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// limitsVariable is a variable of the environment with limits, separated by commas: for
// servers, which editors start. A repository cannot set it.
const limitsVariable = "KLS_LIMITS"

// limits are what builds, and files, may use. A file size of zero has its default.
type limits struct {
	builder.Limits
	fileSize int64
}

// buildLimits are what builds may use.
func (o *outsideFlags) buildLimits() (builder.Limits, error) {
	all, err := o.allLimits()
	return all.Limits, err
}

// disk is the disk, with files up to the size that they may have.
func (o *outsideFlags) disk() vfs.Source {
	all, _ := o.allLimits() // its mistakes are told where builds are made
	return vfs.DiskUpTo(cmp.Or(all.fileSize, vfs.MaxFileSize))
}

// allLimits reads the limits. What the command line says comes before the variable.
func (o *outsideFlags) allLimits() (limits, error) {
	var read limits
	var all []string
	for setting := range strings.SplitSeq(os.Getenv(limitsVariable), ",") {
		if setting = strings.TrimSpace(setting); setting != "" {
			all = append(all, setting)
		}
	}
	for _, setting := range append(all, o.limits...) {
		if err := read.set(setting); err != nil {
			return read, err
		}
	}
	return read, nil
}

func (l *limits) set(setting string) error {
	name, value, _ := strings.Cut(setting, "=")
	var to *int64
	switch name {
	case "build-nodes":
		to = &l.Nodes
	case "build-text":
		to = &l.Bytes
	case "resources":
		to = &l.Resources
	case "layers":
		to = &l.Layers
	case "file-size":
		to = &l.fileSize
	case "build-time":
		duration, err := time.ParseDuration(value)
		if err != nil || duration <= 0 {
			return fmt.Errorf("the limit build-time is a duration as 90s or 5m, not %q", value)
		}
		l.Time = duration
		return nil
	default:
		return fmt.Errorf("there is no limit %q, only build-nodes, build-text, resources, layers, file-size and build-time", name)
	}
	number, err := strconv.ParseInt(value, 10, 64)
	if err != nil || number <= 0 {
		return fmt.Errorf("the limit %s is a number above 0, not %q", name, value)
	}
	*to = number
	return nil
}

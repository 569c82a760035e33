package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/kustomize-lsp/kls/engine/builder"
)

// limitsVariable is a variable of the environment with limits, separated by commas: for
// servers, which editors start. A repository cannot set it.
const limitsVariable = "KLS_LIMITS"

// buildLimits are what builds may use. What the command line says comes before the
// variable.
func (o *outsideFlags) buildLimits() (builder.Limits, error) {
	var limits builder.Limits
	var all []string
	for setting := range strings.SplitSeq(os.Getenv(limitsVariable), ",") {
		if setting = strings.TrimSpace(setting); setting != "" {
			all = append(all, setting)
		}
	}
	for _, setting := range append(all, o.limits...) {
		if err := setLimit(&limits, setting); err != nil {
			return limits, err
		}
	}
	return limits, nil
}

func setLimit(limits *builder.Limits, setting string) error {
	name, value, _ := strings.Cut(setting, "=")
	var to *int64
	switch name {
	case "build-nodes":
		to = &limits.Nodes
	case "build-text":
		to = &limits.Bytes
	case "resources":
		to = &limits.Resources
	case "layers":
		to = &limits.Layers
	case "build-time":
		duration, err := time.ParseDuration(value)
		if err != nil || duration <= 0 {
			return fmt.Errorf("the limit build-time is a duration as 90s or 5m, not %q", value)
		}
		limits.Time = duration
		return nil
	default:
		return fmt.Errorf("there is no limit %q, only build-nodes, build-text, resources, layers and build-time", name)
	}
	number, err := strconv.ParseInt(value, 10, 64)
	if err != nil || number <= 0 {
		return fmt.Errorf("the limit %s is a number above 0, not %q", name, value)
	}
	*to = number
	return nil
}

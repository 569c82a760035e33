package main

import (
	"context"
	"fmt"
	"time"
)

// measureStart times a process that does nothing but start.
func (p *programs) measureStart(ctx context.Context, _ string, o options) (string, error) {
	var wall, used []time.Duration
	for range 3 * o.rounds {
		command := process{path: p.kls, arguments: []string{"version"}}.command(ctx)
		start := time.Now()
		if err := command.Run(); err != nil {
			return "", err
		}
		wall = append(wall, time.Since(start))
		used = append(used, command.ProcessState.UserTime()+command.ProcessState.SystemTime())
	}
	return fmt.Sprintf("\n## Start\n\n`kls version` takes %s of a processor, and %s until it ends.\n", milliseconds(median(used)), milliseconds(median(wall))), nil
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

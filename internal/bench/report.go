package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// writeReport writes the page of the documentation that holds the figures, and the plot beside it.
func writeReport(o options, measured []series, text string) error {
	plot := strings.TrimSuffix(o.report, filepath.Ext(o.report)) + ".svg"
	var page strings.Builder
	page.WriteString("# Performance\n\n<!-- written by: make bench BENCH_FLAGS='-report " + o.report + " -trees FOLDER' -->\n\n")
	fmt.Fprintf(&page, "Whole processes on %s/%s with %d cores, medians. *Read and print* reads the same files and prints each document "+
		"again with yaml.v3 on one core. *kls takes* is the median of the ratios of alternating runs. Memory is the peak of one run.\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if len(measured) > 0 {
		fmt.Fprintf(&page, "\n![time over resources](%s)\n", filepath.Base(plot))
		if err := os.WriteFile(plot, []byte(plotted(measured[0])), 0o644); err != nil {
			return err
		}
	}
	page.WriteString(text)
	return os.WriteFile(o.report, []byte(page.String()), 0o644)
}

package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// row is what was measured of one tree.
type row struct {
	resources int
	kustomize *pair // nil where kustomize is left out
	floor     pair
}

const header = `| resources | kls build | kustomize build | kls takes | read and print | kls takes |
| ---: | ---: | ---: | ---: | ---: | ---: |
`

// String is a row of a Markdown table.
func (r row) String() string {
	kustomize := "– | –"
	if r.kustomize != nil {
		kustomize = fmt.Sprintf("%s | %.4f ×", seconds(r.kustomize.theirs), r.kustomize.ratio)
	}
	return fmt.Sprintf("| %d | %s | %s | %s | %.2f × |\n",
		r.resources, seconds(r.floor.ours), kustomize, seconds(r.floor.theirs), r.floor.ratio)
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f s", d.Seconds()) }

// writeReport writes the page of the documentation that holds the figures.
func writeReport(o options, rows []row, lines string) error {
	var page strings.Builder
	page.WriteString("# Performance\n\n<!-- written by: make bench BENCH_FLAGS='-report " + o.report + "' -->\n\n")
	fmt.Fprintf(&page, "Whole processes on %s/%s with %d cores, medians. The trees are those of `internal/gentree`: a base of "+
		"applications, a Deployment, a Service, a ServiceAccount and a ConfigMap each, and an overlay with a namespace, a "+
		"prefix, an image, a patch on every Deployment and a replacement into a JSON document in every ConfigMap.\n\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	page.WriteString("*Read and print* reads the same files and prints each document again with yaml.v3 on one core; no build " +
		"can do with less work. *kls takes* is the median of the ratios of alternating runs.\n\n")
	page.WriteString(header)
	for _, r := range rows {
		page.WriteString(r.String())
	}
	page.WriteString(lines)
	return os.WriteFile(o.report, []byte(page.String()), 0o644)
}

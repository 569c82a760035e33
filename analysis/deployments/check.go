package deployments

import (
	"cmp"
	"maps"
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
)

// Check returns the diagnostics of the deployments, which Roots and Deployments of them
// say where they are.
func Check(session *builder.Session, set *deployment.Set, options analysis.Options) []analysis.Diagnostic {
	var all []analysis.Diagnostic
	for _, f := range set.Findings(session) {
		for _, d := range analysis.Diagnose(session, []builder.Problem{f.Problem}, set.Root, options) {
			d.Deployments = []string{f.Deployment.ID.String()}
			all = append(all, d)
		}
	}
	return merge(all)
}

// merge makes one of diagnostics that are the same, of several deployments.
func merge(all []analysis.Diagnostic) []analysis.Diagnostic {
	type sameness struct {
		rule  string
		place analysis.Place
	}
	at := map[sameness]int{}
	var merged []analysis.Diagnostic
	for _, d := range all {
		key := sameness{d.Rule, d.Place}
		i, ok := at[key]
		if !ok {
			at[key] = len(merged)
			merged = append(merged, d)
			continue
		}
		one := &merged[i]
		one.Severity = max(one.Severity, d.Severity)
		if d.Message != one.Message && !slices.Contains(one.Also, d.Message) {
			one.Also = append(one.Also, d.Message)
		}
		one.Deployments = append(one.Deployments, d.Deployments...)
	}
	for i := range merged {
		slices.Sort(merged[i].Deployments)
		merged[i].Deployments = slices.Compact(merged[i].Deployments)
	}
	analysis.SortDiagnostics(merged)
	return merged
}

// Index says which deployments get what a root or a folder is.
type Index struct {
	byDir map[string][]*deployment.Deployment
}

// NewIndex looks at what the deployments include.
func NewIndex(set *deployment.Set) *Index {
	x := &Index{byDir: map[string][]*deployment.Deployment{}}
	for _, d := range set.Deployments {
		dirs := map[string]bool{}
		if d.Dir != "" {
			dirs[d.Dir] = true
		}
		for _, source := range d.Sources {
			if source.Dir != "" {
				dirs[source.Dir] = true
			}
		}
		for _, b := range d.AllBuilds() {
			if b.Root != nil {
				addDirs(dirs, b.Root)
			}
		}
		for _, dir := range slices.Sorted(maps.Keys(dirs)) {
			x.byDir[dir] = append(x.byDir[dir], d)
		}
	}
	return x
}

func addDirs(dirs map[string]bool, l *builder.Layer) {
	dirs[l.Dir] = true
	for _, i := range l.Facts.Included {
		if i.Layer != nil && !dirs[i.Layer.Dir] {
			addDirs(dirs, i.Layer)
		}
	}
}

// Of returns the deployments that get the kustomization in a folder, sorted by ID.
func (x *Index) Of(dir string) []*deployment.Deployment { return x.byDir[dir] }

// Apply adds to a report what is wrong with the deployments, and says of each diagnostic
// of it which deployments it concerns. Where the configuration says how much a finding
// counts that none of them does, it counts no more than that.
// What is wrong with the deployments is reported in the files that isWanted tells.
func Apply(report *analysis.Report, session *builder.Session, set *deployment.Set, options analysis.Options, isWanted func(path string) bool) {
	if len(set.Deployments) == 0 {
		return
	}
	index := NewIndex(set)
	var most analysis.Severity
	off := false
	if options.Config != nil {
		level := options.Config.For(set.Root).Deployments.Undeployed
		off = level == config.Off
		most, _ = analysis.ParseSeverity(string(level))
	}
	dirs := map[string]string{}
	for _, r := range report.Roots {
		dirs[r.Dir] = cmp.Or(r.Layer, r.Dir)
	}
	for i := range report.Diagnostics {
		d := &report.Diagnostics[i]
		for _, root := range d.Roots {
			for _, by := range index.Of(dirs[root]) {
				d.Deployments = append(d.Deployments, by.ID.String())
			}
		}
		slices.Sort(d.Deployments)
		d.Deployments = slices.Compact(d.Deployments)
		if len(d.Deployments) == 0 && len(d.Roots) > 0 && most > 0 {
			d.Severity = min(d.Severity, most)
		}
	}
	if off {
		report.Diagnostics = slices.DeleteFunc(report.Diagnostics, func(d analysis.Diagnostic) bool {
			return len(d.Deployments) == 0 && len(d.Roots) > 0
		})
	}
	known := map[[2]any]int{}
	for i, d := range report.Diagnostics {
		known[[2]any{d.Rule, d.Place}] = i
	}
	for _, d := range Check(session, set, options) {
		if !isWanted(d.File) {
			continue
		}
		if i, ok := known[[2]any{d.Rule, d.Place}]; ok {
			one := &report.Diagnostics[i]
			one.Severity = max(one.Severity, d.Severity)
			one.Deployments = slices.Compact(slices.Sorted(slices.Values(append(one.Deployments, d.Deployments...))))
			continue
		}
		report.Diagnostics = append(report.Diagnostics, d)
	}
	analysis.SortDiagnostics(report.Diagnostics)
}

// Orphans returns the folders of the roots that nothing deploys, and that no other
// kustomization includes, sorted.
func Orphans(set *deployment.Set, report *analysis.Report) []string {
	index := NewIndex(set)
	included := map[string]bool{}
	for _, r := range report.Roots {
		for _, dir := range r.Includes {
			included[dir] = true
		}
	}
	var orphans []string
	for _, r := range report.Roots {
		if r.Verdict != analysis.IsComponent && len(index.Of(cmp.Or(r.Layer, r.Dir))) == 0 && !included[cmp.Or(r.Layer, r.Dir)] {
			orphans = append(orphans, r.Dir)
		}
	}
	return orphans
}

// NameOf names a deployment: by its ID or, where several clusters have one of that ID, with
// the folder of its cluster behind an @.
func NameOf(set *deployment.Set, d *deployment.Deployment) string {
	id := d.ID.String()
	if len(set.Find(id)) == 1 {
		return id
	}
	cluster, err := filepath.Rel(set.Root, d.Cluster)
	if err != nil {
		cluster = d.Cluster
	}
	return id + "@" + filepath.ToSlash(cluster)
}

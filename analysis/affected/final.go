package affected

import (
	"path/filepath"
	"slices"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// Check is a check that goes on, of which diagnostics are to be shown in the order that
// they have at its end: by file.
type Check struct {
	Files   *vfs.Snapshot
	Configs *config.Set
	Targets []analysis.Target

	reach map[string][]string // of the targets, once it was wanted
}

// Final returns those of the diagnostics found so far that stay as they are and that none
// comes before: those in files that nothing looks at which is still to be checked, and
// nothing looks at one before them either. Open are the folders of targets that are.
func (c *Check) Final(found *analysis.Report, open []string) []analysis.Diagnostic {
	folders, ok := c.openFolders(found, open)
	if !ok {
		return nil
	}
	at := slices.IndexFunc(found.Diagnostics, func(d analysis.Diagnostic) bool { return !isFinal(d, folders) })
	if at < 0 {
		return found.Diagnostics
	}
	return found.Diagnostics[:at]
}

// openFolders returns the folders of the files that targets which are still to be
// checked can look at, sorted; not ok where that can be any.
func (c *Check) openFolders(found *analysis.Report, open []string) (folders []string, ok bool) {
	if c.reach == nil {
		c.reach = c.reaches()
	}
	correct := c.correctConfigs(found)
	for _, dir := range open {
		reach := c.reach[dir]
		if reach == nil {
			return nil, false
		}
		folders = append(folders, reach...)
		if at := c.Configs.For(dir).Dir; !correct[at] {
			folders = append(folders, at) // its mistakes are reported with those of the root
		}
	}
	slices.Sort(folders)
	return slices.Compact(folders), true
}

func (c *Check) reaches() map[string][]string {
	var dirs []string
	for _, t := range c.Targets {
		dirs = append(dirs, t.Dir)
	}
	reach := map[string][]string{}
	for i, folders := range Reach(c.Files, dirs) {
		reach[dirs[i]] = folders
	}
	return reach
}

// correctConfigs returns the folders of the configurations that have no mistake: a root
// for which each of them counts is checked.
func (c *Check) correctConfigs(found *analysis.Report) map[string]bool {
	correct := map[string]bool{}
	for _, r := range found.Roots {
		if r.Verdict != analysis.IsComponent {
			correct[c.Configs.For(r.Dir).Dir] = true
		}
	}
	for _, d := range found.Diagnostics {
		if d.Rule == analysis.InvalidConfiguration {
			delete(correct, filepath.Dir(d.File))
		}
	}
	return correct
}

// isFinal tells whether a diagnostic stays as it is, and none comes before it, whatever
// is found in the open folders, which are sorted. A file that nothing includes may yet
// be in the folder of something that is not known whole.
func isFinal(d analysis.Diagnostic, open []string) bool {
	if len(open) == 0 {
		return true
	}
	if d.File >= open[0] {
		return false
	}
	if d.Rule != analysis.FileNotIncluded {
		return true
	}
	return len(d.Roots) > 0 && !slices.ContainsFunc(open, func(dir string) bool { return vfs.Below(d.Roots[0], dir) })
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/diff"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// showDeployments tells what changes in what deployments get. It returns false where that
// was not asked for: one folder with a kustomization, or two.
func (f diffFlags) showDeployments(ctx context.Context, std streams, dirs []string, b *builds) (done bool, err error) {
	asked := f.deployments || f.deployment != ""
	if len(dirs) == 2 {
		return false, nil
	}
	v, err := newPrinterOn(f.outside.disk(), nil, f.color, std.out)
	if err != nil {
		return false, err
	}
	dir, err := realPlace(v.files, dirs[0])
	if err != nil {
		return false, err
	}
	if side := (diffSide{dir: dir, printer: v}); !asked && !side.isMissing() {
		return false, nil
	}
	since := f.since
	if since == "" {
		since = "HEAD"
	}
	s, err := openSets(ctx, v.files, dir, since, b)
	if err != nil {
		return false, err
	}
	defer func() { err = s.commit.close(err) }()
	if !asked && len(s.before.Deployments) == 0 && len(s.now.Deployments) == 0 {
		return false, nil
	}
	changes, err := deployments.Compare(s.before, s.now, diff.Options{ShowSecrets: f.showSecrets})
	if err != nil {
		return true, err
	}
	if f.deployment != "" {
		if len(s.before.Find(f.deployment)) == 0 && len(s.now.Find(f.deployment)) == 0 {
			return true, fmt.Errorf("no deployment is named %s, neither now nor before; kls deployments lists them", f.deployment)
		}
		changes = slices.DeleteFunc(changes, func(c deployments.Change) bool { return c.ID != f.deployment })
	}
	if err := v.writeDeploymentsDiff(std.out, f, since, changes); err != nil {
		return true, err
	}
	if f.exitCode && len(changes) > 0 {
		return true, errFound
	}
	return true, nil
}

// sets are the deployments of a repository at a commit, and now.
type sets struct {
	before, now *deployment.Set
	session     *builder.Session
	commit      *earlier
}

// openSets finds what is deployed from the repository of a folder, and was at a commit.
func openSets(ctx context.Context, files *vfs.Snapshot, dir, since string, b *builds) (*sets, error) {
	s := &sets{session: builder.NewSession(files).Remember(maxRemembered)}
	root := deployment.CheckoutOf(files, nearestFolder(files, dir))
	var err error
	if s.commit, err = openCommit(ctx, root, since, b); err != nil {
		return nil, err
	}
	if s.now, err = deployments.FindIn(ctx, s.session, root, config.New(files), nil); err == nil {
		s.before, err = deployments.FindBefore(ctx, s.commit.session, root, config.New(s.commit.session.Files()), s.session)
	}
	if err != nil {
		return nil, s.commit.close(err)
	}
	return s, nil
}

func (v *printer) writeDeploymentsDiff(out io.Writer, flags diffFlags, since string, changes []deployments.Change) error {
	var b bytes.Buffer
	switch flags.format {
	case "json":
		if err := writeDeploymentsDiffJSON(&b, since, changes); err != nil {
			return err
		}
	case "markdown":
		writeDeploymentsMarkdown(&b, since, changes)
	default:
		for _, c := range changes {
			v.writeDeploymentDiff(&b, flags, c)
		}
		fmt.Fprintln(&b, v.paint(bold, countsOfDeployments(changes)))
	}
	_, err := out.Write(b.Bytes())
	return err
}

// countsOfDeployments sums up: "2 deployments change, 1 is removed".
func countsOfDeployments(changes []deployments.Change) string {
	if len(changes) == 0 {
		return "nothing changes in what is deployed"
	}
	count := map[diff.Change]int{}
	for _, c := range changes {
		count[c.Change]++
	}
	var parts []string
	for _, change := range []diff.Change{diff.Added, diff.Removed, diff.Changed} {
		if n := count[change]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, change))
		}
	}
	return plural(len(changes), "deployment") + ": " + strings.Join(parts, ", ")
}

func titleOf(c deployments.Change) string {
	if c.Change == diff.Changed {
		return c.ID
	}
	return c.ID + " is " + string(c.Change)
}

// countsOfChange sums up what changes in a deployment.
func countsOfChange(c deployments.Change) string {
	if c.Report != nil {
		return countsOf(c.Report)
	}
	return "what changes is not known: it does not render on both sides"
}

func (v *printer) writeDeploymentDiff(b *bytes.Buffer, flags diffFlags, c deployments.Change) {
	fmt.Fprintf(b, "%s: %s\n", v.paint(yellow, printable(titleOf(c))), countsOfChange(c))
	for _, note := range c.Notes {
		fmt.Fprintf(b, "info: %s\n", printable(note))
	}
	if c.Report == nil {
		fmt.Fprintln(b)
		return
	}
	for _, r := range c.Report.Resources {
		if flags.format != "summary" {
			v.writeResourceDiff(b, flags, r)
			continue
		}
		mark := changeMarks[r.Change]
		fmt.Fprintf(b, "%s %s%s\n", v.paint(mark.paint, mark.text), addressOf(r, " → "), v.paint(faint, shownFields(r)))
	}
	fmt.Fprintln(b)
}

// writeDeploymentsMarkdown writes a comment for a pull request.
func writeDeploymentsMarkdown(b *bytes.Buffer, since string, changes []deployments.Change) {
	fmt.Fprintf(b, "### %s\n\nCompared with <code>%s</code>.\n", countsOfDeployments(changes), markdownText(since))
	if len(changes) == 0 {
		return
	}
	b.WriteString("\n| deployment | resources |\n| --- | --- |\n")
	for i, c := range changes {
		row := fmt.Sprintf("| <code>%s</code> | %s |\n", markdownText(titleOf(c)), countsOfChange(c))
		if b.Len()+len(row) > maxMarkdown/2 {
			fmt.Fprintf(b, "| %d more | |\n", len(changes)-i)
			break
		}
		b.WriteString(row)
	}
	for i, c := range changes {
		var text strings.Builder
		fmt.Fprintf(&text, "\n#### <code>%s</code>\n", markdownText(titleOf(c)))
		for _, note := range c.Notes {
			fmt.Fprintf(&text, "\n- %s", markdownText(note))
		}
		if len(c.Notes) > 0 {
			text.WriteString("\n")
		}
		if c.Report != nil {
			for _, r := range c.Report.Resources {
				if len(r.Hunks) > 0 {
					text.WriteString(markdownDetails(r))
				}
			}
		}
		if b.Len()+text.Len() > maxMarkdown {
			fmt.Fprintf(b, "\n%s not shown here: the comment would get too long.\n", plural(len(changes)-i, "deployment"))
			return
		}
		b.WriteString(text.String())
	}
}

// The JSON output, version 1.
type (
	jsonDeploymentsDiff struct {
		Version     int                    `json:"version"`
		Since       string                 `json:"since"`
		Deployments []jsonDeploymentChange `json:"deployments"`
	}
	jsonDeploymentChange struct {
		ID     string      `json:"id"`
		Change diff.Change `json:"change"`
		// Before and After are what is said of the deployment on the two sides.
		Before *jsonDeploymentSide `json:"before"`
		After  *jsonDeploymentSide `json:"after"`
		Notes  []string            `json:"notes"`
		// Summary and Resources are null where they are not known.
		Summary   *jsonDiffSummary   `json:"summary"`
		Resources []jsonDiffResource `json:"resources"`
	}
	jsonDeploymentSide struct {
		Path    string             `json:"path"`
		Verdict deployment.Verdict `json:"verdict"`
		Reason  string             `json:"reason,omitempty"`
	}
)

func writeDeploymentsDiffJSON(out io.Writer, since string, changes []deployments.Change) error {
	shown := jsonDeploymentsDiff{Version: 1, Since: since, Deployments: []jsonDeploymentChange{}}
	for _, c := range changes {
		x := jsonDeploymentChange{ID: c.ID, Change: c.Change, Before: sideOf(c.Before), After: sideOf(c.After), Notes: append([]string{}, c.Notes...)}
		if c.Report != nil {
			x.Summary, x.Resources = summaryOf(c.Report), resourcesOf(c.Report)
		}
		shown.Deployments = append(shown.Deployments, x)
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(shown)
}

func sideOf(d *deployment.Deployment) *jsonDeploymentSide {
	if d == nil {
		return nil
	}
	return &jsonDeploymentSide{filepath.ToSlash(d.Path.Value), d.Verdict, d.Reason}
}

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
	noun := "deployment"
	var changes []deployments.Change
	if !asked && len(s.before.Deployments) == 0 && len(s.now.Deployments) == 0 {
		if isDir, err := v.files.IsDir(dir); err != nil || !isDir || isRoot(s.commit.session.Files(), dir) {
			return false, nil
		}
		noun = "kustomization"
		changes, err = f.rootChanges(ctx, std, v, dir, since, s, b)
	} else {
		changes, err = deployments.Compare(s.before, s.now, diff.Options{ShowSecrets: f.showSecrets})
	}
	if err != nil {
		return true, err
	}
	if f.deployment != "" {
		if len(s.before.Find(f.deployment)) == 0 && len(s.now.Find(f.deployment)) == 0 {
			return true, fmt.Errorf("no deployment is named %s, neither now nor before; kls deployments lists them", f.deployment)
		}
		changes = slices.DeleteFunc(changes, func(c deployments.Change) bool { return c.ID != f.deployment })
	}
	if err := v.writeDeploymentsDiff(std.out, f, since, noun, changes); err != nil {
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

func (v *printer) writeDeploymentsDiff(out io.Writer, flags diffFlags, since, noun string, changes []deployments.Change) error {
	var b bytes.Buffer
	switch flags.format {
	case "json":
		if err := writeDeploymentsDiffJSON(&b, since, noun, changes); err != nil {
			return err
		}
	case "markdown":
		writeDeploymentsMarkdown(&b, since, noun, changes)
	default:
		for _, c := range changes {
			v.writeDeploymentDiff(&b, flags, c)
		}
		fmt.Fprintln(&b, v.paint(bold, countsOfDeployments(noun, changes)))
	}
	_, err := out.Write(b.Bytes())
	return err
}

// countsOfDeployments sums up: "2 deployments change, 1 is removed".
func countsOfDeployments(noun string, changes []deployments.Change) string {
	if len(changes) == 0 {
		if noun == "deployment" {
			return "nothing changes in what is deployed"
		}
		return "nothing changes in what is rendered"
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
	return plural(len(changes), noun) + ": " + strings.Join(parts, ", ")
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

// writeDeploymentsMarkdown writes a comment for a pull request: a row for each group of deployments in which the same
// changes, and then what changes, folded.
func writeDeploymentsMarkdown(b *bytes.Buffer, since, noun string, changes []deployments.Change) {
	fmt.Fprintf(b, "### %s\n\nCompared with <code>%s</code>.\n", countsOfDeployments(noun, changes), markdownText(since))
	if len(changes) == 0 {
		return
	}
	groups := deployments.Groups(changes)
	fmt.Fprintf(b, "\n| %s | resources |\n| --- | --- |\n", noun)
	for i, g := range groups {
		row := fmt.Sprintf("| %s | %s |\n", markdownGroup(g), countsOfChange(g.Changes[0]))
		if b.Len()+len(row) > maxMarkdown/3 {
			fmt.Fprintf(b, "| %d more | |\n", deploymentsIn(groups[i:]))
			break
		}
		b.WriteString(row)
	}
	writeMarkdownImages(b, noun, deployments.Images(changes))
	for i, g := range groups {
		text := markdownGroupDetails(g)
		if b.Len()+len(text) > maxMarkdown {
			fmt.Fprintf(b, "\n%s not shown here: the comment would get too long.\n", plural(deploymentsIn(groups[i:]), noun))
			return
		}
		b.WriteString(text)
	}
}

func deploymentsIn(groups []deployments.Group) (n int) {
	for _, g := range groups {
		n += len(g.Changes)
	}
	return n
}

// markdownGroup names the first of a group, and how many more there are.
func markdownGroup(g deployments.Group) string {
	name := "<code>" + markdownText(titleOf(g.Changes[0])) + "</code>"
	if more := len(g.Changes) - 1; more > 0 {
		name += fmt.Sprintf(" and %d more", more)
	}
	return name
}

// writeMarkdownImages lists the images that change.
func writeMarkdownImages(b *bytes.Buffer, noun string, images []deployments.ImageChange) {
	const most = 20
	for i, image := range images {
		if i == 0 {
			b.WriteString("\nImages:\n")
		}
		if i == most {
			fmt.Fprintf(b, "- %d more\n", len(images)-most)
			return
		}
		fmt.Fprintf(b, "- <code>%s</code> → <code>%s</code> in %s\n", markdownText(image.Before), markdownText(image.After), plural(image.Deployments, noun))
	}
}

// markdownGroupDetails shows what changes in the first of a group, and which others change in the same way.
func markdownGroupDetails(g deployments.Group) string {
	const most = 200 // deployments that are named
	first := g.Changes[0]
	var text strings.Builder
	fmt.Fprintf(&text, "\n#### <code>%s</code>\n", markdownText(titleOf(first)))
	for _, note := range first.Notes {
		fmt.Fprintf(&text, "\n- %s", markdownText(note))
	}
	if len(first.Notes) > 0 {
		text.WriteString("\n")
	}
	if len(g.Changes) > 1 {
		fmt.Fprintf(&text, "\n<details><summary>the same in %d more</summary>\n\n", len(g.Changes)-1)
		for i, c := range g.Changes[1:] {
			if i == most {
				fmt.Fprintf(&text, "- %d more\n", len(g.Changes)-1-most)
				break
			}
			fmt.Fprintf(&text, "- <code>%s</code>\n", markdownText(c.ID))
		}
		text.WriteString("\n</details>\n")
	}
	if first.Report == nil {
		return text.String()
	}
	left := maxMarkdown / 4
	for i, r := range first.Report.Resources {
		details := ""
		if len(r.Hunks) > 0 {
			details = markdownDetails(r)
		}
		if left -= len(details); left < 0 {
			fmt.Fprintf(&text, "\n%s not shown here.\n", plural(len(first.Report.Resources)-i, "more resource"))
			break
		}
		text.WriteString(details)
	}
	return text.String()
}

// The JSON output, version 1.
type (
	jsonDeploymentsDiff struct {
		Version int    `json:"version"`
		Since   string `json:"since"`
		// Kustomizations takes the place of Deployments in a repository from which nothing is deployed.
		Deployments    *[]jsonDeploymentChange `json:"deployments,omitempty"`
		Kustomizations *[]jsonDeploymentChange `json:"kustomizations,omitempty"`
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

func writeDeploymentsDiffJSON(out io.Writer, since, noun string, changes []deployments.Change) error {
	list := []jsonDeploymentChange{}
	for _, c := range changes {
		x := jsonDeploymentChange{ID: c.ID, Change: c.Change, Before: sideOf(c.Before), After: sideOf(c.After), Notes: append([]string{}, c.Notes...)}
		if c.Report != nil {
			x.Summary, x.Resources = summaryOf(c.Report), resourcesOf(c.Report)
		}
		list = append(list, x)
	}
	shown := jsonDeploymentsDiff{Version: 1, Since: since}
	if noun == "deployment" {
		shown.Deployments = &list
	} else {
		shown.Kustomizations = &list
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

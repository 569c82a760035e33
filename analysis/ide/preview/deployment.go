package preview

import (
	"context"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/analysis/explain"
	"github.com/kustomize-lsp/kls/analysis/workspace"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/text"
)

// DeploymentAt returns the deployment whose object is at an offset of a file, the first in
// the file for a negative one, and the root of its checkout; false for none.
func DeploymentAt(ctx context.Context, v *workspace.View, file string, offset int) (root, id string, ok bool, err error) {
	f, err := v.Files().ReadFile(file)
	if err != nil || !strings.Contains(string(f.Data), deployment.FluxGroup) {
		return "", "", false, nil
	}
	set, err := v.Deployments(ctx, file)
	if err != nil {
		return "", "", false, err
	}
	lines := text.NewLines(f.Data)
	line, last := 1, lines.Count()
	if offset >= 0 {
		line, _ = lines.OffsetToLineColumn(offset)
		last = line
	}
	for ; line <= last; line++ {
		if d := set.Writer(v.Session(), file, line); d != nil {
			return set.Root, deployments.NameOf(set, d), true, nil
		}
	}
	return "", "", false, nil
}

// renderDeployment renders what a deployment gets or, with Incoming, what the folder that
// it deploys is without it. It is nil where there is no such deployment.
func renderDeployment(ctx context.Context, v *workspace.View, r Rendering) (*Rendered, error) {
	set, d, err := deploymentOf(ctx, v, r)
	if err != nil || d == nil {
		return nil, err
	}
	w := &renderer{Rendered: &Rendered{Rendering: r}, session: v.Session(), lines: map[string]*text.Lines{}}
	switch d.Verdict {
	case deployment.Fails:
		w.Verdict = analysis.Fails
		w.comment(d.ID.String()+" fails: "+d.Reason, explain.Place{})
	case deployment.Unknown:
		w.Verdict = analysis.Unknown
		w.comment("It is not known what "+d.ID.String()+" deploys: "+d.Reason, explain.Place{})
	default:
		w.Verdict = analysis.Builds
		if d.Verdict == deployment.Partial && !r.Incoming {
			w.comment("Not all of this is known: "+d.Reason, explain.Place{})
		}
		if err := w.deployed(ctx, set, d); err != nil {
			return nil, err
		}
	}
	w.Text = w.out.Bytes()
	return w.Rendered, nil
}

func deploymentOf(ctx context.Context, v *workspace.View, r Rendering) (*deployment.Set, *deployment.Deployment, error) {
	set, err := v.Deployments(ctx, r.Root)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range set.Deployments {
		if deployments.NameOf(set, d) == r.Deployment {
			return set, d, nil
		}
	}
	return set, nil, nil
}

// deployed writes the resources that are wanted.
func (w *renderer) deployed(ctx context.Context, set *deployment.Set, d *deployment.Deployment) error {
	if w.Incoming {
		plain, err := d.WithoutOptions(ctx, w.session)
		if err != nil {
			return err
		}
		d = plain
	}
	lines, outputs, err := deployments.Blame(ctx, w.session, set, d)
	if err != nil {
		return err
	}
	w.list = make([]*resource.Resource, len(outputs))
	for i, out := range outputs {
		w.list[i] = out.Resource
	}
	only := -1
	if w.Resource != "" {
		index, _, missing := explain.Find(w.list, w.Resource)
		if missing != nil {
			w.comment(missing.Message, explain.Place{})
			return nil
		}
		only = index
	}
	for _, line := range lines {
		if only < 0 || line.Resource == only {
			w.line(line.Text, line.Written, line.Resource, line.Value)
		}
	}
	return nil
}

package workspace

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/deployments"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/vfs"
)

// deployed is what views that follow on each other found deployed last, by the folder of
// the checkout.
type deployed struct {
	mutex  sync.Mutex
	byRoot map[string]*deployedSet
	// overdue says that what is deployed is being found out, and that a request has waited
	// for it in vain.
	overdue atomic.Bool
}

type deployedSet struct {
	set     *deployment.Set
	files   *vfs.Snapshot
	history *history
}

// checkoutOf returns the folder of the checkout that a path lies in: of one in no git
// repository the folder that is open.
func (v *View) checkoutOf(path string) string {
	for _, folder := range v.folders {
		if vfs.Below(folder, path) {
			path = folder
			break
		}
	}
	return deployment.CheckoutOf(v.files, path)
}

// deployedPatience is how long a request waits for what is deployed: that takes all files
// of a checkout, of which one may hang.
const deployedPatience = 2 * time.Second

// Deployments returns what is deployed from the checkout that a path, absolute, lies in.
// What no change touched since the last view is taken over. Where that takes too long,
// nobody waits any more until it is done, and nothing is known. The error is for
// cancellation.
func (v *View) Deployments(ctx context.Context, path string) (*deployment.Set, error) {
	all := Shared[deployed](v)
	if all.overdue.Load() {
		return &deployment.Set{Root: v.checkoutOf(path)}, nil
	}
	type outcome struct {
		known    *deployedSet
		err      error
		panicked string // what for, and where; empty for no panic
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			if reason := recover(); reason != nil {
				o.panicked = fmt.Sprintf("%v\n%s", reason, debug.Stack())
			}
			done <- o
			all.overdue.Store(false)
		}()
		o.known, o.err = v.deployed(context.WithoutCancel(ctx), path)
	}()
	finished := func(o outcome) (*deployment.Set, error) {
		switch {
		case o.panicked != "":
			panic(o.panicked) // it is the fault of this request alone
		case o.err != nil:
			return nil, o.err
		}
		return o.known.set, nil
	}
	select {
	case o := <-done:
		return finished(o)
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(deployedPatience):
	}
	all.overdue.Store(true)
	select {
	case o := <-done:
		all.overdue.Store(false)
		return finished(o)
	default:
		return &deployment.Set{Root: v.checkoutOf(path)}, nil
	}
}

func (v *View) deployed(ctx context.Context, path string) (*deployedSet, error) {
	all := Shared[deployed](v)
	all.mutex.Lock()
	defer all.mutex.Unlock()
	root := v.checkoutOf(path)
	last := all.byRoot[root]
	if last != nil && last.files == v.files {
		return last, nil
	}
	var previous *deployment.Set
	var changed []string
	if last != nil && v.history.since(last.history, func(path string) bool { changed = append(changed, path); return true }) {
		previous = last.set
	}
	set, err := deployments.FindIn(ctx, v.session, root, v.options.Config, previous, changed...)
	if err != nil {
		return nil, err
	}
	next := &deployedSet{set: set, files: v.files, history: v.history}
	if all.byRoot == nil {
		all.byRoot = map[string]*deployedSet{}
	}
	all.byRoot[root] = next
	return next, nil
}

// DeployedBy returns the deployments that get the kustomization in a folder, absolute, as
// far as they are known already: nobody waits for them.
func (v *View) DeployedBy(dir string) []*deployment.Deployment {
	set := v.lastDeployed(dir)
	if set == nil {
		return nil
	}
	return deployments.NewIndex(set).Of(dir)
}

// lastDeployed returns what was found last, without waiting for anything; nil for nothing.
func (v *View) lastDeployed(path string) *deployment.Set {
	all := Shared[deployed](v)
	if !all.mutex.TryLock() {
		return nil
	}
	defer all.mutex.Unlock()
	if last := all.byRoot[v.checkoutOf(path)]; last != nil {
		return last.set
	}
	return nil
}

// withDeployments adds to a report what is wrong with what is deployed from the folders;
// to one that is not complete, what was found last: nobody waits for what they did not ask
// for.
func (v *View) withDeployments(ctx context.Context, report *analysis.Report, complete bool) {
	met := map[string]bool{}
	for _, folder := range v.folders {
		root := v.checkoutOf(folder)
		if met[root] {
			continue
		}
		met[root] = true
		set := v.lastDeployed(folder)
		if complete {
			known, err := v.deployed(ctx, folder)
			if err != nil {
				return
			}
			set = known.set
		}
		if set != nil {
			deployments.Apply(report, v.session, set, v.options, v.IsInFolders)
		}
	}
}

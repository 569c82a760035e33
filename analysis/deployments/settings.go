// Package deployments turns what is deployed from a checkout into diagnostics and views:
// what is wrong with the deployments, which of them a root or a finding concerns, and
// where a value that one deploys comes from. What is deployed, and what it renders, the
// package engine/deployment says; a kind of deployment that is added there needs nothing
// here but rules for mistakes that no other kind has.
package deployments

import (
	"context"
	"slices"

	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/engine/applicationset"
	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
)

// Find finds what is deployed from the checkout that a path, absolute, lies in, with the
// settings that the configuration of the checkout has.
func Find(ctx context.Context, session *builder.Session, path string, configs *config.Set, previous *deployment.Set, changed ...string) (*deployment.Set, error) {
	return FindIn(ctx, session, deployment.CheckoutOf(session.Files(), path), configs, previous, changed...)
}

// FindIn is Find with the root of the checkout.
func FindIn(ctx context.Context, session *builder.Session, root string, configs *config.Set, previous *deployment.Set, changed ...string) (*deployment.Set, error) {
	return deployment.Find(ctx, session, root, settings(configs, root), previous, changed...)
}

// FindBefore finds what was deployed from the checkout in a folder when it was in another
// state, which has no git of its own: its remotes are those that the files now have.
func FindBefore(ctx context.Context, session *builder.Session, root string, configs *config.Set, now *builder.Session) (*deployment.Set, error) {
	said := settings(configs, root)
	said.Repositories = slices.Concat(said.Repositories, deployment.Remotes(now.Files(), root))
	return deployment.Find(ctx, session, root, said, nil)
}

func settings(configs *config.Set, root string) deployment.Settings {
	if configs == nil {
		return deployment.Settings{Analyze: true}
	}
	said := configs.For(root).Deployments
	var clusters []applicationset.Cluster
	for _, c := range said.Clusters {
		clusters = append(clusters, applicationset.Cluster(c))
	}
	return deployment.Settings{Repositories: said.Repositories, Sources: said.Sources, Substitutions: said.Substitutions,
		Lenient: said.Lenient, Clusters: clusters, Analyze: true}
}

package rules

import "github.com/kustomize-lsp/kls/analysis"

var _ = register(analysis.Rule{
	Name:     "replica-no-match",
	Class:    analysis.Transformers,
	Severity: analysis.Error,
	Title:    "An entry of replicas matches nothing",
	Why: `kustomize sets the replicas of every Deployment, ReplicationController, ReplicaSet and StatefulSet
with the name, and refuses the build where there is none.`,
	Remedy: `Correct the name. It can be the original or the current one.`,
})

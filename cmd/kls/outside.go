package main

import (
	"io"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/external"
	"github.com/spf13/pflag"
)

// outsideFlags allow what lies beyond the files at hand. The flags of kustomize
// build have their names; the others are ours.
type outsideFlags struct {
	config      external.Config
	networkName string
	limits      []string
}

func (o *outsideFlags) add(to *pflag.FlagSet) {
	c := &o.config
	to.StringArrayVar(&o.limits, "limit", nil, "limit of a build as NAME=NUMBER: build-nodes, build-text (bytes), resources, layers, file-size (bytes), build-time (such as 90s); also in "+limitsVariable)
	f := pflag.NewFlagSet("", pflag.ContinueOnError)
	defer func() {
		f.VisitAll(func(flag *pflag.Flag) { flag.Annotations = map[string][]string{outsideFlag: nil} })
		to.AddFlagSet(f)
	}()
	f.BoolVar(&c.EnableRemote, "enable-remote", false, "load git repositories, and files over http(s); kustomize build always does")
	f.BoolVar(&c.Offline, "offline", false, "with --enable-remote: use the cache only")
	f.StringVar(&c.CacheDir, "cache-dir", "", "where to cache what was loaded (default: kls in the user's cache folder)")
	f.DurationVar(&c.Timeout, "timeout", 0, "end a git command, a request, helm or a function after this time (default 27s for the first two, 5m)")

	f.BoolVar(&c.Helm.Enabled, "enable-helm", false, "render helm charts with the helm program; missing charts are pulled into the chart home")
	f.StringVar(&c.Helm.Command, "helm-command", "helm", "the helm program")
	f.StringVar(&c.Helm.KubeVersion, "helm-kube-version", "", "Kubernetes version for charts that name none")
	f.StringArrayVar(&c.Helm.APIVersions, "helm-api-versions", nil, "Kubernetes API versions for charts that name none")
	f.BoolVar(&c.Helm.Debug, "helm-debug", false, "make helm print more about failures")

	f.BoolVar(&c.Functions.EnableAlphaPlugins, "enable-alpha-plugins", false, "run functions in containers, and plugins from the plugin home")
	f.BoolVar(&c.Functions.EnableExec, "enable-exec", false, "with --enable-alpha-plugins: run functions that are programs; only for repositories that you trust")
	f.BoolVar(&c.Functions.Network, "network", false, "give functions network access if they ask for it")
	f.StringVar(&o.networkName, "network-name", "bridge", "accepted and ignored, as by kustomize")
	f.BoolVar(&c.Functions.AsCurrentUser, "as-current-user", false, "run containers as the current user")
	f.StringArrayVarP(&c.Functions.Env, "env", "e", nil, "an environment variable for functions: NAME=value, or NAME to pass it on")
	f.StringArrayVar(&c.Functions.Mounts, "mount", nil, "a mount for containers, in docker's syntax")
}

// runner tells on err of what it fetches.
func (o *outsideFlags) runner(err io.Writer) builder.Outside {
	config := o.config
	config.Progress, config.Log = err, err
	return external.New(config)
}

package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/load"
	"sigs.k8s.io/kustomize/kyaml/fn/runtime/runtimeutil"
	"sigs.k8s.io/kustomize/kyaml/kio"

	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// Function runs a KRM function, which its configuration describes in an
// annotation, or else a legacy plugin of that type from the plugin home
// (loader.loadPlugin in api/internal/plugins).
func (r *Runner) Function(ctx context.Context, request builder.FunctionRequest) (builder.FunctionResult, error) {
	if !r.config.Functions.EnableAlphaPlugins {
		return builder.FunctionResult{}, load.ErrSwitchedOff
	}
	config, err := kyaml.Parse(string(request.Config))
	if err != nil {
		return builder.FunctionResult{}, err
	}
	spec, err := runtimeutil.GetFunctionSpec(config)
	if err != nil {
		return builder.FunctionResult{}, err
	}
	if spec == nil {
		output, err := r.runPlugin(ctx, request, config)
		return builder.FunctionResult{Output: output}, err
	}
	return r.runFunction(ctx, request, config, spec)
}

// runFunction does what kustomize's FnPlugin and kyaml's runner do between them
// (api/internal/plugins/fnplugin, kyaml/runfn), with kyaml's parts: only the
// process is ours, so that it can be ended and its complaint be told.
func (r *Runner) runFunction(ctx context.Context, request builder.FunctionRequest, config *kyaml.RNode,
	spec *runtimeutil.FunctionSpec) (result builder.FunctionResult, err error) {
	if err := checkMounts(spec.Container.StorageMounts); err != nil {
		return result, err
	}
	if spec.Container.Network && !r.config.Functions.Network {
		return result, errors.New("it needs the network, which --network gives it")
	}
	// What a generator gets as its input, its own configuration, is dropped from
	// the output by this.
	if err := config.PipeE(kyaml.SetAnnotation("config.kubernetes.io/local-config", "true")); err != nil {
		return result, err
	}
	input := request.Input
	if input == nil {
		text, err := config.String()
		if err != nil {
			return result, err
		}
		input = []byte(text)
	}
	p, global, notRun, err := r.functionProcess(request.Dir, spec)
	if err != nil || notRun != "" {
		result.NotRun = notRun
		if err == nil {
			result.Output, err = pipe(input, nil)
		}
		return result, err
	}
	filter := &runtimeutil.FunctionFilter{FunctionConfig: config, GlobalScope: global, DeferFailure: spec.DeferFailure,
		Run: func(in io.Reader, out io.Writer) error {
			p.input = in
			printed, _, err := p.run(ctx)
			if _, writeErr := out.Write(printed); err == nil {
				err = writeErr
			}
			return err
		}}
	if result.Output, err = pipe(input, filter); err == nil {
		err = filter.GetExit()
	}
	return result, err
}

// pipe reads resources, has them changed, and writes them, as runfn.RunFns does.
func pipe(input []byte, filter *runtimeutil.FunctionFilter) ([]byte, error) {
	read := &kio.PackageBuffer{}
	err := kio.Pipeline{Inputs: []kio.Reader{&kio.ByteReader{Reader: bytes.NewReader(input)}}, Outputs: []kio.Writer{read}}.Execute()
	if err != nil {
		return nil, err
	}
	var output bytes.Buffer
	pipeline := kio.Pipeline{Inputs: []kio.Reader{read}, Outputs: []kio.Writer{kio.ByteWriter{Writer: &output}}}
	if filter != nil {
		pipeline.Filters = []kio.Filter{filter}
	}
	err = pipeline.Execute()
	return output.Bytes(), err
}

// checkMounts keeps a configuration from mounting what lies outside its folder
// (loader.loadPlugin).
func checkMounts(mounts []runtimeutil.StorageMount) error {
	for _, mount := range mounts {
		if filepath.IsAbs(mount.Src) || strings.HasPrefix(filepath.Clean(mount.Src), "..") {
			return fmt.Errorf("it mounts %s, which is not below the folder of the kustomization", mount.Src)
		}
	}
	return nil
}

// functionProcess is the process of a function and whether it is for all
// resources, or why there is none.
func (r *Runner) functionProcess(dir string, spec *runtimeutil.FunctionSpec) (p process, global bool, notRun string, err error) {
	p = process{dir: dir, timeout: orDefault(r.config.Timeout, programTimeout), log: r.config.Log}
	switch {
	case filepath.Clean(dir) == string(filepath.Separator) && (spec.Container.Image != "" || spec.Exec.Path != ""):
		return p, false, "", errors.New("functions do not run in the root folder")
	case spec.Container.Image != "":
		if p.path, err = exec.LookPath("docker"); err != nil {
			return p, true, "", fmt.Errorf("it runs in the container %s, for which docker is needed and was not found", spec.Container.Image)
		}
		p.arguments, p.environment = r.containerArguments(dir, spec.Container), os.Environ()
		return p, true, "", nil
	case spec.Exec.Path == "":
		return p, false, "it names neither a container nor a program", nil
	case !r.config.Functions.EnableExec:
		return p, false, "it is a program, which --enable-exec allows", nil
	}
	p.path, p.arguments = spec.Exec.Path, spec.Exec.Args
	p.environment = append(os.Environ(), mergeEnvironment(spec.Exec.Env, r.config.Functions.Env)...)
	return p, false, "", nil
}

// containerArguments are docker's arguments (container.Filter.getCommand in kyaml).
func (r *Runner) containerArguments(dir string, spec runtimeutil.ContainerSpec) []string {
	network, user := runtimeutil.NetworkNameNone, "nobody"
	if spec.Network {
		network = runtimeutil.NetworkNameHost
	}
	if r.config.Functions.AsCurrentUser {
		user = fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
	}
	arguments := []string{"run", "--rm", "-i", "-a", "STDIN", "-a", "STDOUT", "-a", "STDERR",
		"--network", string(network), "--user", user, "--security-opt=no-new-privileges"}
	mounts := spec.StorageMounts
	for _, mount := range r.config.Functions.Mounts {
		mounts = append(mounts, runtimeutil.StringToStorageMount(mount))
	}
	for _, mount := range mounts {
		if !filepath.IsAbs(mount.Src) {
			mount.Src = filepath.Join(dir, mount.Src)
		}
		arguments = append(arguments, "--mount", mount.String())
	}
	environment := runtimeutil.NewContainerEnvFromStringSlice(append(spec.Env[:len(spec.Env):len(spec.Env)], r.config.Functions.Env...))
	return append(append(arguments, environment.GetDockerFlags()...), spec.Image)
}

// mergeEnvironment lets later variables win and leaves out what is no NAME=value
// (RunFns.mergeExecEnv).
func mergeEnvironment(lists ...[]string) []string {
	values := map[string]string{}
	for _, list := range lists {
		for _, variable := range list {
			if parts := strings.Split(variable, "="); len(parts) == 2 {
				values[parts[0]] = parts[1]
			}
		}
	}
	var merged []string
	for name, value := range values {
		merged = append(merged, name+"="+value)
	}
	sort.Strings(merged)
	return merged
}

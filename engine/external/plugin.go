package external

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unicode"

	"github.com/kustomize-lsp/kls/engine/builder"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/resid"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"
)

// runPlugin runs a legacy plugin: a program in the plugin home, in a folder that
// is named after the configuration's type (api/internal/plugins/execplugin).
func (r *Runner) runPlugin(ctx context.Context, request builder.FunctionRequest, config *kyaml.RNode) ([]byte, error) {
	path, err := pluginPath(config)
	if err != nil {
		return nil, err
	}
	arguments, err := pluginArguments(config, request.Load)
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp("", "kust-plugin-config-")
	if err != nil {
		return nil, err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(request.Config)
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	output, _, err := process{path: path, arguments: append([]string{file.Name()}, arguments...), dir: request.Dir,
		environment: pluginEnvironment(request), input: bytes.NewReader(request.Input),
		timeout: orDefault(r.config.Timeout, programTimeout), log: r.config.Log}.run(ctx)
	return output, err
}

// pluginPath finds the program. A type whose name leads out of the plugin home is
// refused, which kustomize does not do.
func pluginPath(config *kyaml.RNode) (string, error) {
	gvk := resid.GvkFromNode(config)
	relative := filepath.Join(gvk.Group, gvk.Version, strings.ToLower(gvk.Kind), gvk.Kind)
	if strings.ContainsAny(gvk.Group+gvk.Version+gvk.Kind, `/\`) || !filepath.IsLocal(relative) {
		return "", fmt.Errorf("its type, %s, does not name a plugin", gvk)
	}
	home, err := konfig.DefaultAbsPluginHome(filesys.MakeFsOnDisk())
	if err != nil {
		return "", fmt.Errorf("it is not a function, and there is no plugin home: %w", err)
	}
	path := filepath.Join(home, relative)
	info, err := os.Stat(path)
	switch {
	case err == nil && info.Mode()&0o111 == 0 && runtime.GOOS != "windows":
		return "", fmt.Errorf("the plugin %s is not executable", path)
	case errors.Is(err, os.ErrNotExist):
		if _, err := os.Stat(path + ".so"); err == nil {
			return "", fmt.Errorf("%s.so is a Go plugin, which kls does not load", path)
		}
		return "", fmt.Errorf("it is not a function, and there is no plugin %s", path)
	}
	return path, err
}

// pluginArguments are those that the configuration gives in two fields.
func pluginArguments(config *kyaml.RNode, load func(string) ([]byte, error)) ([]string, error) {
	var arguments []string
	if line := textField(config, "argsOneLiner"); line != "" {
		words, err := splitWords(line)
		if err != nil {
			return nil, fmt.Errorf("argsOneLiner: %w", err)
		}
		arguments = words
	}
	if path := textField(config, "argsFromFile"); path != "" {
		text, err := load(path)
		if err != nil {
			return nil, fmt.Errorf("argsFromFile: %w", err)
		}
		for line := range strings.SplitSeq(string(text), "\n") {
			if line = strings.TrimLeft(line, " "); line != "" {
				arguments = append(arguments, line)
			}
		}
	}
	return arguments, nil
}

func textField(config *kyaml.RNode, name string) string {
	if f := config.Field(name); f != nil && f.Value != nil {
		return f.Value.YNode().Value
	}
	return ""
}

// maxVariable is the length, in bytes, from which kustomize leaves a variable out.
const maxVariable = 131071

func pluginEnvironment(request builder.FunctionRequest) []string {
	environment := os.Environ()
	for _, variable := range []string{
		"KUSTOMIZE_PLUGIN_CONFIG_STRING=" + string(request.Config),
		"KUSTOMIZE_PLUGIN_CONFIG_ROOT=" + request.Dir,
	} {
		if len(variable) <= maxVariable {
			environment = append(environment, variable)
		}
	}
	return environment
}

// splitWords splits a line as a shell does, as far as kustomize knows it: quotes,
// backslashes and comments (execplugin.ShlexSplit).
func splitWords(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	const unquoted = 0
	quote, escaped := rune(unquoted), false
	for _, r := range line {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped = true
		case quote == unquoted && (r == '\'' || r == '"'):
			quote = r
		case r == quote:
			quote = unquoted
		case quote == unquoted && r == '#':
			end()
			return words, nil
		case quote == unquoted && unicode.IsSpace(r):
			end()
		default:
			word.WriteRune(r)
		}
	}
	if quote != unquoted {
		return nil, errors.New("a quote is not closed")
	}
	end()
	return words, nil
}

package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/analysis"
	"github.com/kustomize-lsp/kls/analysis/config"
	"github.com/kustomize-lsp/kls/analysis/rules"
	"github.com/kustomize-lsp/kls/engine/load"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/schema"
	"github.com/spf13/cobra"
)

func newConfigCommand(std streams) *cobra.Command {
	command := &cobra.Command{Use: "config", Short: "Show the configuration"}
	var format string
	show := &cobra.Command{
		Use:   "show [PATH]",
		Short: "Show the settings that apply to a folder or file, and where each comes from",
		Long: `Show the settings that apply to PATH (default .): the severity of every rule, the versions and the build options,
each with its origin: a default, or the part of ` + config.FileName + ` that sets it.`,
		Example: `  kls config show
  kls config show overlays/legacy
  kls config show --format json overlays/prod/patch.yaml`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return fmt.Errorf("--format must be text or json, not %q", format)
			}
			s, err := settingsOf(orCurrent(args)[0])
			if err != nil {
				return err
			}
			if format == "json" {
				encoded, err := encodeJSON(s)
				if err == nil {
					_, err = std.out.Write(encoded)
				}
				return err
			}
			_, err = std.out.Write(s.text())
			return err
		},
	}
	show.Flags().StringVar(&format, "format", "text", "text or json")
	command.AddCommand(show)
	return command
}

// settings are what applies to a path, as JSON has them.
type settings struct {
	Path string `json:"path"`
	// File is the configuration file that counts; empty for none.
	File     string        `json:"file,omitempty"`
	Excluded bool          `json:"excluded"`
	Problems int           `json:"problems"`
	Values   []setting     `json:"values"`
	Rules    []ruleSetting `json:"rules"`
}

type setting struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Origin string `json:"origin"`
}

type ruleSetting struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Default  string `json:"default"`
	Origin   string `json:"origin"`
}

const defaultOrigin = "default"

func settingsOf(path string) (*settings, error) {
	v, err := newPrinter([]string{path}, "never", nil)
	if err != nil {
		return nil, err
	}
	real := v.paths[0]
	dir, file := real, filepath.Join(real, "kustomization.yaml")
	if isDir, err := v.files.IsDir(real); err == nil && !isDir {
		dir, file = filepath.Dir(real), real
	}
	configs := config.New(v.files)
	c := configs.For(dir)
	s := &settings{Path: v.shown(real), Excluded: configs.Excluded(real), Problems: len(c.Problems)}
	name := config.FileName
	if c.Dir != "" {
		if path := filepath.Join(c.Dir, config.FileName); exists(path) {
			s.File = v.shown(path)
			name = s.File
		}
	}
	orDefault := func(setting, value, fallback string) {
		if value == "" {
			s.add(setting, fallback, defaultOrigin)
		} else {
			s.add(setting, value, name)
		}
	}
	orDefault("kustomize", c.Kustomize, kustomizeVersion)
	orDefault("kubernetes", c.Kubernetes, newestKubernetes())
	build := configs.Build(dir)
	orDefault("build.loadRestrictor", build.LoadRestrictor, load.RootOnly)
	for _, option := range []struct {
		name  string
		value *bool
	}{{"enableRemote", build.EnableRemote}, {"enableHelm", build.EnableHelm}, {"enableAlphaPlugins", build.EnableAlphaPlugins},
		{"enableExec", build.EnableExec}, {"network", build.Network}, {"enableManagedByLabel", build.EnableManagedByLabel}} {
		value := ""
		if option.value != nil {
			value = fmt.Sprint(*option.value)
		}
		orDefault("build."+option.name, value, "false")
	}
	for _, r := range rules.All() {
		rule := ruleSetting{Rule: r.Name, Severity: r.Severity.String(), Default: r.Severity.String(), Origin: defaultOrigin}
		if level, part := configs.LevelAndOrigin(r.Name, file); level != "" {
			rule.Severity, rule.Origin = string(level), name+", "+part
		}
		s.Rules = append(s.Rules, rule)
	}
	slices.SortStableFunc(s.Rules, func(a, b ruleSetting) int { // what somebody decided comes first
		return cmp.Compare(boolInt(a.Origin == defaultOrigin), boolInt(b.Origin == defaultOrigin))
	})
	return s, nil
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// newestKubernetes is the version that resources are validated against by default.
func newestKubernetes() string {
	versions := schema.Versions()
	return slices.MaxFunc(versions, func(a, b string) int {
		x, _ := config.ParseRelease(a)
		y, _ := config.ParseRelease(b)
		return boolInt(y.Before(x)) - boolInt(x.Before(y))
	})
}

func (s *settings) add(name, value, origin string) {
	s.Values = append(s.Values, setting{name, value, origin})
}

func (s *settings) text() []byte {
	var b bytes.Buffer
	switch {
	case s.File == "":
		fmt.Fprintf(&b, "%s: no %s applies; kls init writes one\n", printable(s.Path), config.FileName)
	default:
		fmt.Fprintf(&b, "%s: %s applies\n", printable(s.Path), printable(s.File))
	}
	if s.Problems > 0 {
		fmt.Fprintf(&b, "The file has %s; kls check reports them.\n", plural(s.Problems, "mistake"))
	}
	if s.Excluded {
		b.WriteString("It is excluded: nothing is checked or reported here.\n")
	}
	b.WriteByte('\n')
	for _, v := range s.Values {
		fmt.Fprintf(&b, "%-28s %-24s %s\n", v.Name, printable(v.Value), printable(v.Origin))
	}
	b.WriteByte('\n')
	for _, r := range s.Rules {
		fmt.Fprintf(&b, "%-36s %-8s %s\n", r.Rule, r.Severity, printable(r.Origin))
	}
	return b.Bytes()
}

func newInitCommand(std streams) *cobra.Command {
	var force bool
	command := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write a commented " + config.FileName,
		Long: `Write a commented ` + config.FileName + ` to DIR (default .), with every setting at its default, and with exclude for the folders
of test data and third-party files in which there are kustomizations.`,
		Example: "  kls init",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(command *cobra.Command, args []string) error {
			return initialise(command.Context(), std, orCurrent(args)[0], force)
		},
	}
	command.Flags().BoolVar(&force, "force", false, "overwrite the file if it is there")
	return command
}

func initialise(ctx context.Context, std streams, dir string, force bool) error {
	files := vfs.NewSnapshot(vfs.Disk())
	real, err := realPath(files, dir)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, config.FileName)
	if _, err := os.Lstat(path); !force && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already; --force overwrites it", filepath.ToSlash(path))
	}
	targets, err := analysis.Discover(ctx, files, real)
	if err != nil {
		return err
	}
	sure, likely, excluded := proposedExcludes(real, targets)
	if err := writeWhole(path, []byte(initialConfig(sure, likely))); err != nil {
		return err
	}
	fmt.Fprintf(std.out, "%s written: %s will be checked", filepath.ToSlash(path), plural(len(targets)-excluded, "kustomization"))
	if excluded > 0 {
		fmt.Fprintf(std.out, ", %d excluded in %s", excluded, strings.Join(sure, ", "))
	}
	fmt.Fprintln(std.out)
	return nil
}

var (
	// foreignFolders have names of folders whose files nobody here wrote, or that are mistaken on purpose.
	foreignFolders = []string{"vendor", "third_party", "third-party", "testdata", "test-data", "fixtures", "__fixtures__", "node_modules"}
	// doubtfulFolders have names of folders that may well be left out.
	doubtfulFolders = []string{"test", "tests", "examples", "example", "templates", "docs", "hack"}
)

// proposedExcludes are the topmost folders with such names that have kustomizations in them, seen from dir; excluded is
// how many kustomizations those have that are surely to be left out.
func proposedExcludes(dir string, targets []analysis.Target) (sure, likely []string, excluded int) {
	for _, t := range targets {
		short := relative(dir, t.Dir)
		if folder := folderNamed(short, foreignFolders); folder != "" {
			excluded++
			sure = append(sure, folder)
		} else if folder := folderNamed(short, doubtfulFolders); folder != "" {
			likely = append(likely, folder)
		}
	}
	slices.Sort(sure)
	slices.Sort(likely)
	return slices.Compact(sure), slices.Compact(likely), excluded
}

// folderNamed returns the part of a path up to the first folder with one of the names; empty for none.
func folderNamed(path string, names []string) string {
	parts := strings.Split(path, "/")
	if i := slices.IndexFunc(parts, func(part string) bool { return slices.Contains(names, part) }); i >= 0 {
		return strings.Join(parts[:i+1], "/")
	}
	return ""
}

func initialConfig(sure, likely []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# yaml-language-server: $schema=%s
# Settings of kls: %sconfiguration.md

# The versions that deploy, and that are deployed to.
# kustomize: "5.8"
# kubernetes: %q

# Severities of rules: off, hint, info, warning or error. kls explain-rule lists the rules,
# kls config show what applies where.
# rules:
#   image-no-match: error
#   unpinned-remote: off

# Folders and files in which nothing is checked or reported.
`, config.SchemaID, pagesURL, newestKubernetes())
	if len(sure) == 0 {
		b.WriteString("# exclude:\n# - vendor\n")
	} else {
		b.WriteString("exclude:\n")
		for _, folder := range sure {
			fmt.Fprintf(&b, "- %q\n", folder)
		}
	}
	for _, folder := range likely {
		fmt.Fprintf(&b, "# - %q\n", folder)
	}
	b.WriteString(`
# How roots are built, as the flags of kustomize build. What is fetched, run or read from elsewhere also needs the flag
# --trust-config.
# build:
#   enableHelm: true

# What is different for some paths; of several, the last one counts.
# overrides:
# - paths: [overlays/legacy]
#   rules:
#     image-no-match: hint
`)
	return b.String()
}

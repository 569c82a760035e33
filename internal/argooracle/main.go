// Command argooracle applies the options of random Applications with the real kustomize, as Argo CD does (kustomize edit,
// then kustomize build), and prints where kls renders something else. With -write it writes the outcomes down for the
// tests of package argotree.
//
//	go run ./internal/argooracle -kustomize $(which kustomize) -count 2000
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/deployment"
	"github.com/kustomize-lsp/kls/engine/vfs"
	"github.com/kustomize-lsp/kls/internal/argotree"
	"sigs.k8s.io/yaml"
)

func main() {
	from := flag.Uint64("from", 0, "the first seed")
	count := flag.Uint64("count", 200, "how many Applications")
	kustomize := flag.String("kustomize", "kustomize", "the kustomize v5.8.2 to run")
	write := flag.String("write", "", "write the outcomes to this file")
	show := flag.Int("show", 3, "how many differences to print whole")
	flag.Parse()
	var golden strings.Builder
	same, refused, differ := 0, 0, 0
	for seed := *from; seed < *from+*count; seed++ {
		c := argotree.Random(seed)
		printed, err := render(*kustomize, c)
		want := argotree.Refused
		if err == nil {
			want = argotree.Hash(printed)
		}
		set := find(c)
		got := argotree.Outcome(set)
		fmt.Fprintln(&golden, seed, want)
		switch {
		case got != want:
			differ++
			if differ <= *show {
				explain(seed, c, set, printed, err)
			} else {
				fmt.Println("seed", seed, "differs")
			}
		case want == argotree.Refused:
			refused++
		default:
			same++
		}
	}
	fmt.Printf("%d Applications: %d the same bytes, %d refused by both, %d differ\n", *count, same, refused, differ)
	if *write != "" {
		if err := os.WriteFile(*write, []byte(golden.String()), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	if differ > 0 {
		os.Exit(1)
	}
}

func find(c argotree.Checkout) *deployment.Set {
	files := map[string][]byte{}
	for name, text := range c.Files {
		files["/checkout/"+name] = text
	}
	session := builder.NewSession(vfs.NewSnapshot(vfs.Memory(files)))
	set, err := deployment.Find(context.Background(), session, "/checkout", deployment.Settings{Repositories: []string{argotree.URL}}, nil)
	if err != nil {
		panic(err)
	}
	return set
}

func explain(seed uint64, c argotree.Checkout, set *deployment.Set, printed []byte, err error) {
	fmt.Printf("== seed %d, %s\n%s", seed, c.Folder, c.Files["argocd/application.yaml"])
	for name, text := range c.Files {
		if strings.HasPrefix(name, c.Folder+"/") {
			fmt.Printf("-- %s --\n%s", name, text)
		}
	}
	fmt.Printf("== kustomize: %v\n%s", err, printed)
	for _, d := range set.Find(argotree.ID) {
		ours, _ := set.YAML(d)
		fmt.Printf("== kls: %s %s\n%s", d.Verdict, d.Reason, ours)
	}
}

// render does what Argo CD does in a copy of the checkout.
func render(kustomize string, c argotree.Checkout) ([]byte, error) {
	root, err := os.MkdirTemp("", "argooracle")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	for name, text := range c.Files {
		path := filepath.Join(root, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, text, 0o644)); err != nil {
			return nil, err
		}
	}
	r := runner{kustomize: kustomize, dir: filepath.Join(root, c.Folder)}
	r.apply(c)
	printed := r.run("build", ".")
	return printed, r.err
}

type runner struct {
	kustomize, dir string
	err            error
}

func (r *runner) run(args ...string) []byte {
	if r.err != nil {
		return nil
	}
	command := exec.Command(r.kustomize, args...)
	command.Dir = r.dir
	var stderr strings.Builder
	command.Stderr = &stderr
	printed, err := command.Output()
	if err != nil {
		r.err = fmt.Errorf("%s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return printed
}

// apply runs kustomize edit in the order of Argo CD.
func (r *runner) apply(c argotree.Checkout) {
	o := c.Options
	expand := func(s string) string {
		return os.Expand(s, func(name string) string {
			if name == "$" {
				return "$"
			}
			return map[string]string{"ARGOCD_APP_NAME": "random", "ARGOCD_APP_SOURCE_PATH": c.Folder, "ARGOCD_APP_SOURCE_REPO_URL": argotree.URL, "ARGOCD_APP_PROJECT_NAME": "default"}[name]
		})
	}
	for command, value := range map[string]string{"nameprefix": o.NamePrefix, "namesuffix": o.NameSuffix} {
		if value != "" {
			r.run("edit", "set", command, "--", value)
		}
	}
	if len(o.Images) > 0 {
		args := []string{"edit", "set", "image"}
		for _, image := range o.Images {
			args = append(args, expand(image))
		}
		r.run(args...)
	}
	if len(o.Replicas) > 0 {
		args := []string{"edit", "set", "replicas"}
		for _, replica := range o.Replicas {
			args = append(args, fmt.Sprintf("%s=%v", replica.Name, replica.Count))
		}
		r.run(args...)
	}
	add := func(kind string, pairs map[string]string, expanded bool, flags map[string]bool) {
		if len(pairs) == 0 {
			return
		}
		args := []string{"edit", "add", kind}
		for flag, set := range flags {
			if set {
				args = append(args, flag)
			}
		}
		for name, value := range pairs {
			if expanded {
				value = expand(value)
			}
			args = append(args, name+":"+value)
		}
		r.run(args...)
	}
	add("label", o.CommonLabels, true, map[string]bool{"--force": o.ForceCommonLabels, "--without-selector": o.LabelWithoutSelector, "--include-templates": o.LabelIncludeTemplates})
	add("annotation", o.CommonAnnotations, o.CommonAnnotationsEnvsubst, map[string]bool{"--force": o.ForceCommonAnnotations})
	if o.Namespace != "" {
		r.run("edit", "set", "namespace", "--", o.Namespace)
	}
	r.patches(o.Patches)
	var components []string
	for _, component := range o.Components {
		if _, err := os.Stat(filepath.Join(r.dir, component)); err == nil || !o.IgnoreMissingComponents {
			components = append(components, component)
		}
	}
	if len(components) > 0 {
		r.run(append([]string{"edit", "add", "component"}, components...)...)
	}
}

// patches appends to the file by itself, as there is no command for it that does the same.
func (r *runner) patches(patches []argotree.Patch) {
	if r.err != nil || len(patches) == 0 {
		return
	}
	names := []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}
	i := slices.IndexFunc(names, func(name string) bool { _, err := os.Stat(filepath.Join(r.dir, name)); return err == nil })
	if i < 0 {
		r.err = errors.New("kustomization file not found in the path")
		return
	}
	path := filepath.Join(r.dir, names[i])
	content, err := os.ReadFile(path)
	if err != nil {
		r.err = err
		return
	}
	file := map[string]any{}
	if r.err = yaml.Unmarshal(content, &file); r.err != nil {
		return
	}
	if file == nil { // an empty file is not a mapping
		r.err = errors.New("expected kustomization.yaml to be a mapping")
		return
	}
	list, isList := file["patches"].([]any)
	if _, has := file["patches"]; has && !isList {
		r.err = errors.New("expected patches to be a list")
		return
	}
	for _, p := range patches {
		encoded, err := json.Marshal(p)
		if err != nil {
			r.err = err
			return
		}
		list = append(list, json.RawMessage(encoded))
	}
	file["patches"] = list
	changed, err := yaml.Marshal(file)
	if err != nil {
		r.err = err
		return
	}
	r.err = os.WriteFile(path, changed, 0o644)
}

//go:build unix

// Command attacks makes repositories that try to use up the machine which checks them, and runs kls and kustomize on
// each: `go run ./internal/attacks -kls bin/kls -kustomize kustomize` prints a table.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	kls := flag.String("kls", "bin/kls", "the kls to run")
	kustomize := flag.String("kustomize", "kustomize", "the kustomize to run")
	patience := flag.Duration("for", 30*time.Second, "how long each may take")
	write := flag.String("write", "", "write the tree of this attack to the folder that follows, and end")
	flag.Parse()
	if *write != "" {
		exitIf(writeTree(*write, flag.Arg(0)))
		return
	}
	self, err := os.Executable()
	exitIf(err)
	fmt.Print(intro)
	for _, a := range attacks {
		dir, err := os.MkdirTemp("", "attack")
		exitIf(err)
		// In a process of its own: the most memory of a process counts that of who started it.
		exitIf(exec.Command(self, "-write", a.name, dir).Run())
		fmt.Printf("| %s | %s | %s |", a.name, sizeOf(dir), run(*kls, dir, *patience, "check", "."))
		if a.root == "" {
			fmt.Println(" |")
		} else {
			fmt.Printf(" %s |\n", run(*kustomize, dir, *patience, "build", a.root))
		}
		exitIf(os.RemoveAll(dir))
	}
}

const intro = `| a repository with | its size | ` + "`kls check`" + ` | ` + "`kustomize build`" + ` |
| --- | --- | --- | --- |
`

func exitIf(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "attacks:", err)
		os.Exit(1)
	}
}

func writeTree(name, dir string) error {
	for _, a := range attacks {
		if a.name == name {
			w := &writer{dir: dir}
			a.tree(w)
			return w.err
		}
	}
	return fmt.Errorf("there is no attack %q", name)
}

// sizeOf is how large a tree is, as people say it.
func sizeOf(dir string) string {
	var bytes int64
	files := 0
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, _ error) error {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
			files++
		}
		return nil
	})
	size := fmt.Sprintf("%.1f kB", float64(bytes)/1e3)
	if bytes >= 1e6 {
		size = fmt.Sprintf("%.0f MB", float64(bytes)/1e6)
	}
	if files > 10 {
		size += fmt.Sprintf(" in %d files", files)
	}
	return size
}

// outcome is what became of a run.
type outcome struct {
	printed string
	cpu     time.Duration
	peak    int64 // bytes
	ended   bool  // it took too long
	err     error
}

func (o outcome) String() string {
	said := verdict(o.printed)
	switch {
	case o.ended:
		return fmt.Sprintf("ended after %.0f s, %d MB", o.cpu.Seconds(), o.peak>>20)
	case said == "" && o.err == nil:
		said = "builds"
	case said == "":
		said = "refuses"
		if strings.Contains(o.printed, "out of memory") || strings.Contains(o.printed, "cannot allocate") {
			said = "out of memory"
		} else if strings.Contains(o.printed, "goroutine stack exceeds") {
			said = "stack overflow"
		}
	}
	return fmt.Sprintf("%s; %.1f s, %d MB", said, o.cpu.Seconds(), o.peak>>20)
}

// verdictLine is kls's last line: how many kustomizations came to what.
var verdictLine = regexp.MustCompile(`(?m)^\d+ kustomizations?: ([^·\n]*)`)

func verdict(printed string) string {
	if found := verdictLine.FindStringSubmatch(printed); found != nil {
		return strings.TrimSpace(found[1])
	}
	return ""
}

// run runs a program in a folder, with the memory of a small machine.
func run(program, dir string, patience time.Duration, args ...string) outcome {
	program, err := exec.LookPath(program)
	if err == nil {
		program, err = filepath.Abs(program)
	}
	exitIf(err)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	const addresses = 8 << 20 // KiB
	command := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", "ulimit -v " + strconv.Itoa(addresses) + `; exec "$0" "$@"`, program}, args...)...)
	command.Dir = dir
	var out bytes.Buffer
	command.Stdout, command.Stderr = &tail{into: &out}, &tail{into: &out}
	err = command.Run()
	if command.ProcessState == nil {
		exitIf(err)
	}
	usage := command.ProcessState.SysUsage().(*syscall.Rusage)
	return outcome{printed: out.String(), cpu: command.ProcessState.UserTime() + command.ProcessState.SystemTime(),
		peak: int64(usage.Maxrss) << 10, ended: errors.Is(ctx.Err(), context.DeadlineExceeded), err: err}
}

// tail keeps some of the beginning and of the end of what is written.
type tail struct{ into *bytes.Buffer }

func (t *tail) Write(p []byte) (int, error) {
	const most = 1 << 16
	t.into.Write(p)
	if t.into.Len() > most {
		t.into.Next(t.into.Len() - most)
	}
	return len(p), nil
}

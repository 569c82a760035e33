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
	"strings"
	"time"
)

const (
	// fetchTimeout is kustomize's for git commands.
	fetchTimeout = 27 * time.Second
	// programTimeout is for charts and functions, for which kustomize has none.
	programTimeout = 5 * time.Minute
	// localTimeout is for git commands that only read what is on this machine.
	localTimeout = time.Minute
	// waitDelay is how long a program's children may keep its output open once it
	// was ended.
	waitDelay = time.Second
)

// process is a program to run.
type process struct {
	path        string
	arguments   []string
	dir         string
	environment []string
	input       io.Reader
	timeout     time.Duration
	// log gets standard error as well, where it is not nil.
	log io.Writer
}

// run returns what the program printed. The error of one that failed or did not
// end in time has the end of what it complained about.
func (p process) run(ctx context.Context) (stdout, stderr []byte, err error) {
	limited, cancel := context.WithTimeout(ctx, p.timeout)
	defer cancel()
	var out, complaint limitedBuffer
	command := exec.CommandContext(limited, p.path, p.arguments...)
	command.Dir, command.Env, command.Stdin = p.dir, p.environment, p.input
	command.Stdout, command.Stderr = &out, &complaint
	if p.log != nil {
		command.Stderr = io.MultiWriter(&complaint, p.log)
	}
	command.WaitDelay = waitDelay
	err = command.Run()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		err = ctx.Err()
	case limited.Err() != nil:
		err = fmt.Errorf("%s did not end within %s", filepath.Base(p.path), p.timeout)
	default:
		err = failure(filepath.Base(p.path), err, complaint.Bytes())
	}
	return out.Bytes(), complaint.Bytes(), err
}

// maxOutput is how many bytes a program may print.
const maxOutput = 512 << 20

// limitedBuffer fails when too much is written, which ends the program that does so.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxOutput {
		return 0, fmt.Errorf("it prints more than %d MiB", maxOutput>>20)
	}
	return b.Buffer.Write(p)
}

// failure is the error of a program that ran and failed, or could not be run.
func failure(name string, err error, complaint []byte) error {
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the program %s is needed and was not found", name)
	}
	if last := lastLines(complaint); last != "" {
		return fmt.Errorf("%s fails (%w): %s", name, err, last)
	}
	return fmt.Errorf("%s fails: %w", name, err)
}

// lastLines returns the end of what a program said, without empty lines.
func lastLines(text []byte) string {
	const enough = 5
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-enough):], "\n")
}

func orDefault(timeout, otherwise time.Duration) time.Duration {
	if timeout > 0 {
		return timeout
	}
	return otherwise
}

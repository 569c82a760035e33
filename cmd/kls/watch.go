package main

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"path/filepath"
	"time"
)

// watchInterval is how long kls check --watch waits between two looks at the files.
const watchInterval = 300 * time.Millisecond

// watch checks, and again whenever a file has changed in the repositories of the paths, until it is interrupted.
func watch(ctx context.Context, std streams, flags checkFlags, paths []string) error {
	if flags.fix || flags.diff || flags.writeBaseline {
		return errors.New("--watch cannot be combined with --fix, --diff or --write-baseline")
	}
	folders, err := watchedFolders(paths)
	if err != nil {
		return err
	}
	flags.watch = false
	seed := maphash.MakeSeed()
	for {
		// What changes while the check runs is a reason for the next one.
		before := fingerprint(seed, folders)
		if isTerminal(std.out) {
			fmt.Fprint(std.out, "\x1b[2J\x1b[3J\x1b[H")
		}
		if err := check(ctx, std, flags, paths); err != nil && !errors.Is(err, errFound) {
			if ctx.Err() != nil {
				return context.Canceled
			}
			fmt.Fprintln(std.err, "kls:", printable(err.Error())) // a path may come back
		}
		fmt.Fprintln(std.err, "waiting for changes; press Ctrl+C to end")
		if err := untilChanged(ctx, seed, folders, before); err != nil {
			return err
		}
	}
}

// watchedFolders are those in which a file may lie that the paths depend on.
func watchedFolders(paths []string) ([]string, error) {
	v, err := newPrinter(nil, "never", nil)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, path := range orCurrent(paths) {
		real, err := realPath(v.files, path)
		if err != nil {
			return nil, err
		}
		folders = append(folders, v.scope(real))
	}
	return folders, nil
}

// untilChanged waits. It looks less often where looking takes long.
func untilChanged(ctx context.Context, seed maphash.Seed, folders []string, before uint64) error {
	wait := watchInterval
	for {
		select {
		case <-ctx.Done():
			return context.Canceled
		case <-time.After(wait):
		}
		start := time.Now()
		if fingerprint(seed, folders) != before {
			return nil
		}
		wait = max(watchInterval, 10*time.Since(start))
	}
}

// fingerprint is another number when a file at or below the folders was added, removed or written. Folders that hold no
// files of the user's own are left out.
func fingerprint(seed maphash.Seed, folders []string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil // it went away meanwhile, which the next look sees
			}
			if entry.IsDir() {
				if name := entry.Name(); name == ".git" || name == "node_modules" {
					return filepath.SkipDir
				}
				return nil
			}
			if info, err := entry.Info(); err == nil {
				fmt.Fprintf(&h, "%s\x00%d\x00%d\x00", path, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return h.Sum64()
}

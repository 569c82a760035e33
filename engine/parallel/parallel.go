// Package parallel has the one loop that runs on several cores, and lazy values. A panic
// in a worker is the caller's: it never ends the process by itself, and what was being
// computed when it happened is computed again by who asks next.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is a panic of a worker, with the worker's stack.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprint(p.Value) }

// Each calls f with the bounds of consecutive batches of the indexes below n, in any
// order and several at a time; few of them on the goroutine of the caller. Where f
// panics so does Each, with a *Panic if that was in a worker.
func Each(n, batch int, f func(first, end int)) {
	place := inject()
	if n <= batch {
		if n > 0 {
			f(0, n)
		}
		return
	}
	var panicked atomic.Pointer[Panic]
	var next atomic.Int64
	work := func() {
		for panicked.Load() == nil {
			first := int(next.Add(int64(batch))) - batch
			if first >= n {
				return
			}
			f(first, min(first+batch, n))
		}
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+batch-1)/batch) {
		workers.Go(func() {
			defer func() { panicked.CompareAndSwap(nil, caught(recover())) }()
			injectIntoWorker(place)
			work()
		})
	}
	workers.Wait()
	if p := panicked.Load(); p != nil {
		panic(p)
	}
}

// Do calls f for each index below n, several at a time, and returns the first error. The
// context that f gets ends with it. A panic of f is an error, too: a *Panic.
func Do(ctx context.Context, n int, f func(ctx context.Context, i int) error) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer func() {
		if p := caught(recover()); p != nil {
			err = p
		}
	}()
	var failed atomic.Pointer[error]
	Each(n, 1, func(i, _ int) {
		if failed.Load() != nil {
			return
		}
		if err := f(ctx, i); err != nil && failed.CompareAndSwap(nil, &err) {
			cancel(err)
		}
	})
	if first := failed.Load(); first != nil {
		return *first
	}
	return nil
}

// caught makes a *Panic of what recover returned, nil of nil.
func caught(reason any) *Panic {
	if reason == nil {
		return nil
	}
	if p, ok := reason.(*Panic); ok {
		return p
	}
	return &Panic{reason, debug.Stack()}
}

// Stack is that of the goroutine that panicked, for who has just recovered the reason.
func Stack(reason any) []byte {
	return caught(reason).Stack
}

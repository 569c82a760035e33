package parallel

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// stalls is after how long a worker counts as held up, so that another one takes its place.
const stalls = 20 * time.Millisecond

// Walk calls look with an item, and with all that look returns for it, in any order and several at a time. An item that
// takes long holds up no other. It returns once all are done, or the context has ended, which does not wait for an item
// that hangs. A panic of look is an error: a *Panic.
func Walk[T any](ctx context.Context, first T, look func(T) []T) error {
	return walkThrough(ctx, first, look, stalls)
}

func walkThrough[T any](ctx context.Context, first T, look func(T) []T, stalls time.Duration) (err error) {
	defer func() {
		if p := caught(recover()); p != nil {
			err = p
		}
	}()
	w := &walk[T]{look: look, stalls: stalls, place: inject(), pending: []T{first}, open: 1, done: make(chan struct{})}
	w.mutex.Lock()
	w.hire()
	w.mutex.Unlock()
	select {
	case <-w.done:
	case <-ctx.Done():
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	switch {
	case w.panicked != nil:
		return w.panicked
	case w.open > 0:
		w.stopped = true
		return ctx.Err()
	}
	return nil
}

type walk[T any] struct {
	look   func(T) []T
	stalls time.Duration
	place  string
	done   chan struct{} // closed once nothing is open, or something panicked

	mutex    sync.Mutex
	pending  []T
	open     int // items that are pending or being looked at
	busy     int // workers that are not held up
	stopped  bool
	panicked *Panic
}

// hire starts workers for what is pending. The caller holds the mutex.
func (w *walk[T]) hire() {
	for waiting := len(w.pending); waiting > 0 && w.busy < runtime.GOMAXPROCS(0) && !w.stopped; waiting-- {
		w.busy++
		go w.work()
	}
}

func (w *walk[T]) work() {
	defer func() {
		if p := caught(recover()); p != nil {
			w.mutex.Lock()
			defer w.mutex.Unlock()
			if w.panicked == nil {
				w.panicked, w.stopped = p, true
				close(w.done)
			}
		}
	}()
	injectIntoWorker(w.place)
	for w.step() {
	}
}

// step looks at one item; false where the worker has nothing more to do.
func (w *walk[T]) step() bool {
	w.mutex.Lock()
	if len(w.pending) == 0 || w.stopped {
		w.busy--
		w.mutex.Unlock()
		return false
	}
	item := w.pending[len(w.pending)-1]
	w.pending = w.pending[:len(w.pending)-1]
	w.mutex.Unlock()

	stalled, finished := false, false
	late := time.AfterFunc(w.stalls, func() {
		w.mutex.Lock()
		defer w.mutex.Unlock()
		if !finished {
			stalled = true
			w.busy--
			w.hire()
		}
	})
	found := w.look(item)
	late.Stop()

	w.mutex.Lock()
	defer w.mutex.Unlock()
	finished = true
	w.pending = append(w.pending, found...)
	if w.open += len(found) - 1; w.open == 0 && !w.stopped {
		close(w.done)
	}
	w.hire()
	return !stalled // another one has its place
}

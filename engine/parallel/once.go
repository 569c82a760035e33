package parallel

import (
	"sync"
	"sync/atomic"
)

// Once is a sync.Once for which a call that panicked does not count.
type Once struct {
	done  atomic.Bool
	mutex sync.Mutex
}

// Do calls f unless a call returned before. f must leave nothing half done behind.
func (o *Once) Do(f func()) {
	if o.done.Load() {
		return
	}
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if !o.done.Load() {
		inject()
		f()
		o.done.Store(true)
	}
}

// OnceValue returns a function that computes a value when it is first asked for, and
// then holds nothing but that.
func OnceValue[T any](compute func() T) func() T {
	var once Once
	var value T
	return func() T {
		once.Do(func() {
			value = compute()
			compute = nil
		})
		return value
	}
}

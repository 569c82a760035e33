package parallel

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestEachComesToEveryIndexOnce(t *testing.T) {
	for _, n := range []int{0, 1, 3, 4, 5, 1000} {
		times := make([]atomic.Int32, n)
		Each(n, 4, func(first, end int) {
			for i := first; i < end; i++ {
				times[i].Add(1)
			}
		})
		for i := range times {
			if got := times[i].Load(); got != 1 {
				t.Errorf("of %d: came to %d %d times", n, i, got)
			}
		}
	}
}

func TestEachPanicsWhereAWorkerDoes(t *testing.T) {
	defer func() {
		p, ok := recover().(*Panic)
		if !ok || p.Value != "broken" || len(p.Stack) == 0 {
			t.Errorf("panic %v", p)
		}
	}()
	Each(100, 1, func(first, _ int) {
		if first == 50 {
			panic("broken")
		}
	})
}

func TestDoReturnsTheErrorAndEndsTheContext(t *testing.T) {
	failure := errors.New("failed")
	err := Do(context.Background(), 1000, func(ctx context.Context, i int) error {
		if i == 3 {
			return failure
		}
		if i == 0 {
			<-ctx.Done() // for ever, if nobody ended it
		}
		return nil
	})
	if !errors.Is(err, failure) {
		t.Errorf("error %v", err)
	}
	var p *Panic
	if err := Do(context.Background(), 1, func(context.Context, int) error { panic("broken") }); !errors.As(err, &p) {
		t.Errorf("of a panic the error is %v", err)
	}
}

func TestOnceTriesAgainAfterAPanic(t *testing.T) {
	calls := 0
	get := OnceValue(func() int {
		if calls++; calls == 1 {
			panic("broken")
		}
		return calls
	})
	func() {
		defer func() { recover() }()
		get()
	}()
	if first, second := get(), get(); first != 2 || second != 2 {
		t.Errorf("after a panic the value is %d, then %d", first, second)
	}
}

// An item that hangs holds up no other: all that can be reached without it are come to, however few cores there are.
// The end of the context is not held up either.
func TestWalkPassesWhatHangs(t *testing.T) {
	const stuck = 40 // more than there are workers
	release := make(chan struct{})
	defer close(release)
	var mutex sync.Mutex
	seen := map[int]bool{}
	all := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	returned := make(chan error, 1)
	go func() {
		returned <- Walk(ctx, 0, func(i int) []int {
			if 0 < i && i <= stuck {
				<-release
			}
			mutex.Lock()
			defer mutex.Unlock()
			if seen[i] = true; len(seen) == 1001 {
				close(all)
			}
			if i > 0 {
				return nil
			}
			var below []int
			for i := range 1000 + stuck {
				below = append(below, 1000+stuck-i)
			}
			return below
		})
	}()
	select {
	case <-all:
	case <-time.After(30 * time.Second):
		t.Fatalf("only %d of 1,001 are come to", len(seen))
	}
	cancel()
	select {
	case err := <-returned:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("it returns %v", err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it waits for what hangs once the context has ended")
	}
}

func TestWalkReturnsAPanic(t *testing.T) {
	err := Walk(t.Context(), 3, func(i int) []int {
		if i == 0 {
			panic("nothing left")
		}
		return []int{i - 1}
	})
	var panicked *Panic
	if !errors.As(err, &panicked) || panicked.Value != "nothing left" {
		t.Errorf("it returns %v", err)
	}
}

// A walk ends by itself once it came to everything, each once, with a worker for each core and no more.
func TestWalkComesToEverythingOnce(t *testing.T) {
	var seen [2000]atomic.Int32
	var busy, most atomic.Int32
	ended := make(chan error, 1)
	go func() {
		ended <- walkThrough(t.Context(), 1, func(i int) (below []int) {
			now := busy.Add(1)
			defer busy.Add(-1)
			for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
			}
			seen[i].Add(1)
			runtime.Gosched()
			for _, next := range []int{2 * i, 2*i + 1} {
				if next < len(seen) {
					below = append(below, next)
				}
			}
			return below
		}, time.Hour)
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(30 * time.Second):
		t.Fatal("it does not end")
	}
	for i := range seen {
		if n := seen[i].Load(); i > 0 && n != 1 {
			t.Errorf("it came to %d %d times", i, n)
		}
	}
	if n, cores := int(most.Load()), runtime.GOMAXPROCS(0); n > cores {
		t.Errorf("there were %d workers at a time, with %d cores", n, cores)
	}
}

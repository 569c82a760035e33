package parallel

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
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

package workspace

import (
	"reflect"
	"sync"

	"github.com/kustomize-lsp/kls/engine/builder"
)

// memo keeps one value of each type for those who derive something: the workspace need not
// know what that is.
type memo struct {
	mutex  sync.Mutex
	values map[reflect.Type]any
	of     *builder.Result // what the values were derived from, where they were
}

func (m *memo) get(t reflect.Type, create func() any) any {
	value, ok := m.values[t]
	if !ok {
		value = create()
		if m.values == nil {
			m.values = map[reflect.Type]any{}
		}
		m.values[t] = value
	}
	return value
}

// clear forgets the values.
func (m *memo) clear() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.values, m.of = nil, nil
}

// Shared returns the one value of a type that all views have which follow on each other; it
// is the zero value at first.
func Shared[T any](v *View) *T {
	m := &v.cache.memo
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.get(reflect.TypeFor[*T](), func() any { return new(T) }).(*T)
}

// Derived returns what derive makes of the result of a build. It is found out once, and kept
// as long as the result.
func Derived[T any](u *Scope, derive func() T) T {
	m := &u.Build.memo
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.of != u.Result {
		m.values, m.of = nil, u.Result
	}
	return m.get(reflect.TypeFor[T](), func() any { return derive() }).(T)
}

package ide

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

// shared returns the one value of a type that all views have which follow on each other; it
// is the zero value at first.
func shared[T any](v *View) *T {
	m := &v.kept.memo
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.get(reflect.TypeFor[*T](), func() any { return new(T) }).(*T)
}

// derived returns what derive makes of the result of a build. It is found out once, and kept
// as long as the result.
func derived[T any](u *use, derive func() T) T {
	m := &u.built.memo
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.of != u.result {
		m.values, m.of = nil, u.result
	}
	return m.get(reflect.TypeFor[T](), func() any { return derive() }).(T)
}

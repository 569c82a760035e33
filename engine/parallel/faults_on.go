//go:build faults

package parallel

import (
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// Faults, in a build for the tests of them, makes one loop or lazy value panic once, and
// knows all that were run.
var Faults faults

type faults struct {
	mutex sync.Mutex
	seen  map[string]bool
	armed string
}

// Seen returns the places in the code of all loops and lazy values so far: those of a
// loop that has workers a second time, for them.
func (f *faults) Seen() []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var places []string
	for place := range f.seen {
		places = append(places, place)
	}
	return places
}

// Arm makes the next one at that place panic, and tells by an empty place of none.
func (f *faults) Arm(place string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.armed = place
}

// Armed tells whether the panic is still to come.
func (f *faults) Armed() bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.armed != ""
}

func (f *faults) at(place string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[place] = true
	if f.armed == place {
		f.armed = ""
		panic("injected at " + place)
	}
}

func inject() (place string) {
	place = caller()
	Faults.at(place)
	return place
}

func injectIntoWorker(place string) { Faults.at(place + " (worker)") }

// caller is the first place outside of this package.
func caller() string {
	var counters [16]uintptr
	frames := runtime.CallersFrames(counters[:runtime.Callers(2, counters[:])])
	for {
		frame, more := frames.Next()
		if !strings.Contains(frame.Function, "engine/parallel.") || !more {
			return frame.Function + ":" + strconv.Itoa(frame.Line)
		}
	}
}

package text

import (
	"regexp"
	"sync"
)

// Regexp returns what compiles the expression, where it is first asked for, and
// keeps it. Some dozens of expressions in package variables would be a tenth of every
// start. An expression that does not compile panics.
func Regexp(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}

package config

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Release is a release of kustomize. The zero value stands for none.
type Release struct{ Major, Minor, Patch int }

// ParseRelease reads 5, 5.8 or 5.8.2, with or without a v before it. What is not
// said is the newest: 5.8 is the last 5.8.x.
func ParseRelease(s string) (Release, bool) {
	parts := strings.Split(strings.TrimPrefix(s, "v"), ".")
	if len(parts) > 3 {
		return Release{}, false
	}
	numbers := [3]int{math.MaxInt, math.MaxInt, math.MaxInt}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || strings.Trim(part, "0123456789") != "" {
			return Release{}, false
		}
		numbers[i] = n
	}
	return Release{numbers[0], numbers[1], numbers[2]}, numbers[0] > 0
}

// Before tells whether the release is older than the other.
func (r Release) Before(other Release) bool {
	return cmp.Or(cmp.Compare(r.Major, other.Major), cmp.Compare(r.Minor, other.Minor), cmp.Compare(r.Patch, other.Patch)) < 0
}

// IsZero tells whether it is no release.
func (r Release) IsZero() bool { return r == Release{} }

// String is the release as people write it, without what is not said; empty for none.
func (r Release) String() string {
	if r.IsZero() {
		return ""
	}
	s := strconv.Itoa(r.Major)
	for _, n := range []int{r.Minor, r.Patch} {
		if n == math.MaxInt {
			break
		}
		s = fmt.Sprintf("%s.%d", s, n)
	}
	return s
}

package text

import (
	"slices"
	"strings"
)

// longestWord bounds, in runes, what Nearest compares letter by letter.
const longestWord = 256

const maxMistakes = 5

// Nearest returns the candidate that the word was most likely meant to be, for
// "did you mean". The case of letters does not count; two swapped neighbours
// count as one mistake, and about one mistake in three letters is let pass, but
// no more than five: long names that differ in more are different names.
// Among equally near candidates one of the same length wins, since letters are
// swapped more often than left out, and then the first one. A candidate that
// equals the word is no suggestion and is passed over.
func Nearest(word string, candidates []string) (string, bool) {
	folded := []rune(strings.ToLower(word))
	best, bestDistance, bestLength := "", min((len(folded)+2)/3, maxMistakes)+1, 0
	if len(folded) > longestWord {
		bestDistance = 1
	}
	if len(folded) < 2 {
		bestDistance = 1
	}
	for _, candidate := range candidates {
		if candidate == word {
			continue
		}
		other := []rune(strings.ToLower(candidate))
		d := distance(folded, other, bestDistance+1)
		fits := best != "" && bestLength != len(folded) && len(other) == len(folded)
		if d < bestDistance || d == bestDistance && fits {
			best, bestDistance, bestLength = candidate, d, len(other)
		}
	}
	return best, best != ""
}

// IsSlip tells whether two words differ by one letter too many or too few, a wrong
// one, or two swapped ones.
func IsSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) < 3 {
		return false
	}
	at := 0
	for at < len(a) && a[at] == b[at] {
		at++
	}
	if len(a) < len(b) {
		return a[at:] == b[at+1:]
	}
	return at == len(a) || a[at+1:] == b[at+1:] ||
		at+1 < len(a) && a[at] == b[at+1] && a[at+1] == b[at] && a[at+2:] == b[at+2:]
}

// IsLikelySlip is IsSlip for words that anybody may choose, as labels are: where two
// of them are near, each may be meant. Letters that are swapped, doubled or left out
// are a slip in any word, another letter is one in a word of six letters or more, and
// two mistakes in one of ten.
func IsLikelySlip(a, b string) bool {
	shorter := min(len(a), len(b))
	switch {
	case IsSlip(a, b):
		return len(a) != len(b) || shorter >= 6 || sameLetters(a, b)
	case shorter < 7:
		return false
	}
	return distance([]rune(strings.ToLower(a)), []rune(strings.ToLower(b)), 3) <= 2
}

func sameLetters(a, b string) bool {
	return slices.Equal(slices.Sorted(slices.Values([]byte(a))), slices.Sorted(slices.Values([]byte(b))))
}

// distance is the optimal string alignment distance, or limit when it is not
// less than that.
func distance(a, b []rune, limit int) int {
	if abs(len(a)-len(b)) >= limit {
		return limit
	}
	var beforeLast []int
	last, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+unequal(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], beforeLast[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit
		}
		if beforeLast == nil {
			beforeLast = make([]int, len(b)+1)
		}
		beforeLast, last, row = last, row, beforeLast
	}
	return min(last[len(b)], limit)
}

func unequal(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}

func abs(n int) int { return max(n, -n) }

package render

import (
	"cmp"
	"slices"
	"unicode"
)

// yaml.v2 orders keys as people would: letters after everything else, numbers
// by their value (sorter.go there). The order is reproduced with its edges,
// among them the overflow of long numbers.

// longDigits is the length from which a run of digits may overflow, and the
// order stop being transitive.
const longDigits = 18

// sortEntries sorts a mapping's entries and refuses a key that is there twice.
func sortEntries(entries []entry) error {
	ordinary, sorted := true, true
	for i := range entries {
		ordinary = ordinary && ordinaryKey(&entries[i])
		sorted = sorted && (i == 0 || compare(&entries[i-1], &entries[i]) < 0)
	}
	if !sorted {
		slices.SortStableFunc(entries, func(a, b entry) int { return compare(&a, &b) })
	}
	if !ordinary {
		return findDuplicate(entries)
	}
	for i := 1; !sorted && i < len(entries); i++ {
		if entries[i].key == entries[i-1].key {
			return refuseDuplicate(entries[i].keyNode)
		}
	}
	return nil
}

// ordinaryKey tells whether the order is certainly transitive for a key, so
// that equal keys end up side by side.
func ordinaryKey(e *entry) bool {
	if e.traits&nonASCII != 0 {
		return false
	}
	if len(e.key) < longDigits {
		return true
	}
	run := 0
	for i := 0; i < len(e.key) && run < longDigits; i++ {
		if run++; !asciiDigit(e.key[i]) {
			run = 0
		}
	}
	return run < longDigits
}

func findDuplicate(entries []entry) error {
	seen := make(map[string]bool, len(entries))
	for i := range entries {
		if seen[entries[i].key] {
			return refuseDuplicate(entries[i].keyNode)
		}
		seen[entries[i].key] = true
	}
	return nil
}

// compare compares two keys in the order of yaml.v2.
func compare(a, b *entry) int {
	if (a.traits|b.traits)&nonASCII != 0 {
		return compareRunes([]rune(a.key), []rune(b.key))
	}
	x, y := a.key, b.key
	n := min(len(x), len(y))
	i := 0
	for i < n && x[i] == y[i] {
		i++
	}
	if i == n {
		return len(x) - len(y)
	}
	xLetter, yLetter := asciiLetter(x[i]), asciiLetter(y[i])
	switch {
	case xLetter && !yLetter:
		return 1
	case yLetter && !xLetter:
		return -1
	case asciiDigit(x[i]) || asciiDigit(y[i]):
		return compareNumbers([]rune(x), []rune(y), i)
	}
	return int(x[i]) - int(y[i])
}

func compareRunes(x, y []rune) int {
	n := min(len(x), len(y))
	i := 0
	for i < n && x[i] == y[i] {
		i++
	}
	if i == n {
		return len(x) - len(y)
	}
	xLetter, yLetter := unicode.IsLetter(x[i]), unicode.IsLetter(y[i])
	switch {
	case xLetter && yLetter:
		return int(x[i]) - int(y[i])
	case xLetter:
		return 1
	case yLetter:
		return -1
	}
	return compareNumbers(x, y, i)
}

// compareNumbers compares from the first difference on, which is no letter on
// either side: by the numbers that stand there, then by their length.
func compareNumbers(x, y []rune, i int) int {
	var xNumber, yNumber int64
	if x[i] == '0' || y[i] == '0' {
		for j := i - 1; j >= 0 && unicode.IsDigit(x[j]); j-- {
			if x[j] != '0' {
				xNumber, yNumber = 1, 1
				break
			}
		}
	}
	xEnd, yEnd := i, i
	for ; xEnd < len(x) && unicode.IsDigit(x[xEnd]); xEnd++ {
		xNumber = xNumber*10 + int64(x[xEnd]-'0')
	}
	for ; yEnd < len(y) && unicode.IsDigit(y[yEnd]); yEnd++ {
		yNumber = yNumber*10 + int64(y[yEnd]-'0')
	}
	return cmp.Or(cmp.Compare(xNumber, yNumber), xEnd-yEnd, int(x[i]-y[i]))
}

func asciiDigit(c byte) bool { return c-'0' <= 9 }

func asciiLetter(c byte) bool { return c|0x20-'a' < 26 }

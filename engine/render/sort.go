package render

import (
	"cmp"
	"slices"
	"unicode"
)

// yaml.v2 orders keys as people would: letters after everything else, numbers
// by their value (sorter.go there). The order is reproduced with its edges,
// among them the overflow of long numbers.

// Where a key has a digit in the place of another's letter the order is not
// transitive: 10 < 1a < 9 < 10. kustomize then prints the keys in an order that
// changes from run to run, so there is none to reproduce; here it only depends
// on the order in the node.

// sortEntries sorts a mapping's entries and refuses a key that is there twice.
func sortEntries(entries []entry) error {
	var all traits
	sorted := true
	for i := range entries {
		all |= entries[i].traits
		sorted = sorted && (i == 0 || compare(&entries[i-1], &entries[i]) < 0)
	}
	transitive := all&(digit|nonASCII) == 0
	if sorted && transitive {
		return nil
	}
	var err error
	if !transitive {
		err = findDuplicate(entries)
	}
	if !sorted {
		slices.SortStableFunc(entries, func(a, b entry) int { return compare(&a, &b) })
	}
	for i := 1; transitive && i < len(entries); i++ {
		if entries[i].key == entries[i-1].key {
			return refuseDuplicate(entries[i].keyNode)
		}
	}
	return err
}

// fewEntries is how many keys are compared with each other faster than put
// into a map.
const fewEntries = 12

func findDuplicate(entries []entry) error {
	if len(entries) > fewEntries {
		return findDuplicateOfMany(entries)
	}
	for i := range entries {
		for j := range i {
			if entries[i].key == entries[j].key {
				return refuseDuplicate(entries[i].keyNode)
			}
		}
	}
	return nil
}

func findDuplicateOfMany(entries []entry) error {
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

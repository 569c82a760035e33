package patch

import (
	"unicode"

	yaml "go.yaml.in/yaml/v3"
)

// naturalOrder sorts alternating keys and values as yaml.v3 sorts the keys of
// a Go map: letters by code point, numbers by value.
type naturalOrder []*yaml.Node

func (s naturalOrder) Len() int           { return len(s) / 2 }
func (s naturalOrder) Less(i, j int) bool { return naturallyLess(s[2*i].Value, s[2*j].Value) }
func (s naturalOrder) Swap(i, j int)      { byKey(s).Swap(i, j) }

// naturallyLess is keyList.Less of yaml.v3 for two strings.
func naturallyLess(a, b string) bool {
	x, y := []rune(a), []rune(b)
	afterDigit := false
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			afterDigit = unicode.IsDigit(x[i])
			continue
		}
		letterX, letterY := unicode.IsLetter(x[i]), unicode.IsLetter(y[i])
		switch {
		case letterX && letterY:
			return x[i] < y[i]
		case letterX || letterY:
			return letterX == afterDigit
		}
		return numberLess(x, y, i)
	}
	return len(x) < len(y)
}

// numberLess compares two texts that first differ at i, where neither has a
// letter.
func numberLess(x, y []rune, i int) bool {
	var start int64
	if x[i] == '0' || y[i] == '0' {
		// A zero counts only within a number that has begun.
		for j := i - 1; j >= 0 && unicode.IsDigit(x[j]); j-- {
			if x[j] != '0' {
				start = 1
				break
			}
		}
	}
	numberX, endX := digitsFrom(x, i, start)
	numberY, endY := digitsFrom(y, i, start)
	switch {
	case numberX != numberY:
		return numberX < numberY
	case endX != endY:
		return endX < endY
	}
	return x[i] < y[i]
}

func digitsFrom(text []rune, from int, number int64) (value int64, end int) {
	for end = from; end < len(text) && unicode.IsDigit(text[end]); end++ {
		number = number*10 + int64(text[end]-'0')
	}
	return number, end
}

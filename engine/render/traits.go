package render

import "unicode/utf8"

// traits say what a text contains that matters to any library on its way.
type traits uint16

const (
	// space is U+0020.
	space traits = 1 << iota
	// newline is U+000A.
	newline
	// tab is U+0009.
	tab
	// special is what yaml.v2 prints only in double quotes, tab included.
	special
	// forbidden is what JSON carries as it is and YAML does not allow.
	forbidden
	// colon and hash are the indicators that count inside a text.
	colon
	hash
	// carriageReturn is U+000D, a line break that is special, too.
	carriageReturn
	// nonASCII is anything from U+0080.
	nonASCII
	// nextLine is U+0085.
	nextLine
	// separator is U+2028 and U+2029, line breaks that are printable.
	separator
	// invalid is what is not UTF-8.
	invalid
	// digit is 0 to 9.
	digit
)

// lineBreak is what yaml.v2 takes for the end of a line.
const lineBreak = newline | carriageReturn | separator

var asciiTraits = func() (table [256]traits) {
	for c := range table {
		switch {
		case c >= 0x80:
			table[c] = nonASCII
		case c == 0x7F:
			table[c] = special | forbidden
		case c < ' ':
			table[c] = special
		case asciiDigit(byte(c)):
			table[c] = digit
		}
	}
	table['\n'] = newline
	table['\t'] = special | tab
	table['\r'] = special | carriageReturn
	table[' '] = space
	table[':'] = colon
	table['#'] = hash
	return table
}()

func traitsOf(s string) traits {
	var t traits
	for i := 0; i < len(s); i++ {
		t |= asciiTraits[s[i]]
	}
	if t&nonASCII != 0 {
		t |= runeTraits(s)
	}
	return t
}

func runeTraits(s string) traits {
	var t traits
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		t |= traitsOfRune(r, size)
		i += size
	}
	return t
}

func traitsOfRune(r rune, size int) traits {
	switch {
	case r == utf8.RuneError && size == 1:
		return invalid
	case r == 0x85:
		return special | nextLine
	case r < 0xA0, r == 0xFFFE, r == 0xFFFF:
		return special | forbidden
	case r == 0x2028, r == 0x2029:
		return separator
	case r == byteOrderMark, r > 0xFFFF:
		return special
	}
	return 0
}

const byteOrderMark = 0xFEFF

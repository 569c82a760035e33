package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// MaxExcerpt is how many characters of somebody's text a message quotes.
const MaxExcerpt = 80

// Excerpt returns a text, or the beginning of a longer one.
func Excerpt(s string) string {
	if len(s) <= MaxExcerpt {
		return s
	}
	count := 0
	for i := range s {
		if count == MaxExcerpt {
			return s[:i] + "…"
		}
		count++
	}
	return s
}

// maxMessage is how many characters a message has at most, whatever it is made of.
const maxMessage = 1000

// Message returns a message in which nothing that it quotes is longer than an
// excerpt: none of the values, nothing between quotation marks, and no word.
// The credentials in addresses are left out.
func Message(message string, values ...string) string {
	message = WithoutCredentials(message)
	if len(message) <= MaxExcerpt {
		return message
	}
	for _, v := range values {
		if len(v) > MaxExcerpt {
			message = strings.ReplaceAll(message, v, Excerpt(v))
		}
	}
	message = excerptQuoted(message)
	message = excerptWords(message)
	if utf8.RuneCountInString(message) > maxMessage {
		message = string([]rune(message)[:maxMessage]) + "…"
	}
	return message
}

// excerptQuoted shortens what stands in double quotes, as %q writes it.
func excerptQuoted(message string) string {
	var b strings.Builder
	for {
		begin := strings.IndexByte(message, '"')
		if begin < 0 {
			break
		}
		end := closingQuote(message[begin+1:])
		if end < 0 {
			break
		}
		end += begin + 1
		b.WriteString(message[:begin+1] + strings.TrimSuffix(Excerpt(message[begin+1:end]), "\\…"))
		b.WriteByte('"')
		message = message[end+1:]
	}
	return b.String() + message
}

// closingQuote returns where a quoted text ends, -1 for nowhere.
func closingQuote(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// maxMarks is how many characters of ours may stand around an excerpt without a blank.
const maxMarks = 8

// excerptWords shortens runs without a blank.
func excerptWords(message string) string {
	var b strings.Builder
	for len(message) > 0 {
		end := strings.IndexFunc(message, unicode.IsSpace)
		if end < 0 {
			end = len(message)
		}
		word := message[:end]
		if utf8.RuneCountInString(word) > MaxExcerpt+maxMarks {
			word = Excerpt(word)
		}
		b.WriteString(word)
		rest := strings.TrimLeftFunc(message[end:], unicode.IsSpace)
		b.WriteString(message[end : len(message)-len(rest)])
		message = rest
	}
	return b.String()
}

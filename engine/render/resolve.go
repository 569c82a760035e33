package render

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/kustomize-lsp/kls/engine/text"
)

// A kind is what an unquoted scalar without a tag means to yaml.v3.
type kind uint8

const (
	kindString kind = iota
	kindNull
	kindBool
	kindInt
	kindFloat
	kindTimestamp
)

const longPrefix = "tag:yaml.org,2002:"

// tag returns the tag that yaml.v3 gives to the kind.
func (k kind) tag() string {
	return [...]string{"!!str", "!!null", "!!bool", "!!int", "!!float", "!!timestamp"}[k]
}

// resolve returns what an unquoted scalar means to yaml.v3 (resolve.go there)
// and the text that the end of the journey prints for it. A number that JSON
// cannot hold has no text.
func resolve(s string) (kind, string) {
	if s == "" {
		return kindNull, "null"
	}
	switch c := s[0]; {
	case asciiDigit(c), c == '-', c == '+', c == '.':
		return resolveNumber(s)
	case c == '~':
		if len(s) == 1 {
			return kindNull, "null"
		}
	case len(s) <= len("false"):
		return resolveWord(s)
	}
	return kindString, s
}

func resolveWord(s string) (kind, string) {
	switch s {
	case "true", "True", "TRUE":
		return kindBool, "true"
	case "false", "False", "FALSE":
		return kindBool, "false"
	case "null", "Null", "NULL":
		return kindNull, "null"
	}
	return kindString, s
}

func resolveNumber(s string) (kind, string) {
	if plainInteger(s) {
		return kindInt, s
	}
	if t, ok := parseTimestamp(s); ok {
		return kindTimestamp, timestampText(t)
	}
	if !mayBeNumber(s) {
		return kindString, s
	}
	if isNotFinite(s) {
		return kindFloat, ""
	}
	if n, ok := parseInteger(s, true); ok {
		return kindInt, n
	}
	if f, ok := parseFloat(s); ok {
		return kindFloat, floatText(f)
	}
	return kindString, s
}

// quotedByV2 tells whether yaml.v2 quotes a text without line feeds because it
// would mean something else unquoted, to itself or to a reader of YAML 1.1
// that knows numbers to the base of 60.
func quotedByV2(s string) bool {
	if s == "" {
		return true
	}
	switch c := s[0]; {
	case asciiDigit(c), c == '-', c == '+', c == '.':
		return numberToV2(s)
	case c == '~':
		return len(s) == 1
	case len(s) <= len("false"):
		return wordToV2(s)
	}
	return false
}

func wordToV2(s string) bool {
	switch s {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON",
		"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF",
		"null", "Null", "NULL":
		return true
	}
	return false
}

func numberToV2(s string) bool {
	if plainInteger(s) {
		return true
	}
	if _, ok := parseTimestamp(s); ok {
		return true
	}
	if s[0] != '.' && strings.IndexByte(s, ':') >= 0 && sexagesimal().MatchString(s) {
		return true
	}
	if !mayBeNumber(s) {
		return false
	}
	if isNotFinite(s) {
		return true
	}
	if _, ok := parseInteger(s, false); ok {
		return true
	}
	_, ok := parseFloat(s)
	return ok
}

var sexagesimal = text.Regexp(`^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$`)

// plainInteger tells whether the text is the decimal form of a small number,
// the way it is printed again.
func plainInteger(s string) bool {
	if s[0] == '0' {
		return len(s) == 1
	}
	if len(s) > 18 {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !asciiDigit(s[i]) {
			return false
		}
	}
	return s[0] > '0' && s[0] <= '9'
}

// mayBeNumber rules out most texts that start like a number: addresses,
// quantities, versions with letters.
func mayBeNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i] | 0x20; {
		case asciiDigit(s[i]), c >= 'a' && c <= 'f', c == 'x', c == 'o', c == 'i', c == 'n':
		case s[i] == '_', s[i] == '+', s[i] == '-', s[i] == '.':
		default:
			return false
		}
	}
	return true
}

func isNotFinite(s string) bool {
	switch s {
	case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return true
	}
	return false
}

// parseInteger returns the decimal form of an integer. Only yaml.v3 knows the
// octal form of YAML 1.2 with a sign inside (0o-7), which Go does not know.
func parseInteger(s string, v3 bool) (string, bool) {
	if strings.IndexByte(s, '.') >= 0 {
		return "", false
	}
	digits := strings.ReplaceAll(s, "_", "")
	if text, ok := parseBase(digits, 0); ok {
		return text, true
	}
	// A number that is a float as well is a float before it is one of these.
	bases := []struct {
		prefix string
		base   int
	}{{"0b", 2}, {"0o", 8}}
	if !v3 {
		bases = bases[:1]
	}
	for _, b := range bases {
		if rest, ok := strings.CutPrefix(digits, b.prefix); ok {
			return parseBase(rest, b.base)
		}
		if rest, ok := strings.CutPrefix(digits, "-"+b.prefix); ok {
			n, err := strconv.ParseInt("-"+rest, b.base, 64)
			return strconv.FormatInt(n, 10), err == nil
		}
	}
	return "", false
}

func parseBase(digits string, base int) (string, bool) {
	if n, err := strconv.ParseInt(digits, base, 64); err == nil {
		return strconv.FormatInt(n, 10), true
	}
	if n, err := strconv.ParseUint(digits, base, 64); err == nil {
		return strconv.FormatUint(n, 10), true
	}
	return "", false
}

func parseFloat(s string) (float64, bool) {
	if s[0] != '.' {
		if s = strings.ReplaceAll(s, "_", ""); !floatForm().MatchString(s) {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

var floatForm = text.Regexp(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// floatText returns what is printed for a float: the way through JSON turns a
// whole number below 1e21 into digits, which yaml.v2 reads as an integer if it
// has at most 64 bits, and prints as its own float otherwise.
func floatText(f float64) string {
	if math.Trunc(f) == f && math.Abs(f) < 1e21 {
		if text, ok := parseBase(strconv.FormatFloat(f, 'f', -1, 64), 10); ok {
			return text
		}
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// parseTimestamp reads the forms of a timestamp that yaml.v2 and yaml.v3 know.
func parseTimestamp(s string) (time.Time, bool) {
	if len(s) < len("2006-1-2") || s[4] != '-' {
		return time.Time{}, false
	}
	for i := range 4 {
		if !asciiDigit(s[i]) {
			return time.Time{}, false
		}
	}
	for _, layout := range [...]string{
		"2006-1-2T15:4:5.999999999Z07:00",
		"2006-1-2t15:4:5.999999999Z07:00",
		"2006-1-2 15:4:5.999999999",
		"2006-1-2",
	} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// timestampText returns the text of a timestamp in JSON, none where JSON
// cannot hold it.
func timestampText(t time.Time) string {
	text, err := t.MarshalText()
	if err != nil {
		return ""
	}
	return string(text)
}

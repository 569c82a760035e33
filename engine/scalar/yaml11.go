package scalar

import (
	"strconv"
	"strings"
	"unicode/utf8"

	yaml2 "go.yaml.in/yaml/v2"
)

// NonStringInYAML11 tells whether YAML 1.1, as the API server reads it, takes
// the text of a plain scalar for something other than a string: `on`, `1_000`,
// `a: b`. It is kyaml's IsValueNonString, which parses the text with
// go.yaml.in/yaml/v2; here that is done only for texts with YAML syntax in
// them.
func NonStringInYAML11(value string) bool {
	if value == "" || strings.Contains(value, "\n") {
		return false
	}
	if !IsOnePlain(value) {
		return parsesAsNonString(value)
	}
	switch value {
	case "y", "Y", "yes", "Yes", "YES", "n", "N", "no", "No", "NO",
		"true", "True", "TRUE", "false", "False", "FALSE",
		"on", "On", "ON", "off", "Off", "OFF",
		"null", "Null", "NULL", "~",
		".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF",
		"+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF":
		return true
	}
	switch c := value[0]; {
	case c == '.':
		_, err := strconv.ParseFloat(value, 64)
		return err == nil
	case c >= '0' && c <= '9' || c == '+' || c == '-':
		return isNumber(value)
	}
	return false
}

// IsOnePlain tells whether the text has nothing in it by which YAML
// could take it for anything but one plain scalar. It says no when in doubt.
func IsOnePlain(value string) bool {
	if strings.IndexByte("?:,[]{}#&*!|>'\"%@` ", value[0]) >= 0 || value[len(value)-1] == ' ' {
		return false
	}
	if value[0] == '-' && (len(value) == 1 || value[1] == ' ') ||
		strings.HasPrefix(value, "---") || strings.HasPrefix(value, "...") {
		return false
	}
	for i, r := range value {
		switch {
		case r == ':' && (i+1 == len(value) || value[i+1] == ' '):
			return false
		case r == '#' && value[i-1] == ' ':
			return false
		case r < ' ', r == utf8.RuneError, r >= 0x7F && r < 0xA0, r == '\u2028', r == '\u2029', r == '\uFEFF':
			return false
		}
	}
	return true
}

// isNumber is the part of yaml/v2's resolve for texts that begin with a digit
// or a sign.
func isNumber(value string) bool {
	plain := strings.ReplaceAll(value, "_", "")
	if _, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return true
	}
	if _, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return true
	}
	if isFloat(plain) {
		_, err := strconv.ParseFloat(plain, 64)
		return err == nil
	}
	return false
}

// isFloat matches `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, which
// is yaml/v2's idea of a float.
func isFloat(text string) bool {
	text = withoutSign(text)
	whole, rest := cutDigits(text)
	if fraction, ok := strings.CutPrefix(rest, "."); ok {
		var digits string
		digits, rest = cutDigits(fraction)
		if whole == "" && digits == "" {
			return false
		}
	} else if whole == "" {
		return false
	}
	if rest == "" {
		return true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return false
	}
	exponent, rest := cutDigits(withoutSign(rest[1:]))
	return exponent != "" && rest == ""
}

func withoutSign(text string) string {
	if text != "" && (text[0] == '+' || text[0] == '-') {
		return text[1:]
	}
	return text
}

func cutDigits(text string) (digits, rest string) {
	i := 0
	for i < len(text) && text[i] >= '0' && text[i] <= '9' {
		i++
	}
	return text[:i], text[i:]
}

func parsesAsNonString(value string) bool {
	var parsed any
	if err := yaml2.Unmarshal([]byte(value), &parsed); err != nil {
		return false
	}
	_, isString := parsed.(string)
	return !isString
}

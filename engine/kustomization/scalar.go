package kustomization

import (
	"encoding/base64"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kustomize-lsp/kls/engine/text"
	yaml "go.yaml.in/yaml/v3"
)

// Short forms of the tags that yaml.v2 resolves plain scalars to.
const (
	tagNull      = "!!null"
	tagBool      = "!!bool"
	tagInt       = "!!int"
	tagFloat     = "!!float"
	tagText      = "!!str"
	tagTimestamp = "!!timestamp"
	tagBinary    = "!!binary"
	tagMerge     = "!!merge"
)

// scalarValue gives a scalar the type and value that yaml.v2 gives it when it
// decodes into an empty interface, followed by what sigs.k8s.io/yaml makes of
// that on the way to JSON: kustomize reads its files with YAML 1.1's rules,
// where yes is a boolean and 010 is eight. ok is false where yaml.v2 refuses
// the scalar, because its explicit tag does not fit.
func scalarValue(n *yaml.Node) (v value, ok bool) {
	tag := explicitTag(n)
	if tag == "" && n.Style&^yaml.TaggedStyle != 0 {
		return value{kind: TypeText, text: n.Value, node: n}, true
	}
	switch tag {
	case "", tagText, tagBool, tagInt, tagFloat, tagNull, tagTimestamp:
		v, ok = resolve(n.Value, tag)
	case tagBinary:
		v, ok = binaryValue(n.Value)
	default:
		v, ok = value{kind: TypeText, text: n.Value}, true
	}
	v.node = n
	return v, ok
}

// explicitTag returns the tag as the author wrote it, in its short form, empty
// where there is none.
func explicitTag(n *yaml.Node) string {
	if n.Style&yaml.TaggedStyle == 0 {
		return ""
	}
	return n.ShortTag()
}

// binaryValue decodes base64. Bytes that are not UTF-8 become replacement
// characters when kustomize passes the value through JSON.
func binaryValue(s string) (value, bool) {
	data, err := base64.StdEncoding.DecodeString(s)
	return value{kind: TypeText, text: validUTF8(string(data))}, err == nil
}

// validUTF8 puts one replacement character for each invalid byte, as
// encoding/json does.
func validUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return string([]rune(s))
}

// resolve is yaml.v2's resolution of a plain scalar, or of one with a tag that
// it understands.
func resolve(s, tag string) (value, bool) {
	if tag == tagText {
		return value{kind: TypeText, text: s}, true
	}
	v, found := resolvePlain(s, tag)
	switch {
	case tag == "" || tag == found:
		return v, true
	case tag == tagFloat && found == tagInt && !v.unsigned:
		n, _ := strconv.ParseInt(v.text, 10, 64)
		return floatValue(float64(n)), true
	}
	return v, false
}

func resolvePlain(s, tag string) (v value, found string) {
	if v, found, ok := word(s); ok {
		return v, found
	}
	switch {
	case s[0] == '.':
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return floatValue(f), tagFloat
		}
	case strings.IndexByte("+-0123456789", s[0]) >= 0:
		// A timestamp is taken as text for backward compatibility.
		if (tag == "" || tag == tagTimestamp) && isTimestamp(s) {
			return value{kind: TypeText, text: s}, tagTimestamp
		}
		if v, found, ok := number(strings.ReplaceAll(s, "_", "")); ok {
			return v, found
		}
	}
	return value{kind: TypeText, text: s}, tagText
}

// word knows the scalars that stand for themselves.
func word(s string) (v value, tag string, ok bool) {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return value{kind: TypeNull}, tagNull, true
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return value{kind: TypeBool, text: "true"}, tagBool, true
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return value{kind: TypeBool, text: "false"}, tagBool, true
	case ".nan", ".NaN", ".NAN":
		return floatValue(math.NaN()), tagFloat, true
	case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF":
		return floatValue(math.Inf(1)), tagFloat, true
	case "-.inf", "-.Inf", "-.INF":
		return floatValue(math.Inf(-1)), tagFloat, true
	}
	return value{}, "", false
}

var decimal = text.Regexp(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// number reads a number whose underscores were taken out.
func number(s string) (v value, tag string, ok bool) {
	if v, ok := integer(s, 0); ok {
		return v, tagInt, true
	}
	if decimal().MatchString(s) {
		if f, err := strconv.ParseFloat(s, 64); err == nil {
			return floatValue(f), tagFloat, true
		}
	}
	if rest, ok := strings.CutPrefix(s, "0b"); ok {
		v, ok := integer(rest, 2)
		return v, tagInt, ok
	}
	if rest, ok := strings.CutPrefix(s, "-0b"); ok {
		n, err := strconv.ParseInt("-"+rest, 2, 64)
		return intValue(n), tagInt, err == nil
	}
	return value{}, "", false
}

func integer(s string, base int) (value, bool) {
	if n, err := strconv.ParseInt(s, base, 64); err == nil {
		return intValue(n), true
	}
	if n, err := strconv.ParseUint(s, base, 64); err == nil {
		return value{kind: TypeNumber, text: strconv.FormatUint(n, 10), unsigned: true}, true
	}
	return value{}, false
}

func intValue(n int64) value {
	return value{kind: TypeNumber, text: strconv.FormatInt(n, 10)}
}

// floatValue spells a number as encoding/json does, so that 1.0 becomes 1,
// which an integer field then accepts. What JSON cannot hold has no text.
func floatValue(f float64) value {
	v := value{kind: TypeNumber, float: true, number: f}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return v
	}
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		v.text = strconv.FormatFloat(f, 'e', -1, 64)
		return v
	}
	v.text = strconv.FormatFloat(f, 'f', -1, 64)
	return v
}

// isTimestamp tells whether yaml.v2 takes the text as a timestamp.
func isTimestamp(s string) bool {
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	if digits != 4 || digits == len(s) || s[digits] != '-' {
		return false
	}
	for _, layout := range []string{
		"2006-1-2T15:4:5.999999999Z07:00",
		"2006-1-2t15:4:5.999999999Z07:00",
		"2006-1-2 15:4:5.999999999",
		"2006-1-2",
	} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

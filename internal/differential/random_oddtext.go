package differential

import "strings"

// What people write, or a program does, that is not the plain way: for textTree.

var oddSeparators = []string{"--- # note\n", "---   \n", "---\n---\n", "---\n# only this\n---\n", "...\n---\n", "\n---\n\n", "# before\n---\n# after\n",
	"--- \t\n", "---\n{}\n---\n", "---\nnull\n---\n", "...\n", "--- |\n text\n---\n", "---\n\n\n---\n", " ---\n", "----\n"}

var oddKeys = []string{"1", "1.5", "true", "null", "~", "yes", "'1'", "\"q\"", "? a\n", "2001-01-01", "0x1", "<<", "\"a b\"", "a b", "!!str 2", "&k kk",
	"\"\\u00e9\"", "é", "-x", ".5", "=", strings.Repeat("long", 40), "\"a\\nb\"", "n", "on", "'it''s'", "a#b", "0o7", "1e3", "1_0", "😀", "a ", "!t tagged"}

var oddLines = []string{"text", "two words", "", " more", "  much more", "trailing ", "\ttab", "# no comment", "a: b", "- x", "---", "{{ .Values.x }}",
	"é😀", "x\u0085y", "tab\tinside", strings.Repeat("long words ", 15), "$(VAR)", "%x", "'q'", "\"d\"", "   ", "\u2028", "\u00a0", "\\n", "..."}

var oddFiles = []string{"a\n", "", "\n", "a\r\nb\r\n", "\ttab\n", "trailing \n", "\xff\xfe", "é", "\ufeffbom\n", " lead\n", "x\x00y", "\n\nlead",
	"a\n\n\n", "# c\n", "a\u0085b\n", "a\u2028b\n", strings.Repeat("long words ", 30) + "\n", "a\tb\n", "\x7f", "\x1b[0m\n", "😀\n", "  \n",
	"a: |\n  b\n", "key: 'v'\n"}

var oddScalars = []string{
	"~", "null", "Null", "NULL", "", "yes", "Yes", "no", "on", "OFF", "y", "N", "True", "TRUE", "tRUE", "FALSE", "False", "f", "t", "o", "Off", "ON", "nO",
	"0x1F", "0X1f", "0o17", "017", "08", "0b101", "1_000", "1e3", "1E+3", "1e-7", "1.5e10", ".5", "5.", "+1", "+1.5", "-0", "-0.0", ".inf", "-.Inf", ".NaN",
	"1:30", "190:20:30", "0.1", "0.30000000000000004", "1.0e0", "1e21", "1e20", "123456789.0", "1.23456789012345678", "00", "01.5", "0x", "0xg", "1__0", "_1",
	"1_", "+", "0b2", "-0x1", "+0x1", "12345678901234567890", "123456789012345678901234567890", "1.7976931348623157e309", "9007199254740993", "1.0", "1.10",
	"1e400", "-9223372036854775808", "18446744073709551615", "0.", ".", "..", "1.2.3", "12e03", "1.e3", ".e3", "1e", "e3", "0e0", "Infinity", "inf", "NaN",
	"nan", "+.inf", "100%", "1,000", "2001-01-01", "2001-12-14t21:59:43.10-05:00", "2001-12-14 21:59:43.10 -5",
	"!!str 1", "!!int \"3\"", "!!float 1", "!!bool \"true\"", "!!bool yes", "!!binary aGVsbG8=", "!custom x", "!!null ''", "!!timestamp 2001-01-01",
	"!<tag:yaml.org,2002:str> 5", "!!set {a}", "!!omap [a: 1]", "!!str", "!!int", "&a x", "&a", "*a", "*m", "=", "<<",
	"\"\\u00e9\\x41\\n\\t\\0\"", "\"a\\\n    b\"", "\"\\ud83d\\ude00\"", "\"\\u0007\"", "\"\\ud800\"", "\"\\\"\"", "\"\\\\\"", "'\\'", "\"\\/\"", "\"\\e\"",
	"\"\\N\\_\\L\\P\"", "\"a\\  b\"", "\"\\xe9\"", "'it''s'", "'#'", "'a: b'", "\"\"", "''", "' '", "\" a\"", "'a '", "\"tab\\t\"", "'\t'", "'yes'", "\"null\"",
	"'1e3'", "'2001-01-01'", "\"~\"", "'='", "'<<'", "\"0x1\"", "\"<b>\"", "'{{ .x }}'",
	"😀", "a\u0085b", "a\u2028b", "\u00a0", "\u200b", "x\u007fy", "x\ufeffy", "é", "日本語", "ａ", "<b>&",
	strings.Repeat("long words ", 20) + "end", strings.Repeat("x", 200), "a\n      b", "\"a\n\n      b\"", "'a\n      b'",
	"a#b", "a # note", "@x", "`x`", "%x", "- a", "- 1", "a: b", "a:b", ":a", "a:", "?a", "? a", "-", "--", "---", "...", "a\tb", "$(A)", "$A", "${A}", "{{ .x }}",
	"{}", "[]", "key=value", "a=b=c", "*", "&", "**", "#", "# x", "'", "\"", "\\", "|x", ">x", "[a", "{a", "a]", "a}", ",", "a,b"}

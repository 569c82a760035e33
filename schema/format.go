package schema

import (
	"encoding/base64"
	"math"
	"net/netip"
	"time"

	"github.com/kustomize-lsp/kls/engine/text"
)

// formats are checks of values by the name of their format. A value of another
// type than a format is for passes: that is the type's affair.
func formats() map[string]func(any) bool {
	return map[string]func(any) bool{
		"int32":         func(v any) bool { return inRange(v, math.MinInt32, math.MaxInt32) },
		"int64":         func(v any) bool { return inRange(v, math.MinInt64, math.MaxInt64) },
		"int-or-string": func(v any) bool { return inRange(v, math.MinInt32, math.MaxInt32) },
		"quantity":      ifText(isQuantity),
		"byte":          ifText(isBase64),
		"time":          ifText(isTime),
		"date-time":     ifText(isDateTime),
		"date":          ifText(isDate),
		"duration":      ifText(isDuration),
		"ipv4":          ifText(func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is4() }),
		"ipv6":          ifText(func(s string) bool { a, err := netip.ParseAddr(s); return err == nil && a.Is6() }),
		"cidr":          ifText(func(s string) bool { _, err := netip.ParsePrefix(s); return err == nil }),
	}
}

func ifText(isValid func(string) bool) func(any) bool {
	return func(v any) bool {
		s, ok := v.(string)
		return !ok || isValid(s)
	}
}

// inRange lets what is no whole number pass. A float64 holds what is too great
// for an int64.
func inRange(v any, low, high int64) bool {
	switch n := v.(type) {
	case int64:
		return n >= low && n <= high
	case float64:
		return n >= float64(low) && n < float64(high)+1
	}
	return true
}

var quantity = text.Regexp(`^\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?\s*$`)

// isQuantity is the syntax of resource.ParseQuantity in k8s.io/apimachinery.
func isQuantity(s string) bool { return quantity().MatchString(s) }

// isBase64 is what encoding/json accepts for bytes: line ends do not matter.
func isBase64(s string) bool {
	_, err := base64.StdEncoding.DecodeString(s)
	return err == nil
}

// isTime is metav1.Time.
func isTime(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

var dateTimes = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02"}

// isDateTime is a little more lenient than isTime, as kube-openapi is with
// custom resources.
func isDateTime(s string) bool {
	for _, layout := range dateTimes {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

var wordyDuration = text.Regexp(`^[0-9]+ *[A-Za-zµ]+$`)

// isDuration is Go's form, or kube-openapi's `5 days`.
func isDuration(s string) bool {
	_, err := time.ParseDuration(s)
	return err == nil || wordyDuration().MatchString(s)
}

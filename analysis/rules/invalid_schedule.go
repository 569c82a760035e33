package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kustomize-lsp/kls/engine/builder"
	"github.com/kustomize-lsp/kls/engine/resource"
	"github.com/kustomize-lsp/kls/engine/syntax"
	"github.com/kustomize-lsp/kls/schema"
)

func checkInvalidSchedule(r *resource.Resource) []builder.Problem {
	if r.ID().Group != "batch" || r.ID().Kind != "CronJob" {
		return nil
	}
	schedule, node := syntax.TextAt(r.Node, "spec/schedule")
	reason := wrongSchedule(schedule)
	if node == nil || reason == "" || schema.HoldsTemplate(schedule) {
		return nil
	}
	return []builder.Problem{{Node: node, Message: fmt.Sprintf("%q is not a schedule: %s", schedule, reason)}}
}

var scheduleWords = []string{"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"}

// scheduleFields are the fields of a schedule, with the least and the greatest value,
// and the words for values from the least on.
var scheduleFields = []struct {
	name        string
	least, most int
	words       []string
}{
	{"minute", 0, 59, nil}, {"hour", 0, 23, nil}, {"day of the month", 1, 31, nil},
	{"month", 1, 12, []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}},
	{"day of the week", 0, 6, []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}},
}

// wrongSchedule says why a text is no schedule; "" where it is one (robfig/cron's
// ParseStandard, which Kubernetes uses).
func wrongSchedule(schedule string) string {
	if strings.HasPrefix(schedule, "TZ=") || strings.HasPrefix(schedule, "CRON_TZ=") {
		return "a time zone is written under timeZone"
	}
	if strings.HasPrefix(schedule, "@") {
		every, ok := strings.CutPrefix(schedule, "@every ")
		if _, err := time.ParseDuration(every); slices.Contains(scheduleWords, schedule) || ok && err == nil {
			return ""
		}
		return "it is not one of " + strings.Join(scheduleWords, ", ") + " and @every with a duration"
	}
	fields := strings.Fields(schedule)
	if len(fields) != len(scheduleFields) {
		return fmt.Sprintf("it has %d fields, and not 5", len(fields))
	}
	for i, field := range fields {
		of := scheduleFields[i]
		number := func(s string) (int, bool) {
			if at := slices.Index(of.words, strings.ToLower(s)); at >= 0 {
				return of.least + at, true
			}
			n, err := strconv.Atoi(s)
			return n, err == nil && n >= of.least && n <= of.most
		}
		for _, part := range strings.Split(field, ",") {
			span, step, stepped := strings.Cut(part, "/")
			first, last, ranged := strings.Cut(span, "-")
			from, ok := number(first)
			to, okLast := number(last)
			all := span == "*" || span == "?"
			if n, err := strconv.Atoi(step); stepped && (err != nil || n <= 0) {
				return fmt.Sprintf("%q is not a valid step of the %s", step, of.name)
			}
			if !all && (!ok || ranged && (!okLast || to < from)) {
				return fmt.Sprintf("%q is not a valid %s: it is %d to %d", span, of.name, of.least, of.most)
			}
		}
	}
	return ""
}

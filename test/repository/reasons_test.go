// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"fmt"
	"go/format"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/internal/stats"
)

// docLink is a doc link to a name of package events.
var docLink = regexp.MustCompile(`\[([A-Z][\w.]*)\]`)

// All places that list the drop reasons follow from the table in internal/stats: the constants of package events, the
// table of docs/operations.md, and the causes in the alerts and on the dashboard.
//
// Caught: a reason that users cannot name; one with another meaning on the page; one that fires no alert.
func TestDropReasons(t *testing.T) {
	atRoot(t)
	for _, reason := range stats.Reasons() {
		if d := reason.Describe(); d.Name == "" || d.Meaning == "" {
			t.Fatalf("reason %d has no row in internal/stats/reasons.go: %+v", reason, d)
		}
	}
	holdFile(t, "events/drop_reasons.go", dropConstants(t))
	rows := []string{"| reason | meaning | what to do |", "|---|---|---|"}
	for _, reason := range stats.Reasons() {
		d := reason.Describe()
		meaning := docLink.ReplaceAllString(d.Meaning, "`$1`")
		rows = append(rows, "| `"+d.Name+"` | "+meaning+" | "+d.Remedy+" |")
	}
	holdTable(t, "docs/operations.md", "Drop reasons", rows)
	holdCauses(t)
}

// dropConstants returns events/drop_reasons.go.
func dropConstants(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Code generated from internal/stats/reasons.go by go test ./test/repository -update; DO NOT EDIT.

package events

// The reasons for a drop. Each is a key of [Stats.Dropped].
const (
`)
	for _, reason := range stats.Reasons() {
		d := reason.Describe()
		for _, line := range wrap("Drop"+d.Name+": "+d.Meaning+".", 90) {
			fmt.Fprintln(&b, "//", line)
		}
		fmt.Fprintf(&b, "Drop%s DropReason = %q\n", d.Name, d.Name)
	}
	b.WriteString(")\n")
	formatted, err := format.Source([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return string(formatted)
}

// wrap breaks a text into lines of at most width bytes.
func wrap(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+word, " ")
	}
	return append(lines, line)
}

// holdCauses holds the alerts and the dashboard to the reasons. A reason that their reader's version does not know yet
// counts as a loss, so what is lost is all but the causes that are listed.
func holdCauses(t *testing.T) {
	t.Helper()
	causes := func(match func(stats.Alert) bool) string {
		var names []string
		for _, reason := range stats.Reasons() {
			if d := reason.Describe(); match(d.Alert) {
				names = append(names, d.Name)
			}
		}
		slices.Sort(names)
		return strings.Join(names, "|")
	}
	are := func(alert stats.Alert) string {
		names := causes(func(a stats.Alert) bool { return a == alert })
		if strings.Contains(names, "|") {
			return `cause=~"` + names + `"`
		}
		return `cause="` + names + `"`
	}
	alerts := "contrib/prometheus/mixin/alerts.yaml"
	content := text(t, alerts)
	for alert, matcher := range map[stats.Alert]string{
		stats.AlertLosing:     `cause!~"` + causes(func(a stats.Alert) bool { return a != stats.AlertLosing }) + `"`,
		stats.AlertCacheFull:  are(stats.AlertCacheFull),
		stats.AlertUnselected: are(stats.AlertUnselected),
	} {
		content = replaceIn(t, content, `- alert: `+string(alert)+`\n    expr: [^\n]*`, `cause[!=~]+"[^"]*"`, matcher)
	}
	holdFile(t, alerts, content)
	// A dashboard has the wanted drops, too, as those that it leaves out of the lost ones.
	wanted := causes(func(a stats.Alert) bool { return !a.Loses() })
	for file, quote := range map[string]string{"dashboard.go": `"`, "dashboard.json": `\"`} {
		file = "contrib/prometheus/mixin/" + file
		quoted := regexp.QuoteMeta(quote)
		holdFile(t, file, replaceIn(t, text(t, file), `dropped_total\{[^\n]*`, `cause!~`+quoted+`[^"\\]*`+quoted,
			`cause!~`+quote+wanted+quote))
	}
}

// replaceIn replaces the only match of inner in a match of outer.
func replaceIn(t *testing.T, text, outer, inner, by string) string {
	t.Helper()
	replaced := 0
	text = regexp.MustCompile(outer).ReplaceAllStringFunc(text, func(part string) string {
		return regexp.MustCompile(inner).ReplaceAllStringFunc(part, func(string) string {
			replaced++
			return by
		})
	})
	if replaced != 1 {
		t.Errorf("%d matches of %q in %q, want 1", replaced, inner, outer)
	}
	return text
}

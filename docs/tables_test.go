// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package docs_test tests the pages of this directory: that their tables have all that there is, and that the sizing recipe
// is right. The code blocks of the pages are in these files.
package docs_test

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

func read(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// found returns what the group of a pattern matches in a file.
func found(t testing.TB, file, pattern string) (all []string) {
	t.Helper()
	for _, match := range regexp.MustCompile(pattern).FindAllStringSubmatch(read(t, file), -1) {
		all = append(all, match[1])
	}
	if len(all) == 0 {
		t.Errorf("%s has nothing of the form %s", file, pattern)
	}
	return all
}

func texts[T ~string](all ...T) (names []string) {
	for _, one := range all {
		names = append(names, string(one))
	}
	return names
}

// Whatever operators and users meet has a row in the table for it, and nothing else has.
//
// Caught: a field, a reason, a repair, an option and an advice without a row; a row for an advice that is no longer logged.
func TestTablesHaveEverything(t *testing.T) {
	stats := events.NewBroadcaster(eventstest.NewSink()).Stats()
	var fields, options []string
	for i := range reflect.TypeFor[events.Stats]().NumField() {
		fields = append(fields, reflect.TypeFor[events.Stats]().Field(i).Name)
	}
	for _, pkg := range []string{"events", "adapter", "legacy"} {
		for _, name := range found(t, "../api/"+pkg+".txt", `(?m), func (With\w+)\(.*\) Option$`) {
			options = append(options, pkg+"."+name)
		}
	}
	for _, table := range []struct {
		page, heading string
		want          []string
	}{
		{"operations.md", "Stats", fields},
		{"operations.md", "Drop reasons", texts(slices.Collect(maps.Keys(stats.Dropped))...)},
		{"operations.md", "Repairs", texts(slices.Collect(maps.Keys(stats.Repaired))...)},
		{"operations.md", "Roll back", texts(adapter.ModeAuto, adapter.ModeEventsV1, adapter.ModeCoreV1, adapter.ModeLegacy)},
		{"operations.md", "Log lines", found(t, "../api/logs.txt", ` advice=(\S+)`)},
		{"options.md", "All options", options},
	} {
		_, section, _ := strings.Cut(read(t, table.page), "# "+table.heading+"\n")
		section, _, _ = strings.Cut(section, "\n#")
		var rows []string
		for _, match := range regexp.MustCompile("(?m)^\\| *`([^`]+)`").FindAllStringSubmatch(section, -1) {
			rows = append(rows, match[1])
		}
		slices.Sort(rows)
		slices.Sort(table.want)
		if diff := cmp.Diff(slices.Compact(table.want), slices.Compact(rows)); diff != "" {
			t.Errorf("%s, %q: rows (-there is, +explained):\n%s", table.page, table.heading, diff)
		}
	}
}

// Pages, alerts and the dashboard name metrics that are exported, and causes that exist.
//
// Caught: eventseries_written_total; the cause "Expired".
func TestMetricsInUseAreExported(t *testing.T) {
	const collector = "../contrib/prometheus/"
	var exported []string
	for line := range strings.Lines(read(t, collector+"testdata/metrics.txt")) {
		row := strings.Fields(line)
		exported = append(exported, row[0])
		if row[1] == "histogram" {
			exported = append(exported, row[0]+"_bucket", row[0]+"_count", row[0]+"_sum")
		}
	}
	causes := events.NewBroadcaster(eventstest.NewSink()).Stats().Dropped
	for _, file := range []string{
		"operations.md", collector + "mixin/alerts.yaml", collector + "mixin/alerts_test.yaml",
		collector + "mixin/dashboard.json",
	} {
		for _, name := range found(t, file, `(eventseries_[a-z_]+)`) {
			if !slices.Contains(exported, name) {
				t.Errorf("%s: no metric is named %s", file, name)
			}
		}
		for _, match := range regexp.MustCompile(`cause!?=~?\\?"([\w|]+)`).FindAllStringSubmatch(read(t, file), -1) {
			for _, cause := range strings.Split(match[1], "|") {
				if _, known := causes[events.DropReason(cause)]; !known {
					t.Errorf("%s: there is no cause %s", file, cause)
				}
			}
		}
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

const collector = "../contrib/prometheus/"

// metrics returns what contrib/prometheus exports: name, type, labels and help text.
func metrics(t *testing.T) (rows [][]string) {
	t.Helper()
	for line := range strings.Lines(read(t, collector+"testdata/metrics.txt")) {
		row := strings.SplitN(strings.TrimSpace(line), " ", 4)
		if len(row) != 4 {
			t.Fatalf("%q is no metric", line)
		}
		rows = append(rows, row)
	}
	return rows
}

// rules has what is tested here of the alert rules.
type rules struct {
	Groups []struct {
		Rules []struct {
			Alert, Expr string
			Annotations map[string]string
		}
	}
}

const runbook = "https://github.com/eventseries/eventseries/blob/main/docs/operations.md#"

// Each alert has a section that its runbook link leads to, and each section of Alerts is that of an alert.
//
// Caught: a link to a heading that was renamed; an alert without a section.
func TestOperationsExplainsEveryAlert(t *testing.T) {
	var file rules
	if err := yaml.Unmarshal([]byte(read(t, collector+"mixin/alerts.yaml")), &file); err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(read(t, "operations.md"), "\n## Alerts\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var alerts, sections []string
	for _, rule := range file.Groups[0].Rules {
		alerts = append(alerts, rule.Alert)
		if got, want := rule.Annotations["runbook_url"], runbook+strings.ToLower(rule.Alert); got != want {
			t.Errorf("the runbook of %s is %s, want %s", rule.Alert, got, want)
		}
	}
	for _, match := range regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(section, -1) {
		sections = append(sections, match[1])
	}
	if !slices.Equal(alerts, sections) {
		t.Errorf("there are the alerts\n%q and the sections\n%q", alerts, sections)
	}
}

var (
	metric  = regexp.MustCompile(`eventseries_[a-z_]+`)
	matched = regexp.MustCompile(`cause!?=~?"([^"]+)"`)
)

// Pages, alerts and the dashboard name metrics that are exported, and causes that exist.
//
// Caught: eventseries_written_total; the cause "Expired".
func TestMetricsInUseAreExported(t *testing.T) {
	var exported []string
	for _, m := range metrics(t) {
		exported = append(exported, m[0])
		if m[1] == "histogram" {
			exported = append(exported, m[0]+"_bucket", m[0]+"_count", m[0]+"_sum")
		}
	}
	causes := slices.Collect(maps.Keys(events.NewBroadcaster(eventstest.NewSink()).Stats().Dropped))
	for _, file := range []string{
		"operations.md", collector + "README.md", collector + "mixin/alerts.yaml", collector + "mixin/alerts_test.yaml",
		collector + "mixin/dashboard.json",
	} {
		text := strings.ReplaceAll(read(t, file), `\"`, `"`)
		for _, name := range metric.FindAllString(text, -1) {
			if !slices.Contains(exported, name) {
				t.Errorf("%s: no metric is named %s", file, name)
			}
		}
		for _, match := range matched.FindAllStringSubmatch(text, -1) {
			for _, cause := range strings.Split(match[1], "|") {
				if !slices.Contains(causes, events.DropReason(cause)) {
					t.Errorf("%s: there is no cause %s", file, cause)
				}
			}
		}
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import "strings"

// source is the Prometheus that a person selects on the dashboard.
var source = &datasource{Type: "prometheus", UID: "${datasource}"}

// selected matches the components that a person selects on the dashboard.
const selected = `job=~"$job", instance=~"$instance"`

// query is one line in a panel. In expr, SELECTED stands for the selected components, and INTERVAL
// for the range of a rate.
type query struct{ expr, legend string }

func newDashboard() dashboard {
	return dashboard{
		UID:   "eventseries",
		Title: "Events of components",
		Description: "What components record as Kubernetes Events, and what becomes of it. " +
			"Made by contrib/prometheus/mixin of eventseries.",
		Tags:          []string{"kubernetes", "events", "eventseries"},
		SchemaVersion: schemaVersion,
		Editable:      true,
		Refresh:       "1m",
		Time:          map[string]any{"from": "now-6h", "to": "now"},
		Templating: templating{List: []variable{
			{
				Name:    "datasource",
				Label:   "Data source",
				Type:    "datasource",
				Query:   "prometheus",
				Refresh: 1,
			},
			choice("job", "Job", "label_values(eventseries_series, job)"),
			choice("instance", "Instance", `label_values(eventseries_series{job=~"$job"}, instance)`),
		}},
		Panels: layOut(numbers(), occurrences(), losses(), requests(), memory(), lists()),
	}
}

func numbers() []panel {
	return []panel{
		stat("Occurrences", "A second, of all reasons.", "ops", 0,
			`sum(rate(eventseries_occurrences_total{SELECTED}[INTERVAL]))`),
		stat("Lost", "In the time that is shown, without what was filtered or not selected.", "short", 1,
			`sum(increase(eventseries_dropped_total{SELECTED, cause!~"Filtered|SpamFilter|Unselected"}[$__range]))`),
		stat("Pending", "Not yet acknowledged by the API server.", "short", 0,
			`sum(eventseries_pending{SELECTED})`),
		stat("Oldest pending", "More than 40 minutes: it cannot be written.", "s", 2400,
			`max(eventseries_oldest_pending_seconds{SELECTED})`),
		stat("Namespaces without access", "RBAC refuses Events there.", "short", 1,
			`sum(eventseries_namespaces_without_access{SELECTED})`),
		stat("Series", "In memory.", "short", 0, `sum(eventseries_series{SELECTED})`),
	}
}

func occurrences() []panel {
	return []panel{
		lines("Occurrences by reason", "The ten that are recorded most.", "ops", query{
			`topk(10, sum by (controller, reason) (rate(eventseries_occurrences_total{SELECTED}[INTERVAL])))`,
			"{{controller}} {{reason}}"}),
		lines("Occurrences by type and kind", "", "ops", query{
			`sum by (type, kind) (rate(eventseries_occurrences_total{SELECTED}[INTERVAL]))`, "{{type}} {{kind}}"}),
	}
}

func losses() []panel {
	return []panel{
		lines("Occurrences that were given up", "Filtered and Unselected are on purpose.", "ops", query{
			`sum by (cause) (rate(eventseries_dropped_total{SELECTED}[INTERVAL]))`, "{{cause}}"}),
		lines("Recorded", "Acknowledged by the API server, by component.", "ops", query{
			`sum by (job, instance) (rate(eventseries_recorded_total{SELECTED}[INTERVAL]))`, "{{job}} {{instance}}"}),
	}
}

func requests() []panel {
	return []panel{
		lines("Requests", "The load on the API server.", "reqps", query{
			`sum by (operation, api, code) (rate(eventseries_requests_total{SELECTED}[INTERVAL]))`,
			"{{operation}} {{api}} {{code}}"}),
		lines("Duration of requests", "", "s",
			query{quantile("0.5"), "{{operation}} 50 %"}, query{quantile("0.99"), "{{operation}} 99 %"}),
	}
}

func memory() []panel {
	return []panel{
		lines("Pending", "By component.", "short", query{
			`sum by (job, instance) (eventseries_pending{SELECTED})`, "{{job}} {{instance}}"}),
		lines("Oldest pending", "By component.", "s", query{
			`max by (job, instance) (eventseries_oldest_pending_seconds{SELECTED})`, "{{job}} {{instance}}"}),
		lines("Series", "By component.", "short", query{
			`sum by (job, instance) (eventseries_series{SELECTED})`, "{{job}} {{instance}}"}),
	}
}

func lists() []panel {
	return []panel{
		list("API", "Where Events go, and whether discovery lists events.k8s.io/v1.",
			`count by (job, instance, api, support) (eventseries_api_info{SELECTED})`),
		list("Repairs", "Calls to fix.",
			`sum by (job, instance, repair) (increase(eventseries_repaired_total{SELECTED}[$__range]))`),
	}
}

func choice(name, label, values string) variable {
	return variable{
		Name:       name,
		Label:      label,
		Type:       "query",
		Query:      values,
		Datasource: source,
		Multi:      true,
		IncludeAll: true,
		AllValue:   ".+",
		Refresh:    2,
	}
}

func quantile(q string) string {
	return `histogram_quantile(` + q +
		`, sum by (operation, le) (rate(eventseries_request_duration_seconds_bucket{SELECTED}[INTERVAL])))`
}

// stat returns a panel with one number, which is red from limit on. A limit of 0 means no limit.
func stat(title, description, unit string, limit float64, expr string) panel {
	steps := []step{{Color: "green"}}
	if limit > 0 {
		steps = append(steps, step{Color: "red", Value: &limit})
	}
	p := newPanel("stat", title, description, unit, query{expr: expr})
	p.FieldConfig.Defaults.Thresholds = &thresholds{Mode: "absolute", Steps: steps}
	return p
}

func lines(title, description, unit string, queries ...query) panel {
	p := newPanel("timeseries", title, description, unit, queries...)
	p.FieldConfig.Defaults.Custom = map[string]any{"fillOpacity": 10, "showPoints": "never"}
	return p
}

// list returns a table of the labels that exist now.
func list(title, description, expr string) panel {
	p := newPanel("table", title, description, "short", query{expr: expr})
	p.Targets[0].Instant = true
	p.Targets[0].Range = false
	p.Targets[0].Format = "table"
	return p
}

func newPanel(kind, title, description, unit string, queries ...query) panel {
	p := panel{
		Type:        kind,
		Title:       title,
		Description: description,
		Datasource:  source,
		FieldConfig: fieldConfig{Defaults: defaults{Unit: unit}, Overrides: []string{}},
	}
	expand := strings.NewReplacer("SELECTED", selected, "INTERVAL", "$__rate_interval")
	for i, q := range queries {
		p.Targets = append(p.Targets, target{
			RefID:        string(rune('A' + i)),
			Datasource:   source,
			Expr:         expand.Replace(q.expr),
			LegendFormat: q.legend,
			Range:        true,
			Format:       "time_series",
		})
	}
	return p
}

// layOut places each row of panels below the one before, and gives all panels of a row the same
// width.
func layOut(rows ...[]panel) (all []panel) {
	y := 0
	for _, row := range rows {
		height := 8
		if row[0].Type == "stat" {
			height = 4
		}
		for i, p := range row {
			p.ID = len(all) + 1
			p.GridPos = gridPos{
				H: height,
				W: 24 / len(row),
				X: i * 24 / len(row),
				Y: y,
			}
			all = append(all, p)
		}
		y += height
	}
	return all
}

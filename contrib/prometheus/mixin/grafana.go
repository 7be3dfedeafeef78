// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

// schemaVersion is the version of Grafana's dashboard model. The types in this file are the part of
// it that this dashboard needs.
const schemaVersion = 42

type dashboard struct {
	UID           string         `json:"uid"`
	Title         string         `json:"title"`
	Description   string         `json:"description"`
	Tags          []string       `json:"tags"`
	SchemaVersion int            `json:"schemaVersion"`
	Editable      bool           `json:"editable"`
	Refresh       string         `json:"refresh"`
	Time          map[string]any `json:"time"`
	Templating    templating     `json:"templating"`
	Annotations   annotations    `json:"annotations"`
	Panels        []panel        `json:"panels"`
}

// annotations is empty, because the dashboard has none. Grafana expects an empty object.
type annotations struct{}

type templating struct {
	List []variable `json:"list"`
}

type variable struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	// Type is datasource or query.
	Type       string      `json:"type"`
	Query      string      `json:"query"`
	Datasource *datasource `json:"datasource,omitempty"`
	Multi      bool        `json:"multi"`
	IncludeAll bool        `json:"includeAll"`
	AllValue   string      `json:"allValue,omitempty"`
	// Refresh is 1 to load the values with the dashboard, and 2 to load them again when the time range changes.
	Refresh int `json:"refresh"`
}

type datasource struct {
	Type string `json:"type"`
	UID  string `json:"uid"`
}

type panel struct {
	ID int `json:"id"`
	// Type is stat, timeseries or table.
	Type        string      `json:"type"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	GridPos     gridPos     `json:"gridPos"`
	Datasource  *datasource `json:"datasource"`
	FieldConfig fieldConfig `json:"fieldConfig"`
	Targets     []target    `json:"targets"`
}

// gridPos is the size and position of a panel on a grid of 24 columns.
type gridPos struct {
	H int `json:"h"`
	W int `json:"w"`
	X int `json:"x"`
	Y int `json:"y"`
}

type fieldConfig struct {
	Defaults  defaults `json:"defaults"`
	Overrides []string `json:"overrides"`
}

type defaults struct {
	Unit       string         `json:"unit"`
	Min        int            `json:"min"`
	Thresholds *thresholds    `json:"thresholds,omitempty"`
	Custom     map[string]any `json:"custom,omitempty"`
}

type thresholds struct {
	Mode  string `json:"mode"`
	Steps []step `json:"steps"`
}

type step struct {
	Color string `json:"color"`
	// Value is the number from which on Color applies. The first step has none.
	Value *float64 `json:"value"`
}

type target struct {
	RefID        string      `json:"refId"`
	Datasource   *datasource `json:"datasource"`
	Expr         string      `json:"expr"`
	LegendFormat string      `json:"legendFormat"`
	Instant      bool        `json:"instant"`
	Range        bool        `json:"range"`
	Format       string      `json:"format"`
}

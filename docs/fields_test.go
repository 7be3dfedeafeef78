// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// names has the names of one field of a stored Event in both API groups.
var names = [][2]string{
	{"metadata.name", "metadata.name"},
	{"regarding.name", "involvedObject.name"},
	{"type", "type"},
	{"reason", "reason"},
	{"action", "action"},
	{"note", "message"},
	{"reportingController", "reportingComponent"},
	{"reportingInstance", "reportingInstance"},
	{"eventTime", "eventTime"},
	{"series.count", "series.count"},
	{"series.lastObservedTime", "series.lastObservedTime"},
	{"deprecatedCount", "count"},
	{"deprecatedFirstTimestamp", "firstTimestamp"},
	{"deprecatedLastTimestamp", "lastTimestamp"},
	{"deprecatedSource.component", "source.component"},
}

// fields returns the rows of the table of fields, as read through either group.
func fields(t *testing.T, stored []eventsv1.Event) [][]string {
	rows := [][]string{{"events.k8s.io/v1", "core/v1", "the first Event"}}
	for _, name := range names {
		row := []string{"`" + name[0] + "`", "`" + name[1] + "`"}
		for i := range stored {
			value, same := field(t, &stored[i], name[0]), field(t, eventconv.ToCore(&stored[i]), name[1])
			if value != same {
				t.Errorf("%s is %q, %s is %q", name[0], value, name[1], same)
			}
			if i == 0 {
				row = append(row, unique.ReplaceAllString(value, ".…"))
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// unique matches the end of an Event's name: a time and a number of the process.
var unique = regexp.MustCompile(`\.[0-9a-f]{24}$`)

// field returns the value at a path of an object's JSON, or "".
func field(t *testing.T, object any, path string) string {
	data, err := json.Marshal(object)
	if err != nil {
		t.Fatal(err)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Split(path, ".") {
		fields, _ := value.(map[string]any)
		value = fields[name]
	}
	if value == nil {
		return ""
	}
	return fmt.Sprint(value)
}

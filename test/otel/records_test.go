// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package otel_test

import (
	"bufio"
	"encoding/json"
	"os"
	"strconv"
)

// record is what a file of the collector has of one log record.
type record struct {
	Body struct {
		StringValue string `json:"stringValue"`
	} `json:"body"`
	SeverityText string `json:"severityText"`
	TraceID      string `json:"traceId"`
	Attributes   []struct {
		Key   string `json:"key"`
		Value struct {
			StringValue string `json:"stringValue"`
			IntValue    string `json:"intValue"`
		} `json:"value"`
	} `json:"attributes"`
}

func (r *record) text(key string) string {
	for _, a := range r.Attributes {
		if a.Key == key {
			return a.Value.StringValue
		}
	}
	return ""
}

func (r *record) number(key string) int64 {
	for _, a := range r.Attributes {
		if a.Key == key {
			n, _ := strconv.ParseInt(a.Value.IntValue, 10, 64)
			return n
		}
	}
	return 0
}

// records returns what the collector has written. It must have ended.
func (c *collector) records() (all []record) {
	c.t.Helper()
	file, err := os.Open(c.output)
	if err != nil {
		c.t.Fatalf("%v\n%s", err, c.log.String())
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var batch struct {
			ResourceLogs []struct {
				ScopeLogs []struct {
					LogRecords []record `json:"logRecords"`
				} `json:"scopeLogs"`
			} `json:"resourceLogs"`
		}
		if err := json.Unmarshal(lines.Bytes(), &batch); err != nil {
			c.t.Logf("a torn line of %d bytes: %v", len(lines.Bytes()), err)
			continue
		}
		for _, resource := range batch.ResourceLogs {
			for _, scope := range resource.ScopeLogs {
				all = append(all, scope.LogRecords...)
			}
		}
	}
	if err := lines.Err(); err != nil {
		c.t.Fatal(err)
	}
	return all
}

// counted is what the records of one Event say, those that came twice left out.
type counted struct{ Sum, Highest int64 }

// counts returns that by object, and the number of records that came twice. Two records
// are the same if they have the same Event and the same count.
func counts(all []record) (byObject map[string]counted, duplicates int) {
	type identity struct {
		namespace, event string
		count            int64
	}
	byObject, seen := map[string]counted{}, map[identity]bool{}
	for i := range all {
		r := &all[i]
		id := identity{r.text("k8s.namespace.name"), r.text("k8s.event.name"), r.number("k8s.event.count")}
		if seen[id] {
			duplicates++
			continue
		}
		seen[id] = true
		c := byObject[r.text("k8s.object.name")]
		c.Sum += r.number("eventseries.delta")
		c.Highest = max(c.Highest, id.count)
		byObject[r.text("k8s.object.name")] = c
	}
	return byObject, duplicates
}

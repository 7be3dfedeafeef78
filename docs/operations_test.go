// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// Every name that operators meet is in the table for it. Names that do not exist are not.
//
// Caught: a field, a reason, a repair, a renamed constant and an advice without a row; a row for an advice that is no
// longer logged.
func TestOperationsExplainsEverything(t *testing.T) {
	stats := events.NewBroadcaster(eventstest.NewSink()).Stats()
	sections := map[string][]string{
		"Stats":        fieldsOf[events.Stats](),
		"Drop reasons": append(texts(maps.Keys(stats.Dropped)), constants(t, "DropReason")...),
		"Repairs":      append(texts(maps.Keys(stats.Repaired)), constants(t, "Repair")...),
		"Roll back":    texts(slices.Values(modes)),
	}
	sections["Log lines"] = advices(t)
	for heading, names := range sections {
		explains(t, "operations.md", heading, names)
	}
}

var advice = regexp.MustCompile(` advice=(\S+)`)

// advices returns the values of the key advice in api/logs.txt. Whatever is logged as an error has one.
//
// Caught: a line without the key.
func advices(t *testing.T) (values []string) {
	for line := range strings.Lines(read(t, "../api/logs.txt")) {
		switch match := advice.FindStringSubmatch(line); {
		case match != nil:
			values = append(values, match[1])
		case strings.Contains(line, ", log Error "):
			t.Errorf("an error without advice: %s", line)
		}
	}
	return values
}

var modes = []adapter.API{adapter.Auto, adapter.EventsV1, adapter.CoreV1, adapter.Legacy}

func fieldsOf[T any]() (names []string) {
	for i := range reflect.TypeFor[T]().NumField() {
		names = append(names, reflect.TypeFor[T]().Field(i).Name)
	}
	return names
}

var typed = regexp.MustCompile(`(?m)^\t\w+ (\w+) += "(\w+)"$`)

// constants returns the values of the constants of a type of package events.
func constants(t *testing.T, typeName string) (values []string) {
	for _, file := range []string{"../events/stats.go", "../events/repair.go"} {
		for _, match := range typed.FindAllStringSubmatch(read(t, file), -1) {
			if match[1] == typeName {
				values = append(values, match[2])
			}
		}
	}
	if len(values) == 0 {
		t.Errorf("package events has no constants of type %s any more", typeName)
	}
	return values
}

func texts[T ~string](all func(yield func(T) bool)) (names []string) {
	for one := range all {
		names = append(names, string(one))
	}
	return names
}

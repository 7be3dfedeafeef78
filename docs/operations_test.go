// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// Every name that operators meet is in the table for it. Names that do not exist are not.
//
// Caught: a field, a reason, a repair, a renamed constant and a log line without a row; a row for a line that is no
// longer logged.
func TestOperationsExplainsEverything(t *testing.T) {
	stats := events.NewBroadcaster(eventstest.NewSink()).Stats()
	sections := map[string][]string{
		"Stats":        fieldsOf[events.Stats](),
		"Drop reasons": append(texts(maps.Keys(stats.Dropped)), constants(t, "DropReason")...),
		"Repairs":      append(texts(maps.Keys(stats.Repaired)), constants(t, "Repair")...),
		"Snapshot":     append(fieldsOf[adapter.Snapshot](), fieldsOf[adapter.NamespaceStatus]()...),
		"Roll back":    texts(slices.Values(modes)),
	}
	for pkg, messages := range logged(t) {
		sections[pkg] = messages
	}
	sections["Advice"] = advices(t)
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

var logLine = regexp.MustCompile(`^pkg ([\w/]+), log \S+ (".*)$`)

// logged returns the messages that each package logs, from api/logs.txt.
func logged(t *testing.T) map[string][]string {
	golden, err := os.ReadFile("../api/logs.txt")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for line := range strings.Lines(string(golden)) {
		match := logLine.FindStringSubmatch(strings.TrimSpace(line))
		if match == nil {
			continue
		}
		quoted, err := strconv.QuotedPrefix(match[2])
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		message, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all[match[1]] = append(all[match[1]], message)
	}
	if len(all) == 0 {
		t.Fatal("../api/logs.txt has no messages")
	}
	return all
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package repository

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// gone are names that were replaced, by the word that took their place, so that one thing has one name. A name that
// has another meaning elsewhere stands with its package.
var gone = map[string]string{
	"WithContinuity":             "WithSharedCounts",
	"WithObjectLimit":            "WithMaxSeriesPerObject",
	"WithStrict":                 "eventstest.Strict",
	"WithMaxInFlight":            "nothing: the window follows the server",
	"WithRetryFor":               "nothing: it is an hour",
	"WithWriteTimeout":           "nothing: it is 30 seconds",
	"WithClusterScopedNamespace": "nothing: it is default, as with client-go",
	"WithOccurrenceHandler":      "StartEventWatcher",
	"AbandonedIn":                "NamespaceLoss",
	"Busiest":                    "TopNamespaces",
	"OfUnstructured":             "FromUnstructured",
	"OfCore":                     "FromCoreV1",
	"WithConstLabels":            "prometheus.WrapRegistererWith",
	"NewEventsRecorder":          "legacy.FromLegacy of a recorder",
	"NewRecordBroadcaster":       "recordevents.NewBroadcaster",
	"RecordBroadcaster":          "recordevents.Broadcaster",
	"RecordEventBroadcaster":     "recordevents.EventBroadcaster",
	"NewClusters":                "clusters.New",
	"ClustersRecorder":           "clusters.Recorder",
	"events.Labels":              "events.MetricLabels",
	"events.Counts":              "events.LabeledCounts",
	"stats.Labels":               "stats.MetricLabels",
	"Folded":                     "Overflowed",
	"DropMuted":                  "DropUnselected",
	"Muted":                      "Unselected",
	"EventseriesMutedForLong":    "EventseriesUnselectedForLong",
	"WithNotes":                  "WithNotePolicy",
	"WithNotesFor":               "WithNotePolicy",
	"Delta.Before":               "Delta.Earlier",
	"Event.Over":                 "Event.Ended",
	"TestContinuity":             "TestSharedCounts",
}

// Caught: an old name in a comment, a page or a test.
func TestGoneNamesStayGone(t *testing.T) {
	atRoot(t)
	words := regexp.MustCompile(`\b([A-Za-z]+\.)?([A-Z][A-Za-z]+)\b`)
	for _, file := range tree(t) {
		read := slices.Contains([]string{".go", ".json", ".md", ".tmpl", ".yaml"}, path.Ext(file))
		if !read || file == "CHANGELOG.md" || strings.HasSuffix(file, "repository/gone_test.go") {
			continue
		}
		for _, match := range words.FindAllStringSubmatch(text(t, file), -1) {
			qualified, word := match[0], match[2]
			if instead := cmp.Or(gone[qualified], gone[word]); instead != "" {
				t.Errorf("%s: %s is gone; there is %s", file, qualified, instead)
			}
		}
	}
}

// Every broadcaster returns the concrete type of its recorder, so no page, test, example or tool asserts it.
//
// Caught: a method that returns client-go's interface, and its callers.
func TestNoRecorderIsAsserted(t *testing.T) {
	atRoot(t)
	assertion := regexp.MustCompile(`\.\(\*(events|adapter|legacy)\.(Recorder|Adapter)\)`)
	for _, file := range tree(t) {
		top, _, _ := strings.Cut(file, "/")
		uses := strings.HasSuffix(file, "_test.go") || path.Ext(file) == ".md" ||
			slices.Contains([]string{"examples", "contrib", "test", "tools"}, top)
		if !uses || strings.HasSuffix(file, "repository/gone_test.go") {
			continue
		}
		if found := assertion.FindString(text(t, file)); found != "" {
			t.Errorf("%s: %s; call Recorder, which returns the concrete type", file, found)
		}
	}
}

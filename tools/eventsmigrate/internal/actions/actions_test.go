// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package actions

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOf(t *testing.T) {
	for reason, want := range map[string][]string{
		"Pulled":           {"Pull"},
		"FailedCreate":     {"Create"},
		"Created":          {"Create"},
		"Updated":          {"Update"},
		"Deleted":          {"Delete"},
		"BackOff":          {"Start", "Pull"},
		"LeaderElection":   {"BecomeLeader", "StopLeading"},
		"FailedScheduling": {"Scheduling"},
		"Denied":           nil,
		"Starting":         {"Start"}, // kube-proxy's action is about itself
		"Scheduled":        nil,       // of a pod a node; of a backup a time
		"Reticulated":      nil,
	} {
		if diff := cmp.Diff(want, Of(reason)); diff != "" {
			t.Errorf("Of(%s) (-want +got):\n%s", reason, diff)
		}
	}
}

func TestFor(t *testing.T) {
	for _, test := range []struct{ reason, function, want string }{
		{"SyncFailed", "", "Sync"},
		{"SyncWorkSucceed", "run", "SyncWork"},
		{"BuildModelSucceeded", "", "BuildModel"},
		{"FailedBuildModel", "", "BuildModel"},
		{"FailedToDrain", "", "Drain"},
		{"ErrorUpdate", "", "Update"},
		{"SuccessfulRotate", "", "Rotate"},
		{"UpdateError", "", "Update"},
		{"PodFailed", "Sync", ""},      // what failed is no action
		{"SettingsFailed", "", ""},     // Set is a verb, Settings none
		{"BackOffFailed", "", ""},      // no verb of the list
		{"FailedCreate", "", "Create"}, // known
		{"BackOff", "Sync", ""},        // known for several
		{"", "Sync", ""},
		{"Reticulated", "Sync", ""},      // a name says more than the function
		{"example.com", "Sync", "Sync"},  // no name
		{"example.com", "Reconcile", ""}, // everything is reconciled
		{"example.com", "syncPod", ""},   // no action
		{"example.com", "SyncPod", "SyncPod"},
	} {
		if got := For(test.reason, test.function); got != test.want {
			t.Errorf("For(%q, %q) = %q, want %q", test.reason, test.function, got, test.want)
		}
	}
}

// An action is a word that the guide would accept, and no component has a reason twice without an own action for each.
func TestTable(t *testing.T) {
	camel := regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	for i, row := range Table {
		for _, word := range append(strings.Fields(row.Reasons), row.Action) {
			if !camel.MatchString(word) {
				t.Errorf("row %d: %q is not UpperCamelCase", i, word)
			}
		}
		if row.By == "" || row.Regarding == "" || row.Reasons == "" {
			t.Errorf("row %d is not complete: %+v", i, row)
		}
		for _, other := range Table[:i] {
			if other.By == row.By && other.Action == row.Action && other.Regarding == row.Regarding && other.Here == row.Here {
				t.Errorf("row %d repeats %s of %s", i, row.Action, row.By)
			}
		}
		if slices.Contains(strings.Fields(row.Reasons), row.Action) {
			t.Errorf("row %d: the action repeats the reason %s", i, row.Action)
		}
	}
}

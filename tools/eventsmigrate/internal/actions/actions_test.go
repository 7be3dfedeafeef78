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
	for _, test := range []struct{ reason, note, function, want string }{
		{"SyncFailed", "", "", "Sync"},
		{"SyncWorkSucceed", "", "run", "SyncWork"},
		{"FailedBuildModel", "", "", "BuildModel"},
		{"FailedToDrain", "", "", "Drain"},
		{"ErrorUpdating", "", "", "Update"},
		{"SuccessfullyRotated", "", "", "Rotate"},
		{"Applied", "", "", "Apply"},
		{"StoppingNode", "", "", "StopNode"},
		{"RELOAD", "", "", "Reload"},
		{"EvictedByVPA", "", "", "Evict"},
		{"PodFailed", "failed to sync", "Sync", ""}, // what failed is no action
		{"SettingsFailed", "", "", ""},              // Set is a verb, Settings none
		{"ReconcileFailed", "", "Sync", ""},         // everything is reconciled
		{"Reticulated", "failed to sync", "Sync", ""},
		{"DrainNode", "", "", ""},                // the reason is one
		{"FailedCreate", "", "", "Create"},       // known
		{"BackOff", "restarting", "", "Restart"}, // known for several
		{"BackOff", "", "Sync", ""},
		{"Failed", "Failed to create x", "", "Create"},
		{"Failed", "Backup failed", "", "Backup"},
		{"Failed", "Error reloading", "", "Reload"},
		{"example.com", "x has been approved by y", "Sync", "Approve"}, // no name
		{"example.com", "%v", "Sync", "Sync"},
		{"example.com", "", "Reconcile", ""},
		{"example.com", "", "syncPod", ""}, // no action
		{"", "", "Sync", ""},
	} {
		if got := For(test.reason, test.note, test.function); got != test.want {
			t.Errorf("For(%q, %q, %q) = %q, want %q", test.reason, test.note, test.function, got, test.want)
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

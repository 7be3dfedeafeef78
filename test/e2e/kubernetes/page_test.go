// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/cluster"
	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/count"
	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/script"
)

// runs are two runs, the later with the rows given.
func runs(after ...count.Row) *comparison {
	before := &result{
		Minutes: 30, Nodes: 20, Stored: []string{"kubelet: Node a: NodeReady", "kubelet: Pod a: BackOff", "kubelet: Pod a: Pulled"},
		Rows: []count.Row{
			{Component: count.Kubelet, Reason: "BackOff", Occurrences: 100, Writes: 60, Events: 2, Sum: 60},
			{Component: count.Manager, Reason: "SuccessfulCreate", Occurrences: 5, Writes: 5, Events: 5, Sum: 5},
		},
		Usage:    []usage{{count.Kubelet, cluster.Usage{CPU: 90 * time.Second, MaxRSS: 80 << 20, Starts: 20}}},
		Describe: "Events:",
	}
	return &comparison{before, &result{Minutes: 30, Nodes: 20, Rows: after, Recorded: before.Stored[1:], Stored: before.Stored[1:2]},
		script.Pod, script.Whole}
}

// Caught: each demand left out.
func TestFailed(t *testing.T) {
	c := runs(count.Row{Component: count.Kubelet, Reason: "BackOff", Occurrences: 100, Writes: 70, Sum: 90,
		Refused: map[int]int{403: 2, 409: 1, 422: 3}})
	want := []string{
		"kubelet BackOff: 10 of 100 occurrences are lost",
		"kubelet BackOff: 2 writes are refused with 403",
		"kubelet BackOff: 3 writes are refused with 422",
		"kubelet: 70 writes, before 60",
		"no Event any more: kubelet: Pod a: Pulled",
	}
	if diff := cmp.Diff(want, c.Failed()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// Caught: a Normal among the Warnings; indented lines.
func TestWarnings(t *testing.T) {
	got := warnings("\n  Type     Reason\n  ----     ------\n  Normal   Pulled\n  Warning  Failed\n")
	if want := "Type     Reason\n----     ------\nWarning  Failed"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Caught: a reason that only one run has left out of the page.
func TestPageHasBothRuns(t *testing.T) {
	text, err := runs(count.Row{Component: count.Kubelet, Reason: "Killing", Occurrences: 3, Writes: 3, Events: 3, Sum: 3}).render()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| kubelet | 100→3 | 60→3 | 0→0 | 2→3 | 40→0 | 0→0 | 0→0 | 0→0 | 0→0 |\n",
		"| kubelet | Killing | 0→3 | 0→3 | 0→0 |\n",
		"* no Event any more: kubelet: Pod a: Pulled\n",
		"were not recorded in the second run:\n\n* kubelet: Node a: NodeReady\n",
		"| kubelet | 90→0 | 80→0 |\n",
		"* 15 %: a Deployment rolls\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the page lacks\n%s\nit is\n%s", want, text)
		}
	}
}

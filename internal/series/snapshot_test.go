// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// names returns the names of the objects of the series that are listed.
func names(list []State) (all []string) {
	for _, s := range list {
		all = append(all, s.Regarding.Name)
	}
	return all
}

func TestListOrder(t *testing.T) {
	c := newCache(intervals, 1000)
	for i := range 100 { // pod-99 has the highest count, and pod-0 waits longest
		k := spread(fmt.Sprintf("pod-%d", i), warning)
		for range i + 1 {
			see(c, k, at(time.Duration(i)*time.Second))
		}
	}
	recorded(t, c, spread("done", warning), 1000, at(0))
	frequent, waiting := c.List(3, epoch)
	if diff := cmp.Diff([]string{"done", "pod-99", "pod-98"}, names(frequent)); diff != "" {
		t.Errorf("frequent (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"pod-0", "pod-1", "pod-2"}, names(waiting)); diff != "" {
		t.Errorf("waiting (-want +got):\n%s", diff)
	}
	for _, n := range []int{-1, 0} {
		if frequent, waiting := c.List(n, epoch); len(frequent)+len(waiting) != 0 {
			t.Errorf("List(%d) has %d and %d series", n, len(frequent), len(waiting))
		}
	}
	if frequent, waiting := c.List(1000, epoch); len(frequent) != 101 || len(waiting) != 100 {
		t.Errorf("%d and %d series, want 101 and 100", len(frequent), len(waiting))
	}
}

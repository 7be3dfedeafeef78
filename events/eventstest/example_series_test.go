// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"fmt"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/events/eventstest"
)

// The Events of a Sink or a Clientset, without what is generated or measured, for go-cmp.
func ExampleSeriesOf() {
	client := eventstest.NewClientset()
	if err := tell(t.Context(), client, evicted()); err != nil {
		t.Error(err)
	}
	want := []eventstest.Series{{
		Type: "Normal", Reason: "Evicted", Action: "Evicting", Note: "the node is short of memory",
		Regarding: eventstest.Object{Kind: "Pod", Namespace: "default", Name: "web"},
		Count:     1,
	}}
	fmt.Println(cmp.Equal(want, eventstest.SeriesOf(client.Events()...)))
	// Output: true
}

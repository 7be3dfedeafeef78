// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/testkit/testlog"
	"github.com/eventseries/eventseries/sinks"
)

// One line per write, with what identifies the event and not the whole object.
func TestLog(t *testing.T) {
	j := &testlog.Log{}
	sink := sinks.Log(klog.New(j))
	first := newEvent("a")
	first.Annotations = map[string]string{"example.com/secret": "s3cret"}
	if _, err := sink.Create(t.Context(), first); err != nil {
		t.Errorf("Create() = %v", err)
	}
	e, patch := counted("a", 5)
	if _, err := sink.Patch(t.Context(), e, patch); err != nil {
		t.Errorf("Patch() = %v", err)
	}
	const rest = ` event="default/a" kind="Pod" object="default/web" type="Normal" reason="Killing" action="Kill"` +
		` note="stopping" count=`
	want := []string{"info: Event created" + rest + `"1"`, "info: Event counted up" + rest + `"5"`}
	if diff := cmp.Diff(want, j.Lines("")); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

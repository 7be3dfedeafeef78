// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package names

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	toolsEvents = "k8s.io/client-go/tools/events"
	toolsRecord = "k8s.io/client-go/tools/record"
	adapter     = "github.com/eventseries/eventseries/adapter"
	events      = "github.com/eventseries/eventseries/events"
	legacy      = "github.com/eventseries/eventseries/legacy"
)

// Everything that client-go's packages export is there after the import has changed, and as useful: what was passed
// can be passed, and what is returned can be used as what client-go returns.
//
// Caught: a NewFakeRecorder that is gone; a duration that became an int64.
func TestNamesAreThere(t *testing.T) {
	loaded, err := load(toolsEvents, toolsRecord, adapter, events, legacy)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		theirs, ours string
		want         map[string]string
	}{
		{toolsEvents, adapter, map[string]string{}},
		{toolsEvents, events, map[string]string{
			// They choose the API, which is what package adapter is for.
			"NewEventBroadcasterAdapter":            "missing",
			"NewEventBroadcasterAdapterWithContext": "missing",
		}},
		{toolsRecord, legacy, map[string]string{}},
	} {
		got := compare(loaded, test.theirs, test.ours)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s lacks of %s (-want +got):\n%s", test.ours, test.theirs, diff)
		}
	}
}

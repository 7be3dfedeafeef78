// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"testing"

	"github.com/eventseries/eventseries/discovery"
)

// TestDecide is the decision table for a refused write, line by line.
func TestDecide(t *testing.T) {
	const unknown, allowed, denied = discovery.PermissionUnknown, discovery.Allowed, discovery.Denied
	tests := []struct {
		v1, core                          discovery.Permission
		refusedByV1, refusedByCore, stays nextStep // stays: when the API is pinned or the other one is not served
	}{
		{allowed, allowed, retrySame, retrySame, retrySame},
		{allowed, denied, retrySame, switchToOther, retrySame},
		{allowed, unknown, retrySame, switchToOther, retrySame},
		{denied, allowed, switchToOther, retrySame, keepEvent},
		{denied, denied, keepEvent, keepEvent, keepEvent},
		{denied, unknown, tryOther, keepEvent, keepEvent},
		{unknown, allowed, switchToOther, retrySame, keepEvent},
		{unknown, denied, keepEvent, tryOther, keepEvent},
		{unknown, unknown, tryOther, tryOther, keepEvent},
	}
	for _, tt := range tests {
		t.Run("v1 "+tt.v1.String()+", core "+tt.core.String(), func(t *testing.T) {
			access := discovery.Access{EventsV1: tt.v1, CoreV1: tt.core}
			if got := decide(EventsV1, access, true); got != tt.refusedByV1 {
				t.Errorf("refused by events.k8s.io/v1: step %d, want %d", got, tt.refusedByV1)
			}
			if got := decide(CoreV1, access, true); got != tt.refusedByCore {
				t.Errorf("refused by core/v1: step %d, want %d", got, tt.refusedByCore)
			}
			if got := decide(EventsV1, access, false); got != tt.stays {
				t.Errorf("refused by events.k8s.io/v1, the only one: step %d, want %d", got, tt.stays)
			}
		})
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"fmt"
	"testing"

	"github.com/eventseries/eventseries/discovery"
)

func TestAnswersInWords(t *testing.T) {
	tests := []struct {
		answer fmt.Stringer
		want   string
	}{
		{discovery.Unknown, "unknown"},
		{discovery.Served, "served"},
		{discovery.NotServed, "not served"},
		{discovery.Access{}.EventsV1, "unknown"},
		{discovery.PermissionUnknown, "unknown"},
		{discovery.Allowed, "allowed"},
		{discovery.Denied, "denied"},
	}
	for _, tt := range tests {
		if got := tt.answer.String(); got != tt.want {
			t.Errorf("%T: String() = %q, want %q", tt.answer, got, tt.want)
		}
	}
}

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
		{discovery.Support(0), "unknown"},
		{discovery.Unknown, "unknown"},
		{discovery.Served, "served"},
		{discovery.NotServed, "not served"},
		{discovery.Support(9), "Support(9)"},
		{discovery.Permission(0), "unknown"},
		{discovery.PermissionUnknown, "unknown"},
		{discovery.Allowed, "allowed"},
		{discovery.Denied, "denied"},
		{discovery.Permission(-1), "Permission(-1)"},
	}
	for _, tt := range tests {
		if got := tt.answer.String(); got != tt.want {
			t.Errorf("%T: String() = %q, want %q", tt.answer, got, tt.want)
		}
	}
}

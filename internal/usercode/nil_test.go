// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import "testing"

func TestIsNil(t *testing.T) {
	var pointer *int
	for name, tt := range map[string]struct {
		v    any
		want bool
	}{
		"nil": {nil, true}, "nil pointer": {pointer, true}, "pointer": {new(int), false}, "struct": {struct{}{}, false},
	} {
		if got := IsNil(tt.v); got != tt.want {
			t.Errorf("IsNil(%s) = %t, want %t", name, got, tt.want)
		}
	}
}

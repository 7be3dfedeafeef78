// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package plural_test

import (
	"testing"

	"github.com/eventseries/eventseries/internal/plural"
)

// Caught: "1 occurrences"; "2 seriess", "2 Ingresss" and "2 Policys".
func TestOf(t *testing.T) {
	for _, test := range []struct {
		n    int64
		noun string
		want string
	}{
		{0, "occurrence", "0 occurrences"},
		{1, "occurrence", "1 occurrence"},
		{2, "occurrence", "2 occurrences"},
		{1, "series", "1 series"},
		{2, "series", "2 series"},
		{3, "Ingress", "3 Ingresses"},
		{3, "NetworkPolicy", "3 NetworkPolicies"},
		{3, "Gateway", "3 Gateways"},
	} {
		if got := plural.Of(test.n, test.noun); got != test.want {
			t.Errorf("Of(%d, %q) = %q, want %q", test.n, test.noun, got, test.want)
		}
	}
}

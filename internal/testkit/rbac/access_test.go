// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNeedsAreOrdered(t *testing.T) {
	needs := []Access{
		v1InShop, coreInShop, {Group: "", Namespace: "bank"}, v1InShop, {Group: eventsGroup, Namespace: "bank"},
		v1Everywhere,
	}
	want := []Access{v1Everywhere, {Group: "", Namespace: "bank"}, coreInShop}
	if diff := cmp.Diff(want, ordered(needs)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	want = []Access{{Group: "", Namespace: "bank"}, {Group: eventsGroup, Namespace: "bank"}, coreInShop, v1InShop}
	if diff := cmp.Diff(want, ordered(needs[:5])); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

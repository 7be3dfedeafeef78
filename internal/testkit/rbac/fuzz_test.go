// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rbac

import (
	"testing"
	"testing/fstest"
)

// Whatever a file holds, reading it ends, without a panic, in rules or in an error; and what Verify is content with, the
// rules allow.
func FuzzRead(f *testing.F) {
	f.Add(role("", "a", rule("", "*")) + bind("shop", "b", "ClusterRole", "a", "shop/worker"))
	f.Add(`{"kind":"List","items":[{"kind":"List","items":[{}]}], "x":"rbac.authorization.k8s.io"}`)
	f.Add("{{ if }}\n" + api + "kind: ClusterRole\naggregationRule: {clusterRoleSelectors: [{}]}\n")
	f.Fuzz(func(t *testing.T, text string) {
		m, err := Read(fstest.MapFS{"a.yaml": {Data: []byte(text)}})
		if err != nil {
			return
		}
		for _, account := range []Account{{}, {"shop", "worker"}} {
			rules := m.Rules(account)
			allowed := len(rules.missing(v1Everywhere)) == 0 && len(rules.missing(coreInShop)) == 0
			if problem := m.Verify(account, []Access{v1Everywhere, coreInShop}); (problem == "") != allowed {
				t.Errorf("allowed %v, but Verify says %q", allowed, problem)
			}
		}
	})
}

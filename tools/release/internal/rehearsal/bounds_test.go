// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rehearsal

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Caught: a bound that is compared the wrong way round.
func TestBounds(t *testing.T) {
	var b bounds
	b.most("files", 3, 3)
	b.most("modules", 4, 3)
	b.most("bytes", 9, 8)
	want := []string{"modules: 4, the bound is 3", "bytes: 9, the bound is 8"}
	if diff := cmp.Diff(want, failures(b.err())); diff != "" {
		t.Error(diff)
	}
}

// Caught: a module that only go list -m all shows; a raised version taken for the same module.
func TestAdded(t *testing.T) {
	r, _ := opened(t)
	const a, raised, indirect = "example.com/a@v1.0.0", "example.com/a@v1.1.0", "example.com/b@v1.0.0"
	for _, test := range []struct {
		name             string
		requiredNow, all []string
		want             string
	}{
		{"itself", []string{a, r.get()}, []string{a, r.get()}, ""},
		{"a newer one", []string{raised, r.get()}, []string{raised, r.get()}, raised},
		{"another behind it", []string{a, r.get()}, []string{a, indirect, r.get()}, indirect},
	} {
		_, err := r.added([]string{a}, test.requiredNow, []string{a}, test.all)
		if test.want == "" && err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		want := "it adds or raises " + test.want + "; a project that uses client-go gets itself and nothing else"
		if test.want != "" && (err == nil || err.Error() != want) {
			t.Errorf("%s: got %v, want %s", test.name, err, want)
		}
	}
}

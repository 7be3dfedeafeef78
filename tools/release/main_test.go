// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/tools/release/internal/repotest"
)

// A change of the API fails the check, and make api is the remedy that the check names.
//
// Caught: an api command that writes elsewhere than api-check reads.
func TestAPI(t *testing.T) {
	repository := repotest.New(t, `
-- go.mod --
module example.com/sdk

go 1.25.0
-- sdk.go --
package sdk

const Limit = 1
-- CHANGELOG.md --
# Changelog
`)
	do := func(command string) string {
		var out bytes.Buffer
		if err := run(t.Context(), []string{"-root", repository.Dir, command}, &out, &out); err != nil {
			return err.Error()
		}
		return out.String()
	}
	got := []string{do("api-check"), do("api"), do("api-check")}
	want := []string{
		"the API is not what api/ says; run make api, and say the change in CHANGELOG.md:\n" +
			"api/sdk.txt\n+ pkg sdk, const Limit untyped int = 1\n",
		"wrote 1 files in api/\n",
		"the API is as api/ says: 1 files\n" +
			"no release is reachable from HEAD (a tag such as v0.1.0): nothing to compare the API with\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	repository.Write("-- sdk.go --\npackage sdk\n\nconst Limit = Unlimited\n")
	failed := do("api")
	if !strings.Contains(failed, "does not compile: ") || !strings.Contains(failed, "undefined: Unlimited") {
		t.Error(failed)
	}
}

// Caught: a rehearsal without a version that passes.
func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"rehearse"}, {"rehearse", ""}, {"api", "now"}, {"-fast", "api"}, {"publish"}} {
		var out bytes.Buffer
		err := run(t.Context(), args, &out, &out)
		if !errors.Is(err, errUsage) || !strings.Contains(out.String(), "rehearse v1.2.3") {
			t.Errorf("%q: got %v\n%s", args, err, out.String())
		}
	}
}

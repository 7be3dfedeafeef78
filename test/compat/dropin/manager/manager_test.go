// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package manager

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	before "github.com/eventseries/eventseries/test/compat/dropin/manager/clientgo"
	after "github.com/eventseries/eventseries/test/compat/dropin/manager/eventseries"
	"github.com/eventseries/eventseries/test/compat/internal/seen"
)

// occurrences is how often a reconciler records.
const occurrences = 4

// A manager takes the SDK's broadcaster in the place of client-go's. controller-runtime, when it is given a
// broadcaster, does not end the other one that it makes for the new API, so that goleak finds client-go's
// goroutines. None is the SDK's.
//
// Caught: annotations that do not get through; a watcher that Shutdown leaves behind.
func TestManagerMigratesByItsImport(t *testing.T) {
	migrated := apiserver.New()
	shutdown, err := after.Start(t.Context(), migrated.Config())
	if err != nil {
		t.Fatal(err)
	}
	shutdown()
	if left := goleak.Find(); left != nil && namesSDK(left.Error()) {
		t.Error(left)
	}
	if got := seen.Occurrences(migrated.Events()); got != occurrences {
		t.Errorf("stored %d occurrences of %d: %v", got, occurrences, seen.Of(migrated.Events()))
	}

	server := apiserver.New()
	shutdown, err = before.Start(t.Context(), server.Config())
	if err != nil {
		t.Fatal(err)
	}
	defer shutdown()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err = server.Await(ctx, func() bool { return seen.Occurrences(server.Events()) >= occurrences })
	if err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(seen.Of(server.Events()), seen.Of(migrated.Events())); diff != "" {
		t.Errorf("Events (-client-go +eventseries):\n%s", diff)
	}
}

// namesSDK reports whether stacks have a function of the SDK, the tests apart.
func namesSDK(stacks string) bool {
	const module = "github.com/eventseries/eventseries/"
	return strings.Contains(strings.ReplaceAll(stacks, module+"test/", ""), module)
}

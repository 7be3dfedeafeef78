// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package replicas_test

import (
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/events/eventstest"
)

// The RBAC that is shipped grants what the controller writes, and with it nothing is abandoned.
//
// Caught: config/rbac.yaml without patch, without events.k8s.io, and bound to another ServiceAccount.
func TestRBAC(t *testing.T) {
	manifests, account := os.DirFS("config"), eventstest.BoundTo("replicas-system", "replicas")
	shipped, err := eventstest.ReadRBAC(manifests, account)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset(deployment("web", "3"))
		client.Authorize(shipped.Allow)
		refuseUpdates(client)
		if err := runFor(t, 150*time.Second, client); err != nil {
			t.Error(err)
		}
		eventstest.VerifyRBAC(t, manifests, account, eventstest.Needs(client.Written()...))
	})
}

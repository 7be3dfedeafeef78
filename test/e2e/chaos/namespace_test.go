// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"net/http"
	"testing"
	"time"

	"github.com/eventseries/eventseries/events"
)

// terminatingIsBelieved is how long nothing is created in a namespace that was
// found terminating.
const terminatingIsBelieved = time.Minute

// Occurrences about objects in a namespace that is deleted are dropped, as NamespaceGone.
// Occurrences about objects in the next namespace of the same name are recorded. A component that
// may write in all namespaces learns from the server that the namespace is gone.
//
// Caught: "no such namespace" that is tried again.
func TestNamespaceDeleted(t *testing.T) {
	s := open(t, scenario{
		title: "a namespace deleted and made again, another deleted; ClusterRole",
		drops: []events.DropReason{events.DropNamespaceGone},
	})
	s.AllowAll()
	s.Run(3 * time.Second)
	for _, namespace := range s.namespaces[:2] {
		s.Terminate(namespace)
		s.Run(5 * time.Second)
		s.Empty(namespace)
		s.Run(2 * time.Second)
		s.Finalize(namespace)
		s.Run(5 * time.Second)
	}
	s.recreated(s.namespaces[0])
	s.settle()
	s.wants(http.StatusForbidden)
	s.wants(http.StatusNotFound)
}

// recreated makes namespace again, with new pods in it, and checks that what is
// recorded about them arrives.
func (s *rig) recreated(namespace string) {
	s.t.Helper()
	s.Make(namespace)
	s.Join(Recreated(pods, namespace))
	s.Run(3 * time.Second)
	s.recoversWithin(terminatingIsBelieved + resumption)
	s.Run(3 * time.Second)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.rebornDropped > 0 {
		s.t.Errorf("%d occurrences about objects of the new namespace were dropped", s.rebornDropped)
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"net/http"
	"testing"
	"time"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

// everywhere is every namespace that the storm has Events in.
func (s *rig) everywhere() []string { return append([]string{"default"}, s.namespaces...) }

func (s *rig) allow(namespaces []string, groups ...string) {
	s.t.Helper()
	for _, namespace := range namespaces {
		s.Allow(namespace, groups...)
	}
}

func (s *rig) deny(namespaces []string, groups ...string) {
	s.t.Helper()
	for _, namespace := range namespaces {
		s.Deny(namespace, groups...)
	}
}

// during lets the storm go on for d and returns the writes that were answered
// meanwhile with status.
func (s *rig) during(d time.Duration, status int) []wire.Exchange {
	began := time.Now()
	s.Run(d)
	return s.Wire.Seen(func(e wire.Exchange) bool {
		return e.At.After(began) && (e.IsCreate() || e.IsPatch()) && e.Status == status
	})
}

// Caught: an adapter that rejects what no group allows.
func TestRBACRevoked(t *testing.T) {
	both := []string{harness.EventsV1, harness.CoreV1}
	s := open(t, scenario{title: "RBAC revoked and granted: a namespace, a group, all, 10 times in a row"})
	s.Run(3 * time.Second)

	t.Log("one namespace")
	s.deny(s.namespaces[:1], both...)
	elsewhere := 0
	for _, e := range s.during(10*time.Second, http.StatusCreated) {
		if !e.WroteIn(s.namespaces[0]) {
			elsewhere++
		}
	}
	if elsewhere == 0 {
		t.Error("no Event was created in any namespace while one was forbidden")
	}
	s.allow(s.namespaces[:1], both...)
	s.recovers()

	t.Log("one group")
	s.deny(s.everywhere(), harness.EventsV1)
	s.recovers() // through the other one
	s.allow(s.everywhere(), harness.EventsV1)
	s.Run(3 * time.Second)

	t.Log("both groups")
	s.deny(s.everywhere(), both...)
	s.Run(20 * time.Second)
	s.allow(s.everywhere(), both...)
	s.recovers()

	t.Log("10 times in a row")
	for range 10 {
		s.deny(s.namespaces[:1], both...)
		s.Run(time.Second)
		s.allow(s.namespaces[:1], both...)
		s.Run(time.Second)
	}
	s.recovers()
	s.settle()
	s.wants(http.StatusForbidden)
}

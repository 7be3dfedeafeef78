// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events/eventstest"
)

// permissions has the reviews of each group answered as told, whatever is true.
func (c *cluster) permissions(viaV1, viaCore discovery.Permission) {
	c.review(func(asked *authorizationv1.ResourceAttributes) (bool, error) {
		answer := viaCore
		if asked.Group == v1 {
			answer = viaV1
		}
		if answer == discovery.PermissionUnknown {
			return false, errors.New("the authorizer is out of order")
		}
		return answer == discovery.Allowed, nil
	})
}

// TestAccess is the decision table for a 403, line by line, from Eventf to the server.
func TestAccess(t *testing.T) {
	const unknown, allowed, denied = discovery.PermissionUnknown, discovery.Allowed, discovery.Denied
	const toCore, kept = "RBAC forbids events.k8s.io/v1 in this namespace", "RBAC forbids Events in this namespace"
	tests := []struct {
		v1, core     discovery.Permission // what the reviews say
		refuse       []string             // the groups that really refuse
		recorded     int64
		pending      int64
		viaV1        int64  // requests; -1: as many as back-off allows
		viaCore      int64  // -1: as many as through v1
		line         string // of the log, exactly once; "": not yet
		namespaceAPI adapter.API
	}{
		{allowed, allowed, []string{v1}, 0, 1, -1, 0, "", "v1"}, // and after a minute: TestAdmissionRefuses
		{allowed, denied, []string{v1}, 0, 1, -1, 0, "", "v1"},
		{allowed, unknown, []string{v1}, 0, 1, -1, 0, "", "v1"},
		{denied, allowed, []string{v1}, 1, 0, 1, 1, toCore, "core"},
		{unknown, allowed, []string{v1}, 1, 0, 1, 1, toCore, "core"},
		{denied, denied, []string{v1, core}, 0, 1, -1, 0, kept, "v1"},
		{unknown, denied, []string{v1, core}, 0, 1, -1, 0, kept, "v1"},
		{unknown, unknown, []string{v1}, 1, 0, 1, 1, toCore, "core"},
		{denied, unknown, []string{v1}, 1, 0, 1, 1, toCore, "core"},
		{unknown, unknown, []string{v1, core}, 0, 1, -1, -1, "", "v1"},
		{denied, unknown, []string{v1, core}, 0, 1, -1, -1, kept, "v1"},
	}
	for _, tt := range tests {
		name := fmt.Sprintf("v1 %v, core %v, %d refuse", tt.v1, tt.core, len(tt.refuse))
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.permissions(tt.v1, tt.core)
				c.deny("shop", tt.refuse...)
				log, logged := withLog()
				a, rec := start(t, c, logged)
				synctest.Wait()
				emit(rec, 1, "shop", "web")
				time.Sleep(40 * time.Second)
				checkAccounts(t, a, tt.recorded, tt.pending, nil)
				if tt.line != "" {
					log.CheckOnce(t, tt.line)
				} else if lines := log.Lines("error: "); len(lines) > 0 {
					t.Errorf("complaints within a minute: %q", lines)
				}
				if tt.viaV1 < 0 {
					tt.viaV1 = c.Writes().EventsV1.Creates
				}
				if tt.viaCore < 0 {
					tt.viaCore = tt.viaV1
				}
				checkWrites(t, c, tt.viaV1, tt.viaCore)
				if got, want := c.reviews.Load(), asksFor(tt.v1)+asksFor(tt.core); got != want {
					t.Errorf("%d access reviews within a minute, want %d", got, want)
				}
				got := a.Snapshot(0).Namespaces["shop"]
				if got.API != tt.namespaceAPI || got.Access.EventsV1 != tt.v1 || got.Access.CoreV1 != tt.core {
					t.Errorf("Status of the namespace: %+v", got)
				}
				if outOfOrder := tt.v1 == unknown || tt.core == unknown; tt.pending == 0 && outOfOrder != strings.Contains(got.LastError, "out of order") {
					t.Errorf("LastError = %q, want it to say that the authorizer is out of order: %v", got.LastError, outOfOrder)
				}
				if remedy := got.Remedy(); (remedy == "") != (tt.v1 == allowed) {
					t.Errorf("remedy %q, want one unless RBAC is not what is wrong", remedy)
				}
				if tt.line == kept || tt.line == toCore {
					if line := log.Lines(tt.line)[0]; !strings.Contains(line, "RoleBinding") {
						t.Errorf("no remedy in the log line: %s", line)
					}
				}
				checkAPI(t, a, adapter.EventsV1)

				emit(rec, 1, "other", "api") // no other namespace is touched
				time.Sleep(time.Second)
				s := a.Stats()
				if s.Recorded != tt.recorded+1 || c.Writes().CoreV1.Creates != tt.viaCore {
					t.Errorf("a write in another namespace: %+v, want it recorded, not through core/v1", s)
				}
			})
		})
	}
}

// Events that nothing allows are kept, said every ten minutes, and delivered when RBAC is granted, in either group.
func TestKeptUntilGranted(t *testing.T) {
	for _, granted := range []string{v1, core} {
		t.Run("granted "+granted, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.deny("shop", v1, core)
				log, logged := withLog()
				a, rec := start(t, c, logged)
				emit(rec, 3, "shop", "web")
				emit(rec, 1, "shop", "api")
				for range 25 {
					time.Sleep(time.Minute)
					emit(rec, 1, "shop", "web")
				}
				if got := c.reviews.Load(); got > 26*asks {
					t.Errorf("%d access reviews in 25 minutes, want at most %d a minute", got, asks)
				}
				if got := len(log.Lines("RBAC forbids Events in this namespace")); got != 3 {
					t.Errorf("%d lines in 25 minutes, want one every ten", got)
				}
				checkAccounts(t, a, 0, 29, nil)

				other := map[string]string{v1: core, core: v1}[granted]
				c.deny("shop", other)
				time.Sleep(2 * time.Minute)
				checkAccounts(t, a, 29, 0, nil)
				if n := len(c.Events()); n != 2 {
					t.Errorf("%d Events, want one per series", n)
				}
				if got, want := len(a.Snapshot(0).Namespaces), map[string]int{v1: 0, core: 1}[granted]; got != want {
					t.Errorf("%d namespaces in Status, want %d", got, want)
				}

				c.deny("shop", v1, core)
				emit(rec, 1, "shop", "db")
				time.Sleep(5 * time.Minute)
				if got := len(log.Lines("RBAC forbids Events in this namespace")); got != 4 {
					t.Errorf("%d lines after RBAC was revoked again, want one more: it is another finding", got)
				}
			})
		})
	}
}

// A Role that forgot "patch" refuses each series' second write while new series go on to be created: that is one
// finding, one line of the log, and one question a minute.
func TestRoleWithoutPatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.Authorize(func(r eventstest.Request) bool { return r.Verb != "patch" })
		log, logged := withLog()
		a, rec := start(t, c, logged)
		const series = 20
		for i := range series {
			emit(rec, 1, "shop", fmt.Sprint("web-", i))
			time.Sleep(time.Second)
			emit(rec, 1, "shop", fmt.Sprint("web-", i))
			time.Sleep(29 * time.Second)
		}
		log.CheckOnce(t, "RBAC forbids Events in this namespace")
		if got := c.reviews.Load(); got > 11*asks {
			t.Errorf("%d access reviews in 10 minutes, want at most %d a minute", got, asks)
		}
		if got := a.Snapshot(0).Namespaces["shop"]; got.LastError == "" || got.Remedy() == "" {
			t.Errorf("Status of the namespace: %+v, want the refusal and the remedy", got)
		}
		c.Authorize(nil)
		time.Sleep(time.Minute)
		checkAccounts(t, a, 2*series, 0, nil)
		if left := a.Snapshot(0).Namespaces; len(left) != 0 {
			t.Errorf("Snapshot().Namespaces = %+v after RBAC was granted, want none", left)
		}
	})
}

// When RBAC grants only core/v1 and then only events.k8s.io/v1, the namespace follows within the minute.
func TestAccessMovesFromCoreToV1(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.deny("shop", v1)
		log, logged := withLog()
		a, rec := start(t, c, logged)
		emit(rec, 1, "shop", "web")
		flush(t, a)
		time.Sleep(time.Second)
		c.deny("shop", core) // within a minute of the answer that it is allowed
		emit(rec, 1, "shop", "web")
		time.Sleep(2 * time.Minute)
		checkAccounts(t, a, 2, 0, nil)
		e := only(t, c)
		checkCount(t, &e, 2)
		if left := a.Snapshot(0).Namespaces; len(left) != 0 {
			t.Errorf("Snapshot().Namespaces = %+v, want none", left)
		}
		log.CheckOnce(t, "Events of this namespace go through events.k8s.io/v1 again")
	})
}

// Where a Role forgot "patch" of events.k8s.io/v1, its namespace stays with core/v1, whatever that refuses.
//
// Caught: a create that core/v1 refused once, after which creates try events.k8s.io/v1, which allows them.
func TestRefusalsByCoreLeadNobodyBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.Authorize(func(r eventstest.Request) bool { return r.Group != v1 || r.Verb != "patch" })
		log, logged := withLog()
		a, rec := start(t, c, logged)
		emit(rec, 1, "shop", "web")
		flush(t, a)
		emit(rec, 1, "shop", "web")
		flush(t, a)
		var refused atomic.Bool
		c.Fail(func(_ context.Context, r eventstest.Request) error {
			if r.Resource == "events" && r.Group == core && r.Verb == "create" && !refused.Swap(true) {
				return errRefused
			}
			return nil
		})
		for i := range 10 {
			emit(rec, 1, "shop", fmt.Sprint("db-", i))
			time.Sleep(time.Minute)
		}
		checkAccounts(t, a, 12, 0, nil)
		if lines := log.Lines("Events of this namespace go through events.k8s.io/v1 again"); len(lines) > 0 || !refused.Load() {
			t.Errorf("core/v1 refused: %v, and then %q, want no way back", refused.Load(), lines)
		}
	})
}

// A namespace whose first create was refused returns with a patch, if it has no other writes.
//
// Caught: creates alone that try, so that a namespace with one series stays with core/v1 for ever.
func TestPatchesLeadBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.deny("shop", v1)
		a, rec := start(t, c)
		emit(rec, 2, "shop", "web")
		flush(t, a)
		c.deny("shop", "none")
		for range 15 {
			time.Sleep(time.Minute)
			emit(rec, 1, "shop", "web")
			flush(t, a)
		}
		if left := a.Snapshot(0).Namespaces; len(left) != 0 {
			t.Errorf("Snapshot().Namespaces = %+v after RBAC was granted, want none", left)
		}
		if got := c.Writes().EventsV1; got.Creates != 1 { // the one that was refused
			t.Errorf("through events.k8s.io/v1: %+v, want one create", got)
		}
	})
}

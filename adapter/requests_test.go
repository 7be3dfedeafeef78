// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/events/eventstest"
)

// A component whose RBAC is for core/v1 only, the main fallback, costs little more than its writes: in an hour, 50
// namespaces with a write every two minutes each.
//
// Caught: a question about every namespace each minute; four reviews where one settles it; who we are, asked again for
// each namespace.
func TestCoreOnlyCostsLittleMoreThanItsWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.Authorize(func(r eventstest.Request) bool { return r.Group == core })
		identities := 0
		c.PrependReactor("create", "selfsubjectreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
			identities++
			review := &authenticationv1.SelfSubjectReview{}
			review.Status.UserInfo.Username = "jane"
			return true, review, nil
		})
		a, rec := start(t, c)
		const namespaces, writes = 50, 30
		for i := range writes {
			for k := range namespaces {
				emit(rec, 1, fmt.Sprint("shop-", k), fmt.Sprint("web-", i))
			}
			time.Sleep(2 * time.Minute)
		}
		checkAccounts(t, a, namespaces*writes, 0, nil)
		w, reviews := c.Writes(), c.reviews.Load()
		requests := w.EventsV1.Creates + w.CoreV1.Creates + reviews + int64(identities) + c.probes.Load()
		got := float64(requests) / (namespaces * writes)
		t.Logf("%d requests, %.3f a write; %d access reviews, %d identity reviews", requests, got, reviews, identities)
		if identities > 4 || got > 1.2 { // each of the workers may be the first to ask who it is
			t.Errorf("%.3f requests a write, want at most 1.2; %d identity reviews, want one a worker at most", got, identities)
		}
	})
}

// What RBAC grants later is found: by everybody soon after a ClusterRole, which the first to ask hears of, and by a
// single namespace within half an hour. Nothing is lost meanwhile.
//
// Caught: a yes that the other namespaces do not follow; a namespace that only others ask for.
func TestAGrantIsFound(t *testing.T) {
	tests := map[string]struct {
		after   time.Duration // the grant
		granted []string
		within  time.Duration
	}{
		"whoever applies the remedy":   {30 * time.Second, []string{"a", "b", "c"}, 2 * time.Minute},
		"a ClusterRole, a day later":   {24 * time.Hour, []string{"a", "b", "c"}, 12 * time.Minute},
		"a Role of one of them, later": {24 * time.Hour, []string{"c"}, 31 * time.Minute},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.Authorize(func(r eventstest.Request) bool { return r.Group == core })
				a, rec := start(t, c)
				began := time.Now()
				for i := 0; time.Since(began) < tt.after+tt.within; i++ {
					if time.Since(began) >= tt.after {
						c.Authorize(func(r eventstest.Request) bool {
							return r.Group == core || slices.Contains(tt.granted, r.Namespace)
						})
					}
					for _, namespace := range []string{"a", "b", "c"} {
						emit(rec, 1, namespace, fmt.Sprint("web-", i))
						flush(t, a)
					}
					time.Sleep(30 * time.Second)
				}
				for _, namespace := range tt.granted {
					if _, there := a.Snapshot(0).Namespaces[namespace]; there {
						t.Errorf("%v after the grant %s is still written through core/v1", tt.within, namespace)
					}
				}
				if s := a.Stats(); s.Recorded != s.Observed {
					t.Errorf("%+v, want all recorded", s)
				}
			})
		})
	}
}

// A Role for events.k8s.io/v1 that forgot "patch" beside one for core/v1 leaves the namespace with core/v1: what tries
// events.k8s.io/v1 again is a patch, and no create, which would succeed and prove nothing.
func TestATryIsOfWhatWasRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.Authorize(func(r eventstest.Request) bool { return r.Group == core || r.Verb == "create" })
		log, logged := withLog()
		a, rec := start(t, c, logged)
		twice := func(name string) {
			emit(rec, 1, "shop", name)
			flush(t, a)
			emit(rec, 1, "shop", name)
			flush(t, a)
		}
		for i := range 60 {
			twice(fmt.Sprint("web-", i))
			time.Sleep(time.Minute)
		}
		log.CheckOnce(t, "RBAC forbids events.k8s.io/v1 in this namespace")
		if w := c.Writes().EventsV1; w.Creates != 1 || w.Patches < 4 || w.Patches > 10 {
			t.Errorf("through events.k8s.io/v1: %+v, want the first create, and a patch every ten minutes", w)
		}
		c.Authorize(nil)
		time.Sleep(10 * time.Minute)
		twice("db")
		if left := a.Snapshot(0).Namespaces; len(left) != 0 {
			t.Errorf("Snapshot().Namespaces = %+v after RBAC was granted, want none", left)
		}
	})
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// permissions has the reviews of each group answered as told, whatever is true. It must be called before any request.
func (c *cluster) permissions(viaV1, viaCore discovery.Permission) {
	c.PrependReactor("create", "selfsubjectaccessreviews",
		func(action clienttesting.Action) (bool, runtime.Object, error) {
			review := action.(clienttesting.CreateAction).GetObject().(*authorizationv1.SelfSubjectAccessReview)
			answer := viaCore
			if review.Spec.ResourceAttributes.Group == v1 {
				answer = viaV1
			}
			if answer == discovery.PermissionUnknown {
				return true, nil, errors.New("the authorizer is out of order")
			}
			review.Status.Allowed = answer == discovery.Allowed
			return true, review, nil
		})
}

// webhook refuses to create what has a name with prefix, and counts.
func (c *cluster) webhook(prefix string) *atomic.Int64 {
	var refused atomic.Int64
	c.Fail(func(_ context.Context, r eventstest.Request) error {
		e, ok := r.Object.(metav1.Object)
		if r.Verb != "create" || !ok || !strings.HasPrefix(e.GetName(), prefix) {
			return nil
		}
		refused.Add(1)
		return errRefused
	})
	return &refused
}

// The line that says that Events wait is ended by one that says how many have waited. A series that may be created
// again says nothing about patches.
func TestGrantIsLogged(t *testing.T) {
	for _, mode := range []adapter.Mode{adapter.ModeAuto, adapter.ModeEventsV1, adapter.ModeLegacy} {
		t.Run(string(mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCluster()
				c.deny("shop", v1, core)
				log, logged := withLog()
				_, rec := start(t, c, logged, adapter.WithMode(mode))
				emit(rec, 3, "shop", "web")
				emit(rec, 2, "shop", "db")
				emit(rec, 1, "default", "web")
				time.Sleep(25 * time.Minute)
				const ended = "info: RBAC allows Events in this namespace again"
				if lines := log.Lines(ended); len(lines) != 0 {
					t.Fatalf("nothing was granted: %q", lines)
				}
				c.deny("shop")
				time.Sleep(10 * time.Minute)
				line := log.CheckOnce(t, ended)
				for _, part := range []string{`namespace="shop"`, `occurrences="5"`} {
					if !strings.Contains(line, part) {
						t.Errorf("no %s: %s", part, line)
					}
				}
			})
		})
	}
}

// A webhook that refuses one kind of events for good loses that kind and no other, at a few requests each, and RBAC
// is asked about once a minute.
func TestAdmissionRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		refused := c.webhook("bad")
		log, logged := withLog()
		a, rec := start(t, c, logged)
		for i := range 10 {
			emit(rec, 1, "shop", fmt.Sprint("good-", i))
			emit(rec, 1, "shop", fmt.Sprint("bad-", i))
		}
		time.Sleep(time.Second)
		if lines := log.Lines("Event refused, will retry"); len(lines) != 1 || !strings.Contains(lines[0], "by a webhook") {
			t.Errorf("after a second %q, want one line with the webhook's words", lines)
		}
		time.Sleep(99 * time.Second)
		log.CheckOnce(t, "Event refused, will retry")
		if got := refused.Load(); got < 30 || got > 80 {
			t.Errorf("%d requests for 10 events that are refused, want 3 to 8 each", got)
		}
		if got := c.reviews(); got > 2*asks {
			t.Errorf("%d access reviews within two minutes, want at most %d", got, 2*asks)
		}
		checkAccounts(t, a, 10, 0, map[events.DropReason]int64{events.DropRejected: 10})
		if got := a.Snapshot(0).Namespaces["shop"]; got.LastError == "" || got.Remedy() != "" {
			t.Errorf("Status of the namespace: %+v, want the refusal and no remedy: RBAC is not what is wrong", got)
		}
		if got := a.Snapshot(0).Remedy(); got != "" {
			t.Errorf("Remedy() = %q, want none", got)
		}
	})
}

// A review that fails hides no refusal: both are in the status, and in the line of the log.
//
// Caught: the error of the review in place of the refusal.
func TestFailedReviewHidesNoRefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.permissions(discovery.PermissionUnknown, discovery.PermissionUnknown)
		c.deny("shop", v1, core)
		log, logged := withLog()
		a, rec := start(t, c, logged)
		emit(rec, 1, "shop", "web")
		time.Sleep(5 * time.Minute)
		const refusal, failure = "is forbidden", "cannot tell what RBAC allows"
		got := a.Snapshot(0).Namespaces["shop"]
		if !strings.Contains(got.LastError, refusal) || !strings.Contains(got.ReviewError, failure) {
			t.Errorf("%+v, want the refusal and the error of the review", got)
		}
		line := log.CheckOnce(t, "RBAC forbids Events in this namespace")
		if !strings.Contains(line, refusal) || !strings.Contains(line, failure) {
			t.Errorf("want the refusal and the error of the review: %s", line)
		}
	})
}

// Where RBAC allows the API that a namespace goes through, and a webhook refuses, there is no remedy: no RBAC would help.
//
// Caught: a Role for events.k8s.io/v1 under ModeCoreV1, and in a cluster that does not serve it any more.
func TestNoRemedyAgainstAWebhook(t *testing.T) {
	for name, row := range map[string]struct {
		mode   adapter.Mode
		denied []string // API groups that the mode does not use
		gone   bool     // events.k8s.io/v1, after RBAC has refused it
	}{
		"auto":                      {mode: adapter.ModeAuto},
		"pinned to v1":              {mode: adapter.ModeEventsV1, denied: []string{core}},
		"pinned to core":            {mode: adapter.ModeCoreV1, denied: []string{v1}},
		"v1 is not served any more": {mode: adapter.ModeAuto, denied: []string{v1}, gone: true},
	} {
		fixture.InBubble(t, name, func(t *testing.T) {
			c := newCluster()
			c.deny("shop", row.denied...)
			a, rec := start(t, c, adapter.WithMode(row.mode))
			if row.gone {
				emit(rec, 1, "shop", "web")
				time.Sleep(time.Minute)
				c.ServeEventsV1(false)
				emit(rec, 1, "default", "web")
				time.Sleep(time.Minute)
			}
			c.webhook("bad")
			emit(rec, 1, "shop", "bad")
			time.Sleep(time.Minute)
			now := a.Snapshot(0)
			got, found := now.Namespaces["shop"]
			if !found || got.Exception || got.Remedy() != "" || now.Remedy() != "" {
				t.Errorf("%+v (found: %v), want no exception and no remedy; got %s", got, found, got.Remedy())
			}
		})
	}
}

// A component whose RBAC is for core/v1 only, the main fallback, costs little more than its writes: in an hour, 50
// namespaces with a write every two minutes each.
//
// Caught: a question about every namespace each minute; four reviews where one settles it; who we are, asked again for
// each namespace.
func TestCoreOnlyCostsLittleMoreThanItsWrites(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.Authorize(func(r eventstest.Request) bool { return r.Group == core })
		a, rec := start(t, c)
		const namespaces, writes = 50, 30
		for i := range writes {
			for k := range namespaces {
				emit(rec, 1, fmt.Sprint("shop-", k), fmt.Sprint("web-", i))
			}
			time.Sleep(2 * time.Minute)
		}
		checkAccounts(t, a, namespaces*writes, 0, nil)
		requests, reviews, identities := len(c.Requests()), c.reviews(), c.Count("POST /apis/authentication.k8s.io/v1/selfsubjectreviews")
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
		fixture.InBubble(t, name, func(t *testing.T) {
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
					fixture.Flush(t, a)
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
	}
}

// A namespace that was not written to for some time is forgotten: somebody may have deleted it. One that is written to is
// not, and an exception that is seldom written to is kept for a day, so that it is not refused and logged each time.
//
// Caught: a namespace that is counted as refused for the life of the process; one rule for both; a namespace that is
// forgotten although it is in use.
func TestNamespacesAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.Authorize(func(r eventstest.Request) bool { return r.Group == core && r.Namespace != "refused" })
		log, logged := withLog()
		a, rec := start(t, c, logged)
		check := func(when string, want ...string) {
			t.Helper()
			if got := slices.Sorted(maps.Keys(a.Snapshot(0).Namespaces)); !slices.Equal(got, want) {
				t.Errorf("%s: namespaces %q, want %q", when, got, want)
			}
		}
		for _, namespace := range []string{"refused", "exception", "in-use"} {
			emit(rec, 1, namespace, "web-0")
		}
		time.Sleep(59 * time.Minute)
		check("while an occurrence waits", "exception", "in-use", "refused")
		time.Sleep(2*time.Hour + time.Minute)
		check("an hour after it was dropped", "exception", "in-use")
		if n := a.Snapshot(0).ForbiddenNamespaces(); n != 0 {
			t.Errorf("refused in %d namespaces, want none", n)
		}
		time.Sleep(20 * time.Hour)
		emit(rec, 1, "in-use", "web-1")
		time.Sleep(2 * time.Hour)
		check("25 hours later", "in-use")
		emit(rec, 1, "exception", "web-1")
		time.Sleep(time.Minute)
		check("when it is written to again", "exception", "in-use")
		if n := len(log.Lines("RBAC forbids events.k8s.io/v1")); n != 3 {
			t.Errorf("%d lines about two namespaces, want two and one for the one that was forgotten", n)
		}
	})
}

// A ClusterRole that allows patches only is tried little more often than none. In each namespace one patch leads to
// events.k8s.io/v1, and the next create back.
//
// Caught: each patch leads there and each create back, with a line of the log; all namespaces try after each patch.
func TestPatchesAloneAreNoGrant(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.Authorize(func(r eventstest.Request) bool { return r.Group == core || r.Verb == "patch" })
		log, logged := withLog()
		a, rec := start(t, c, logged)
		const namespaces, hours = 10, 3
		for i := range hours * 60 {
			for k := range namespaces {
				// This is a create in the first round, and then a patch. So a patch is the first to try.
				emit(rec, 1, fmt.Sprint("shop-", k), "web")
				fixture.Flush(t, a)
				emit(rec, 1, fmt.Sprint("shop-", k), fmt.Sprint("web-", i))
				fixture.Flush(t, a)
			}
			time.Sleep(time.Minute)
		}
		if s := a.Stats(); s.Recorded != s.Observed {
			t.Errorf("%+v, want all recorded", s)
		}
		w := c.Writes().EventsV1
		// Each namespace tries for itself each half hour, and one for all each ten minutes, more often at first. The rest
		// is the first refusal, and once in each namespace a patch and the create after it.
		const most = namespaces*(hours*2+3) + hours*6 + 4
		t.Logf("%+v through events.k8s.io/v1 of %d occurrences, want at most %d", w, a.Stats().Observed, most)
		if w.Creates+w.Patches > most || w.Patches != namespaces {
			t.Errorf("%+v through events.k8s.io/v1, want at most %d, and one patch a namespace", w, most)
		}
		if n := len(log.Lines("go through events.k8s.io/v1 again")); n > namespaces {
			t.Errorf("%d lines say that a namespace is back, want one a namespace at most", n)
		}
	})
}

// A permission that was missing, granted and is missing again is another one: the review of the first time says nothing
// about the second. The other API is tried at once.
//
// Caught: a namespace that waits for the next review, a minute after the last.
func TestARefusalAfterAGrantIsNew(t *testing.T) {
	for name, second := range map[string]string{"events.k8s.io is taken away": v1, "core is taken away": core} {
		fixture.InBubble(t, name, func(t *testing.T) {
			c := newCluster()
			c.deny("shop", v1, core)
			a, rec := start(t, c)
			emit(rec, 1, "shop", "web-0")
			time.Sleep(10 * time.Second)
			c.deny("shop")
			fixture.Flush(t, a)
			c.deny("shop", second)
			emit(rec, 1, "shop", "web-1")
			time.Sleep(2 * time.Second)
			if s := a.Stats(); s.Recorded != 2 {
				t.Errorf("%d recorded two seconds later, want both through the API that is left", s.Recorded)
			}
		})
	}
}

// Until a review is answered nothing is known about the permissions in a namespace. The remedy is for that namespace even
// then.
//
// Caught: a ClusterRole, which somebody may apply.
func TestRemedyBeforeTheReviewIsOfTheNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster()
		c.deny("shop", v1, core)
		c.PrependReactor("create", "selfsubjectaccessreviews", func(clienttesting.Action) (bool, runtime.Object, error) {
			time.Sleep(5 * time.Second)
			return false, nil, nil
		})
		a, rec := start(t, c)
		emit(rec, 1, "shop", "web")
		time.Sleep(time.Second)
		now := a.Snapshot(0)
		if len(now.Namespaces) != 1 {
			t.Fatalf("%+v, want the namespace that is refused", now.Namespaces)
		}
		if remedy, _ := json.Marshal(now.Remedy()); bytes.Contains(remedy, []byte("ClusterRole")) {
			t.Errorf("%s", remedy)
		}
		time.Sleep(time.Minute) // all reviews are answered
	})
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/eventseries/eventseries/test/sim/apiserver"
)

type object = apiserver.Object

// What the server knows about the one event of a script.
//
// Caught: an acknowledgement that was lost but counts, a late write that is not ambiguous, a 409 that acknowledges
// nothing, a lease that a patch without effect renews, a namespace that goes and leaves its events.
func TestLedger(t *testing.T) {
	answer := (*pending).Answer
	lose := func(q *pending) { q.Lose(apiserver.ErrReset) }
	for name, row := range map[string]struct {
		script func(t *testing.T, r *rig)
		want   object
	}{
		"created": {func(_ *testing.T, r *rig) {
			r.must(create(r.v1, event("web.1")))
		}, object{Group: v1, Count: 1, MaxAcked: 1, Live: true}},
		"patched through the other group": {func(_ *testing.T, r *rig) {
			r.must(create(r.v1, event("web.1")))
			r.must(patch(r.core, "web.1", 4, ""))
		}, object{Group: "", Count: 4, MaxAcked: 4, Live: true}},
		"created, and the answer is lost": {func(_ *testing.T, r *rig) {
			_ = r.do(create(r.v1, counted(event("web.1"), 3)), lose)
		}, object{Group: v1, Count: 3, Ambiguous: 3, Live: true}},
		"and tried again": {func(_ *testing.T, r *rig) {
			_ = r.do(create(r.v1, counted(event("web.1"), 3)), lose)
			_ = r.do(create(r.v1, counted(event("web.1"), 3)), answer)
		}, object{Group: v1, Count: 3, MaxAcked: 3, Ambiguous: 3, Live: true}},
		"behind a proxy": {func(_ *testing.T, r *rig) {
			r.must(create(r.v1, event("web.1")))
			_ = r.do(patch(r.v1, "web.1", 2, ""), func(q *pending) { q.Mask(apiserver.BadGateway) })
		}, object{Group: v1, Count: 2, MaxAcked: 1, Ambiguous: 2, Live: true}},
		"a refusal hides nothing": {func(_ *testing.T, r *rig) {
			_ = r.do(create(r.v1, event("web.1")), func(q *pending) { q.Mask(apiserver.Unauthorized) })
		}, object{Group: v1, Count: 1, MaxAcked: 1, Live: true}},
		"failed patch": {func(_ *testing.T, r *rig) {
			r.must(create(r.v1, event("web.1")))
			_ = r.do(patch(r.v1, "web.1", 2, ""), func(q *pending) { q.Fail(apiserver.InternalError) })
		}, object{Group: v1, Count: 1, MaxAcked: 1, Live: true}},
		"a patch that may yet land": {func(t *testing.T, r *rig) {
			r.must(create(r.v1, event("web.1")))
			r.giveUp(patch(r.v1, "web.1", 2, ""))
		}, object{Group: v1, Count: 1, MaxAcked: 1, Ambiguous: 2, Live: true}},
		"a patch that landed late": {func(t *testing.T, r *rig) {
			r.must(create(r.v1, event("web.1")))
			r.giveUp(patch(r.v1, "web.1", 2, "")).Answer()
		}, object{Group: v1, Count: 2, MaxAcked: 1, Ambiguous: 2, Live: true}},
		"a patch that vanished": {func(t *testing.T, r *rig) {
			r.must(create(r.v1, event("web.1")))
			r.giveUp(patch(r.v1, "web.1", 2, "")).Vanish()
		}, object{Group: v1, Count: 1, MaxAcked: 1, Live: true}},
		"expired": {func(_ *testing.T, r *rig) {
			r.SetTTL(10 * time.Second)
			r.must(create(r.v1, counted(event("web.1"), 5)))
			time.Sleep(10 * time.Second)
		}, object{Group: v1, Count: 5, MaxAcked: 5}},
		"a longer TTL raises no dead": {func(_ *testing.T, r *rig) {
			r.SetTTL(10 * time.Second)
			r.must(create(r.v1, event("web.1")))
			time.Sleep(10 * time.Second)
			r.SetTTL(0)
			_ = r.do(patch(r.v1, "web.1", 2, ""), answer)
		}, object{Group: v1, Count: 1, MaxAcked: 1}},
		"kept by a patch": {func(_ *testing.T, r *rig) {
			r.SetTTL(10 * time.Second)
			r.must(create(r.v1, event("web.1")))
			time.Sleep(9 * time.Second)
			r.must(patch(r.v1, "web.1", 2, ""))
			time.Sleep(9 * time.Second)
			r.must(patch(r.v1, "web.1", 3, ""))
		}, object{Group: v1, Count: 3, MaxAcked: 3, Live: true}},
		"not kept by a patch without effect": {func(_ *testing.T, r *rig) {
			r.SetTTL(10 * time.Second)
			r.must(create(r.v1, counted(event("web.1"), 2)))
			time.Sleep(9 * time.Second)
			r.must(patch(r.v1, "web.1", 2, ""))
			time.Sleep(time.Second)
		}, object{Group: v1, Count: 2, MaxAcked: 2}},
		"created anew": {func(_ *testing.T, r *rig) {
			r.must(create(r.v1, counted(event("web.1"), 5)))
			time.Sleep(time.Hour)
			_ = r.do(patch(r.v1, "web.1", 6, ""), answer)
			r.must(create(r.v1, counted(event("web.1"), 6)))
		}, object{Group: v1, Count: 6, MaxAcked: 6, Live: true}},
		"gone with its namespace": {func(_ *testing.T, r *rig) {
			r.must(create(r.v1, event("web.1")))
			r.Namespace("shop", apiserver.Missing)
			_ = r.do(patch(r.v1, "web.1", 2, ""), answer)
		}, object{Group: v1, Count: 1, MaxAcked: 1}},
		"not gone with another namespace": {func(_ *testing.T, r *rig) {
			r.must(create(r.v1, event("web.1")))
			r.Namespace("bank", apiserver.Missing)
		}, object{Group: v1, Count: 1, MaxAcked: 1, Live: true}},
		"old style": {func(_ *testing.T, r *rig) {
			r.must(r.createOld("web.1"))
			r.must(r.patchOld("web.1", 2))
		}, object{Group: "", Count: 2, MaxAcked: 2, Live: true, Legacy: true}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				row.script(t, r)
				row.want.Namespace, row.want.Name, row.want.Component = "shop", "web.1", component
				ignored := cmpopts.IgnoreFields(object{}, "Event")
				if diff := cmp.Diff(row.want, r.object(), ignored); diff != "" {
					t.Errorf("the object (-want +got):\n%s", diff)
				}
				r.checkViolations()
			})
		})
	}
}

// giveUp sends a request whose client stops waiting for it.
func (r *rig) giveUp(call func(context.Context) error) *pending {
	r.t.Helper()
	ctx, cancel := context.WithCancel(r.t.Context())
	q, result := r.sendIn(ctx, call)
	cancel()
	if <-result == nil || !q.GaveUp() {
		r.t.Errorf("%s: its client has not given up", q)
	}
	return q
}

// An object that was never stored is not in Objects.
func TestLedgerHasNothingUnstored(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		_ = r.do(create(r.v1, event("web.1")), func(q *pending) { q.Break(apiserver.ErrRefused) })
		if all := r.Objects(); len(all) != 0 {
			t.Errorf("objects %+v, want none", all)
		}
	})
}

// Somebody else's write conflicts with ours, renews the lease and leaves the count.
func TestAnnotateEvent(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		if r.AnnotateEvent(0) {
			t.Error("an event annotated where there is none")
		}
		r.SetTTL(10 * time.Second)
		r.must(create(r.v1, event("web.1")))
		r.must(create(r.v1, event("web.2")))
		time.Sleep(9 * time.Second)
		if !r.AnnotateEvent(3) {
			t.Error("no event annotated")
		}
		err := r.do(patch(r.v1, "web.2", 2, "2"), (*pending).Answer)
		expectation{code(409), verdict{Action: 3}}.check(t, err)
		time.Sleep(9 * time.Second)
		all := r.Objects()
		if all[0].Live || !all[1].Live || all[1].Count != 1 {
			t.Errorf("objects %+v, want the second only to live", all)
		}
		r.must(patch(r.v1, "web.2", 2, "3"))
	})
}

// Requests by kind. Caught: a lost answer that counts as delivered.
func TestCalls(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.must(create(r.v1, event("web.1")))
		r.must(patch(r.v1, "web.1", 2, ""))
		_ = r.do(create(r.core, event("web.2")), func(q *pending) { q.Lose(apiserver.ErrReset) })
		_ = r.do(create(r.core, event("web.2")), func(q *pending) { q.Fail(apiserver.Starting) })
		_ = r.do(create(r.core, event("web.2")), func(q *pending) { q.Break(apiserver.ErrRefused) })
		r.giveUp(create(r.core, event("web.3"))).Answer()
		r.giveUp(create(r.core, event("web.4"))).Vanish()
		r.must(probe(prober(r)))
		type calls = apiserver.Call
		want := map[calls]int{
			{Component: component, Verb: "create", Group: v1, Resource: "events", Code: 201, Delivered: true}: 1,
			{Component: component, Verb: "patch", Group: v1, Resource: "events", Code: 200, Delivered: true}:  1,
			{Component: component, Verb: "create", Resource: "events", Code: 201}:                             2,
			{Component: component, Verb: "create", Resource: "events", Code: 503, Delivered: true}:            1,
			{Component: component, Verb: "create", Resource: "events"}:                                        2,
			{Component: component, Verb: "get", Group: v1, Code: 200, Delivered: true}:                        1,
		}
		if diff := cmp.Diff(want, r.Calls()); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}

// Writes of old-style events that their component knows to be stored. Caught: one that counts though it was late.
func TestAckedLegacy(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		r.must(create(r.v1, event("web.1")))
		r.must(r.createOld("web.2"))
		r.must(r.patchOld("web.2", 2))
		_ = r.do(r.createOld("web.3"), func(q *pending) { q.Lose(apiserver.ErrReset) })
		_ = r.do(r.createOld("web.3"), (*pending).Answer) // is there already
		_ = r.do(r.patchOld("web.4", 2), (*pending).Answer)
		r.giveUp(r.createOld("web.5")).Answer()
		if got := r.AckedLegacy(component); got != 3 {
			t.Errorf("%d writes acknowledged, want 3", got)
		}
		r.checkViolations() // client-go's correlator patches what was never stored
	})
}

// What the server holds against its clients.
//
// Caught: each of the checks taken out.
func TestViolations(t *testing.T) {
	for name, row := range map[string]struct {
		script func(r *rig)
		want   []string
	}{
		"two writes at once": {func(r *rig) {
			r.must(create(r.v1, event("web.1")))
			_, _ = r.send(patch(r.v1, "web.1", 2, ""))
			_, _ = r.send(patch(r.v1, "web.1", 3, ""))
		}, []string{"I3: controller patch events.events.k8s.io shop Pod/web Normal Killed/Killing"}},
		"a retry after giving up": {func(r *rig) {
			r.must(create(r.v1, event("web.1")))
			_ = r.giveUp(patch(r.v1, "web.1", 2, ""))
			_, _ = r.send(patch(r.v1, "web.1", 2, ""))
		}, nil},
		"two events at once": {func(r *rig) {
			_, _ = r.send(create(r.v1, event("web.1")))
			_, _ = r.send(create(r.v1, event("web.2")))
		}, nil},
		"patch of nothing": {func(r *rig) {
			_ = r.do(patch(r.v1, "web.1", 2, ""), (*pending).Answer)
		}, []string{"before its create was answered"}},
		"patch after a lost answer": {func(r *rig) {
			_ = r.do(create(r.v1, event("web.1")), func(q *pending) { q.Lose(apiserver.ErrReset) })
			_ = r.do(patch(r.v1, "web.1", 2, ""), (*pending).Answer)
		}, []string{"before its create was answered"}},
		"look after a lost answer": {func(r *rig) { // through core/v1, where a patch without series could be old style
			_ = r.do(create(r.core, event("web.1")), func(q *pending) { q.Lose(apiserver.ErrReset) })
			_ = r.do(func(ctx context.Context) error {
				_, err := r.core.Patch(ctx, event("web.1"), []byte("{}"))
				return err
			}, (*pending).Answer)
		}, []string{"before its create was answered"}},
		"patch after it expired": {func(r *rig) {
			r.must(create(r.v1, event("web.1")))
			time.Sleep(time.Hour)
			_ = r.do(patch(r.v1, "web.1", 2, ""), (*pending).Answer)
			_ = r.do(patch(r.v1, "web.1", 2, ""), (*pending).Answer)
		}, []string{"before its create was answered"}},
		"patch while the API was away": {func(r *rig) {
			r.must(create(r.v1, event("web.1")))
			r.SetServed(false)
			_ = r.do(patch(r.v1, "web.1", 2, ""), (*pending).Answer)
			_ = r.do(patch(r.core, "web.1", 2, ""), (*pending).Answer)
		}, nil},
		"count goes down": {func(r *rig) {
			r.must(create(r.v1, counted(event("web.1"), 7)))
			r.must(patch(r.v1, "web.1", 5, ""))
		}, []string{"lowered the count of a stored event by 2"}},
		"a late patch takes from the count": {func(r *rig) {
			r.must(create(r.v1, event("web.1")))
			late := r.giveUp(patch(r.v1, "web.1", 2, ""))
			r.must(patch(r.v1, "web.1", 3, ""))
			late.Answer()
		}, []string{"lowered the count of a stored event by 1"}},
		"a stale one does not": {func(r *rig) {
			r.must(create(r.v1, event("web.1")))
			late := r.giveUp(patch(r.v1, "web.1", 2, "1"))
			r.must(patch(r.v1, "web.1", 3, ""))
			late.Answer()
		}, nil},
		"invalid": {func(r *rig) {
			e := event("web.1")
			e.Action = ""
			_ = r.do(create(r.v1, e), (*pending).Answer)
		}, []string{"I7: "}},
		"immutable": {func(r *rig) {
			r.must(create(r.v1, event("web.1")))
			_ = r.do(func(ctx context.Context) error {
				_, err := r.v1.Patch(ctx, event("web.1"), []byte(`{"note":"changed"}`))
				return err
			}, (*pending).Answer)
		}, []string{"I7: "}},
		"no JSON": {func(r *rig) {
			r.must(create(r.v1, event("web.1")))
			_ = r.do(func(ctx context.Context) error {
				_, err := r.v1.Patch(ctx, event("web.1"), []byte("{"))
				return err
			}, (*pending).Answer)
		}, []string{"I7: "}},
		"too large": {func(r *rig) {
			e := event("web.1")
			e.Annotations = map[string]string{"a": strings.Repeat("x", 3<<20)}
			_ = r.do(create(r.v1, e), (*pending).Answer)
		}, []string{"Request entity too large"}},
		"a body that is no JSON at all": {func(r *rig) {
			_ = r.do(func(ctx context.Context) error {
				return r.client.EventsV1().RESTClient().Post().Namespace("shop").Resource("events").
					SetHeader("Content-Type", "application/vnd.kubernetes.protobuf").Body([]byte("k8s")).Do(ctx).Error()
			}, (*pending).Answer)
		}, []string{"UnsupportedMediaType"}},
		"a path that nobody has": {func(r *rig) {
			_ = r.do(func(ctx context.Context) error {
				return r.client.CoreV1().RESTClient().Get().Resource("pods").Do(ctx).Error()
			}, (*pending).Answer)
		}, []string{"unknown: "}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(_ *testing.T, r *rig) {
				row.script(r)
				r.checkViolations(row.want...)
				synctest.Wait()
			})
		})
	}
}

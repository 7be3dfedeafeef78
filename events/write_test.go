// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/events"
)

// The effects of each kind of answer: all requests that follow, and the drops. internal/request
// tests which answers are of which kind.
func TestEveryAnswer(t *testing.T) {
	const created, patched = "create pod/web Killing\n", "patch pod/web Killing count=2\n"
	failed := func(reason string) string { return "create pod/web Killing: " + reason + "\n" }
	patchFailed := func(reason string) string { return created + "patch pod/web Killing count=2: " + reason + "\n" }
	conflict := apierrors.NewConflict(eventsResource, "web", errors.New("modified"))
	filtered := fmt.Errorf("mine: %w", events.ErrFiltered)
	for name, row := range map[string]struct {
		err     error
		lose    bool // the write has its effect nevertheless
		patch   bool // the second occurrence gets this answer
		log     string
		dropped events.DropReason
		wait    time.Duration // at least this long until the next request
	}{
		"stored":               {log: created},
		"stored, answer lost":  {err: errTimeout, lose: true, log: failed("context deadline exceeded (applied)") + failed("AlreadyExists")},
		"not served":           {err: errNotServed, log: failed("NotFound") + created, wait: 15 * time.Second},
		"RBAC":                 {err: errForbidden, log: failed("Forbidden") + created},
		"429 with Retry-After": {err: apierrors.NewTooManyRequests("APF", 7), log: failed("TooManyRequests") + created, wait: 7 * time.Second},
		"503":                  {err: errUnavailable, log: failed("ServiceUnavailable") + created},
		"timeout":              {err: errTimeout, log: failed("context deadline exceeded") + created},
		"namespace going":      {err: errTerminating, log: failed("Forbidden"), dropped: events.DropNamespaceGone},
		"namespace missing":    {err: errNoNamespace, log: failed("NotFound"), dropped: events.DropNamespaceGone},
		"422":                  {err: errInvalid, log: failed("Invalid"), dropped: events.DropRejected},
		"filtered":             {err: filtered, log: failed(filtered.Error()), dropped: events.DropFiltered},
		"expired": {
			err: apierrors.NewNotFound(eventsResource, "web"), patch: true,
			log: patchFailed("NotFound") + "create pod/web Killing count=2: AlreadyExists\n" + // which has a count of 1
				"patch pod/web Killing\n" + patched,
		},
		"a proxy's 400":  {err: errPage(400), log: failed("BadRequest") + created},
		"a proxy's 409":  {err: errPage(409), log: failed("AlreadyExists") + created},
		"conflict":       {err: conflict, patch: true, log: patchFailed("Conflict") + "patch pod/web Killing\n" + patched},
		"422 to a patch": {err: errInvalid, patch: true, log: patchFailed("Invalid"), dropped: events.DropRejected},
		"patch lost": { // it is repeated with the old resourceVersion and conflicts with itself
			err: errTimeout, patch: true, lose: true,
			log: patchFailed("context deadline exceeded (applied)") + "patch pod/web Killing count=2: Conflict\n" +
				"patch pod/web Killing\n" + patched,
		},
	} {
		subtest(t, name, nil, func(r *rig) {
			total := int64(1)
			if row.patch {
				r.record(1, "web")
				r.flush()
				total++
			}
			if row.lose {
				r.sink.LoseNext(1, row.err)
			} else if row.err != nil {
				r.sink.FailNext(1, row.err)
			}
			r.record(1, "web")
			time.Sleep(10 * time.Minute)
			r.diff("requests", row.log, r.sink.Log())
			if row.dropped != "" {
				if all := r.drops.take(); len(all) != 1 || all[0].Reason != row.dropped || !errors.Is(all[0].Err, row.err) {
					r.Errorf("told of %+v, want %s with the answer", all, row.dropped)
				}
				total--
			}
			if s := r.b.Stats(); s.Recorded != total {
				r.Errorf("recorded %d, want %d", s.Recorded, total)
			}
			if calls := r.sink.calls(); row.wait > 0 && calls[1]-calls[0] < row.wait {
				r.Errorf("the next request came after %v, want at least %v", calls[1]-calls[0], row.wait)
			}
		})
	}
}

// errPage is the error that client-go makes of a page that is not a Status.
func errPage(code int) error {
	return apierrors.NewGenericServerResponse(code, "POST", eventsResource, "", "<html>", 0, true)
}

// If a proxy answers in place of the API server, nothing is dropped, and the log names the proxy as
// the cause.
func TestPagesOfProxiesRefuseNothing(t *testing.T) {
	for _, code := range []int{400, 402, 403, 405, 406, 407, 409, 410, 411, 412, 413, 415, 417, 418, 421, 422, 426, 451, 499} {
		subtest(t, fmt.Sprint(code), nil, func(r *rig) {
			r.sink.FailNext(1000, errPage(code))
			r.record(1, "web")
			time.Sleep(10 * time.Minute)
			requests := len(r.sink.calls())
			r.sink.Heal()
			time.Sleep(time.Minute)
			if s := r.b.Stats(); s.Recorded != 1 || s.Dropped[events.DropRejected] > 0 {
				r.Errorf("recorded %d, dropped %v, want the Event kept and written", s.Recorded, s.Dropped)
			}
			r.only() // a conflict of a proxy stores nothing
			if requests > 30 {
				r.Errorf("%d requests in ten minutes, want a back-off", requests)
			}
			if len(r.log.Lines("A proxy or firewall refuses")) == 0 || len(r.log.Lines("the API server rejects")) > 0 {
				r.Errorf("log: %q", r.log.Take())
			}
		})
	}
}

// I4: an occurrence counts as recorded only after the server has answered.
func TestI4RecordedOnlyAfterAnAnswer(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		check := func(when string, recorded, pending int64) {
			r.Helper()
			synctest.Wait()
			if s := r.b.Stats(); s.Recorded != recorded || s.Pending != pending {
				r.Errorf("%s: recorded %d, pending %d, want %d and %d", when, s.Recorded, s.Pending, recorded, pending)
			}
		}
		r.sink.Hold()
		r.record(1, "web")
		check("create in flight", 0, 1)
		r.sink.Release()
		check("create answered", 1, 0)
		r.sink.LoseNext(2, errTimeout) // after the first one it is sent again at once
		r.record(5, "web")
		check("patch stored, answer lost", 1, 5)
		r.flush()
		check("patch answered", 6, 0)
	})
}

// I4: a Create that was delayed in the network arrives just after somebody has deleted the Event.
// So the next Create finds an Event with an older count. The occurrences that this count does not
// include are not yet recorded.
func TestI4LateCreateIsNotTheNewOne(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		var late answer
		deleted := false
		r.sink.around = func(ctx context.Context, op string, e *eventsv1.Event, store answer) (*eventsv1.Event, error) {
			switch {
			case op == "create" && late == nil:
				late = store
				<-ctx.Done()
				return nil, ctx.Err()
			case op == "patch" && deleted:
				deleted = false
				stored, err := store(ctx) // there is none
				_, _ = late(r.Context())
				return stored, err
			}
			return store(ctx)
		}
		r.record(1, "web")
		time.Sleep(time.Minute) // the create was repeated
		r.record(4, "web")
		r.flush()
		e := r.only()
		r.sink.Expire(e.Namespace, e.Name)
		deleted = true
		r.record(5, "web")
		r.flush()
		e = r.only()
		if s := r.b.Stats(); s.Recorded != 10 || e.Series == nil || e.Series.Count != 10 {
			r.Errorf("recorded %d, on the server %+v, want 10", s.Recorded, e.Series)
		}
	})
}

// I3: a delayed older patch cannot lower the count for ever, because it has the resourceVersion
// that the newer patch has replaced.
func TestI3LatePatchDoesNotLowerTheCount(t *testing.T) {
	for _, beforeRetry := range []bool{true, false} {
		subtest(t, fmt.Sprint("it arrives before the retry: ", beforeRetry), nil, func(r *rig) {
			var late answer // the network delays the first patch until its sender has given up
			r.sink.around = func(ctx context.Context, op string, _ *eventsv1.Event, store answer) (*eventsv1.Event, error) {
				if op == "patch" && late == nil {
					late = store
					<-ctx.Done()
					return nil, ctx.Err()
				}
				return store(ctx)
			}
			r.record(1, "web")
			synctest.Wait()
			r.record(1, "web")
			synctest.Wait() // the patch to 2 is on its way
			r.record(3, "web")
			if beforeRetry {
				_, _ = late(r.Context())
			}
			r.flush()
			if _, err := late(r.Context()); err == nil {
				r.Error("the late patch was taken, want a conflict")
			}
			if e := r.only(); count(&e) != 5 {
				r.Errorf("count %d, want 5; requests:\n%s", count(&e), r.sink.Log())
			}
		})
	}
}

// Each request is reported once, with the number of its attempt, until the handler is removed.
func TestOnRequest(t *testing.T) {
	inBubble(t, nil, func(r *rig) {
		r.sink.SetLatency(time.Second)
		var mu sync.Mutex // workers call
		var got, other []events.Request
		add := func(to *[]events.Request) func(events.Request) {
			return func(one events.Request) {
				mu.Lock()
				defer mu.Unlock()
				*to = append(*to, one)
			}
		}
		stop := r.b.OnRequest(add(&got))
		r.b.OnRequest(func(events.Request) { panic("of the handler") })
		r.b.OnRequest(add(&other))
		for _, err := range []error{errForbidden, errors.New("connection reset")} {
			r.sink.FailNext(1, err)
			r.record(1, "a")
			time.Sleep(time.Minute)
		}
		stop()
		r.record(1, "b")
		time.Sleep(time.Minute)
		mu.Lock()
		defer mu.Unlock()
		r.diff("requests", []events.Request{
			{Operation: "create", Code: 403, Duration: time.Second, Attempt: 1},
			{Operation: "create", Code: 201, Duration: time.Second, Attempt: 2},
			{Operation: "patch", Code: 0, Duration: time.Second, Attempt: 1},
			{Operation: "patch", Code: 200, Duration: time.Second, Attempt: 2},
		}, got)
		if len(other) != 5 {
			r.Errorf("another handler heard of %d requests, want 5", len(other))
		}
		if s := r.b.Stats(); s.Creates != 2 || s.Patches != 1 || s.Retries != 2 || s.Series != 2 {
			r.Errorf("%+v, want 2 creates, 1 patch, 2 retries, 2 series", s)
		}
	})
}

// The context of a caller other than a broadcaster has no Write.
func TestWriteFromContextOfNobody(t *testing.T) {
	if w, ok := events.WriteFromContext(context.Background()); ok || w != (events.Write{}) {
		t.Errorf("%+v, %v", w, ok)
	}
}

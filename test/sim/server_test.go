// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
	verdicts "github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/sinks"
)

// rig is a server with one component, whose calls the test ends itself.
type rig struct {
	*server
	core events.Sink
}

func newRig() rig {
	s := newServer()
	s.setTTL(time.Hour)
	return rig{s, sinks.CoreV1(s.client("controller", 0).CoreV1())}
}

// create creates event web.1, and patch sets its count. Both return what the client makes of the answer, unless end gives
// none and the client gives up.
func (r rig) create(change func(*eventsv1.Event), end func(*request)) error {
	event := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web.1"}, EventTime: metav1.NowMicro(),
		ReportingController: "example.com/controller", ReportingInstance: "controller-1", Action: "Kill", Reason: "Killing",
		Type: corev1.EventTypeNormal, Regarding: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web"},
	}
	if change != nil {
		change(event)
	}
	return r.do(func(ctx context.Context) error { _, err := r.core.Create(ctx, event); return err }, end)
}

func (r rig) patch(body string, end func(*request)) error {
	event := &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web.1"}}
	return r.do(func(ctx context.Context) error { _, err := r.core.Patch(ctx, event, []byte(body)); return err }, end)
}

func (r rig) do(call func(context.Context) error, end func(*request)) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	result := make(chan error, 1)
	go func() { result <- call(ctx) }()
	synctest.Wait()
	if end != nil {
		end(r.waiting[len(r.waiting)-1])
	} else {
		time.Sleep(time.Second)
		synctest.Wait()
		r.release()
	}
	return <-result
}

func countTo(n int) string {
	return fmt.Sprintf(`{"series":{"count":%d,"lastObservedTime":"2026-11-20T11:25:19.080374Z"}}`, n)
}

// What the server holds against its clients. Caught: each of the checks taken out; an answer that was lost and
// acknowledges; a 404 of an API that is not served taken for an event that is gone.
func TestServerViolations(t *testing.T) {
	for name, row := range map[string]struct {
		script func(r rig)
		want   string
	}{
		"two writes at once": {func(r rig) {
			_ = r.create(nil, (*request).answer)
			_ = r.patch(countTo(2), func(first *request) {
				_ = r.patch(countTo(3), (*request).answer)
				first.answer()
			})
		}, "x3 while its client waits for"},
		"a retry after giving up": {func(r rig) {
			_ = r.create(nil, (*request).answer)
			_ = r.patch(countTo(2), nil)
			_ = r.patch(countTo(2), (*request).answer)
		}, ""},
		"a patch of nothing": {func(r rig) { _ = r.patch(countTo(2), (*request).answer) }, "before its create was answered"},
		"a patch after a lost answer": {func(r rig) {
			_ = r.create(nil, func(q *request) { q.lose(errReset) })
			_ = r.patch("{}", (*request).answer)
		}, "before its create was answered"},
		"a patch after it expired": {func(r rig) {
			_ = r.create(nil, (*request).answer)
			time.Sleep(time.Hour)
			_ = r.patch(countTo(2), (*request).answer)
			_ = r.patch(countTo(2), (*request).answer)
		}, "before its create was answered"},
		"a count goes down": {func(r rig) {
			_ = r.create(nil, (*request).answer)
			_ = r.patch(countTo(7), (*request).answer)
			_ = r.patch(countTo(5), (*request).answer)
		}, "lowered the count of a stored event by 2"},
		"a late patch takes from the count": {func(r rig) {
			_ = r.create(nil, (*request).answer)
			_ = r.patch(countTo(2), nil)
			late := r.waiting[0]
			_ = r.patch(countTo(3), (*request).answer)
			late.answer()
		}, "lowered the count of a stored event by 1"},
		"invalid": {func(r rig) {
			_ = r.create(func(e *eventsv1.Event) { e.Action = "" }, (*request).answer)
		}, "I7: "},
		"no JSON": {func(r rig) {
			_ = r.create(nil, (*request).answer)
			_ = r.patch("{", (*request).answer)
		}, "I7: "},
		"a path that nobody has": {func(r rig) {
			_ = r.do(func(ctx context.Context) error {
				_, err := r.client("controller", 0).CoreV1().Events("shop").Get(ctx, "web.1", metav1.GetOptions{})
				return err
			}, (*request).answer)
		}, "unknown: "},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig()
				row.script(r)
				got := strings.Join(r.takeViolations(), "\n")
				if got == "" != (row.want == "") || !strings.Contains(got, row.want) {
					t.Errorf("violations %q, want %q", got, row.want)
				}
			})
		})
	}
}

// The SDK makes of each failure what the simulation expects. Caught: a delay that is not in the header; a 429 of
// EventRateLimit with details.
func TestFailures(t *testing.T) {
	retry := func(gate verdicts.Scope, wait time.Duration) verdicts.Verdict {
		return verdicts.Verdict{Action: verdicts.Retry, Gate: gate, Wait: wait}
	}
	rejected := verdicts.Verdict{Action: verdicts.Drop, Reason: stats.Rejected}
	want := map[string]verdicts.Verdict{
		"401": retry(verdicts.Server, 0), "408": {Action: verdicts.Retry, Gate: verdicts.Namespace, Unanswered: true},
		"429 APF": retry(verdicts.Shared, time.Second), "429 EventRateLimit": retry(verdicts.Shared, 0),
		"500": retry(verdicts.Namespace, 0), "500 etcd": retry(verdicts.Namespace, 2*time.Second),
		"502": retry(verdicts.Namespace, 0), "503 proxy": retry(verdicts.Shared, 0),
		"503 starting": retry(verdicts.Shared, 5*time.Second), "504": retry(verdicts.Shared, 0),
		"403 webhook": {Action: verdicts.Forbidden, Gate: verdicts.Namespace},
		"400 webhook": rejected, "422 policy": rejected, "413": rejected,
	}
	for f, failure := range failures {
		t.Run(failure.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig()
				err := r.create(nil, func(q *request) { q.fail(Failure(f)) })
				got := verdicts.Classify(verdicts.Request{}, err)
				if failure.name != "503 starting" && got.Ambiguous != failure.ambiguous {
					t.Errorf("ambiguous: %v, want %v", got.Ambiguous, failure.ambiguous)
				}
				got.Ambiguous = false
				if diff := cmp.Diff(want[failure.name], got); diff != "" || len(r.storedEvents()) > 0 {
					t.Errorf("verdict on %v (-want +got):\n%s", err, diff)
				}
			})
		})
	}
}

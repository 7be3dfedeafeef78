// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"errors"
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/correlator"
	"github.com/eventseries/eventseries/internal/options"
)

func reasonOf(s string) events.DropReason { return events.DropReason(s) }

func withQueueSize(n int) Option {
	return options.For(func(b *correlator.Bound) { *b = correlator.Bound(n) })
}

func TestAnswersToACreate(t *testing.T) {
	badRequest, unsendable := status(400, "BadRequest"), &rest.RequestConstructionError{Err: errors.New("x")}
	tests := map[string]struct {
		answer   error
		requests int
		want     map[string]int64
	}{
		"acknowledged":          {nil, 1, map[string]int64{"Recorded": 1, "Creates": 1}},
		"our own attempt":       {apierrors.NewAlreadyExists(eventResource, "a"), 1, map[string]int64{"Recorded": 1}},
		"no proper answer":      {errors.New("broken pipe or so"), 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"refused connection":    {syscall.ECONNREFUSED, 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"internal error":        {status(500, "InternalError"), 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"unavailable":           {unavailable(), 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"rate limited":          {status(429, "TooManyRequests"), 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"told to come back":     {apierrors.NewTooManyRequests("later", 9), 2, map[string]int64{"Recorded": 1}},
		"unauthorized":          {status(401, "Unauthorized"), 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"forbidden":             {forbidden(), 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"conflict":              {status(409, "Conflict"), 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"invalid":               {status(422, "Invalid"), 1, map[string]int64{"Rejected": 1}},
		"bad request":           {fmt.Errorf("wrapped: %w", badRequest), 1, map[string]int64{"Rejected": 1}},
		"cannot be sent":        {unsendable, 1, map[string]int64{"Rejected": 1}},
		"not found, of all":     {apierrors.NewNotFound(eventResource, "a"), 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"namespace terminating": {terminating("default"), 1, map[string]int64{"NamespaceGone": 1}},
		"no namespace": {
			apierrors.NewNotFound(corev1.Resource("namespaces"), "default"), 1, map[string]int64{"NamespaceGone": 1},
		},
		"of no server":           {&apierrors.StatusError{}, 1, map[string]int64{"Rejected": 1}},
		"not found by no server": {status(404, ""), 2, map[string]int64{"Recorded": 1, "Retries": 1}},
		"not wanted":             {events.ErrFiltered, 1, map[string]int64{"Filtered": 1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := &server{script: failing(test.answer)}
				b, recorder := recordTo(sink)
				recorder.Event(pod("a"), "Normal", "Started", "m")
				time.Sleep(time.Minute)
				b.Shutdown()
				requests := sink.requests()
				if len(requests) != test.requests {
					t.Fatalf("%d requests, want %d: %v", len(requests), test.requests, sink.lines())
				}
				if diff := cmp.Diff(requests[0], requests[len(requests)-1]); diff != "" {
					t.Errorf("the retry differs from the first try (-first +last):\n%s", diff)
				}
				test.want["Observed"], test.want["Pending"] = 1, 0
				checkStats(t, b.Stats(), test.want)
			})
		})
	}
}

func TestAnswersToAPatch(t *testing.T) {
	tests := map[string]struct {
		answer error
		want   []string
		stats  map[string]int64
	}{
		"acknowledged": {nil, []string{"patch a n=2"}, map[string]int64{"Patches": 1}},
		"expired": {
			apierrors.NewNotFound(eventResource, "a"), []string{"patch a n=2", "create a n=2"},
			map[string]int64{"Creates": 2},
		},
		"expired, without details": { // TestUpdateExpiredEvent of client-go
			status(404, ""), []string{"patch a n=2", "create a n=2"}, map[string]int64{"Creates": 2},
		},
		"conflict": {
			status(409, "Conflict"), []string{"patch a n=2", "patch a n=2"},
			map[string]int64{"Patches": 1, "Retries": 1},
		},
		"unavailable": {unavailable(), []string{"patch a n=2", "patch a n=2"}, map[string]int64{"Patches": 1}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := &server{}
				b, recorder := recordTo(sink)
				recorder.Event(pod("a"), "Normal", "Started", "m")
				synctest.Wait()
				sink.answer(failing(test.answer))
				if apierrors.IsNotFound(test.answer) {
					sink.expire("a")
				}
				recorder.Event(pod("a"), "Normal", "Started", "m")
				time.Sleep(time.Minute)
				b.Shutdown()
				for i, line := range test.want {
					test.want[i] = line + ` "m"`
				}
				if diff := cmp.Diff(test.want, sink.lines()[1:]); diff != "" {
					t.Errorf("requests (-want +got):\n%s", diff)
				}
				for _, r := range sink.requests() {
					if r.Op == "create" && r.Event.ResourceVersion != "" {
						t.Errorf("create with resourceVersion %q, which the server refuses", r.Event.ResourceVersion)
					}
				}
				test.stats["Recorded"] = 2
				checkStats(t, b.Stats(), test.stats)
			})
		})
	}
}

// A terminating namespace takes patches and no creates, each of which is refused for itself. Once it is made again, what
// comes later is written at once.
func TestTerminatingNamespace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{}
		b, recorder := recordTo(sink)
		recorder.Event(podIn("doomed", "old"), "Normal", "Started", "m")
		synctest.Wait()
		sink.answer(answersThatRefuse("doomed")["namespace terminating"])
		for i := range 30 {
			recorder.Event(podIn("doomed", fmt.Sprintf("new-%d", i)), "Normal", "Killing", "m")
		}
		recorder.Event(podIn("doomed", "old"), "Normal", "Started", "m")
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{
			"Observed": 32, "Pending": 0, "NamespaceGone": 30, "Recorded": 2, "Creates": 1, "Patches": 1,
		})
		sink.answer(nil)
		recorder.Event(podIn("doomed", "newer"), "Normal", "Started", "m")
		synctest.Wait()
		checkStats(t, b.Stats(), map[string]int64{"Pending": 0, "Recorded": 3})
		b.Shutdown()
	})
}

// creates counts the creates that reached sink in a namespace.
func TestConflictBacksOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: func(sinkCall) error { return status(409, "Conflict") }}
		b, recorder := recordTo(sink)
		recorder.Event(pod("a"), "Normal", "Started", "m")
		time.Sleep(10 * time.Minute)
		if n := len(sink.requests()); n < 10 || n > 200 {
			t.Errorf("%d requests in ten minutes, want a few per minute", n)
		}
		sink.answer(nil)
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 1})
	})
}

func TestAnHourIsEnough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: func(sinkCall) error { return unavailable() }}
		b, recorder := recordTo(sink)
		recorder.Event(pod("a"), "Normal", "Started", "m")
		time.Sleep(59 * time.Minute)
		checkStats(t, b.Stats(), map[string]int64{"Pending": 1})
		for range 5 {
			recorder.Event(pod("b"), "Normal", "Started", "m")
		}
		time.Sleep(2 * time.Minute)
		// An answer that never came leaves it open whether it was written.
		checkStats(t, b.Stats(), map[string]int64{"TooOld": 1, "Unconfirmed": 1, "Pending": 5})
		if n := b.Stats().Retries; n < 60 || n > 1000 {
			t.Errorf("%d retries in an hour, want a few per minute", n)
		}
		sink.answer(nil)
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"TooOld": 1, "Recorded": 5})
	})
}

func TestSpamFilterIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{}
		b, recorder := recordTo(sink)
		for range 100 {
			recorder.Event(pod("a"), "Normal", "Started", "m")
		}
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Observed": 100, "Recorded": 25, "SpamFilter": 75})
	})
}

// client-go's aggregate event is made again and lacks these fields.
func TestAggregateKeepsFields(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{}
		b := NewBroadcaster()
		b.StartRecordingToSink(sink)
		labels := map[string]string{"app": "web"}
		recorder := b.NewEventsRecorder(nil, kubelet).WithLabels(labels)
		annotations := map[string]string{"trace": "1"}
		for i := range 12 {
			recorder.AnnotatedEventf(pod("a"), pod("b"), annotations, "Normal", "Started", "Starting", "note %d", i)
		}
		b.Shutdown()
		requests := sink.requests()
		for _, r := range requests {
			got := [...]any{
				r.Event.Action, r.Event.Related, r.Event.ReportingController, r.Event.ReportingInstance,
				r.Event.Labels, r.Event.Annotations, r.Event.EventTime.IsZero(),
			}
			want := [...]any{"Starting", pod("b"), "kubelet", "node-1", labels, annotations, true}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%v (-want +got):\n%s", r, diff)
			}
		}
		if got, want := sink.lines()[9], `create a n=1 "(combined from similar events): note 9"`; got != want {
			t.Errorf("10th request is %s, want %s", got, want)
		}
	})
}

// TestKeyFunctionsConcurrentSafe has the race detector look at a key function
// that relies on being called by one goroutine at a time, as in client-go.
func TestKeyFunctionsConcurrentSafe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := map[string]int{}
		count := func(e *corev1.Event) string {
			calls[e.InvolvedObject.Name]++
			return e.InvolvedObject.Name
		}
		b, recorder := recordTo(&server{}, WithCorrelatorOptions(record.CorrelatorOptions{SpamKeyFunc: count}))
		for i := range 200 {
			recorder.Event(pod(fmt.Sprint(i%20)), "Normal", "Started", "m")
		}
		b.Shutdown()
		if len(calls) != 20 || calls["7"] != 10 {
			t.Errorf("calls by object: %v, want 10 of each of 20", calls)
		}
	})
}

// A sink may answer with success and no event.
func TestSinkReturnsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, recorder := recordTo(silentSink{})
		recorder.Event(pod("a"), "Normal", "Started", "m")
		recorder.Event(pod("a"), "Normal", "Started", "m")
		b.Shutdown()
		checkStats(t, b.Stats(), map[string]int64{"Recorded": 2, "Creates": 1, "Patches": 1})
	})
}

type silentSink struct{}

func (silentSink) Create(*corev1.Event) (*corev1.Event, error)        { return nil, nil }
func (silentSink) Update(*corev1.Event) (*corev1.Event, error)        { return nil, nil }
func (silentSink) Patch(*corev1.Event, []byte) (*corev1.Event, error) { return nil, nil }

func TestAmbiguousThenRejectedIsUnconfirmed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sink := &server{script: failing(status(http.StatusGatewayTimeout, "Timeout"), status(422, "Invalid"))}
		b, recorder := recordTo(sink)
		recorder.Event(pod("a"), "Normal", "Started", "m")
		time.Sleep(time.Minute)
		checkStats(t, b.Stats(), map[string]int64{"Rejected": 1, "Unconfirmed": 1})
		b.Shutdown()
	})
}

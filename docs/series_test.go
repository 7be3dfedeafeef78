// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// request is a write as received by the API server.
type request struct {
	at     time.Duration
	create bool
	event  string // its name
	count  int
}

// watched is an API server in memory that also keeps the time of each write.
type watched struct {
	*eventstest.Sink
	began    time.Time
	requests []request
}

func (w *watched) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	w.note(request{create: true, event: e.Name, count: 1})
	return w.Sink.Create(ctx, e)
}

func (w *watched) Patch(ctx context.Context, e *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	w.note(request{event: e.Name, count: int(e.Series.Count)})
	return w.Sink.Patch(ctx, e, patch)
}

// note has the time without the round trips, which the tables need not show.
func (w *watched) note(r request) {
	r.at = time.Since(w.began).Round(time.Second)
	w.requests = append(w.requests, r)
}

// roundTrip is how long the API server takes. It also keeps a write that is due from the very moment of an occurrence.
const roundTrip = 10 * time.Millisecond

// history has the occurrences and the writes.
type history struct {
	occurrences []time.Duration
	requests    []request
	stored      []eventsv1.Event
}

// crashLoop is what the page draws: a container crashes every second for a minute and then every five minutes, until
// a fix after 50 minutes. Ten minutes later it crashes again.
func crashLoop() (occurrences []time.Duration) {
	for second := range 60 {
		occurrences = append(occurrences, time.Duration(second)*time.Second)
	}
	for minute := 5; minute <= 50; minute += 5 {
		occurrences = append(occurrences, time.Duration(minute)*time.Minute)
	}
	return append(occurrences, time.Hour)
}

// record runs a broadcaster with its defaults on a script, in a bubble.
func record(t *testing.T, script []time.Duration) (h history) {
	synctest.Test(t, func(t *testing.T) {
		server := &watched{Sink: eventstest.NewSink(), began: time.Now()}
		server.SetLatency(roundTrip)
		broadcaster := events.NewBroadcaster(server, events.WithMaxInFlight(1),
			events.WithReportingInstance("crashes-6fd9"))
		if err := broadcaster.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer broadcaster.Shutdown()
		recorder := broadcaster.NewRecorder(scheme.Scheme, "example.com/crashes")
		for _, at := range script {
			time.Sleep(time.Until(server.began.Add(at)))
			recorder.Eventf(web, nil, corev1.EventTypeWarning, "BackOff", "Restart", "the container crashed")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		h = history{script, server.requests, server.Events()}
	})
	return h
}

var web = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// Caught: a publish interval of 20 s, a refresh after 20 minutes, a finish after 7, each in the SDK's defaults.
func TestSeriesDrawsWhatHappens(t *testing.T) {
	h := record(t, crashLoop())
	holds(t, "series.svg", h.picture())
	rows := [][]string{{"after", "occurrences", "request", "count", "because"}}
	for i, r := range h.requests {
		_, why := h.because(i)
		rows = append(rows, []string{r.at.String(), fmt.Sprint(h.until(r.at)), r.verb(), fmt.Sprint(r.count), why})
	}
	shows(t, "series.md", "requests", table(rows...))
	shows(t, "series.md", "fields", table(fields(t, h.stored)...))
}

// Caught: a count written by hand.
func TestSeriesShowsWhatKubectlPrints(t *testing.T) {
	prints(t, "series.md", "testdata/kubectl-series.txt", record(t, crashLoop()).stored)
}

func (r request) verb() string {
	if r.create {
		return "create"
	}
	return "patch"
}

// until counts occurrences.
func (h *history) until(at time.Duration) (n int) {
	for _, o := range h.occurrences {
		if o <= at {
			n++
		}
	}
	return n
}

// because returns the rule for a request, by its time and its count, as a word and as a sentence.
func (h *history) because(i int) (word, sentence string) {
	r := h.requests[i]
	if r.create && i == 0 {
		return "first", "the first occurrence"
	}
	previous, last := h.requests[i-1], h.occurrences[h.until(r.at)-1]
	switch {
	case r.create:
		return "another series", "the first occurrence of another series"
	case r.count == 2:
		return "second", "the second occurrence makes it a series"
	case r.at-last == 6*time.Minute:
		return "quiet", "6 minutes after the last occurrence: the final count"
	case r.at-previous.at == 30*time.Minute:
		return "refresh", "30 minutes after the last write: refresh"
	case r.count >= 2*previous.count && r.at-previous.at == 10*time.Second:
		return "doubled", "more than doubled, 10 seconds after the last write"
	case r.count == 2*previous.count:
		return "doubled", "doubled, more than 10 seconds after the last write"
	default:
		return "no rule", "no rule"
	}
}

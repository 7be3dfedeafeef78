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

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/sinks"
)

// faulty wraps a broadcaster so that it breaks a promise.
type faulty struct {
	broadcaster
	stats func(*events.Stats)
	count func(*events.LabeledCounts)
	flush func(context.Context) error
	drain func(context.Context) error
}

func (f *faulty) Stats() events.Stats {
	s := f.broadcaster.Stats()
	if f.stats != nil {
		f.stats(&s)
	}
	return s
}

func (f *faulty) change(all []events.LabeledCounts) []events.LabeledCounts {
	for i := range all {
		if f.count != nil {
			f.count(&all[i])
		}
	}
	return all
}

func (f *faulty) Flush(ctx context.Context) error {
	if f.flush != nil {
		return f.flush(ctx)
	}
	return f.broadcaster.Flush(ctx)
}

func (f *faulty) Drain(ctx context.Context) error {
	if f.drain != nil {
		_ = f.broadcaster.Drain(ctx)
		return f.drain(ctx)
	}
	return f.broadcaster.Drain(ctx)
}

// Each check finds a broadcaster that breaks its promise.
func TestChecksCanFail(t *testing.T) {
	tests := []struct {
		name  string
		fault faulty
		want  string
	}{
		{"observed", faulty{stats: func(s *events.Stats) { s.Observed++ }}, "I1: c0-0 observed 1 and accounts for 0"},
		{"overflowed", faulty{stats: func(s *events.Stats) { s.Overflowed++ }}, "limit: c0-0 has overflowed 1"},
		{"overflowed by labels", faulty{count: func(c *events.LabeledCounts) { c.Overflowed++ }}, "I1: the counts of c0-0"},
		{"pending", faulty{stats: func(s *events.Stats) { s.Pending--; s.Recorded++ }}, "I1: "},
		{"missed", faulty{stats: func(s *events.Stats) { s.Observed++; s.Pending++ }}, "I1: c0-0 observed 1 of 0"},
		{"recorded", faulty{stats: func(s *events.Stats) { s.Recorded, s.Pending = s.Recorded+s.Pending, 0 }}, "I4: "},
		{"series", faulty{stats: func(s *events.Stats) { s.Series += 4 }}, "I5: "},
		{"handler", faulty{stats: func(s *events.Stats) {
			s.Dropped[events.DropCacheFull] += s.Pending
			s.Pending = 0
		}}, "dropped 1 as CacheFull, its handler was told of 0"},
		{"total", faulty{stats: func(s *events.Stats) { s.Creates -= time.Now().UnixNano() % 1000 }}, "Creates of c0-0 went from"},
		{"one account", faulty{count: func(c *events.LabeledCounts) { c.Recorded++ }}, "I1: c0-0 observed 1 of {"},
		{"all accounts", faulty{count: func(c *events.LabeledCounts) { c.Observed++; c.Recorded++ }}, "I1: the counts of c0-0 add up to"},
		{"since when", faulty{stats: func(s *events.Stats) { s.OldestPending = time.Time{} }}, "c0-0 has 1 pending since"},
		{"flush forgets", faulty{flush: func(context.Context) error { return nil }}, "Flush of c0-0 returned with 0 of 1"},
		{"flush is late", faulty{flush: func(ctx context.Context) error {
			<-ctx.Done()
			time.Sleep(time.Minute)
			return ctx.Err()
		}}, "flush of c0-0 has not returned"},
		{"flush is impatient", faulty{flush: func(context.Context) error { return context.DeadlineExceeded }}, "Flush of c0-0 after 0s"},
		{"drain is silent", faulty{drain: func(context.Context) error { return nil }}, "Drain of c0-0 gave up"},
		{"drain miscounts", faulty{drain: func(context.Context) error {
			return &events.AbandonedError{Occurrences: 100}
		}}, "Drain of c0-0 gave up"},
	}
	steps := map[string]Step{}
	for i, a := range acts {
		steps[a.name] = Step{Act: i, Args: make([]int, len(a.args))}
	}
	one, unansweredStep := steps["emit"], steps["faults"]
	one.Args[2] = 1
	unansweredStep.Args = []int{int(unanswered), 0, 0, 0, 100, 0, 0, 0, 0}
	flush := steps["flush"]
	flush.Args[1] = 100
	script := Script{
		Config: Config{TTL: time.Hour, Components: []ComponentConfig{{Shape: viaSeries, MaxSeries: 3, InFlight: 1, Early: true}}},
		Steps:  []Step{unansweredStep, one, flush, one, steps["drain"]},
	}
	for _, tt := range tests {
		fixture.InBubble(t, tt.name, func(t *testing.T) {
			w := newWorld(&script, &trace{})
			tt.fault.broadcaster = w.slots[0].base
			accounts := w.slots[0].accounts
			w.slots[0].accounts = func() []events.LabeledCounts { return tt.fault.change(accounts()) }
			w.slots[0].base = &tt.fault
			w.run()
			if got := strings.Join(w.violations, "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("violations:\n%s\nwant %q", got, tt.want)
			}
		})
	}
}

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

// create creates the event web.1, and patch sets its count. end ends the request. Both return the
// error of the client. If end gives no answer, the client gives up.
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

// The server finds each request and each effect that breaks a promise.
//
// Caught: each of the checks taken out; a lost answer that counts as an acknowledgement; a 404 for
// an API that is not served, taken as a proof that the event is gone.
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
		fixture.InBubble(t, name, func(t *testing.T) {
			r := newRig()
			row.script(r)
			got := strings.Join(r.takeViolations(), "\n")
			if got == "" != (row.want == "") || !strings.Contains(got, row.want) {
				t.Errorf("violations %q, want %q", got, row.want)
			}
		})
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// item is what the tests write. Its name says all.
type item struct {
	namespace, name string
	gone            bool
	writing         bool
	ctx             context.Context // of the attempt under way
	throttled       func() func()   // says that it waits for the limiter
}

func (i *item) Gone() bool { return i.gone }

// rig runs a writer in a bubble against a scripted server.
type rig struct {
	*Writer[*item]
	began time.Time
	group lifecycle.Group
	stop  chan struct{}

	mu       sync.Mutex
	answer   func(*item) (request.Verdict, request.Class) // may take its time
	log      []string                                     // one line a request
	inFlight map[string]int
	peak     map[string]int
	refused  []string
}

// inBubble runs test with a writer that is started and, in the end, joined.
func inBubble(t *testing.T, workers int, test func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, workers)
		r.start(t)
		test(t, r)
	})
}

func newRig(t *testing.T, workers int) *rig {
	r := &rig{
		began: time.Now(), stop: make(chan struct{}), inFlight: map[string]int{}, peak: map[string]int{},
		answer: answering(request.Verdict{Action: request.Stored}),
	}
	r.Writer = New(clock.RealClock{}, workers, func(ctx context.Context, i *item, throttled func() func()) (request.Verdict, request.Class) {
		return r.attempt(t, ctx, i, throttled)
	}, func(i *item, v request.Verdict) { r.refused = append(r.refused, i.name+" "+v.Reason.String()) })
	r.jitter = whole
	return r
}

func (r *rig) start(t *testing.T) {
	r.Start(t.Context(), &r.group, r.stop)
	t.Cleanup(func() {
		close(r.stop)
		if n := r.group.Wait(context.Background()); n != 0 {
			t.Errorf("%d workers outlive the writer", n)
		}
	})
}

func (r *rig) attempt(t *testing.T, ctx context.Context, i *item, throttled func() func()) (request.Verdict, request.Class) {
	r.mu.Lock()
	if i.writing {
		t.Errorf("%s is written twice at a time", i.name)
	}
	i.writing, i.ctx, i.throttled = true, ctx, throttled
	r.inFlight[i.namespace]++
	r.peak[i.namespace] = max(r.peak[i.namespace], r.inFlight[i.namespace])
	r.log = append(r.log, fmt.Sprintf("@%v %s", time.Since(r.began), i.name))
	answer := r.answer
	r.mu.Unlock()

	v, next := answer(i)

	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight[i.namespace]--
	i.writing = false
	return v, next
}

// answering is a server that says the same to all at once.
func answering(v request.Verdict, next ...request.Class) func(*item) (request.Verdict, request.Class) {
	return func(*item) (request.Verdict, request.Class) { return v, append(next, request.NoWrite)[0] }
}

// slowly is answering after d.
func slowly(d time.Duration, v request.Verdict, next ...request.Class) func(*item) (request.Verdict, request.Class) {
	return func(i *item) (request.Verdict, request.Class) {
		time.Sleep(d)
		return answering(v, next...)(i)
	}
}

// hanging does not answer before the attempt's deadline d.
func hanging(d time.Duration) func(*item) (request.Verdict, request.Class) {
	return func(i *item) (request.Verdict, request.Class) {
		select {
		case <-time.After(d):
		case <-i.ctx.Done():
		}
		return timedOut, request.FirstNormal
	}
}

// byNamespace is a server that says different things to different namespaces.
func byNamespace(answers map[string]func(*item) (request.Verdict, request.Class)) func(*item) (request.Verdict, request.Class) {
	return func(i *item) (request.Verdict, request.Class) {
		if answer := answers[i.namespace]; answer != nil {
			return answer(i)
		}
		return request.Verdict{Action: request.Stored}, request.NoWrite
	}
}

// add enqueues items that are named namespace/name, all before a worker takes
// one: what is next depends on what waits.
func (r *rig) add(class request.Class, names ...string) []*item {
	var items []*item
	r.Writer.mu.Lock()
	for _, name := range names {
		namespace, _, _ := strings.Cut(name, "/")
		items = append(items, &item{namespace: namespace, name: name})
		r.enqueueLocked(items[len(items)-1], namespace, class)
	}
	r.Writer.mu.Unlock()
	r.signal()
	return items
}

func (r *rig) serve(answer func(*item) (request.Verdict, request.Class)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// after sleeps until d after the beginning and lets all settle.
func (r *rig) after(d time.Duration) {
	time.Sleep(time.Until(r.began.Add(d)))
	synctest.Wait()
}

// check compares the log since the last check.
func (r *rig) check(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	got := r.takeLog()
	if r.workers > 1 {
		sortSimultaneous(want)
		sortSimultaneous(got)
	}
	if diff := cmp.Diff(strings.Join(want, "\n"), strings.Join(got, "\n")); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// takeLog returns the requests since it was last taken.
func (r *rig) takeLog() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	log := r.log
	r.log = nil
	return log
}

// forgetPeaks forgets how many writes each namespace had under way.
func (r *rig) forgetPeaks() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.peak)
}

// sortSimultaneous orders what several workers do at the same moment.
func sortSimultaneous(log []string) {
	moment := func(line string) string { at, _, _ := strings.Cut(line, " "); return at }
	for first := 0; first < len(log); {
		next := first + 1
		for next < len(log) && moment(log[next]) == moment(log[first]) {
			next++
		}
		slices.Sort(log[first:next])
		first = next
	}
}

// look reads the writer's state.
func (r *rig) look(f func()) {
	synctest.Wait()
	r.Writer.mu.Lock()
	defer r.Writer.mu.Unlock()
	f()
}

func (r *rig) checkWaiting(t *testing.T, want int) {
	t.Helper()
	r.look(func() {
		if r.waiting != want {
			t.Errorf("%d items wait, want %d", r.waiting, want)
		}
	})
}

func (r *rig) checkServerClosed(t *testing.T, want bool) {
	t.Helper()
	r.look(func() {
		if got := r.server.closed(); got != want {
			t.Errorf("the server's gate is closed: %v, want %v", got, want)
		}
	})
}

// checkPressure looks whether the gate is closed that several namespaces close together.
func (r *rig) checkPressure(t *testing.T, want bool) {
	t.Helper()
	r.look(func() {
		if got := r.pressure.closed(); got != want {
			t.Errorf("the gate of all namespaces is closed: %v, want %v", got, want)
		}
	})
}

func (r *rig) checkRefused(t *testing.T, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, r.refused); diff != "" {
		t.Errorf("refused (-want +got):\n%s", diff)
	}
	r.refused = nil
}

// names makes n names in a namespace.
func names(namespace string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s/%d", namespace, i)
	}
	return all
}

// Verdicts that tests answer with.
var (
	settled     = request.Verdict{Action: request.Stored}
	terminating = request.Verdict{Action: request.Drop, Reason: stats.NamespaceGone, Gate: request.Creates, Wait: time.Minute}
	filtered    = request.Verdict{Action: request.Drop, Reason: stats.Filtered, Unanswered: true}
	timedOut    = request.Verdict{Action: request.Retry, Gate: request.Namespace, Ambiguous: true, Unanswered: true}
	unreachable = request.Verdict{Action: request.Retry, Gate: request.Server, Unanswered: true}
	busy        = request.Verdict{Action: request.Retry, Gate: request.Shared}
	unsendable  = request.Verdict{Action: request.Drop, Reason: stats.Rejected, Unanswered: true}
	limited     = request.Verdict{Action: request.Retry, Wait: 250 * time.Millisecond, Unanswered: true}
)

func retryIn(scope request.Scope, wait time.Duration, ambiguous bool) request.Verdict {
	return request.Verdict{Action: request.Retry, Gate: scope, Wait: wait, Ambiguous: ambiguous}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package oracle

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/events"
)

// sickNamespace is the only namespace with faults in a schedule with options.sick.
const sickNamespace = "a"

const (
	// mostRequests is the greatest number of requests for one Event in a minute. There is a
	// back-off after every failed request except the first one.
	mostRequests = 100
	// mostTurns is the greatest number of Creates that find an Event, and of patches that find
	// none, in a minute for one series.
	mostTurns = 150
)

// objects are the objects of all Events: two in each of two namespaces, and a cluster-scoped one.
var objects = []runtime.Object{
	pod("a", "web"), pod("a", "db"), pod("b", "web"), pod("b", "db"),
	&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node", UID: "node"}},
}

func pod(namespace, name string) *corev1.Pod {
	uid := namespace + "-" + name
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(uid)}}
}

// reasons are the reasons of the Events that schedules name, each with its type and action.
var reasons = []struct{ name, typ, action string }{
	{"Pulled", "Normal", "Pulling"},
	{"Failed", "Warning", "Pulling"},
	{"BackOff", "Warning", "Restarting"},
}

// Reasons that no schedule names.
const (
	// again is the reason of the Events that handlers and sinks record.
	again = "DropSeen"
	// invalid is the reason of calls of which no Event can be made.
	invalid = "Garbage"
)

func (k key) String() string {
	o := objects[k.object].(metav1.Object)
	return fmt.Sprintf("%s of %s/%s", reasons[k.reason].name, o.GetNamespace(), o.GetName())
}

// process is one process of the component. It remembers its occurrences, the calls of its handlers,
// and its requests. Maps "by Event" have the namespace and name of an Event as the key. Maps "by
// group" have the object, type and reason.
type process struct {
	w  *world
	id int
	c  *component
	// ctx is the context of Start, and stop ends it.
	ctx  context.Context
	stop context.CancelFunc
	// dead is closed when the process was killed.
	dead chan struct{}

	// aheadBy is the time by which the clock of the process is ahead, as a time.Duration.
	aheadBy atomic.Int64
	// flushed is the number of calls of the sink's Flush.
	flushed atomic.Int64

	// mu guards the fields below. No goroutine sleeps while it holds mu.
	mu sync.Mutex
	// started is the time of Start, or zero.
	started time.Time
	ending  bool
	// ended is true when the end has returned.
	ended  bool
	killed bool
	// times has the times of all occurrences by group, in microseconds.
	times map[string][]int64
	// returned is the number of calls that returned.
	returned int64
	// invalid is the number of calls of which no Event can be made.
	invalid int64
	// handled and watched are the numbers of calls of the occurrence handler and of the watcher.
	handled int64
	watched int64
	// repeats is the number of occurrences that handlers and sinks have recorded.
	repeats int

	// inFlight has the number of requests that are under way, by Event.
	inFlight map[string]int
	// created has the Events that are known to be stored.
	created map[string]bool
	// conflicted has the Events for which the server has answered with a conflict.
	conflicted map[string]bool
	// versions has the highest resourceVersion of a patch, by Event.
	versions map[string]int64
	// requests has the times of the last requests, by Event.
	requests map[string][]time.Time
	// groups has the group of each Event of which a Create was sent.
	groups map[string]string
	// turns has, by group, the times of the last answers to a Create that found an Event or to a
	// patch that found none.
	turns map[string][]time.Time
	// least is the sum of the deltas of all writes that were acknowledged. most also has the deltas
	// of Creates that found an Event.
	least int64
	most  int64

	// droppedFor and droppedOf have the occurrences that were passed to the drop handler, by reason
	// and by group.
	droppedFor map[events.DropReason]int64
	droppedOf  map[string]int64
	// abandoned has the sums of the drops as Abandoned. abandonedA is the number of occurrences in
	// sickNamespace.
	abandoned  events.AbandonedError
	abandonedA int64
	// refused has the kinds of faults that were the answer to a request.
	refused     map[faultKind]bool
	hasSelector bool
	// before has the Stats of the last check.
	before events.Stats
}

func newProcess(w *world, id int) *process {
	p := &process{
		w:          w,
		id:         id,
		dead:       make(chan struct{}),
		times:      map[string][]int64{},
		inFlight:   map[string]int{},
		created:    map[string]bool{},
		conflicted: map[string]bool{},
		versions:   map[string]int64{},
		requests:   map[string][]time.Time{},
		groups:     map[string]string{},
		turns:      map[string][]time.Time{},
		refused:    map[faultKind]bool{},
		droppedFor: map[events.DropReason]int64{},
		droppedOf:  map[string]int64{},
	}
	p.aheadBy.Store(int64(w.s.options.ahead[id]))
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.c = w.broken.of(newComponent(p))
	return p
}

func (p *process) String() string { return fmt.Sprintf("process %d", p.id) }

// aheadClock is the clock of a process, which may be ahead of the others, or behind.
type aheadClock struct {
	clock.RealClock
	p *process
}

func (c aheadClock) Now() time.Time                  { return time.Now().Add(c.p.ahead()) }
func (c aheadClock) Since(t time.Time) time.Duration { return c.Now().Sub(t) }

// ahead returns the time by which the clock of the process is ahead.
func (p *process) ahead() time.Duration { return time.Duration(p.aheadBy.Load()) }

// jumped returns the time by which the clock has jumped since the process began.
func (p *process) jumped() time.Duration { return p.ahead() - p.w.s.options.ahead[p.id] }

func (p *process) begin() {
	p.mu.Lock()
	skip := p.ending
	if !skip && p.started.IsZero() {
		p.started = time.Now()
	}
	p.mu.Unlock()
	if skip {
		return
	}
	ctx := klog.NewContext(p.ctx, p.logger())
	err := p.c.start(ctx)
	if err != nil {
		p.w.fail("Start fails", "%s: %v", p, err)
	}
	if p.w.s.options.subject != byLegacy && p.c.start(ctx) == nil {
		p.w.fail("a second Start succeeds", "%s", p)
	}
}

// emit records n occurrences of k.
func (p *process) emit(k key, n int) {
	if p.isDead() {
		return
	}
	reason := reasons[k.reason]
	for i := range n {
		p.record(objects[k.object], reason.typ, reason.name, reason.action, "it happened, as %d of %d", i%4, n)
	}
}

// emitLoop records n occurrences of k, evenly over the time within.
func (p *process) emitLoop(k key, n int, within time.Duration) {
	const chunks = 100
	for range chunks {
		p.emit(k, n/chunks)
		time.Sleep(within / chunks)
	}
}

// record records one occurrence. It notes the time before the call, because the SDK may write
// during the call.
func (p *process) record(object runtime.Object, typ, reason, action, note string, args ...any) {
	o := object.(metav1.Object)
	group := p.w.group(o.GetNamespace(), o.GetName(), typ, reason)
	p.mu.Lock()
	p.times[group] = append(p.times[group], time.Now().Add(p.ahead()).UnixMicro())
	p.mu.Unlock()
	p.c.eventf(object, typ, reason, action, note, args...)
	p.mu.Lock()
	p.returned++
	p.mu.Unlock()
}

// panicking is an argument of a note that panics when it is formatted.
type panicking struct{}

func (panicking) String() string { panic("an argument panics") }

// brokenObject is an object whose accessors panic.
type brokenObject struct{ corev1.Pod }

func (*brokenObject) GetObjectMeta() metav1.Object { panic("an accessor panics") }
func (*brokenObject) GetName() string              { panic("an accessor panics") }

// emitGarbage makes three calls of which no Event can be made. It also makes one with an argument
// that panics, of which an Event with a bad note is made.
func (p *process) emitGarbage() {
	if p.isDead() {
		return
	}
	p.c.eventf(nil, "Normal", invalid, "Pulling", "about nothing")
	p.c.eventf(&brokenObject{}, "Normal", invalid, "Pulling", "about something broken")
	p.c.eventf(objects[0], "Odd", invalid, "Pulling", "of no type")
	p.mu.Lock()
	p.returned += 3
	p.invalid += 3
	p.mu.Unlock()
	p.record(objects[0], "Normal", "Pulled", "Pulling", "with %v", panicking{})
}

func (p *process) selectBy(selector string) {
	if p.isDead() || p.c.selectBy == nil {
		return
	}
	p.mu.Lock()
	p.hasSelector = true
	p.mu.Unlock()
	if err := p.c.selectBy(selector); err != nil {
		p.w.fail("SetSelector fails", "%s: %v", p, err)
	}
}

// flush calls Flush with a bound, and checks that it keeps the bound.
func (p *process) flush(bound time.Duration) {
	if p.isDead() {
		return
	}
	ctx, cancel := context.WithTimeout(klog.NewContext(context.Background(), p.logger()), bound)
	defer cancel()
	began := time.Now()
	err := p.c.flush(ctx)
	took := time.Since(began)
	p.w.tracef("%s: Flush: %v", p, err)
	most := bound + time.Second
	if p.w.s.options.flusher == flushOutlives {
		// The SDK waits a second for its writes, and another one for Flush of the sink.
		most += time.Second
	}
	if took > most {
		p.w.fail("Flush outlives its context", "%s: %v instead of %v", p, took, bound)
	}
}

// onDrop is the drop handler.
func (p *process) onDrop(d events.Drop) {
	p.mu.Lock()
	group := p.w.group(d.Regarding.Namespace, d.Regarding.Name, d.Type, d.EventReason)
	p.droppedFor[d.Reason] += d.Occurrences
	// Invalid calls are in no group.
	if d.EventReason != invalid {
		p.droppedOf[group] += d.Occurrences
	}
	if d.Reason == events.DropAbandoned {
		p.abandoned.Series++
		p.abandoned.Occurrences += d.Occurrences
		if d.Regarding.Namespace == sickNamespace {
			p.abandonedA += d.Occurrences
		}
		if d.Type == corev1.EventTypeWarning {
			p.abandoned.Warnings += d.Occurrences
		}
	}
	p.mu.Unlock()
	repeat := p.mayRepeat()
	if d.Occurrences < 1 {
		p.w.fail("a drop of nothing", "%s: %+v", p, d)
	}
	if repeat {
		p.record(objects[1], "Warning", again, "Dropping", "a drop handler records")
	}
	if repeat {
		panic("a drop handler panics")
	}
}

// mayRepeat reports whether a handler or a sink may record now. It may do so a few times only,
// because otherwise the drop of its occurrence would call it again without end.
func (p *process) mayRepeat() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.w.s.options.hostile || p.killed || p.repeats >= 3 {
		return false
	}
	p.repeats++
	return true
}

// onOccurrence is the occurrence handler.
func (p *process) onOccurrence(event *eventsv1.Event) {
	p.mu.Lock()
	p.handled++
	odd := p.handled%3 == 0 && p.handled < 100
	p.mu.Unlock()
	if event.Name == "" || event.Reason == "" {
		p.w.fail("an occurrence without a name", "%s: %+v", p, event)
	}
	if p.w.s.options.hostile && odd {
		panic("an occurrence handler panics")
	}
}

// onWatch is the handler of a watcher.
func (p *process) onWatch(runtime.Object) {
	p.mu.Lock()
	p.watched++
	odd := p.watched%3 == 0 && p.watched < 100
	p.mu.Unlock()
	if p.w.s.options.hostile && odd {
		panic("a watcher panics")
	}
}

// enter notes that the SDK has begun to send r, and checks that it may.
func (p *process) enter(r *request) {
	p.mu.Lock()
	p.inFlight[r.key()]++
	beside := p.inFlight[r.key()] > 1
	created := p.created[r.key()] || p.w.s.options.sharedCounts
	conflicted := p.conflicted[r.key()] || p.w.s.options.sharedCounts
	correlated := p.w.s.options.correlates()
	p.requests[r.key()] = append(p.requests[r.key()], time.Now())
	often := p.requests[r.key()]
	hot := len(often) > mostRequests
	if r.create {
		p.groups[r.key()] = p.w.groupOf(r.event)
	}
	if hot {
		hot = time.Since(often[0]) < time.Minute
		p.requests[r.key()] = often[1:]
	}
	version, before := r.version(), p.versions[r.key()]
	p.versions[r.key()] = max(version, before)
	p.mu.Unlock()
	switch {
	case hot:
		p.w.fail("an Event is asked for in a hot loop", "%s: %v", p, r)
	case version > 0 && version < before:
		p.w.fail("a resourceVersion went back", "%s: %v, after %d", p, r, before)
	case beside:
		p.w.fail("two writes of one Event at a time", "%s: %v", p, r)
	case !r.create && !created && !correlated:
		// client-go's correlator is exempt, because it patches an Event whose Create was refused.
		p.w.fail("a patch before its create", "%s: %v", p, r)
	case r.asksOnly() && !conflicted:
		p.w.fail("an empty patch without a conflict", "%s: %v", p, r)
	}
}

// leave notes that the call of the SDK for r has returned.
func (p *process) leave(r *request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.inFlight[r.key()]--
}

// answered notes the answer to r.
func (p *process) answered(r *request, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	exists := r.create && apierrors.IsAlreadyExists(err)
	if exists || !r.create && apierrors.IsNotFound(err) {
		p.takeTurnLocked(r)
	}
	if err == nil || exists {
		p.created[r.key()] = true
		p.most += r.delta
	}
	if err == nil {
		p.least += r.delta
	}
	if apierrors.IsConflict(err) || exists {
		p.conflicted[r.key()] = true
	}
}

// takeTurnLocked notes that a Create has found an Event, or a patch none, and checks that this is
// not repeated in a hot loop. client-go's correlator is exempt, because it has no back-off and
// writes each occurrence.
func (p *process) takeTurnLocked(r *request) {
	o := &p.w.s.options
	// With NotesDistinct or a limit per object, a group has several series.
	if o.correlates() || o.notes > 1 || o.objectLimit > 0 {
		return
	}
	group := p.groups[r.key()]
	p.turns[group] = append(p.turns[group], time.Now())
	turns := p.turns[group]
	if len(turns) <= mostTurns {
		return
	}
	p.turns[group] = turns[1:]
	if time.Since(turns[0]) < time.Minute {
		p.w.fail("Creates and patches take turns in a hot loop", "%s: %v", p, r)
	}
}

// isStuck reports whether a call of the sink may outlive its context. In that case the SDK cannot
// keep its bounds.
func (p *process) isStuck() bool {
	if p.w.s.options.flusher == flushOutlives {
		return true
	}
	return slices.ContainsFunc(p.w.s.faults, func(f fault) bool { return f.kind.isLate() })
}

func (p *process) isDead() bool {
	select {
	case <-p.dead:
		return true
	default:
		return false
	}
}

// finish ends a process, unless a step has ended it. It leaves enough time.
func (p *process) finish() {
	how := drain
	if p.w.s.options.shutdownLast {
		how = shutdown
	}
	p.end(how, 30*time.Second)
}

// end ends the process by the action how, and checks the end.
func (p *process) end(how action, bound time.Duration) {
	p.mu.Lock()
	before := p.ending
	p.ending = true
	started := !p.started.IsZero()
	// Drain's error does not count these.
	unconfirmed := p.before.Unconfirmed
	p.mu.Unlock()
	if before {
		return
	}
	defer func() {
		p.stop()
		p.mu.Lock()
		p.ended = true
		p.mu.Unlock()
	}()
	timeout := p.w.s.options.drainTimeout
	if timeout == 0 {
		timeout = 5 * time.Second
	}
	mustKeepAll := started && !p.isStuck() && p.w.isCalm(arrivesWithin)
	began := time.Now()
	switch how {
	case drain:
		ctx, cancel := context.WithTimeout(context.Background(), bound)
		defer cancel()
		err := p.c.drain(ctx)
		p.w.tracef("%s: Drain: %v", p, err)
		p.checkDrained(err, bound, time.Since(began), unconfirmed, mustKeepAll && bound >= 5*time.Second)
		if second := p.c.drain(context.Background()); second != err {
			p.w.fail("a second Drain returns another error", "%s: %v, first %v", p, second, err)
		}
	case shutdown:
		p.shutdown(timeout, mustKeepAll)
	case beside:
		p.drainBesideShutdown(bound, timeout, unconfirmed, mustKeepAll)
	case depart:
		p.stop()
		time.Sleep(timeout / 2)
		p.record(objects[0], "Warning", "Failed", "Pulling", "on the way out")
		p.shutdown(timeout, mustKeepAll)
	case leave, kill:
		p.mu.Lock()
		p.killed = how == kill
		p.mu.Unlock()
		if how == kill {
			close(p.dead)
		}
		p.stop()
		if !started {
			// A broadcaster that was not started would end with its process. In this test it must
			// be drained.
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_ = p.c.drain(ctx)
			return
		}
		time.Sleep(2*timeout + time.Second + time.Millisecond)
	}
	if how != kill {
		p.record(objects[0], "Normal", "Pulled", "Pulling", "too late")
		if st := p.c.stats(); st.Dropped[events.DropStopped] == 0 {
			p.w.fail("a broadcaster that has ended takes an occurrence", "%s: %+v", p, st)
		}
	}
}

// shutdown calls Shutdown, and checks that it ends within its timeout.
func (p *process) shutdown(timeout time.Duration, mustKeepAll bool) {
	began := time.Now()
	p.c.shutdown()
	p.checkEnded(timeout, time.Since(began))
	p.checkHealthyKept(timeout)
	st := p.c.stats()
	if mustKeepAll && timeout >= 5*time.Second && st.Dropped[events.DropAbandoned] > 0 {
		p.w.fail("Shutdown loses what the server would take", "%s: %+v", p, st)
	}
}

// drainBesideShutdown calls Drain with an hour of time, and Shutdown after a pause. Both must end
// within the timeout of Shutdown.
func (p *process) drainBesideShutdown(pause, timeout time.Duration, unconfirmed int64, mustKeepAll bool) {
	drained := make(chan error, 1)
	p.w.spawn(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		drained <- p.c.drain(ctx)
	})
	time.Sleep(pause)
	began := time.Now()
	p.c.shutdown()
	took := time.Since(began)
	p.w.tracef("%s: Shutdown beside a Drain took %v", p, took)
	if took > p.longestEnd(timeout) {
		p.w.fail("Shutdown beside a Drain outlives its bound", "%s: %v instead of %v", p, took, timeout)
	}
	err := <-drained
	p.checkDrained(err, timeout, time.Since(began), unconfirmed, mustKeepAll && timeout >= 5*time.Second)
}

// longestEnd returns the longest time that an end with a bound may take.
func (p *process) longestEnd(bound time.Duration) time.Duration {
	if p.w.s.options.flusher == flushOutlives {
		// The SDK waits a second for its writes, and another one for Flush of the sink.
		bound += time.Second
	}
	return bound + time.Second
}

// checkEnded checks how long the end took.
func (p *process) checkEnded(bound, took time.Duration) {
	if took > p.longestEnd(bound) {
		p.w.fail("the end outlives its bound", "%s: %v instead of %v", p, took, bound)
	}
}

// checkHealthyKept checks that no Event of a healthy namespace was lost because of a sick one. A
// hot loop with client-go's correlator is exempt, because the correlator writes each occurrence,
// and the client's rate limit does not let all of them pass.
func (p *process) checkHealthyKept(bound time.Duration) {
	p.mu.Lock()
	lost := p.abandoned.Occurrences - p.abandonedA
	many := p.w.s.options.correlates() && p.w.s.loops()
	may := p.started.IsZero() || p.isStuck() || bound < 5*time.Second || !p.w.s.options.sick || many
	p.mu.Unlock()
	if lost > 0 && !may {
		p.w.fail("the end loses an Event of a healthy namespace", "%s: %d; %+v", p, lost, p.c.stats())
	}
}

// checkDrained checks the error of Drain.
func (p *process) checkDrained(err error, bound, took time.Duration, unconfirmed int64, mustKeepAll bool) {
	p.checkEnded(bound, took)
	p.checkHealthyKept(bound)
	p.mu.Lock()
	want := p.abandoned
	p.mu.Unlock()
	st := p.c.stats()
	flusher := p.w.s.options.flusher
	if flusher != "" && p.flushed.Load() == 0 {
		p.w.fail("Drain does not flush the sink", "%s: %v", p, err)
	}
	var lost *events.AbandonedError
	if err != nil && flusher.fails() && !errors.As(err, &lost) {
		return
	}
	if err == nil {
		if flusher.fails() {
			p.w.fail("Drain keeps the sink's error to itself", "%s", p)
		}
		if st.Dropped[events.DropAbandoned] != 0 || want.Occurrences != 0 {
			p.w.fail("Drain keeps a loss to itself", "%s: %+v", p, st)
		}
		return
	}
	if !errors.As(err, &lost) {
		p.w.fail("Drain returns another error", "%s: %v", p, err)
		return
	}
	if lost.Occurrences != st.Dropped[events.DropAbandoned] || lost.Occurrences != want.Occurrences ||
		lost.Series != want.Series || lost.Warnings != want.Warnings {
		p.w.fail("Drain's error is not what was lost", "%s: %+v, want %+v; %+v", p, lost, want, st)
	}
	if lost.Unconfirmed > lost.Occurrences || lost.Unconfirmed+unconfirmed > st.Unconfirmed {
		p.w.fail("Drain's error has too much that is unconfirmed", "%s: %+v; %+v", p, lost, st)
	}
	var busiest int64
	for _, in := range lost.TopNamespaces {
		busiest += in.Occurrences
	}
	// There are only three namespaces, and the error has three.
	if busiest != lost.Occurrences {
		p.w.fail("Drain's error does not say where", "%s: %+v", p, lost)
	}
	if lost.Occurrences == 0 && lost.Stuck == 0 {
		p.w.fail("Drain's error is about nothing", "%s: %+v", p, lost)
	}
	if lost.Stuck > 0 && !p.isStuck() {
		p.w.fail("Drain leaves goroutines", "%s: %v", p, lost)
	}
	if mustKeepAll {
		p.w.fail("Drain loses what the server would take", "%s: %v", p, lost)
	}
}

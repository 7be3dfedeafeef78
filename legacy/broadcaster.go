// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
	"github.com/eventseries/eventseries/internal/writer"
)

// Broadcaster takes events from its recorders to sinks, watchers and logs, as
// client-go's record.EventBroadcaster does, of which it is one. Make it with
// [NewBroadcaster]; it is safe for concurrent use.
type Broadcaster struct {
	config config
	began  time.Time
	clock  *uniqueClock
	log    *faultLog
	life   *broadcast.Life

	watchers *broadcast.Watchers[watch.Event]
	selector atomic.Pointer[selector.Selector]

	requests *broadcast.Handlers[events.Request]
	labels   stats.LabelSets

	mu      sync.Mutex                   // guards the rest; taken before the lock of a backlog
	settled stats.Accounts[*Broadcaster] // what no backlog counts, or no longer
	writers []*sinkWriter
}

var _ record.EventBroadcaster = (*Broadcaster)(nil)

// NewBroadcaster returns a broadcaster without sinks and without goroutines.
// Until a sink is attached, what is recorded reaches watchers only, as with
// client-go, and counts as Dropped[Filtered].
func NewBroadcaster(opts ...Option) *Broadcaster {
	b := &Broadcaster{config: newConfig(opts)}
	b.settled = stats.NewAccounts(b, &b.labels)
	b.began = b.config.clock.Now()
	b.clock = &uniqueClock{PassiveClock: b.config.clock}
	logger := usercode.Logger(*b.config.logger)
	b.log = &faultLog{broadcast.NewLog(logger, b.config.clock), logger}
	b.log.labels(logger, b.config.labelsErr)
	b.requests = broadcast.NewHandlers[events.Request]("request handler", b.log.Log)
	b.life = broadcast.NewLife(broadcast.Config{
		DrainTimeout: b.config.drainTimeout, Hurry: b.openGates, Drain: b.drain, Log: b.log.Log,
	})
	b.watchers = broadcast.NewWatchers[watch.Event](&b.life.Group)
	if b.config.correlator.Clock == nil {
		b.config.correlator.Clock = b.clock
	}
	return b
}

// NewRecorder returns a [*Recorder]: it records to b as source. It looks the
// kinds of objects up in scheme, which may be nil if they all carry theirs.
func (b *Broadcaster) NewRecorder(scheme *runtime.Scheme, source corev1.EventSource) record.EventRecorderLogger {
	source = corev1.EventSource{Component: strings.Clone(source.Component), Host: strings.Clone(source.Host)}
	return &Recorder{
		broadcaster: b, scheme: scheme, source: source, logger: b.log.logger, labels: b.config.labels,
	}
}

// NewEventsRecorder is NewRecorder for the calls of events.k8s.io. Action and
// related object go into core/v1's own fields, also those of an aggregate event.
// eventTime stays empty: with it the server applies the strict rules of
// events.k8s.io to core/v1 as well, and would refuse what the old API takes.
func (b *Broadcaster) NewEventsRecorder(scheme *runtime.Scheme, source corev1.EventSource) *EventRecorderAdapter {
	return FromLegacy(b.NewRecorder(scheme, source))
}

// StartRecordingToSink starts writing what is recorded from now on to sink, in
// the background. Stop of the result ends admission; what waits is still
// written, until Drain or Shutdown. The request of an EventSinkImpl over a real
// client is sent without client-go's hidden retries and with a deadline; another
// sink is called as it is, by several goroutines at the same time, and must not
// call Flush, Drain or Shutdown. A panic of it is logged with its stack and taken
// as no answer: the write is tried again. After Shutdown, or for a nil sink, it
// logs an error and returns a watch that is over.
func (b *Broadcaster) StartRecordingToSink(sink record.EventSink) watch.Interface {
	client, err := apiclient.NewCoreWriter(sink)
	if err != nil {
		b.log.logger.Error(err, "Events are not written", "advice", "not-started")
		return watch.NewEmptyWatch()
	}
	key := keyOf
	if b.config.correlator.KeyFunc != nil {
		key = namespaceKeyOf
	}
	ctx, cancel := context.WithCancel(context.Background())
	s := &sinkWriter{
		client: client, timeout: b.config.writeTimeout, clock: b.clock, log: b.log,
		backlog:    newBacklog(b.config.queueSize, key, &b.labels),
		correlator: newCorrelator(b.config.correlator),
		requests:   b.requests,
		onDrop:     b.report, onEmpty: b.detach,
		cancel: cancel, stop: make(chan struct{}),
	}
	s.writer = writer.New(b.config.clock, b.config.workers, s.attempt, s.refuse)
	started := b.attach(func() {
		b.mu.Lock()
		b.writers = append(b.writers, s)
		b.mu.Unlock()
		s.writer.Start(ctx, &b.life.Group, s.stop)
	})
	if !started {
		cancel()
		return watch.NewEmptyWatch()
	}
	return &sinkWatch{writer: s, result: make(chan watch.Event)}
}

// attach runs begin unless b has ended, which it logs.
func (b *Broadcaster) attach(begin func()) (ok bool) {
	b.life.During(func(state broadcast.State) {
		if ok = state != broadcast.Ended; ok {
			b.life.SuperviseLocked(b.config.ctx, nil)
			begin()
		}
	})
	if !ok {
		b.log.logger.Error(nil, "The broadcaster is shut down; the new sink or watcher is ignored", "advice", "ended")
	}
	return ok
}

// record hands r to the sinks and watchers. It never blocks.
func (b *Broadcaster) record(r *recorded) {
	drops, watchers := b.admit(r, b.config.clock.Now())
	if watchers = broadcast.Active(watchers, 0); watchers != nil { // not under the lock: it asks the user's logger
		b.watchers.Publish(watchers, watch.Event{Type: watch.Added, Object: r.event()}, 0)
	}
	for _, d := range drops {
		b.log.dropped(d)
		b.report(d)
	}
}

// admit adds r to every backlog. It returns what was dropped for it, or r itself
// if nothing takes it, and the watchers that may want it.
func (b *Broadcaster) admit(r *recorded, now time.Time) (drops []drop, watchers []*watcher) {
	b.mu.Lock()
	defer b.mu.Unlock()
	watchers = b.watchers.All() // before the end is asked for
	reason, taken := stats.Filtered, false
	if b.life.HasEnded() {
		reason, watchers = stats.Stopped, nil
	} else {
		if !b.selects(r) {
			b.settled.Of(r.labels()).Drop(stats.Muted, 1)
			return append(drops, drop{cause: stats.Muted, recorded: r}), watchers
		}
		for _, s := range b.writers {
			fresh, lost, ok := s.backlog.add(r, now, drops)
			drops, taken = lost, taken || ok
			if fresh != nil {
				s.writer.Enqueue(fresh, fresh.namespace, fresh.class)
			}
		}
	}
	if !taken {
		b.settled.Of(r.labels()).Drop(reason, 1)
		drops = append(drops, drop{cause: reason, recorded: r})
	}
	return drops, watchers
}

// selects reports whether the selector lets an event through. Without an action, the
// reason stands for it, as in a series.
func (b *Broadcaster) selects(r *recorded) bool {
	judged := selector.Event{
		Type: r.eventType, Reason: r.reason, Action: cmp.Or(r.action, r.reason),
		ReportingController: r.recorder.source.Component,
		RegardingKind:       r.object.Kind, RegardingNamespace: r.object.Namespace,
	}
	if r.related != nil {
		judged.RelatedKind = r.related.Kind
	}
	return b.selector.Load().Selects(&judged)
}

// SetSelector is that of [events.Broadcaster].
func (b *Broadcaster) SetSelector(text string) error {
	s, err := selector.Parse(text)
	if err != nil {
		return fmt.Errorf("legacy: %w", err)
	}
	b.selector.Store(s)
	return nil
}

// refuse drops a call of which no event can be made.
func (b *Broadcaster) refuse(by *Recorder, call *call, err error) {
	r := &recorded{recorder: by, eventType: call.eventType, reason: call.reason}
	b.mu.Lock()
	b.settled.Of(r.labels()).Drop(stats.Invalid, 1)
	b.mu.Unlock()
	b.report(drop{cause: stats.Invalid, recorded: r, err: err})
}

// report calls the drop handler.
func (b *Broadcaster) report(d drop) {
	handle := b.config.dropHandler
	if handle == nil {
		return
	}
	b.log.Call("drop handler", func() {
		handle(events.Drop{
			Reason:      events.DropReason(d.cause.String()),
			Regarding:   d.object,
			Type:        d.eventType,
			EventReason: d.reason,
			Occurrences: 1,
			Err:         d.err,
		})
	})
}

// detach removes a sink that was stopped and is up to date.
func (b *Broadcaster) detach(s *sinkWriter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.life.HasEnded() {
		return // Drain ends it
	}
	b.removeLocked(s)
	close(s.stop)
	s.cancel()
}

// removeLocked removes s and keeps its counters.
func (b *Broadcaster) removeLocked(s *sinkWriter) {
	for labels, account := range s.backlog.accounts.All() { // nothing waits any more
		b.settled.Of(labels).Add(&account.Counters)
	}
	b.writers = slices.DeleteFunc(b.writers, func(other *sinkWriter) bool { return other == s })
}

// attached returns the present sinks.
func (b *Broadcaster) attached() []*sinkWriter {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.writers)
}

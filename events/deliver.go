// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"errors"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
)

// attempt does one write of s and books the answer.
func (b *Broadcaster) attempt(ctx context.Context, s *series.Series) (request.Verdict, request.Op) {
	w, ok := b.cache.Begin(s)
	if !ok {
		return request.Verdict{Action: request.Skip}, request.Nothing
	}
	answered := false
	defer func() {
		if !answered {
			b.exited(s, w)
		}
	}()
	stored, err := b.send(ctx, w)
	answered = true
	v := request.Classify(w.Request, err)
	if v.Action != request.Stored && ctx.Err() == nil {
		b.log.Call("sink's error", func() { b.logFailure(w, v, err) })
	}
	next, given := b.cache.Settle(s, w, v, versionOf(stored), b.config.clock.Now())
	b.reportGiven(given, err)
	return v, next
}

// exited books a write whose sink has ended the goroutine (runtime.Goexit, which
// testing.T.FailNow calls): as after a panic nobody knows how far it came. The writer
// replaces the worker and does the write again.
func (b *Broadcaster) exited(s *series.Series, w *series.Write) {
	b.log.Goexit("sink")
	_, given := b.cache.Settle(s, w, request.NoAnswer, "", b.config.clock.Now())
	b.reportGiven(given, nil)
}

// send makes one request under its own deadline. No lock is held.
func (b *Broadcaster) send(ctx context.Context, w *series.Write) (*eventsv1.Event, error) {
	deadline := lifecycle.NewDeadline(ctx, b.config.writeTimeout)
	defer deadline.Release()
	var stored *eventsv1.Event
	var err error
	panicked := usercode.Call(func() {
		if w.Op == request.Patch {
			stored, err = b.sink.Patch(deadline, w.Event, w.Patch)
		} else {
			stored, err = b.sink.Create(deadline, w.Event)
		}
	})
	if panicked != nil { // nobody knows how far it came: as if it had not answered
		return nil, panicked
	}
	return stored, err
}

// maxVersion bounds what each series keeps of an answer. The API server's versions have 20 digits at most; without one,
// patches are unconditional.
const maxVersion = 128

// versionOf returns the resourceVersion of what is stored.
func versionOf(stored *eventsv1.Event) string {
	if stored == nil || len(stored.ResourceVersion) > maxVersion {
		return ""
	}
	return stored.ResourceVersion
}

// refuse drops a series whose namespace has just been found terminating.
func (b *Broadcaster) refuse(s *series.Series, v request.Verdict) {
	b.reportGiven(b.cache.RefuseQueued(s, v.Reason, b.config.clock.Now()), nil)
}

// reportGiven tells the log and the drop handler what was given up of series.
func (b *Broadcaster) reportGiven(given []series.Given, err error) {
	for i := range given {
		g := &given[i]
		switch g.Reason {
		case stats.Rejected, stats.NamespaceGone, stats.Filtered, stats.Abandoned:
			// Said where the answer is known, or not worth a line.
		default:
			b.log.Do(g.Reason.String(), "", time.Minute, func() {
				b.config.logger.Error(err, "Events dropped", "cause", g.Reason.String(), "occurrences", g.Occurrences,
					"object", klog.KRef(g.Regarding.Namespace, g.Regarding.Name), "reason", g.EventReason)
			})
		}
		b.notifyDrop(Drop{
			Reason: DropReason(g.Reason.String()), Regarding: g.Regarding, Type: g.Type, EventReason: g.EventReason,
			Occurrences: g.Occurrences, Err: err,
		})
	}
}

// notifyDrop calls the drop handler, if there is one.
func (b *Broadcaster) notifyDrop(d Drop) {
	if handler := b.config.onDrop; handler != nil {
		b.log.Call("drop handler", func() { handler(d) })
	}
}

// logFailure says once what is wrong and what to do about it.
func (b *Broadcaster) logFailure(w *series.Write, v request.Verdict, err error) {
	logger := b.config.logger.WithValues("event", klog.KRef(w.Event.Namespace, w.Event.Name), "err", err)
	var (
		judged   *request.Override
		panicked *usercode.Panic
	)
	switch {
	case errors.As(err, &panicked):
		b.log.Panic("sink", panicked)
	case v.Action == request.Drop && v.Reason == stats.Rejected:
		b.log.Do("Rejected", w.Event.Reason, time.Minute, func() {
			logger.Error(nil, "The API server refuses this event; it is dropped, "+
				"as are its repeats but for one now and then",
				"object", klog.KRef(w.Event.Regarding.Namespace, w.Event.Regarding.Name), "reason", w.Event.Reason)
		})
	case v.Action == request.Drop, v.Action == request.Recreate, v.Action == request.Resend:
		logger.V(4).Info("Event not stored", "verdict", v.Reason.String())
	case errors.As(err, &judged): // the adapter has said it
	case v.Action == request.Forbidden:
		b.log.Do("Forbidden", w.Event.Namespace, forbiddenEvery, func() {
			logger.Error(nil, "Events are kept until RBAC lets them be written: "+
				"the component's Role in this namespace needs "+
				`apiGroups ["events.k8s.io"], resources ["events"], verbs ["create", "patch"]`,
				"namespace", w.Event.Namespace)
		})
	case v.Action == request.Unsupported:
		b.log.Do("Unsupported", "", forbiddenEvery, func() {
			logger.Error(nil, "The API server does not serve this events API; events are kept. "+
				"Package adapter falls back to core/v1, unless it is pinned")
		})
	default:
		b.log.Do("Retry", "", time.Minute, func() {
			logger.Info("Event not written, will retry", "namespace", w.Event.Namespace)
		})
	}
}

// forbiddenEvery spaces reminders of what only a person can mend.
const forbiddenEvery = 10 * time.Minute

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
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
	"github.com/eventseries/eventseries/internal/writer"
)

// attempt does one write of s and books the answer.
func (b *Broadcaster) attempt(ctx context.Context, s *series.Series) (writer.Verdict, writer.Op) {
	w, ok := b.cache.Begin(s)
	if !ok {
		return writer.Verdict{Action: writer.Skip}, writer.Nothing
	}
	answered := false
	defer func() {
		if !answered {
			b.exited(s, w)
		}
	}()
	stored, err := b.send(ctx, w)
	answered = true
	v := judge(w, writer.Classify(err))
	if v.Action != writer.Settle && ctx.Err() == nil {
		b.guard("sink's error", func() { b.logFailure(w, v, err) })
	}
	next, given := b.cache.Settle(s, w, answer(stored, err, v), b.config.clock.Now())
	b.reportGiven(given, err)
	return v, operation(next)
}

// exited books a write whose sink has ended the goroutine (runtime.Goexit, which
// testing.T.FailNow calls): as after a panic nobody knows how far it came. The writer
// replaces the worker and does the write again.
func (b *Broadcaster) exited(s *series.Series, w *series.Write) {
	b.logPanic("sink", usercode.Recovered("runtime.Goexit"))
	_, given := b.cache.Settle(s, w, series.Answer{Kind: series.Failed, Ambiguous: true}, b.config.clock.Now())
	b.reportGiven(given, nil)
}

// send makes one request under its own deadline. No lock is held.
func (b *Broadcaster) send(ctx context.Context, w *series.Write) (*eventsv1.Event, error) {
	deadline := lifecycle.NewDeadline(ctx, b.config.writeTimeout)
	defer deadline.Release()
	var stored *eventsv1.Event
	var err error
	panicked := usercode.Call(func() {
		if w.Op == series.Patch {
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

// judge corrects answers that would be acted on at once for ever, so that a gate
// spaces them: what a store should not say ("no such event" to a Create, a
// conflict with what had no resourceVersion), and one conflict after another.
func judge(w *series.Write, v writer.Verdict) writer.Verdict {
	create := w.Op == series.Create
	switch {
	case v.Action == writer.Recreate && create, v.Action == writer.Resend && (create || w.Unconditional):
		return writer.Verdict{Action: writer.Retry, Gate: writer.Namespace}
	case v.Action == writer.Resend && w.Again:
		v.Gate = writer.Namespace
	case v.Action == writer.Settle && w.Look:
		v.Unanswered = true // the patch that follows is what may open the gate
	}
	return v
}

// maxVersion bounds what each series keeps of an answer. The API server's versions have 20 digits at most; without one,
// patches are unconditional.
const maxVersion = 128

// answer puts a verdict in the state machine's terms.
func answer(stored *eventsv1.Event, err error, v writer.Verdict) series.Answer {
	switch v.Action {
	case writer.Settle:
		a := series.Answer{Kind: series.Acknowledged, Unseen: err != nil}
		if stored != nil && len(stored.ResourceVersion) <= maxVersion {
			a.ResourceVersion = stored.ResourceVersion
		}
		return a
	case writer.Recreate:
		return series.Answer{Kind: series.Expired}
	case writer.Resend:
		return series.Answer{Kind: series.Conflicted}
	case writer.Drop:
		return series.Answer{Kind: series.Refused, Reason: v.Reason}
	default:
		return series.Answer{Kind: series.Failed, Ambiguous: v.Ambiguous, Hold: v.Hold}
	}
}

func operation(op series.Op) writer.Op {
	switch op {
	case series.Create:
		return writer.Create
	case series.Patch:
		return writer.Patch
	default:
		return writer.Nothing
	}
}

// refuse drops a series whose namespace has just been found terminating.
func (b *Broadcaster) refuse(s *series.Series, v writer.Verdict) {
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
			b.muted.do(g.Reason.String(), "", time.Minute, func() {
				b.config.logger.Error(err, "Events dropped", "cause", g.Reason.String(), "occurrences", g.Occurrences,
					"object", klog.KRef(g.Regarding.Namespace, g.Regarding.Name), "reason", g.EventReason)
			})
		}
		b.tell(Drop{
			Reason: DropReason(g.Reason.String()), Regarding: g.Regarding, Type: g.Type, EventReason: g.EventReason,
			Occurrences: g.Occurrences, Err: err,
		})
	}
}

// logFailure says once what is wrong and what to do about it.
func (b *Broadcaster) logFailure(w *series.Write, v writer.Verdict, err error) {
	logger := b.config.logger.WithValues("event", klog.KRef(w.Event.Namespace, w.Event.Name), "err", err)
	var (
		judged   *writer.Override
		panicked *usercode.Panic
	)
	switch {
	case errors.As(err, &panicked):
		b.logPanic("sink", panicked)
	case v.Action == writer.Drop && v.Reason == stats.Rejected:
		b.muted.do("Rejected", w.Event.Reason, time.Minute, func() {
			logger.Error(nil, "The API server refuses this event; it is dropped, "+
				"as are its repeats but for one now and then",
				"object", klog.KRef(w.Event.Regarding.Namespace, w.Event.Regarding.Name), "reason", w.Event.Reason)
		})
	case v.Action == writer.Drop, v.Action == writer.Recreate, v.Action == writer.Resend:
		logger.V(4).Info("Event not stored", "verdict", v.Reason.String())
	case errors.As(err, &judged): // the adapter has said it
	case v.Action == writer.Forbidden:
		b.muted.do("Forbidden", w.Event.Namespace, forbiddenEvery, func() {
			logger.Error(nil, "Events are kept until RBAC lets them be written: "+
				"the component's Role in this namespace needs "+
				`apiGroups ["events.k8s.io"], resources ["events"], verbs ["create", "patch"]`,
				"namespace", w.Event.Namespace)
		})
	case v.Action == writer.Unsupported:
		b.muted.do("Unsupported", "", forbiddenEvery, func() {
			logger.Error(nil, "The API server does not serve this events API; events are kept. "+
				"Package adapter falls back to core/v1, unless it is pinned")
		})
	default:
		b.muted.do("Retry", "", time.Minute, func() {
			logger.Info("Event not written, will retry", "namespace", w.Event.Namespace)
		})
	}
}

// forbiddenEvery spaces reminders of what only a person can mend.
const forbiddenEvery = 10 * time.Minute

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
	"github.com/eventseries/eventseries/internal/usercode"
)

// logFailure logs a failed write, and what to do about it. v is the verdict on err, the answer of
// the sink. A lasting fault is logged once per interval.
func (e *Engine) logFailure(w *series.Write, v request.Verdict, err error) {
	logger := e.config.Logger.WithValues("event", klog.KRef(w.Event.Namespace, w.Event.Name), "err", err)
	var panicked *usercode.Panic
	switch {
	case errors.As(err, &panicked):
		e.log.Panic("sink", panicked)
	case v.Action == request.Drop:
		e.logDropped(w, v, err)
	case v.Action == request.Recreate, v.Action == request.Resend:
		logger.V(4).Info("Event not stored", "verdict", v.Reason.String())
	case v.Action == request.Forbidden && v.Hold:
		// The adapter has found out that RBAC allows the write, so a webhook or a policy refuses
		// it.
		e.log.Do("Refused", w.Event.Reason, timing.RemindEvery, func() {
			logger.Info("Event refused, will retry; err says by what", "advice", "rejected",
				"object", klog.KRef(w.Event.Regarding.Namespace, w.Event.Regarding.Name), "reason", w.Event.Reason)
		})
	case v.Logged:
		// The sink has logged the answer.
	case v.Action == request.Forbidden:
		e.log.Forbidden(w.Event.Namespace, w.Op, func() {
			logger.Error(nil, "RBAC forbids Events in this namespace; "+
				"their writes are retried until the permission is granted. Add rule to the component's Role",
				"advice", "rbac-namespace", "namespace", w.Event.Namespace, "rule", rule(err))
		})
	default:
		e.logRetried(w, v, err)
	}
}

// remindToStart logs that a write waits because nobody has started the engine. A program may record
// before it calls Start, so the first minute is silent. It also logs nothing if the program calls
// Flush or has a watcher, because such a program may never want to call Start.
func (e *Engine) remindToStart() {
	switch {
	case e.life.State() != broadcast.NotStarted:
	case e.config.NeedNotStart || e.flushed.Load():
	case e.config.Clock.Since(e.began) < timing.StartWithin:
	case len(e.watchers.All()) > 0:
	default:
		e.log.Do("NotStarted", "", timing.RemindEvery, func() {
			e.config.Logger.Error(nil, "Events wait in memory and are not written, "+
				"because the broadcaster was not started; call Start, or start the manager that starts it",
				"advice", "not-started")
		})
	}
}

// logDropped logs a write that is not sent again, because the server will never store the Event.
func (e *Engine) logDropped(w *series.Write, v request.Verdict, err error) {
	logger := e.config.Logger.WithValues("event", klog.KRef(w.Event.Namespace, w.Event.Name), "err", err)
	switch {
	case v.Reason == stats.Rejected:
		e.log.Do("Rejected", w.Event.Reason, timing.LogEvery, func() {
			logger.Error(nil, "Event dropped: the API server rejects it; fix what err names. "+
				"A later occurrence is tried again after one to eight minutes", "advice", "rejected",
				"object", klog.KRef(w.Event.Regarding.Namespace, w.Event.Regarding.Name), "reason", w.Event.Reason)
		})
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		// It is not a fault if somebody deletes a namespace. Once the namespace is gone, the server
		// answers that it does not exist. Do not log that answer either.
		e.log.Silence("NamespaceGone", w.Event.Namespace, timing.RemindEvery)
		logger.V(4).Info("Event not stored", "verdict", v.Reason.String())
	case v.Reason == stats.NamespaceGone:
		e.log.Do("NamespaceGone", w.Event.Namespace, timing.RemindEvery, func() {
			logger.Error(nil, "The namespace does not exist; its Events are dropped. Unless somebody has deleted it, "+
				"create it, or correct the namespace of object", "advice", "no-namespace",
				"namespace", w.Event.Namespace,
				"object", klog.KRef(w.Event.Regarding.Namespace, w.Event.Regarding.Name), "reason", w.Event.Reason)
		})
	default:
		logger.V(4).Info("Event not stored", "verdict", v.Reason.String())
	}
}

// logRetried logs a write that will be sent again.
func (e *Engine) logRetried(w *series.Write, v request.Verdict, err error) {
	logger := e.config.Logger.WithValues("event", klog.KRef(w.Event.Namespace, w.Event.Name), "err", err)
	switch {
	case v.Action == request.Unsupported:
		e.log.Do("Unsupported", "", timing.RemindEvery, func() {
			logger.Error(nil, "The API server does not serve this events API; writes are retried. "+
				"Use package adapter in mode auto, which falls back to core/v1", "advice", "api-not-served")
		})
	case v.Gate == request.Server:
		e.log.Outage(v)
	case request.Foreign(err):
		e.log.Do("Foreign", "", timing.LogEvery, func() {
			logger.Info("A proxy or firewall refuses an Event in place of the API server; the write is retried",
				"advice", "proxy", "namespace", w.Event.Namespace)
		})
	case v.Gate == request.Shared:
		// The answer may concern the whole server, so do not log the namespace.
		e.log.Do("Retry", "", timing.LogEvery, func() {
			logger.Info("Event not written, will retry", "advice", "retry")
		})
	default:
		e.log.Do("Retry", "", timing.LogEvery, func() {
			logger.Info("Event not written, will retry", "advice", "retry", "namespace", w.Event.Namespace)
		})
	}
}

// maxErrorText is the maximum length of the text of a sink's error in the log, in bytes.
const maxErrorText = 1000

// rule returns the RBAC rule that is missing if the server has refused a write with err. It is one
// line of YAML. It contains no double quotes, because a logger would escape them.
func rule(err error) string {
	group := eventsv1.GroupName
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		if details := status.Status().Details; details != nil && details.Kind == "events" && details.Group == "" {
			group = "''"
		}
	}
	return "{apiGroups: [" + group + "], resources: [events], verbs: [create, patch]}"
}

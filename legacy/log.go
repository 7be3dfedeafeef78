// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"time"

	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// rbacRule lets a component record through this package. It is YAML that no logger
// has to escape.
const rbacRule = `{apiGroups: [''], resources: [events], verbs: [create, patch]}`

// faultLog logs what a person can do something about: never a whole event, and a
// fault that lasts once a minute.
type faultLog struct {
	*broadcast.Log
	logger klog.Logger
}

func (l *faultLog) once(fault string, log func()) { l.Do(fault, "", time.Minute, log) }

// retried logs a write that will be tried again.
func (l *faultLog) retried(r *recorded, v request.Verdict, err error) {
	logger := l.logger.WithValues("object", klog.KRef(r.object.Namespace, r.object.Name))
	switch {
	case v.Action == request.Forbidden:
		l.once("forbidden", func() {
			logger.Error(err, "RBAC forbids Events in this namespace; they are kept for an hour. "+
				"Add rule to a Role there, or to the component's ClusterRole", "advice", "rbac-namespace",
				"namespace", r.namespace(), "rule", rbacRule)
		})
	case v.Action == request.Unsupported:
		l.once("unsupported", func() {
			logger.Error(err, "The API server does not serve core/v1 Events; retrying every 30 seconds. "+
				"Check for a proxy that answers 404", "advice", "api-not-served")
		})
	case v.Gate == request.Server:
		l.Outage(v)
	default:
		l.once("retry", func() {
			logger.Error(err, "Event not written, will retry until it is an hour old", "advice", "retry")
		})
	}
}

// invalid logs an occurrence that no Event can be made of, to the recorder's logger.
func (l *faultLog) invalid(logger klog.Logger, c *call, err error) {
	l.Do("invalid", c.reason, time.Minute, func() {
		logger.Error(err, "Event dropped: the arguments are invalid; fix the call", "advice", "invalid",
			"type", c.eventType, "reason", c.reason)
	})
}

// annotations logs that some had to be repaired.
func (l *faultLog) annotations(logger klog.Logger, reason string) {
	l.once("annotations", func() {
		logger.Info("Annotations left out or cut: the API server would refuse them; fix the call",
			"advice", "repaired", "reason", reason)
	})
}

// labels logs why labels were left out, if err says so.
func (l *faultLog) labels(logger klog.Logger, err error) {
	if err != nil {
		l.once("labels", func() {
			logger.Error(err, "Labels left out: the API server would refuse them; fix what err names",
				"advice", "repaired")
		})
	}
}

// dropped logs a drop.
func (l *faultLog) dropped(d drop) {
	object := klog.KRef(d.object.Namespace, d.object.Name)
	switch d.cause {
	case stats.Rejected, stats.Invalid: // a webhook may refuse all events
		l.once(d.cause.String(), func() {
			l.logger.Error(d.err, "Event dropped: it cannot be stored; fix what err names", "advice", "rejected",
				"object", object, "reason", d.reason)
		})
	case stats.QueueFull, stats.TooOld:
		l.once(d.cause.String(), func() {
			l.logger.Error(d.err, "Events dropped", "advice", "dropped",
				"cause", d.cause, "object", object)
		})
	case stats.Stopped:
		l.Late(l.logger, d.reason)
	default:
		if logger := l.logger.V(5); logger.Enabled() {
			logger.Info("Event dropped", "cause", d.cause, "object", object, "reason", d.reason, "err", d.err)
		}
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"maps"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/usercode"
)

// complainEvery spaces log lines about a fault that lasts. An outage is one
// fact, however many events wait for its end.
const complainEvery = time.Minute

// The rule that lets a component record through this package, in YAML that no
// logger has to escape.
const rbacRule = `{apiGroups: [''], resources: [events], verbs: [create, patch]}`

// complaints is what the broadcaster logs: never a whole event, and a fault that
// lasts once a minute.
type complaints struct {
	logger klog.Logger
	clock  clock.PassiveClock

	stopped atomic.Int64 // occurrences that came after the end

	mu      sync.Mutex // guards the rest
	last    map[string]time.Time
	invalid map[string]time.Time // by reason of the event
}

// maxReasons bounds the lines of a minute about events that cannot be recorded,
// since callers make their reasons up.
const maxReasons = 64

// dueInvalid tells whether no invalid event of this reason was logged for a while.
func (c *complaints) dueInvalid(reason string) bool {
	now := c.clock.Now()
	recent := func(at time.Time) bool { return now.Sub(at) < complainEvery }
	c.mu.Lock()
	defer c.mu.Unlock()
	if last, ok := c.invalid[reason]; ok && recent(last) {
		return false
	}
	if len(c.invalid) >= maxReasons {
		maps.DeleteFunc(c.invalid, func(_ string, at time.Time) bool { return !recent(at) })
		if len(c.invalid) >= maxReasons {
			return false
		}
	}
	if c.invalid == nil {
		c.invalid = map[string]time.Time{}
	}
	c.invalid[strings.Clone(reason)] = now
	return true
}

// due tells whether the fault was not logged for a while.
func (c *complaints) due(fault string) bool {
	now := c.clock.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if last, ok := c.last[fault]; ok && now.Sub(last) < complainEvery {
		return false
	}
	if c.last == nil {
		c.last = map[string]time.Time{}
	}
	c.last[fault] = now
	return true
}

// failed logs a write that will be tried again.
func (c *complaints) failed(event *corev1.Event, action request.Action, err error) {
	logger := c.logger.WithValues("object", klog.KRef(event.InvolvedObject.Namespace, event.InvolvedObject.Name))
	switch action {
	case request.Forbidden:
		if c.due("forbidden") {
			logger.Error(err, "Events are forbidden and kept for a while, "+
				"add the rule to a Role in the event's namespace or to the component's ClusterRole",
				"namespace", event.Namespace, "rule", rbacRule)
		}
	case request.Unsupported:
		if c.due("unsupported") {
			logger.Error(err, "The API server does not serve core/v1 events, trying again every half minute")
		}
	default:
		if c.due("retry") {
			logger.Error(err, "Unable to write events, trying again until they are an hour old")
		}
	}
}

// panicked logs that code of the caller panicked, if it did.
func (c *complaints) panicked(whose string, panicked *usercode.Panic) {
	if panicked != nil && c.due("panic of "+whose) {
		c.logger.Error(panicked, "Code that was handed to the event broadcaster panicked; "+
			"events go on, look at the stack and mend it", "whose", whose, "stack", string(panicked.Stack))
	}
}

// goexit logs that a sink has ended the goroutine that called it.
func (c *complaints) goexit() {
	if c.due("goexit") {
		c.logger.Error(errGoexit, "Code that was handed to the event broadcaster ended its goroutine; "+
			"events go on, look at the stack and mend it", "whose", "sink", "stack", string(debug.Stack()))
	}
}

// dropped logs a loss that somebody can do something about.
func (c *complaints) dropped(l loss) {
	object := klog.KRef(l.event.InvolvedObject.Namespace, l.event.InvolvedObject.Name)
	switch l.reason {
	case stats.Rejected, stats.Invalid:
		// A webhook may refuse all of them.
		if c.due(l.reason.String()) {
			c.logger.Error(l.err, "An event is refused and dropped; more of them are only counted",
				"object", object, "reason", l.event.Reason)
		}
	case stats.QueueFull, stats.TooOld:
		if c.due(l.reason.String()) {
			c.logger.Error(l.err, "Events are dropped because the API server does not keep up or refuses them",
				"cause", l.reason, "object", object)
		}
	case stats.Stopped:
		dropped := c.stopped.Add(1)
		if c.due(l.reason.String()) {
			c.logger.Info("Events are dropped because the event broadcaster is shut down, "+
				"call Drain or Shutdown after all that records",
				"dropped", dropped, "object", object, "reason", l.event.Reason)
		}
	default:
		if logger := c.logger.V(5); logger.Enabled() {
			logger.Info("Event dropped", "cause", l.reason, "object", object, "reason", l.event.Reason, "err", l.err)
		}
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"errors"
	"maps"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
	"github.com/eventseries/eventseries/internal/usercode"
)

// maxDetails bounds the lines about one kind of fault within its interval.
const maxDetails = 64

// Log logs for a broadcaster. A fault that lasts is logged once per interval.
type Log struct {
	logger klog.Logger
	clock  clock.PassiveClock
	late   atomic.Int64 // occurrences after the end
	outage atomic.Bool  // the last answer was that of Outage

	refusals atomic.Int64 // the length of refused

	mu      sync.Mutex                      // guards the rest
	silent  map[string]map[string]time.Time // kind → detail → until when
	refused map[string]request.Op           // namespace → what Forbidden logged about it
}

// NewLog returns a Log that logs to logger.
func NewLog(logger klog.Logger, clk clock.PassiveClock) *Log {
	return &Log{
		logger:  logger,
		clock:   clk,
		silent:  map[string]map[string]time.Time{},
		refused: map[string]request.Op{},
	}
}

// Do calls log unless it did so within the interval for the same kind and detail
// of a fault. The SDK knows all kinds. Callers make up details, such as the reason
// of an event, so their number is bounded for each kind. log runs without a lock.
func (l *Log) Do(kind, detail string, every time.Duration, log func()) {
	if l.allow(kind, detail, every) {
		log()
	}
}

func (l *Log) allow(kind, detail string, every time.Duration) bool {
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	details := l.silent[kind]
	if now.Before(details[detail]) {
		return false
	}
	maps.DeleteFunc(details, func(_ string, until time.Time) bool { return !now.Before(until) })
	if len(details) >= maxDetails {
		return false
	}
	if details == nil {
		details = map[string]time.Time{}
		l.silent[kind] = details
	}
	details[strings.Clone(detail)] = now.Add(every)
	return true
}

// Silence makes Do log nothing about a fault for some time, counted from now.
func (l *Log) Silence(kind, detail string, d time.Duration) {
	now := l.clock.Now()
	l.allow(kind, detail, d)
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.silent[kind][detail]; known {
		l.silent[kind][detail] = now.Add(d)
	}
}

// Outage logs that the API server takes no writes at all, for which no namespace is to
// blame.
func (l *Log) Outage(v request.Verdict) {
	l.outage.Store(true)
	l.Do("Outage", "", timing.LogEvery, func() {
		l.logger.Info("The API server cannot be reached, or refuses this client; Events are kept and retried",
			"advice", "retry", "err", v.Error)
	})
}

// Answered logs that the API server takes writes again, if v says so after an outage.
func (l *Log) Answered(v request.Verdict) {
	if l.outage.Load() && !v.Unanswered && v.Gate != request.Server && l.outage.CompareAndSwap(true, false) {
		l.logger.Info("The API server answers again")
	}
}

// Forbidden calls log, now and then while it lasts, which says that RBAC forbids op in a
// namespace, whose Events wait.
func (l *Log) Forbidden(namespace string, op request.Op, log func()) {
	l.Do("Forbidden", namespace, timing.RemindEvery, func() {
		l.mu.Lock()
		for other := range l.refused { // forgets any of them, so that the memory is bounded
			if len(l.refused) < maxDetails {
				break
			}
			delete(l.refused, other)
		}
		l.refused[strings.Clone(namespace)] = op
		l.refusals.Store(int64(len(l.refused)))
		l.mu.Unlock()
		log()
	})
}

// Allowed logs that Events of a namespace are written again, if a write of op that is
// stored there shows it after Forbidden has logged the opposite. waited returns how many
// occurrences were waiting, and is called only then. Who may patch may create, too, but a
// Role may have forgotten to allow patches.
func (l *Log) Allowed(namespace string, op request.Op, waited func() int64) {
	if l.refusals.Load() == 0 { // most often
		return
	}
	l.mu.Lock()
	refused, known := l.refused[namespace]
	ends := known && (op == refused || op == request.Patch)
	if ends {
		delete(l.refused, namespace)
		l.refusals.Store(int64(len(l.refused)))
	}
	l.mu.Unlock()
	if ends {
		l.logger.Info("RBAC allows Events in this namespace again; those that waited are being written",
			"namespace", namespace, "occurrences", waited())
	}
}

// Call runs f, which is code of the caller. A panic of f is logged.
func (l *Log) Call(owner string, f func()) {
	if panicked := usercode.Call(f); panicked != nil {
		l.Panic(owner, panicked)
	}
}

// Panic logs that code of the caller panicked.
func (l *Log) Panic(owner string, panicked *usercode.Panic) {
	l.failed(owner, panicked, panicked.Stack)
}

// Goexit logs that code of the caller ends the goroutine, as testing.T.FailNow does. It
// must be called by that goroutine, whose stack is logged.
func (l *Log) Goexit(owner string) {
	l.failed(owner, errors.New("runtime.Goexit was called"), debug.Stack())
}

func (l *Log) failed(owner string, err error, stack []byte) {
	l.Do("user code", owner, timing.LogEvery, func() {
		l.logger.Error(err, "User code panicked or called runtime.Goexit; "+
			"recording continues. Fix the code that stack shows",
			"advice", "user-code", "whose", owner, "stack", string(stack))
	})
}

// Late logs the 1st, 2nd, 4th, 8th, … occurrence that was recorded after the end,
// to the logger of its recorder.
func (l *Log) Late(logger klog.Logger, reason string) {
	if n := l.late.Add(1); n&(n-1) == 0 {
		logger.Info("Event dropped: the broadcaster is shut down; "+
			"call Drain or Shutdown after all code that records has ended",
			"advice", "late", "reason", reason, "dropped", n)
	}
}

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

// maxDetails is the maximum number of lines that Log writes about one kind of fault within an
// interval, and the maximum number of refused namespaces that it remembers.
const maxDetails = 64

// Log writes the log lines of a broadcaster. It logs a lasting fault only once per interval, so
// that an outage does not fill the log.
//
// A Log is safe for concurrent use. It calls the logger without holding a lock, because the logger
// is user code and may itself record an Event.
type Log struct {
	logger klog.Logger
	clock  clock.PassiveClock
	// late is the number of occurrences that were recorded after the broadcaster had ended.
	late atomic.Int64
	// outage is true from a call of Outage to the next answer of the server.
	outage atomic.Bool

	// refusals is the length of refused. It lets Allowed avoid the lock in the common case.
	refusals atomic.Int64

	// mu guards the fields below.
	mu sync.Mutex
	// silent maps the kind and the detail of a fault to the time before which the fault is not
	// logged again.
	silent map[string]map[string]time.Time
	// refused maps each namespace that Forbidden has logged to the operation that RBAC refused.
	refused map[string]request.Op
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

// Do calls the function log, unless a line about the same kind and detail of a fault was logged
// less than the given interval ago. No lock is held during the call.
//
// A kind is a constant of the SDK. A detail comes from user code, such as the reason of an Event,
// so there may be any number of details. Therefore at most 64 details of a kind are logged within
// their intervals, and further details are not logged at all.
func (l *Log) Do(kind, detail string, interval time.Duration, log func()) {
	if l.allow(kind, detail, interval) {
		log()
	}
}

// allow reports whether the fault may be logged now. If so, it prevents the fault from being logged
// again before the given interval has passed.
func (l *Log) allow(kind, detail string, interval time.Duration) bool {
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
	details[strings.Clone(detail)] = now.Add(interval)
	return true
}

// Silence makes Do log nothing about a fault for the duration d, whether the fault was logged
// before or not. If 64 other details of the kind are already silenced, Do logs nothing about this
// detail in any case.
func (l *Log) Silence(kind, detail string, d time.Duration) {
	now := l.clock.Now()
	l.allow(kind, detail, d)
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, known := l.silent[kind][detail]; known {
		l.silent[kind][detail] = now.Add(d)
	}
}

// Outage logs that the API server accepts no writes in any namespace. v is the verdict on the last
// answer.
func (l *Log) Outage(v request.Verdict) {
	l.outage.Store(true)
	l.Do("Outage", "", timing.LogEvery, func() {
		l.logger.Info("The API server cannot be reached, or refuses this client; writes are retried",
			"advice", "retry", "err", v.Error)
	})
}

// Answered must be called with the verdict on every answer. It logs that the API server answers
// again, if v says so and Outage has reported an outage before.
func (l *Log) Answered(v request.Verdict) {
	if l.outage.Load() && !v.Unanswered && v.Gate != request.Server && l.outage.CompareAndSwap(true, false) {
		l.logger.Info("The API server answers again")
	}
}

// Forbidden calls the function log, which must log that RBAC forbids op in the namespace. It does
// so at most once every ten minutes while the refusals continue, and remembers the namespace for
// Allowed.
func (l *Log) Forbidden(namespace string, op request.Op, log func()) {
	l.Do("Forbidden", namespace, timing.RemindEvery, func() {
		l.mu.Lock()
		// Forget arbitrary namespaces, so that memory is bounded.
		for other := range l.refused {
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

// Allowed must be called for every stored write. It logs that Events of the namespace are written
// again, if Forbidden has logged a refusal there and a stored write with operation op proves that
// the refusal is over. waited returns the number of occurrences that were waiting; it is called
// only if there is a line to log.
//
// A stored Patch is taken as proof that creates are allowed too. A stored Create does not prove
// that patches are allowed, because a Role may list create but not patch.
func (l *Log) Allowed(namespace string, op request.Op, waited func() int64) {
	if l.refusals.Load() == 0 {
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
		l.logger.Info("RBAC allows Events in this namespace again; pending Events are being written",
			"namespace", namespace, "occurrences", waited())
	}
}

// Call runs f, which is user code. If f panics, Call logs the panic. owner names the code in the
// log line, such as "drop handler".
func (l *Log) Call(owner string, f func()) {
	if panicked := usercode.Call(f); panicked != nil {
		l.Panic(owner, panicked)
	}
}

// Panic logs a panic of user code. owner names the code.
func (l *Log) Panic(owner string, panicked *usercode.Panic) {
	l.failed(owner, panicked, panicked.Stack)
}

// Goexit logs that user code called runtime.Goexit, as testing.T.FailNow does. It must be called in
// the goroutine that ends, because it logs the stack of its own goroutine.
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

// Late logs that an occurrence was dropped because it was recorded after the end of the
// broadcaster. Only the 1st, 2nd, 4th, 8th, … such occurrence is logged, so that a component that
// keeps recording does not fill the log. logger is the logger of the recorder.
func (l *Log) Late(logger klog.Logger, reason string) {
	if n := l.late.Add(1); n&(n-1) == 0 {
		logger.Info("Event dropped: the broadcaster is shut down; "+
			"call Drain or Shutdown after all code that records has ended",
			"advice", "late", "reason", reason, "dropped", n)
	}
}

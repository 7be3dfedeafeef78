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

	mu     sync.Mutex                      // guards silent
	silent map[string]map[string]time.Time // kind → detail → until when
}

// NewLog returns a Log that logs to logger.
func NewLog(logger klog.Logger, clk clock.PassiveClock) *Log {
	return &Log{logger: logger, clock: clk, silent: map[string]map[string]time.Time{}}
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
	l.Do("Outage", "", time.Minute, func() {
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
	l.Do("user code", owner, time.Minute, func() {
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

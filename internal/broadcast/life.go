// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/watch"

	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/timing"
)

// State is a state in the life of a broadcaster.
type State = int32

// The states, in order. A broadcaster is Ended as soon as its drain begins.
const (
	NotStarted State = iota
	Running
	Ended
)

// Errors returned by Life.Start. Callers prefix the text with the name of their package.
var (
	ErrDrained = errors.New("the broadcaster is drained; make a new one")
	ErrStarted = errors.New("the broadcaster is already started")
)

// Life starts a broadcaster once and ends it once:
//
//	NotStarted ──Start──▶ Running ──Drain, Shutdown, or a time after the context──▶ Ended
//
// The end of the broadcaster's context does not end the broadcaster at once, so that the Events
// which a component records while it stops are still written. If neither Drain nor Shutdown is
// called within DrainTimeout after the context has ended, the broadcaster drains itself.
//
// A Life is safe for concurrent use.
type Life struct {
	// Group runs the goroutines that a drain must wait for: writes, timers and watchers.
	Group lifecycle.Group

	config Config

	// state is a State. It is atomic because end sets it to Ended without the lock.
	state atomic.Int32
	// done is closed when the drain has ended and err is set.
	done chan struct{}
	err  error

	// bound is the context that limits the drain for all callers of end. cut cancels bound when the
	// context of any caller ends, so the drain is given up when the first of these contexts ends.
	bound context.Context
	cut   context.CancelFunc

	// mu guards stopWaiting. Start and During hold it throughout, and end locks it before draining,
	// so that the drain does not begin during a call of Start or During.
	mu sync.Mutex
	// stopWaiting cancels the wait for the end of the context, or afterwards the wait for
	// DrainTimeout. It is nil before SuperviseLocked.
	stopWaiting func() bool
}

// Config configures a Life for one kind of broadcaster.
type Config struct {
	// DrainTimeout is the time limit for Shutdown. After the end of its context, the broadcaster
	// waits equally long for a call of Drain or Shutdown before it drains itself.
	DrainTimeout time.Duration
	// Hurry is called when the context has ended. It makes all pending occurrences due at once. It
	// must not block.
	Hurry func()
	// Drain does the work of Life.Drain. Life calls it once, without a lock, when the state is
	// Ended. Drain must give up when ctx ends, and return an error that describes the lost
	// occurrences.
	Drain func(ctx context.Context) error
	// Log is used to log the error of Drain if the drain was started by Shutdown or by Life itself.
	Log *Log
}

// NewLife returns a Life in the state NotStarted.
func NewLife(c Config) *Life {
	l := &Life{config: c, done: make(chan struct{})}
	l.bound, l.cut = context.WithCancel(context.Background())
	return l
}

// Start calls the function begin and sets the state to Running. If the broadcaster was started
// before, Start only returns ErrStarted; if the broadcaster has ended, Start only returns
// ErrDrained. The lock is held while begin runs, so begin must call neither Start nor During.
func (l *Life) Start(begin func()) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch l.State() {
	case Ended:
		return ErrDrained
	case Running:
		return ErrStarted
	}
	begin()
	// If end was called while begin ran, the state stays Ended.
	l.state.CompareAndSwap(NotStarted, Running)
	return nil
}

// During calls f with the current state. While f runs, Start blocks and a drain does not begin its
// work, although the state may become Ended.
func (l *Life) During(f func(State)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(l.State())
}

// State returns the current state, which another goroutine may change at any time. It takes no
// lock.
func (l *Life) State() State { return l.state.Load() }

// HasEnded reports whether the state is Ended. It takes no lock.
func (l *Life) HasEnded() bool { return l.State() == Ended }

// SuperviseLocked makes the broadcaster drain itself if neither Drain nor Shutdown is called within
// DrainTimeout after ctx has ended. It must be called from a function passed to During or Start.
// Only the first call has an effect. No goroutine waits for ctx.
func (l *Life) SuperviseLocked(ctx context.Context) {
	if l.stopWaiting != nil || l.HasEnded() {
		return
	}
	l.stopWaiting = context.AfterFunc(ctx, func() {
		// Join the group before the check of the state, so that a drain that begins after the check
		// waits for this function.
		defer l.Group.Join()()
		if l.HasEnded() {
			return
		}
		l.config.Hurry()
		l.During(func(s State) {
			if s != Ended {
				l.stopWaiting = time.AfterFunc(l.config.DrainTimeout, func() {
					l.shutdown("Events were lost: Shutdown was not called in time after the context ended")
				}).Stop
			}
		})
	})
}

// Drain ends the broadcaster: it writes the pending occurrences until ctx ends, waits for all
// goroutines, and returns an error if occurrences were lost.
//
// If several goroutines call Drain or Shutdown, one of them does the work, and the others wait for
// it and return the same result. The drain gives up when the first of their contexts ends.
func (l *Life) Drain(ctx context.Context) error {
	return l.end(ctx, func(error) {})
}

// Shutdown is Drain with a time limit of DrainTimeout. If Shutdown is the call that starts the
// drain, it logs the error of the drain.
func (l *Life) Shutdown() { l.shutdown("Events were lost at shutdown") }

// shutdown does the work of Shutdown. If the drain fails, it logs the error, with lost as the
// message.
func (l *Life) shutdown(lost string) {
	ctx, cancel := context.WithTimeout(context.Background(), l.config.DrainTimeout)
	defer cancel()
	_ = l.end(ctx, func(err error) { l.config.Log.logger.Error(err, lost, "advice", "shutdown") })
}

// end drains the broadcaster if it is the first call of end, and otherwise waits for the first
// call. It returns the result of the drain. Only the first call calls report, and only if there is
// an error.
//
// It does not use sync.Once, because that would block the other callers on a mutex. A goroutine
// that is blocked on a mutex stops the clock of a testing/synctest bubble, so the drain would never
// reach its timeout there.
func (l *Life) end(ctx context.Context, report func(error)) error {
	if l.state.Swap(Ended) != Ended {
		// A function that was passed to During or Start may be running, and may not know that the
		// state is now Ended. This call of During waits for that function.
		l.During(func(State) {
			if l.stopWaiting != nil {
				l.stopWaiting()
			}
		})
		bounded, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(l.bound, cancel)()
		l.err = l.config.Drain(bounded)
		if l.err != nil {
			report(l.err)
		}
		close(l.done)
	}
	select {
	case <-l.done:
	case <-ctx.Done():
		l.cut()
		// cut has ended the context of the drain, which therefore returns soon.
		<-l.done
	}
	return l.err
}

// WaitFor waits until all goroutines of group have returned or ctx ends. Then it calls giveUp,
// which should cancel the work of the goroutines, and waits for at most one more second. It returns
// the number of goroutines that are still running.
func WaitFor(ctx context.Context, group *lifecycle.Group, giveUp func()) (stuck int) {
	group.Wait(ctx)
	giveUp()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), timing.StuckAfter)
	defer cancel()
	return group.Wait(grace)
}

// NewStopper returns a watch that never sends an Event. The first call of its Stop method calls
// stop.
func NewStopper(stop func()) watch.Interface {
	result := make(chan watch.Event)
	// A MockWatcher is a watch that is made of its two methods.
	return watch.MockWatcher{
		StopFunc: sync.OnceFunc(func() {
			stop()
			close(result)
		}),
		ResultChanFunc: func() <-chan watch.Event { return result },
	}
}

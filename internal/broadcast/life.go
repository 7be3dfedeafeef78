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

// State says how far a broadcaster's life has come.
type State = int32

// The states, in their order. Ended includes a drain that is under way.
const (
	NotStarted State = iota
	Running
	Ended
)

// Errors of Life.Start. Callers put their package's name in front.
var (
	ErrDrained = errors.New("the broadcaster is drained; make a new one")
	ErrStarted = errors.New("the broadcaster is already started")
)

// Life starts a broadcaster once and ends it once:
//
//	NotStarted ──Start──▶ Running ──Drain, Shutdown, or a time after the context──▶ Ended
//
// The end of the broadcaster's context is not its end. What a component records on
// its way out is still written. A broadcaster that nobody drains within
// DrainTimeout after its context drains by itself.
type Life struct {
	// Group has the goroutines that a drain ends: writes, timers, watchers.
	Group lifecycle.Group

	config Config

	state atomic.Int32  // a State; end sets Ended without a lock
	done  chan struct{} // closed when err is set
	err   error

	bound context.Context // ends with that of the first caller of Drain or Shutdown whose context ends
	cut   context.CancelFunc

	mu          sync.Mutex  // guards the rest, and delays Start and the work of Drain
	stopWaiting func() bool // for the end of the context, and then for DrainTimeout; nil without a context
}

// Config is what differs between broadcasters.
type Config struct {
	// DrainTimeout bounds Shutdown. It is also the time that may pass between the
	// end of the context and a Drain.
	DrainTimeout time.Duration
	// Hurry makes all that is pending due at once. It must not block.
	Hurry func()
	// Drain does the work of Life.Drain. It is called once, without a lock, when
	// State is Ended already. What it cannot write until ctx ends is lost, which its
	// error says.
	Drain func(ctx context.Context) error
	// Log gets what a Shutdown has lost.
	Log *Log
}

// NewLife returns a life that has not started.
func NewLife(c Config) *Life {
	l := &Life{config: c, done: make(chan struct{})}
	l.bound, l.cut = context.WithCancel(context.Background())
	return l
}

// Start calls begin and makes the state Running. After that, and after the end, it
// returns an error without calling begin. begin runs under the lock that During takes.
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
	l.state.CompareAndSwap(NotStarted, Running) // unless the end has begun
	return nil
}

// During calls f with the state, which stays the same until f returns: neither
// Start nor the work of Drain begins meanwhile.
func (l *Life) During(f func(State)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(l.State())
}

// State returns the state, which may be another one already. It takes no lock.
func (l *Life) State() State { return l.state.Load() }

// HasEnded reports whether the end has begun. It takes no lock.
func (l *Life) HasEnded() bool { return l.State() == Ended }

// SuperviseLocked drains the broadcaster if nobody else does within DrainTimeout
// after ctx has ended. Until then it needs no goroutine. Only the first call has an
// effect. It must be called by a function that During or Start calls.
func (l *Life) SuperviseLocked(ctx context.Context) {
	if l.stopWaiting != nil || l.HasEnded() {
		return
	}
	l.stopWaiting = context.AfterFunc(ctx, func() {
		defer l.Group.Join()() // before it is asked whether the end has begun: a drain waits for this
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

// Drain ends the broadcaster within the time of ctx, or waits for whoever does,
// and returns the result of that. Of several callers the earliest bound is that of all.
func (l *Life) Drain(ctx context.Context) error {
	return l.end(ctx, func(error) {})
}

// Shutdown is Drain bounded by DrainTimeout. What was lost is logged, unless somebody
// else has ended the broadcaster, who knows it.
func (l *Life) Shutdown() { l.shutdown("Events were lost at shutdown") }

func (l *Life) shutdown(lost string) {
	ctx, cancel := context.WithTimeout(context.Background(), l.config.DrainTimeout)
	defer cancel()
	_ = l.end(ctx, func(err error) { l.config.Log.logger.Error(err, lost, "advice", "shutdown") })
}

// end does the work of Drain, or waits for the first caller, and returns the result. The
// first caller's report is called with an error. A sync.Once would block the others on a
// mutex: that stops the clock of a testing/synctest bubble, and so the end.
func (l *Life) end(ctx context.Context, report func(error)) error {
	if l.state.Swap(Ended) != Ended {
		l.During(func(State) { // whoever was in there had not seen the end begin
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
		<-l.done // which gives up soon
	}
	return l.err
}

// WaitFor waits until the goroutines of group have returned. When ctx has ended it calls
// giveUp, which cancels what they do, and waits for a second more. It returns how many are
// stuck.
func WaitFor(ctx context.Context, group *lifecycle.Group, giveUp func()) (stuck int) {
	group.Wait(ctx)
	giveUp()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), timing.StuckAfter)
	defer cancel()
	return group.Wait(grace)
}

// NewStopper returns a watch that calls stop once, and sends nothing.
func NewStopper(stop func()) watch.Interface {
	result := make(chan watch.Event)
	return watch.MockWatcher{ // which is a watch made of its two methods
		StopFunc: sync.OnceFunc(func() {
			stop()
			close(result)
		}),
		ResultChanFunc: func() <-chan watch.Event { return result },
	}
}

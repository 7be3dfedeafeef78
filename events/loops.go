// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"context"
	"time"

	"github.com/eventseries/eventseries/internal/broadcast"
	"github.com/eventseries/eventseries/internal/lifecycle"
	"github.com/eventseries/eventseries/internal/stats"
)

// loops are the writer and the timer. They run from Start on, and before it while a Flush
// needs them.
type loops struct {
	life *lifecycle.Group
	own  lifecycle.Group // the same goroutines, to wait for them alone
	ctx  context.Context // of all requests, too
	end  context.CancelFunc
}

func (l *loops) spawn(fn func()) {
	leave := l.own.Join()
	l.life.Go(func() {
		defer leave()
		fn()
	})
}

// useLoops makes the loops run, if they do not yet. Requests do not inherit the end of ctx.
// It must be called by a function that life.During or life.Start calls.
func (b *Broadcaster) useLoops(ctx context.Context) *loops {
	if b.users++; b.loops != nil {
		return b.loops
	}
	l := &loops{life: &b.life.Group}
	l.ctx, l.end = context.WithCancel(context.WithoutCancel(ctx))
	l.spawn(func() { b.writer.Run(l.ctx, l.spawn) })
	l.spawn(func() { b.runTimer(l.ctx.Done()) })
	b.loops = l
	return l
}

// runMeanwhile makes the loops run before Start, until leave is called. Then they have
// returned, and series that are over are forgotten, unless Start or another Flush needs them.
func (b *Broadcaster) runMeanwhile(ctx context.Context) (leave func()) {
	var l *loops
	b.life.During(func(s broadcast.State) {
		if s == broadcast.NotStarted {
			l = b.useLoops(ctx)
		}
	})
	if l == nil {
		return func() {}
	}
	return func() {
		last := false
		b.life.During(func(broadcast.State) {
			if b.users--; b.users == 0 {
				last, b.loops = true, nil
				l.end()
			}
		})
		if last {
			l.own.Wait(context.Background())
			b.expire()
		}
	}
}

// runTimer hands series to the writer when their deadline comes.
func (b *Broadcaster) runTimer(stop <-chan struct{}) {
	for {
		if !b.sleep(b.expire(), stop) {
			return
		}
	}
}

// expire looks at the deadlines that have come, and returns when the next one will.
func (b *Broadcaster) expire() (next time.Time) {
	for _, core := range b.cores {
		effects, at := core.Expire(b.config.clock.Now())
		b.apply(effects, nil)
		next = stats.Earlier(next, at)
	}
	return next
}

// sleep waits until next, or for a deadline that became earlier; zero means
// that there is none. It returns false when the broadcaster stops.
func (b *Broadcaster) sleep(next time.Time, stop <-chan struct{}) bool {
	var due <-chan time.Time
	if !next.IsZero() {
		timer := b.config.clock.NewTimer(next.Sub(b.config.clock.Now()))
		defer timer.Stop()
		due = timer.C()
	}
	select {
	case <-due:
	case <-b.poked:
	case <-stop:
		return false
	}
	return true
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/eventseries/eventseries/internal/request"
)

// wire is a component's connection: the rate limiter of its client, and the way
// to the server.
type wire struct {
	component *Component
	limiter   *rate.Limiter // what client-go's flowcontrol has inside

	mu   sync.Mutex
	busy time.Time // until when the goroutine that cannot wait would wait
}

func newWire(c *Component) *wire {
	return &wire{component: c, limiter: rate.NewLimiter(rate.Limit(c.QPS), c.Burst)}
}

// travel takes as long as a request needs to arrive, and says when that is.
func (w *wire) travel(ctx context.Context) (time.Time, error) {
	if err := request.NewLimiter(w.limiter).Wait(ctx); err != nil {
		return time.Time{}, fmt.Errorf("client rate limiter Wait returned an error: %w", err)
	}
	if w.cut() {
		return time.Time{}, w.timeOut(ctx)
	}
	time.Sleep(latency)
	return time.Now(), nil
}

func (w *wire) cut() bool { return w.component.Cut != nil && w.component.Cut(time.Now()) }

// dialTimeout is client-go's default.
const dialTimeout = 30 * time.Second

// timeOut is a request to a server that cannot be reached.
func (w *wire) timeOut(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(dialTimeout):
		return errUnreachable
	}
}

var errUnreachable = &net.OpError{Op: "dial", Net: "tcp", Err: os.ErrDeadlineExceeded}

// arrival says when a request would arrive of a goroutine that sends one after
// the other, and takes no time, not even to fail.
func (w *wire) arrival() (time.Time, error) {
	if w.cut() {
		return time.Time{}, errUnreachable
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	now := time.Now()
	allowed := now.Add(w.limiter.ReserveN(now, 1).DelayFrom(now))
	if w.busy.After(allowed) {
		allowed = w.busy
	}
	w.busy = allowed.Add(latency)
	return w.busy, nil
}

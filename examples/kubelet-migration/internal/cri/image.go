// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package cri

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Always is a number of pull errors that never runs out.
const Always = -1

// ErrPull says that an image could not be pulled.
var ErrPull = errors.New("cri: registry does not deliver the image")

// Image is an image of the registry and what a container made from it does.
type Image struct {
	Name string
	// PullTime is how long a pull takes, successful or not.
	PullTime time.Duration
	// PullErrors is how many pulls fail before one succeeds, [Always] for all.
	PullErrors int
	// Run says how long run number n, counted from 0, of a container in the named
	// pod lasts, and with what code it exits. Nil or a time of 0 means until it is
	// stopped. It is called under the lock of the runtime and must not call back.
	Run func(pod string, n int) (time.Duration, int)
}

// run is Run for images without one.
func (i *Image) run(pod string, n int) (time.Duration, int) {
	if i.Run == nil {
		return 0, 0
	}
	return i.Run(pod, n)
}

// HasImage says whether the image was pulled.
func (r *Runtime) HasImage(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.pulled[name]
}

// PullImage fetches an image. It takes as long as the image says and fails with
// an error that wraps [ErrPull], or with that of ctx if it ends before.
func (r *Runtime) PullImage(ctx context.Context, name string) error {
	image, ok := r.images[name]
	if !ok {
		return fmt.Errorf("%w: no image %q", ErrPull, name)
	}
	if err := sleep(ctx, image.PullTime); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pulls[name]++
	if image.PullErrors == Always || r.pulls[name] <= image.PullErrors {
		return fmt.Errorf("%w: %q", ErrPull, name)
	}
	r.pulled[name] = true
	return nil
}

// sleep waits for d and fails if ctx ends before.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

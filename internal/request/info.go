// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/internal/usercode"
)

// Info is what a sink may know of the write that it is asked for.
type Info struct {
	Request
	Attempt      int   // from 1, since the last write of the series that was acknowledged
	Delta, Total int64 // occurrences that are not recorded yet, and all of the Event
	// Paced is the rate limiter that has let the next request pass already, if any has.
	Paced Limiter
	// Limiter is the one that a request met last.
	Limiter Limiter
	// Made is called for each request to an API server, when it is answered. It may be nil.
	Made func(api string, op Op, took time.Duration, err error)
}

type infoKey struct{}

// WithInfo returns a context for the request of a write.
func WithInfo(ctx context.Context, info *Info) context.Context {
	return context.WithValue(ctx, infoKey{}, info)
}

// InfoFrom returns what WithInfo was given, or nil.
func InfoFrom(ctx context.Context) *Info {
	info, _ := ctx.Value(infoKey{}).(*Info)
	return info
}

// Limiter is what the SDK needs of a client's rate limiter.
type Limiter interface {
	Wait(ctx context.Context) error
}

// Wait waits for the rate limiter of a client, unless the request of ctx has passed it.
func Wait(ctx context.Context, limiter Limiter) error {
	if info := InfoFrom(ctx); info != nil && reflect.TypeOf(limiter).Comparable() {
		passed := info.Paced == limiter
		if info.Limiter, info.Paced = limiter, nil; passed {
			return nil
		}
	}
	return limiter.Wait(ctx)
}

// Begin says that a request of ctx goes to an API, and is answered when answered is called.
func Begin(ctx context.Context, api string, op Op) (answered func(err error)) {
	info := InfoFrom(ctx)
	if info == nil || info.Made == nil {
		return func(error) {}
	}
	began := time.Now()
	return func(err error) { info.Made(api, op, time.Since(began), err) }
}

// Code returns the HTTP status of an answer, and 0 if there was none. A client tells
// those of failures only.
func Code(op Op, err error) (code int) {
	if err == nil {
		if op == Create {
			return http.StatusCreated
		}
		return http.StatusOK
	}
	_ = usercode.Call(func() { // an error of a sink may panic
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			code = int(status.Status().Code)
		}
	})
	return code
}

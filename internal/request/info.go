// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"errors"
	"net/http"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/eventseries/eventseries/internal/usercode"
)

// Info is what a sink may know of the write that it is asked for.
type Info struct {
	Request
	Attempt      int   // from 1, since the last write of the series that was acknowledged
	Delta, Total int64 // occurrences that are not recorded yet, and all of the Event
	// Throttled is called when the request begins to wait for the rate limiter of the
	// client, and what it returned when it has waited. It may be nil.
	Throttled func() (sent func())
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

// Throttle says that the request of ctx waits for the rate limiter of the client, until
// sent is called.
func Throttle(ctx context.Context) (sent func()) {
	if info := InfoFrom(ctx); info != nil && info.Throttled != nil {
		return info.Throttled()
	}
	return func() {}
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

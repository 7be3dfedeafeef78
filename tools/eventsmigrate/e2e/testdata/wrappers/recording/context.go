// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"context"

	"k8s.io/client-go/tools/record"
)

type key struct{}

// NewContext returns a context with recorder in it.
func NewContext(ctx context.Context, recorder record.EventRecorder) context.Context {
	return context.WithValue(ctx, key{}, recorder)
}

// FromContext returns the recorder in ctx, or nil.
func FromContext(ctx context.Context) record.EventRecorder {
	recorder, ok := ctx.Value(key{}).(record.EventRecorder)
	if !ok {
		return nil
	}
	return recorder
}

// MustFromContext returns the recorder in ctx, or one that forgets.
func MustFromContext(ctx context.Context) record.EventRecorder {
	if r := FromContext(ctx); r != nil {
		return r
	}
	return &record.FakeRecorder{}
}

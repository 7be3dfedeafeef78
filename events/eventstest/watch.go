// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"

	"k8s.io/apimachinery/pkg/watch"
)

// boundWatch is a watch that its context ends, which client-go's fakes do not know about.
type boundWatch struct {
	watch.Interface
	release func() bool
}

// boundTo ends w with ctx, or at once if there is an error.
func boundTo(ctx context.Context, w watch.Interface, err error) (watch.Interface, error) {
	if w == nil || err != nil {
		if w != nil {
			w.Stop()
		}
		return nil, err
	}
	return boundWatch{w, context.AfterFunc(ctx, w.Stop)}, nil
}

// Stop implements watch.Interface.
func (w boundWatch) Stop() {
	w.release()
	w.Interface.Stop()
}

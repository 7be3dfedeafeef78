// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

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

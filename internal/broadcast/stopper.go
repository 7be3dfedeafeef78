// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package broadcast

import (
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// stopper is a watch that only has a Stop.
type stopper struct {
	stop   func()
	result chan watch.Event
}

// NewStopper returns a watch that calls stop once, and sends nothing.
func NewStopper(stop func()) watch.Interface {
	s := &stopper{result: make(chan watch.Event)}
	s.stop = sync.OnceFunc(func() {
		stop()
		close(s.result)
	})
	return s
}

// Stop implements [watch.Interface].
func (s *stopper) Stop() { s.stop() }

// ResultChan implements [watch.Interface].
func (s *stopper) ResultChan() <-chan watch.Event { return s.result }

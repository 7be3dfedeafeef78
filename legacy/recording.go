// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// recording is what StartRecordingToSink returns: the means to stop it.
type recording struct {
	outlet *outlet
	once   sync.Once
	result chan watch.Event // nothing is ever sent
}

// Stop ends admission; what waits is written in the background.
func (r *recording) Stop() {
	r.once.Do(func() {
		close(r.result)
		if r.outlet.backlog.close() {
			r.outlet.empty(r.outlet)
		}
	})
}

// ResultChan returns a channel that Stop closes. Events go to the sink only.
func (r *recording) ResultChan() <-chan watch.Event { return r.result }

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// sinkWatch is what StartRecordingToSink returns: the means to stop it.
type sinkWatch struct {
	writer *sinkWriter
	once   sync.Once
	result chan watch.Event // nothing is ever sent
}

// Stop ends the recording to the sink. What waits is written in the background.
func (w *sinkWatch) Stop() {
	w.once.Do(func() {
		close(w.result)
		if w.writer.backlog.close() {
			w.writer.onEmpty(w.writer)
		}
	})
}

// ResultChan returns a channel that Stop closes. Events go to the sink only.
func (w *sinkWatch) ResultChan() <-chan watch.Event { return w.result }

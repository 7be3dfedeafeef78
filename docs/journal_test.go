// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"slices"
	"sync"

	"k8s.io/klog/v2"
)

// journal is a klog.LogSink that keeps what is logged at verbosity 0: the messages without their values.
type journal struct {
	mu    sync.Mutex // guards lines
	lines []string
}

var _ klog.LogSink = (*journal)(nil)

func (j *journal) Init(klog.RuntimeInfo)          {}
func (j *journal) Enabled(level int) bool         { return level == 0 }
func (j *journal) WithName(string) klog.LogSink   { return j }
func (j *journal) WithValues(...any) klog.LogSink { return j }

func (j *journal) Info(_ int, message string, _ ...any) { j.add(message) }

func (j *journal) Error(_ error, message string, _ ...any) { j.add(message) }

func (j *journal) add(message string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, message)
}

// messages are the different ones, in order of the alphabet.
func (j *journal) messages() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Compact(slices.Sorted(slices.Values(j.lines)))
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import "k8s.io/klog/v2"

// callDepthSink is a sink that can skip stack frames, so that a line names its caller.
type callDepthSink interface {
	WithCallDepth(depth int) klog.LogSink
}

// Logger returns a logger that writes to logger. If logger panics, the line is lost.
// The values of each line are sanitized.
func Logger(logger klog.Logger) klog.Logger {
	sink := logger.GetSink()
	if _, ours := sink.(logSink); sink == nil || ours {
		return logger
	}
	if deep, ok := sink.(callDepthSink); ok {
		sink = deep.WithCallDepth(3) // skips a method of logSink, Call, and the function in it
	}
	return logger.WithSink(logSink{sink})
}

// logSink recovers the panics of another sink, and sanitizes the values it gets.
type logSink struct{ sink klog.LogSink }

var _ callDepthSink = logSink{}

func (s logSink) Init(info klog.RuntimeInfo) {
	_ = Call(func() { s.sink.Init(info) })
}

func (s logSink) Enabled(level int) (enabled bool) {
	_ = Call(func() { enabled = s.sink.Enabled(level) })
	return enabled
}

func (s logSink) Info(level int, msg string, keysAndValues ...any) {
	_ = Call(func() { s.sink.Info(level, msg, sanitizeForLog(keysAndValues)...) })
}

func (s logSink) Error(err error, msg string, keysAndValues ...any) {
	_ = Call(func() { s.sink.Error(sanitizeError(err), msg, sanitizeForLog(keysAndValues)...) })
}

func (s logSink) WithValues(keysAndValues ...any) klog.LogSink {
	return s.with(func() klog.LogSink { return s.sink.WithValues(sanitizeForLog(keysAndValues)...) })
}

func (s logSink) WithName(name string) klog.LogSink {
	return s.with(func() klog.LogSink { return s.sink.WithName(name) })
}

func (s logSink) WithCallDepth(depth int) klog.LogSink {
	deep, ok := s.sink.(callDepthSink)
	if !ok {
		return s
	}
	return s.with(func() klog.LogSink { return deep.WithCallDepth(depth) })
}

// with returns a logSink over the result of other, or s if other panics.
func (s logSink) with(other func() klog.LogSink) klog.LogSink {
	_ = Call(func() { s.sink = other() })
	return s
}

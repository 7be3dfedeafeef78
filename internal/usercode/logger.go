// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import "k8s.io/klog/v2"

// deepSink can be told how many frames are between the line and itself.
type deepSink interface {
	WithCallDepth(depth int) klog.LogSink
}

// Logger returns a logger that is logger but loses the line where that panics:
// there is nowhere else to say it. What a line shows is legible.
func Logger(logger klog.Logger) klog.Logger {
	sink := logger.GetSink()
	if _, ours := sink.(logSink); sink == nil || ours {
		return logger
	}
	if deep, ok := sink.(deepSink); ok {
		sink = deep.WithCallDepth(1) // for logSink's own methods, so that lines keep their place
	}
	return logger.WithSink(logSink{sink})
}

// logSink contains the panics of another one, and keeps its lines apart.
type logSink struct{ sink klog.LogSink }

var _ deepSink = logSink{}

func (s logSink) Init(info klog.RuntimeInfo) {
	defer contain()
	s.sink.Init(info)
}

func (s logSink) Enabled(level int) bool {
	defer contain()
	return s.sink.Enabled(level)
}

func (s logSink) Info(level int, msg string, keysAndValues ...any) {
	defer contain()
	s.sink.Info(level, msg, legible(keysAndValues)...)
}

func (s logSink) Error(err error, msg string, keysAndValues ...any) {
	defer contain()
	err, _ = legibleError(err)
	s.sink.Error(err, msg, legible(keysAndValues)...)
}

func (s logSink) WithValues(keysAndValues ...any) klog.LogSink {
	return s.with(func() klog.LogSink { return s.sink.WithValues(legible(keysAndValues)...) })
}

func (s logSink) WithName(name string) klog.LogSink {
	return s.with(func() klog.LogSink { return s.sink.WithName(name) })
}

func (s logSink) WithCallDepth(depth int) klog.LogSink {
	deep, ok := s.sink.(deepSink)
	if !ok {
		return s
	}
	return s.with(func() klog.LogSink { return deep.WithCallDepth(depth) })
}

// with returns the same over another sink, or s when that cannot be had.
func (s logSink) with(other func() klog.LogSink) (sink klog.LogSink) {
	sink = s
	defer contain()
	return logSink{other()}
}

func contain() { _ = recover() }

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package testlog provides a log sink that keeps its lines, so that tests can check them.
package testlog

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"k8s.io/klog/v2"
)

// Log is a klog.LogSink that keeps lines such as
//
//	error: Event dropped reason="Killing" dropped="2"
//
// It formats values with %+v, like a sink without special support for klog's types. The zero value
// is ready to use. A Log is safe for concurrent use.
type Log struct {
	// Level is the highest verbosity that is enabled.
	Level int
	// OnLine, if not nil, is called after each line, without a lock held.
	OnLine func()

	// values are the keys and values that were passed to WithValues.
	values []any
	// parent is the Log that keeps the lines, if this Log was returned by WithValues. Otherwise it
	// is nil.
	parent *Log

	// mu guards the fields below.
	mu    sync.Mutex
	lines []string
}

var _ klog.LogSink = (*Log)(nil)

// Init implements klog.LogSink.
func (l *Log) Init(klog.RuntimeInfo) {}

// Enabled implements klog.LogSink.
func (l *Log) Enabled(level int) bool { return level <= l.Level }

// WithName implements klog.LogSink.
func (l *Log) WithName(string) klog.LogSink { return l }

// Info implements klog.LogSink.
func (l *Log) Info(_ int, msg string, keysAndValues ...any) { l.add("info: "+msg, keysAndValues) }

// Error implements klog.LogSink.
func (l *Log) Error(err error, msg string, keysAndValues ...any) {
	if err != nil {
		keysAndValues = append([]any{"err", err}, keysAndValues...)
	}
	l.add("error: "+msg, keysAndValues)
}

// WithValues implements klog.LogSink.
func (l *Log) WithValues(keysAndValues ...any) klog.LogSink {
	return &Log{
		Level:  l.Level,
		OnLine: l.OnLine,
		parent: l.root(),
		values: slices.Concat(l.values, keysAndValues),
	}
}

// root returns the Log that keeps the lines.
func (l *Log) root() *Log {
	if l.parent != nil {
		return l.parent
	}
	return l
}

func (l *Log) add(line string, keysAndValues []any) {
	keysAndValues = slices.Concat(l.values, keysAndValues)
	for i := 0; i+1 < len(keysAndValues); i += 2 {
		line += fmt.Sprintf(" %v=%q", keysAndValues[i], fmt.Sprintf("%+v", keysAndValues[i+1]))
	}
	root := l.root()
	root.mu.Lock()
	root.lines = append(root.lines, line)
	root.mu.Unlock()
	if l.OnLine != nil {
		l.OnLine()
	}
}

// Take returns the lines since the last call of Take, and removes them from l.
func (l *Log) Take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

// Lines returns the kept lines that contain text.
func (l *Log) Lines(text string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.lines), func(line string) bool { return !strings.Contains(line, text) })
}

// CheckOnce returns the line that contains text. It fails t unless there is exactly one such line.
func (l *Log) CheckOnce(t *testing.T, text string) string {
	t.Helper()
	found := l.Lines(text)
	if len(found) != 1 {
		t.Fatalf("%d lines of the log have %q, want 1:\n%s", len(found), text, strings.Join(l.Lines(""), "\n"))
	}
	return found[0]
}

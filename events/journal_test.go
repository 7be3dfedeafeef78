// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"k8s.io/klog/v2"
)

// journal is a klog.LogSink that keeps the lines, for tests of what is logged. Values are rendered with %+v, as a sink
// would that knows nothing of klog.
type journal struct {
	onLine func() // called for each line, without a lock
	level  int    // the highest one that is enabled
	values []any

	parent *journal   // has the lines, if this was made by WithValues
	mu     sync.Mutex // guards the rest
	lines  []string
}

var _ klog.LogSink = (*journal)(nil)

func (j *journal) Init(klog.RuntimeInfo)              {}
func (j *journal) Enabled(level int) bool             { return level <= j.level }
func (j *journal) WithName(string) klog.LogSink       { return j }
func (j *journal) Info(_ int, msg string, kvs ...any) { j.add("info", msg, kvs) }

func (j *journal) Error(err error, msg string, kvs ...any) {
	if err != nil {
		kvs = append([]any{"err", err}, kvs...)
	}
	j.add("error", msg, kvs)
}

func (j *journal) WithValues(kvs ...any) klog.LogSink {
	return &journal{
		onLine: j.onLine, level: j.level, parent: j.root(), values: append(append([]any(nil), j.values...), kvs...),
	}
}

func (j *journal) root() *journal {
	if j.parent != nil {
		return j.parent
	}
	return j
}

func (j *journal) add(severity, msg string, kvs []any) {
	var line strings.Builder
	fmt.Fprintf(&line, "%s: %s", severity, msg)
	kvs = append(append([]any(nil), j.values...), kvs...)
	for i := 0; i+1 < len(kvs); i += 2 {
		fmt.Fprintf(&line, " %v=%q", kvs[i], fmt.Sprintf("%+v", kvs[i+1]))
	}
	root := j.root()
	root.mu.Lock()
	root.lines = append(root.lines, line.String())
	root.mu.Unlock()
	if j.onLine != nil {
		j.onLine()
	}
}

// take returns the lines since it was called last.
func (j *journal) take() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	lines := j.lines
	j.lines = nil
	return lines
}

// checkLine checks that there is one line with all of these parts.
func checkLine(t *testing.T, lines []string, parts ...string) {
	t.Helper()
	if len(lines) != 1 {
		t.Errorf("%d lines, want 1 with %q:\n%s", len(lines), parts, strings.Join(lines, "\n"))
		return
	}
	for _, part := range parts {
		if !strings.Contains(lines[0], part) {
			t.Errorf("the line lacks %q: %s", part, lines[0])
		}
	}
}

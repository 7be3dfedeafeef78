// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	"fmt"
	"strings"
	"sync"

	"github.com/go-logr/logr"
)

// Line is one log line, with its values unformatted.
type Line struct {
	Message string
	IsError bool
	Err     error
	Values  []any // keys and values in turn
}

// String is the line as a person would read it.
func (l Line) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q", l.Message)
	if l.Err != nil {
		fmt.Fprintf(&b, " err=%q", l.Err)
	}
	for i := 0; i+1 < len(l.Values); i += 2 {
		fmt.Fprintf(&b, " %v=%v", l.Values[i], l.Values[i+1])
	}
	return b.String()
}

// Value returns the value of a key, as text; "" if the line has no such key.
func (l Line) Value(key string) string {
	for i := 0; i+1 < len(l.Values); i += 2 {
		if l.Values[i] == key {
			return fmt.Sprint(l.Values[i+1])
		}
	}
	return ""
}

// Log collects what an operator would see at the default verbosity. It is safe for
// concurrent use.
type Log struct {
	mu    sync.Mutex
	lines []Line
}

// Logger returns a logger that writes to l.
func (l *Log) Logger() logr.Logger { return logr.New(&logSink{log: l}) }

// Lines returns the lines so far whose text contains all of parts.
func (l *Log) Lines(parts ...string) (found []Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
next:
	for _, line := range l.lines {
		text := line.String()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				continue next
			}
		}
		found = append(found, line)
	}
	return found
}

func (l *Log) add(line Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

// logSink is the logr.LogSink over a Log.
type logSink struct {
	log    *Log
	values []any
}

func (s *logSink) Init(logr.RuntimeInfo) {}

func (s *logSink) Enabled(level int) bool { return level == 0 }

func (s *logSink) Info(_ int, msg string, values ...any) {
	s.log.add(Line{Message: msg, Values: s.with(values)})
}

func (s *logSink) Error(err error, msg string, values ...any) {
	s.log.add(Line{Message: msg, IsError: true, Err: err, Values: s.with(values)})
}

func (s *logSink) WithValues(values ...any) logr.LogSink {
	return &logSink{log: s.log, values: s.with(values)}
}

func (s *logSink) WithName(string) logr.LogSink { return s }

func (s *logSink) with(values []any) []any {
	return append(append([]any(nil), s.values...), values...)
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
)

// journal is a klog.LogSink that keeps the lines.
type journal struct {
	mu    sync.Mutex // guards the rest
	lines []string
	news  chan struct{} // closed and replaced with each line
}

var _ klog.LogSink = (*journal)(nil)

// journaled returns the option that has an adapter log to the journal.
func journaled() (*journal, adapter.Option) {
	j := &journal{news: make(chan struct{})}
	return j, adapter.WithLogger(klog.New(j))
}

func (j *journal) Init(klog.RuntimeInfo)          {}
func (j *journal) Enabled(int) bool               { return true }
func (j *journal) WithName(string) klog.LogSink   { return j }
func (j *journal) WithValues(...any) klog.LogSink { return j }

func (j *journal) Info(level int, msg string, kvs ...any) {
	j.add(fmt.Sprintf("info%d: %s", level, msg), kvs)
}

func (j *journal) Error(err error, msg string, kvs ...any) {
	j.add("error: "+msg, append([]any{"err", err}, kvs...))
}

func (j *journal) add(line string, kvs []any) {
	for i := 0; i+1 < len(kvs); i += 2 {
		line += fmt.Sprintf(" %v=%v", kvs[i], kvs[i+1])
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = append(j.lines, line)
	close(j.news)
	j.news = make(chan struct{})
}

// with returns the lines that contain text.
func (j *journal) with(text string) []string {
	found, _ := j.look(text)
	return found
}

func (j *journal) look(text string) (found []string, news <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, line := range j.lines {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found, j.news
}

// await waits for a line that contains text.
func (j *journal) await(t *testing.T, text string) {
	t.Helper()
	for {
		found, news := j.look(text)
		if len(found) > 0 {
			return
		}
		select {
		case <-news:
		case <-t.Context().Done():
			t.Fatalf("no line of the log has %q", text)
		}
	}
}

// checkOnce wants exactly one line that contains text.
func (j *journal) checkOnce(t *testing.T, text string) string {
	t.Helper()
	found := j.with(text)
	if len(found) != 1 {
		all, _ := j.look("")
		t.Fatalf("%d lines of the log have %q, want 1:\n%s", len(found), text, strings.Join(all, "\n"))
	}
	return found[0]
}

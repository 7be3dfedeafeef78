// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package usercode

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"
)

func newText(out *strings.Builder, verbosity int) klog.Logger {
	return textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(out), textlogger.Verbosity(verbosity)))
}

// A line is what it would have been, the place included.
func TestLoggerChangesNothing(t *testing.T) {
	var out strings.Builder
	logger := Logger(newText(&out, 2))
	logger.Info("one", "k", "v")
	logger.Error(errors.New("oh"), "two")
	logger.WithValues("a", 1).WithName("n").V(2).Info("three")
	logger.WithCallDepth(0).Info("four")
	logger.V(3).Info("not enabled")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines, want 4:\n%s", len(lines), out.String())
	}
	for i, want := range []string{`"one" k="v"`, `"two" err="oh"`, `"three" logger="n" a=1`, `"four"`} {
		if !strings.Contains(lines[i], want) || !strings.Contains(lines[i], "logger_test.go:") {
			t.Errorf("%s, want %s from this file", lines[i], want)
		}
	}
	if !logger.V(2).Enabled() || logger.V(3).Enabled() {
		t.Error("the level is another one")
	}
}

// broken is a LogSink that panics in every method, from the moment it is in use.
type broken struct{ used *bool }

func (b broken) explode() {
	if *b.used {
		panic("oh")
	}
}

func (b broken) Init(klog.RuntimeInfo)          { b.explode() }
func (b broken) Enabled(int) bool               { b.explode(); return true }
func (b broken) Info(int, string, ...any)       { b.explode() }
func (b broken) Error(error, string, ...any)    { b.explode() }
func (b broken) WithValues(...any) klog.LogSink { b.explode(); return b }
func (b broken) WithName(string) klog.LogSink   { b.explode(); return b }
func (b broken) WithCallDepth(int) klog.LogSink { b.explode(); return b }

func TestLoggerPanics(t *testing.T) {
	used := false
	logger := Logger(klog.New(broken{&used}))
	used = true
	if logger.Enabled() {
		t.Error("enabled, though nobody can tell")
	}
	logger.Info("info")
	logger.Error(nil, "error")
	logger.WithValues("k", "v").Error(nil, "error")
	logger.WithName("n").WithCallDepth(1).Error(nil, "error")
	logger.GetSink().Init(klog.RuntimeInfo{})
	logger.GetSink().Info(0, "info")
}

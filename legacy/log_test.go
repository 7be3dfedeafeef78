// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/events"
)

// buffer is a strings.Builder for several goroutines.
type buffer struct {
	mu  sync.Mutex
	out strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.String()
}

func loggerTo(b *buffer, verbosity int) klog.Logger {
	return textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(b), textlogger.Verbosity(verbosity)))
}

func TestFaultLog(t *testing.T) {
	rule := `rule="{apiGroups: [''], resources: [events], verbs: [create, patch]}"`
	tests := map[string]struct {
		answer error
		lines  int // in ten minutes
		want   string
	}{
		"forbidden":   {forbidden(), 10, rule},
		"unavailable": {unavailable(), 10, "Event not written, will retry"},
		"not served":  {status(404, "NotFound"), 10, "does not serve this events API"},
		"rejected":    {status(422, "Invalid"), 1, `err="Invalid" advice="rejected" object="default/a" reason="Started"`}, // one, of two
		"terminating": {terminating("default"), 0, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var out buffer
				sink := &server{script: func(sinkCall) error { return test.answer }}
				b, recorder := recordTo(sink, events.WithLogger(loggerTo(&out, 0)))
				recorder.Event(pod("a"), "Normal", "Started", "secret")
				recorder.Event(pod("a"), "Normal", "Started", "secret 2")
				time.Sleep(10*time.Minute - time.Second)
				sink.answer(nil)
				b.Shutdown()
				got := out.String()
				n := strings.Count(got, "\n")
				if n > test.lines || test.lines > 0 && n == 0 || !strings.Contains(got, test.want) {
					t.Errorf("%d lines, want at most %d with %q:\n%s", n, test.lines, test.want, got)
				}
				if strings.Contains(got, "secret") {
					t.Errorf("the log has the message of an event:\n%s", got)
				}
			})
		})
	}
}

func TestOverflowIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out buffer
		b, recorder := recordTo(&server{script: takes(time.Second)}, events.WithLogger(loggerTo(&out, 0)), withQueueSize(2))
		for range 100 {
			recorder.Event(pod("a"), "Normal", "Started", "m")
		}
		b.Shutdown()
		if got := out.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "QueueFull") {
			t.Errorf("logged %q, want one line", got)
		}
	})
}

// A hot loop with an event that cannot be recorded is a line a minute and reason; made-up reasons are bounded, and do
// not mute lines about anything else.
//
// Caught: a line for each event; a bound that is shared with other faults.
func TestInvalidEventsAreLoggedOnceAMinuteAndReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out buffer
		sink := &server{script: func(sinkCall) error { return unavailable() }}
		b, recorder := recordTo(sink, events.WithLogger(loggerTo(&out, 0)))
		lines := func(reason func(i int) string) int {
			before := strings.Count(out.String(), "Event dropped: the arguments are invalid")
			for i := range 1000 {
				recorder.Event(nil, "Normal", reason(i), "m")
			}
			return strings.Count(out.String(), "Event dropped: the arguments are invalid") - before
		}
		if n := lines(func(i int) string { return fmt.Sprint(i % 2) }); n != 2 {
			t.Errorf("%d lines for two reasons, want 2", n)
		}
		time.Sleep(time.Minute)
		if n := lines(func(i int) string { return fmt.Sprint(i) }); n != 64 {
			t.Errorf("%d lines for a thousand reasons, want 64", n)
		}
		time.Sleep(time.Minute)
		if n := lines(func(int) string { return "0" }); n != 1 {
			t.Errorf("%d lines a minute later, want 1", n)
		}
		recorder.Event(pod("a"), "Normal", "Started", "m")
		synctest.Wait()
		if !strings.Contains(out.String(), "Event not written, will retry") {
			t.Error("the log says nothing of the server")
		}
		sink.answer(nil)
		b.Shutdown()
	})
}

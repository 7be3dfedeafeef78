// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sinks_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/sinks"
)

// decode returns the Events of a text. It fails t unless every line is an Event with its kind.
func decode(t *testing.T, lines string) (all []eventsv1.Event) {
	t.Helper()
	for line := range strings.Lines(lines) {
		var e eventsv1.Event
		if err := json.Unmarshal([]byte(line), &e); err != nil || !strings.HasSuffix(line, "}\n") {
			t.Fatalf("the line %q: %v", line, err)
		}
		if e.APIVersion != "events.k8s.io/v1" || e.Kind != "Event" {
			t.Errorf("%s says it is %s %s", e.Name, e.APIVersion, e.Kind)
		}
		all = append(all, e)
	}
	return all
}

func TestJSONLines(t *testing.T) {
	var out bytes.Buffer
	sink := sinks.JSONLines(&out)
	first := newEvent("a")
	first.Note = "two\nlines"
	if _, err := sink.Create(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	second, patch := counted("a", 2)
	if _, err := sink.Patch(t.Context(), second, patch); err != nil {
		t.Fatal(err)
	}
	if first.Kind != "" {
		t.Error("the sink changed the event")
	}
	got := decode(t, out.String())
	want := []eventsv1.Event{*first, *second}
	for i := range want {
		want[i].APIVersion, want[i].Kind = "events.k8s.io/v1", "Event"
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// short is a writer that fails once for each entry, after it has written that number of bytes.
type short struct {
	takes  []int
	panics bool
	out    bytes.Buffer
}

var errFull = errors.New("disk full")

func (s *short) Write(b []byte) (int, error) {
	if len(s.takes) == 0 {
		return s.out.Write(b)
	}
	n := min(s.takes[0], len(b))
	s.takes = s.takes[1:]
	s.out.Write(b[:n])
	if s.panics {
		panic(errFull)
	}
	return n, errFull
}

// The part of a line that a failing writer has written is a line of its own, and the next line is
// complete.
//
// Caught: torn that is set only after Write has returned.
func TestJSONLinesTornLine(t *testing.T) {
	tests := []struct {
		name   string
		takes  []int
		panics bool
		// torn is the number of lines that are not JSON.
		torn int
	}{
		{"a part taken", []int{10}, false, 1},
		{"a part taken, then nothing", []int{10, 0}, false, 1},
		{"all taken", []int{1 << 20}, false, 0},
		{"a part taken, and a panic", []int{10}, true, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := &short{takes: slices.Clone(tt.takes), panics: tt.panics}
			sink := sinks.JSONLines(w)
			create := func() (err error) {
				defer func() { // as a broadcaster does
					if tt.panics {
						err, _ = recover().(error)
					}
				}()
				_, err = sink.Create(t.Context(), newEvent("a"))
				return err
			}
			for range tt.takes {
				if err := create(); !errors.Is(err, errFull) {
					t.Errorf("Create() = %v, want the writer's error", err)
				}
			}
			if _, err := sink.Create(t.Context(), newEvent("b")); err != nil {
				t.Errorf("Create() = %v", err)
			}
			torn, whole := 0, 0
			for line := range strings.Lines(w.out.String()) {
				if json.Valid([]byte(line)) && strings.Contains(line, "{") {
					whole++
				} else {
					torn++
				}
			}
			if want := 1 + strings.Count(w.out.String(), `"name":"a"`); torn != tt.torn || whole != want {
				t.Errorf("%d torn lines and %d whole ones, want %d, %d:\n%s",
					torn, whole, tt.torn, want, w.out.String())
			}
		})
	}
}

// pipe is a writer that hangs, like a pipe that nobody reads.
type pipe struct{ read chan struct{} }

func (p pipe) Write(b []byte) (int, error) {
	<-p.read
	return len(b), nil
}

// While a line cannot be written, another write stops waiting when its context ends.
//
// Caught: a mutex around Write, which no context ends.
func TestJSONLinesHonoursContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		out := pipe{make(chan struct{})}
		sink := sinks.JSONLines(out)
		var first sync.WaitGroup
		first.Go(func() {
			if _, err := sink.Create(t.Context(), newEvent("a")); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := sink.Create(ctx, newEvent("b")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Create while another one hangs: %v, want the context's error", err)
		}
		close(out.read)
		first.Wait()
	})
}

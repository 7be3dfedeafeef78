// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

var update = flag.Bool("update", false, "rewrite testdata, the output that pages show")

// holdShown fails unless a file of testdata has the output that a test has made. Pages show parts of that file, and
// test/repository fails if they show anything else. With -update it writes the output instead.
func holdShown(t *testing.T, name, output string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(output), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(read(t, file), output); diff != "" {
		t.Errorf("%s (go test ./docs -update accepts it; -file +test):\n%s", file, diff)
	}
}

// server is an API server in memory that answers after five milliseconds. It lists the writes that it has answered.
type server struct {
	*eventstest.Sink
	began time.Time

	mu     sync.Mutex
	writes []write
	names  []string // of the Events, in the order of their creation
}

// write is a request that a server has answered.
type write struct {
	after time.Duration // since the server began
	op    eventstest.Op
	event int   // the number of the Event, from 1
	count int32 // the occurrences that the Event has with this write
	err   error
}

func newServer() *server {
	s := &server{Sink: eventstest.NewSink(), began: time.Now()}
	s.SetLatency(5 * time.Millisecond)
	return s
}

func (s *server) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	stored, err := s.Sink.Create(ctx, event)
	s.note(eventstest.OpCreate, event, err)
	return stored, err
}

func (s *server) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	stored, err := s.Sink.Patch(ctx, event, patch)
	s.note(eventstest.OpPatch, event, err)
	return stored, err
}

func (s *server) note(op eventstest.Op, event *eventsv1.Event, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := write{
		after: time.Since(s.began),
		op:    op,
		event: slices.Index(s.names, event.Name) + 1,
		count: 1,
		err:   err,
	}
	if w.event == 0 {
		s.names = append(s.names, event.Name)
		w.event = len(s.names)
	}
	if event.Series != nil {
		w.count = event.Series.Count
	}
	s.writes = append(s.writes, w)
}

// answered returns the writes so far.
func (s *server) answered() []write {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.writes)
}

// timeline lists the writes so far, one on each line.
func (s *server) timeline() string {
	var lines strings.Builder
	for _, w := range s.answered() {
		fmt.Fprintf(&lines, "%7s   %-6s  Event %d  x%d", short(w.after), w.op, w.event, w.count)
		if w.err != nil {
			fmt.Fprintf(&lines, "   refused: %s", apierrors.ReasonForError(w.err))
		}
		lines.WriteByte('\n')
	}
	return lines.String()
}

// stored lists the Events on the server, one on each line. Annotations are left out, because they have random IDs.
func (s *server) stored() string {
	var lines strings.Builder
	for _, event := range eventstest.SeriesOf(s.Events()...) {
		event.Annotations = nil
		fmt.Fprintln(&lines, event)
	}
	return lines.String()
}

// short returns a time without what is zero: 10m, and not 10m0s.
func short(d time.Duration) string {
	text := d.Round(time.Second).String()
	if trimmed := strings.TrimSuffix(text, "m0s"); trimmed != text {
		text = trimmed + "m"
	}
	if trimmed := strings.TrimSuffix(text, "h0m"); trimmed != text {
		text = trimmed + "h"
	}
	return text
}

// begin starts a broadcaster that writes to the server, and returns it with a recorder.
func begin(t *testing.T, sink events.Sink, opts ...events.Option) (*events.Broadcaster, *events.Recorder) {
	t.Helper()
	b := events.NewBroadcaster(sink, append(opts, events.WithLogger(klog.Logger{}))...)
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b, b.Recorder(scheme.Scheme, "example.com/my-controller")
}

// object returns a reference to an object in the namespace default.
func object(kind, name string) *corev1.ObjectReference {
	apiVersion := "v1"
	if kind == "Deployment" {
		apiVersion = "apps/v1"
	}
	return &corev1.ObjectReference{
		APIVersion: apiVersion,
		Kind:       kind,
		Namespace:  "default",
		Name:       name,
		UID:        "1",
	}
}

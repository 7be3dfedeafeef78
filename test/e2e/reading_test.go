// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/test/e2e/internal/controlplane"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

// A reader that is killed ten times and begins again from what it has stored, on a server that is killed, too, and
// whose Events expire after ten seconds, while the writers are replaced: what it has added up is what was recorded.
func TestReadingAddsUp(t *testing.T) {
	plane, err := controlplane.Start("--event-ttl=10s")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := plane.Stop(); err != nil {
			t.Error(err)
		}
	}()
	env := harness.New(t, plane)

	const series, rounds, kills = 500, 100, 10 // of each of two writers
	var total int64
	written := make(chan struct{})
	go func() {
		defer close(written)
		for half := range 2 {
			var writers []*adapter.Adapter
			for w := range 2 {
				a := adapter.New(t.Context(), env.Admin, adapter.WithMode([]adapter.API{adapter.EventsV1, adapter.CoreV1}[w]))
				if err := a.Start(t.Context()); err != nil {
					t.Error(err)
				}
				writers = append(writers, a)
			}
			for round := range rounds / 2 {
				if half == 1 && round == rounds/4 {
					if err := plane.KillServer(); err != nil {
						t.Error(err)
					}
					if err := plane.StartServer(); err != nil {
						t.Error(err)
					}
				}
				for w, a := range writers {
					recorder := a.Recorder(fmt.Sprint("example.com/writer-", w))
					for i := range series {
						pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: env.Namespace, Name: fmt.Sprint("p-", i), UID: types.UID(fmt.Sprint(i))}}
						recorder.Eventf(pod, nil, corev1.EventTypeWarning, "BackOff", "Restart", "it crashed")
					}
				}
				time.Sleep(100 * time.Millisecond) // real time: the server's Events expire in it
			}
			for _, a := range writers {
				if err := a.Drain(t.Context()); err != nil {
					t.Error(err)
				}
				total += a.Stats().Recorded
			}
		}
	}()

	// What the reader stores, always together: a checkpoint, and what it has made of the Events so far.
	// It began so long ago that Events of its first list, which the writers may be faster than, are new in any case.
	checkpoint, err := eventview.NewTracker(time.Now().Add(-2*time.Minute), 0).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var added eventview.Delta
	var changes, expired int
	client := env.Admin.EventsV1().Events(env.Namespace)
	life := func(long time.Duration) {
		ctx, kill := context.WithTimeout(t.Context(), long)
		defer kill()
		tracker := eventview.NewTracker(time.Now(), 0)
		if err := tracker.UnmarshalBinary(checkpoint); err != nil {
			t.Fatal(err)
		}
		for change, err := range eventview.Watch(ctx, client, metav1.ListOptions{}, tracker) {
			if err != nil {
				t.Logf("the reader: %v", err)
				continue
			}
			changes++
			if change.Deleted {
				expired++
			}
			if changes%7 == 0 && ctx.Err() != nil {
				return // killed before it has stored anything of this change
			}
			added.New += change.Delta.New
			added.Before += change.Delta.Before
			if checkpoint, err = tracker.MarshalBinary(); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range kills {
		life(1500 * time.Millisecond)
		time.Sleep(250 * time.Millisecond) // it is down meanwhile
	}
	<-written
	for end := time.Now().Add(soon); time.Now().Before(end) && (added.New < total || expired == 0); {
		life(3 * time.Second)
	}
	t.Logf("%d occurrences in %d changes; %d Events expired", total, changes, expired)
	if want := (eventview.Delta{New: total}); total != 2*series*rounds || added != want {
		t.Errorf("the reader has %+v of %d recorded, want %+v of %d", added, total, want, 2*series*rounds)
	}
	if expired == 0 {
		t.Error("no Event expired, which is a part of the test")
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// t stands for the *testing.T of a user's test.
var t = &example{}

type example struct{ testing.TB }

func (*example) Helper()             {}
func (*example) Cleanup(func())      {}
func (*example) Name() string        { return "Example" }
func (*example) Logf(string, ...any) {}

func Example_notes() {
	for _, policy := range []events.NotePolicy{events.NotesFirst, events.NotesDistinct(2), events.NotesLatest} {
		recorder := eventstest.NewRecorder(t, events.WithNotePolicy(policy))
		for _, image := range []string{"a", "b", "c"} {
			recorder.Eventf(pod, nil, "Normal", "Pulled", "Pull", "image %s", image)
		}
		fmt.Printf("%v\n%v", policy, recorder)
	}
	// Output:
	// NotesFirst
	// Normal Pulled (Pull) Pod default/web x3: "image a"
	// NotesDistinct(2)
	// Normal Pulled (Pull) Pod default/web x1: "image a"
	// Normal Pulled (Pull) Pod default/web x2: "image b"
	// NotesLatest
	// Normal Pulled (Pull) Pod default/web x3: "image a" map[eventseries.dev/latest-note:image c]
}

func Example_job() {
	ctx, client := context.Background(), eventstest.NewClientset()

	a := adapter.New(ctx, client)
	recorder := a.Recorder("example.com/backup")
	for range 3 {
		recorder.Eventf(pod, nil, "Normal", "BackedUp", "BackUp", "a volume is stored")
	}
	end, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if err := a.Flush(end); err != nil {
		fmt.Println(err) // what is not written, and why
	}
	fmt.Println(eventstest.SeriesOf(client.Events()...)[0])
	// Output: Normal BackedUp (BackUp) Pod default/web x3: "a volume is stored"
}

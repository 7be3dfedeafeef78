// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package debug_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/debug"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// A component serves the page with its other pages for operators. A script reads it as JSON.
func ExampleHandler() {
	a := adapter.New(context.Background(), eventstest.NewClientset(), quiet)
	defer a.Shutdown()
	mux := http.NewServeMux()
	mux.Handle("/debug/events", debug.Handler(a))

	recorder := a.Recorder("example.com/hello")
	for range 3 {
		recorder.Eventf(pod("default", "web"), nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello")
	}

	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest("GET", "/debug/events?format=json", nil))
	var page struct {
		Stats   struct{ Observed, Recorded, Pending int64 }
		Waiting []events.SeriesState
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%d of %d are recorded\n", page.Stats.Recorded, page.Stats.Observed)
	for _, s := range page.Waiting {
		fmt.Println(s.Regarding.Name, s.Reason, "waits for", s.WaitsFor)
	}
	// Output:
	// 0 of 3 are recorded
	// web Greeted waits for Start
}

// withoutNotes is a source without the notes.
type withoutNotes struct{ *adapter.Adapter }

func (s withoutNotes) Snapshot(n int) adapter.Snapshot {
	i := s.Adapter.Snapshot(n)
	for _, list := range [][]events.SeriesState{i.Frequent, i.Waiting} {
		for j := range list {
			list[j].Note = ""
		}
	}
	return i
}

// A Source can hide data, such as the notes, from the readers of a page.
func ExampleSource() {
	a := adapter.New(context.Background(), eventstest.NewClientset(), quiet)
	defer a.Shutdown()
	recorder := a.Recorder("example.com/hello")
	recorder.Eventf(pod("default", "web"), nil, corev1.EventTypeNormal, "Greeted", "Greet", "the password is hunter2")

	var source debug.Source = withoutNotes{a}
	fmt.Printf("%q\n", source.Snapshot(1).Frequent[0].Note)
	// Output: ""
}

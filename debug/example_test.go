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

// The page beside the component's other pages for operators, and as JSON for a script.
func ExampleHandler() {
	broadcaster := adapter.New(context.Background(), eventstest.NewClientset(), quiet)
	defer broadcaster.Shutdown()
	mux := http.NewServeMux()
	mux.Handle("/debug/events", debug.Handler(broadcaster))

	recorder := broadcaster.NewRecorder("example.com/hello")
	for range 3 {
		recorder.Eventf(pod("default", "web"), nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello")
	}

	answer := httptest.NewRecorder()
	mux.ServeHTTP(answer, httptest.NewRequest("GET", "/debug/events?format=json", nil))
	var page struct {
		Accounts struct{ Observed, Recorded, Pending, Dropped int64 }
		Series   struct{ Waiting []events.SeriesState }
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil {
		fmt.Println(err)
	}
	a := page.Accounts
	fmt.Printf("%d = %d + %d + %d\n", a.Observed, a.Recorded, a.Pending, a.Dropped)
	for _, s := range page.Series.Waiting {
		fmt.Println(s.Regarding.Name, s.Reason, "waits for", s.Wait.For)
	}
	// Output:
	// 3 = 0 + 3 + 0
	// web Greeted waits for Start
}

// withoutNotes shows everything but what notes say.
type withoutNotes struct{ *adapter.Adapter }

func (s withoutNotes) Inspect(n int) adapter.Inspection {
	i := s.Adapter.Inspect(n)
	for _, list := range [][]events.SeriesState{i.Series.Frequent, i.Series.Waiting} {
		for j := range list {
			list[j].Note = ""
		}
	}
	return i
}

// A page for readers who may not see notes.
func ExampleSource() {
	broadcaster := adapter.New(context.Background(), eventstest.NewClientset(), quiet)
	defer broadcaster.Shutdown()
	recorder := broadcaster.NewRecorder("example.com/hello")
	recorder.Eventf(pod("default", "web"), nil, corev1.EventTypeNormal, "Greeted", "Greet", "the password is hunter2")

	var source debug.Source = withoutNotes{broadcaster}
	fmt.Printf("%q\n", source.Inspect(1).Series.Frequent[0].Note)
	// Output: ""
}

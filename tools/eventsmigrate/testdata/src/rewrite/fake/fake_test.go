// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package fake

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/stretchr/testify/suite"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
)

type env struct {
	recorder *record.FakeRecorder // want "record\\.FakeRecorder is eventstest\\.Recorder in the SDK's test kit"
	t        *testing.T
}

func newEnv(t *testing.T) *env { return &env{recorder: record.NewFakeRecorder(10), t: t} } // want "a Recorder of the SDK's test kit"

func (e *env) reconciler() *reconciler { return &reconciler{recorder: e.recorder} }

func newRecorder(t testing.TB) *record.FakeRecorder { // want "record\\.FakeRecorder is eventstest\\.Recorder in the SDK's test kit"
	t.Helper()
	return record.NewFakeRecorder(1) // want "a Recorder of the SDK's test kit"
}

func TestHandedOn(t *testing.T) {
	_ = &reconciler{recorder: record.NewFakeRecorder(10)} // want "a Recorder of the SDK's test kit"
	_ = &reconciler{recorder: &record.FakeRecorder{}}     // want "a Recorder of the SDK's test kit"
	_ = &reconciler{recorder: new(record.FakeRecorder)}   // want "a Recorder of the SDK's test kit"
	_ = newEnv(t).reconciler()
	var recorder *record.FakeRecorder // want "record\\.FakeRecorder is eventstest\\.Recorder in the SDK's test kit"
	if recorder == nil {
		recorder = newRecorder(t)
	}
	recorder.Event(&corev1.Pod{}, "Normal", "Direct", "by the test") // want "Event becomes Eventf with action \"Direct\""
	_ = &reconciler{recorder}
	t.Run("sub", func(tt *testing.T) {
		_ = &reconciler{record.NewFakeRecorder(10)} // want "a Recorder of the SDK's test kit"
	})
}

func TestCounts(t *testing.T) {
	recorder := record.NewFakeRecorder(10) // want "a Recorder of the SDK's test kit"
	if len(recorder.Events) != 1 {         // want "what the channel had is in the Recorder's Occurrences"
		t.Fatalf("%d events", len(recorder.Events)) // want "what the channel had is in the Recorder's Occurrences"
	}
	assert.Empty(t, recorder.Events, "none") // want "what the channel had is in the Recorder's Occurrences"
	require.Len(t, recorder.Events, 2)       // want "what the channel had is in the Recorder's Occurrences"
}

func TestReceives(t *testing.T) {
	recorder := record.NewFakeRecorder(10)                                     // want "a Recorder of the SDK's test kit"
	assert.Equal(t, "Normal Scaled to 3 replicas", <-recorder.Events, "first") // want "what the channel had is in the Recorder's Occurrences"
	require.Contains(t, <-recorder.Events, "Scaled")                           // want "what the channel had is in the Recorder's Occurrences"
	require.Contains(t, <-recorder.Events, "made all")                         // want "what the channel had is in the Recorder's Occurrences"
	require.Contains(t, <-recorder.Events, "Normal Created ")                  // want "what the channel had is in the Recorder's Occurrences"
	require.Contains(t, <-recorder.Events, "Created")                          // want "what the channel had is in the Recorder's Occurrences"
	<-recorder.Events                                                          // want "what the channel had is in the Recorder's Occurrences"
	event := <-recorder.Events                                                 // want "what the channel had is in the Recorder's Occurrences"
	if !strings.Contains(event, "Created") {
		t.Error(event)
	}
	if got := <-recorder.Events; got != "Normal Created made all of it" { // want "what the channel had is in the Recorder's Occurrences"
		t.Errorf("got %s", got)
	}
	if <-recorder.Events != "Normal Created made all of it" { // want "what the channel had is in the Recorder's Occurrences"
		t.Error("something else")
	}
	if len(recorder.Events) != 0 { // want "what the channel had is in the Recorder's Occurrences"
		t.Error("more")
	}
	recorder = record.NewFakeRecorder(2)                                                 // want "a Recorder of the SDK's test kit"
	assert.Equal(t, strings.TrimSpace("Normal Scaled to 3 replicas"), <-recorder.Events) // want "what the channel had is in the Recorder's Occurrences"
}

func TestSelects(t *testing.T) {
	recorder := record.NewFakeRecorder(10) // want "a Recorder of the SDK's test kit"
	select {                               // want "what the channel had is in the Recorder's Occurrences"
	case e := <-recorder.Events:
		t.Fatalf("unexpected event %s", e)
	default:
	}
	select { // want "what the channel had is in the Recorder's Occurrences"
	case e := <-recorder.Events:
		if e != "Normal Created made all of it" {
			t.Error(e)
		}
	default:
		t.Fatal("no event")
	}
	select { // want "what the channel had is in the Recorder's Occurrences"
	default:
		t.Log("none")
	case <-recorder.Events:
		t.Error("one more")
	}
}

func TestDrains(t *testing.T) {
	recorder := record.NewFakeRecorder(10) // want "a Recorder of the SDK's test kit"
	var found []string
	for len(recorder.Events) > 0 { // want "what the channel had is in the Recorder's Occurrences"
		event := <-recorder.Events
		found = append(found, event)
	}
	other := record.NewFakeRecorder(10) // want "a Recorder of the SDK's test kit"
	close(other.Events)
	for event := range other.Events { // want "what the channel had is in the Recorder's Occurrences"
		found = append(found, event)
	}
	t.Log(found)
}

func TestTable(t *testing.T) {
	for _, test := range []struct {
		name     string
		recorder *record.FakeRecorder // want "record\\.FakeRecorder is eventstest\\.Recorder in the SDK's test kit"
		event    string
	}{
		{name: "one", recorder: record.NewFakeRecorder(10), event: "Normal Created made all of it"}, // want "a Recorder of the SDK's test kit"
		{name: "none", recorder: record.NewFakeRecorder(10)},                                        // want "a Recorder of the SDK's test kit"
	} {
		t.Run(test.name, func(t *testing.T) {
			_ = &reconciler{recorder: test.recorder}
			if test.event != "" {
				require.Equal(t, test.event, <-test.recorder.Events) // want "what the channel had is in the Recorder's Occurrences"
				return
			}
			require.Empty(t, test.recorder.Events) // want "what the channel had is in the Recorder's Occurrences"
		})
	}
}

type fakeSuite struct{ suite.Suite }

func (s *fakeSuite) TestHandedOn() { _ = &reconciler{record.NewFakeRecorder(1)} } // want "a Recorder of the SDK's test kit"

var fetch = func(recorder *record.FakeRecorder) (events []string) { // want "record\\.FakeRecorder is eventstest\\.Recorder in the SDK's test kit"
	close(recorder.Events)
	for event := range recorder.Events { // want "what the channel had is in the Recorder's Occurrences"
		events = append(events, event)
	}
	return events
}

func TestFetch(t *testing.T) {
	recorder := record.NewFakeRecorder(3) // want "a Recorder of the SDK's test kit"
	_ = &reconciler{recorder}
	fetch(recorder)
	another := newEnv(t)
	fetch(another.recorder)
}

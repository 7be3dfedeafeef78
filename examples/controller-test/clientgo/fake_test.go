// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	replicas "github.com/eventseries/eventseries/examples/controller-test"
)

// heard is what client-go's fake holds after code ran.
func heard(code func(clientevents.EventRecorder)) (all []string) {
	fake := clientevents.NewFakeRecorder(100)
	code(fake)
	close(fake.Events)
	for event := range fake.Events {
		all = append(all, event)
	}
	return all
}

// An Event about the wrong Deployment is the same string.
func TestFakeHidesTheObject(t *testing.T) {
	buggy := func(recorder clientevents.EventRecorder) {
		recorder.Eventf(deployment("db", ""), nil, "Normal", "Scaled", "Scale", "to 3 replicas")
	}
	if diff := cmp.Diff([]string{"Normal Scaled to 3 replicas"}, heard(buggy)); diff != "" {
		t.Errorf("the fake (-want +got):\n%s", diff)
	}

	recorder := eventstest.NewRecorder(t)
	buggy(recorder)
	err := recorder.Check(eventstest.Want{Reason: "Scaled", Regarding: deployment("web", "")})
	want := `regarding: got "Deployment default/db", want "Deployment default/web"`
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("Check = %v, want %q in it", err, want)
	}
}

// An Event without an action is the same string. The API server refuses it, and client-go then drops it.
func TestFakeTakesWhatAServerRefuses(t *testing.T) {
	buggy := func(recorder clientevents.EventRecorder) {
		recorder.Eventf(deployment("web", ""), nil, "Normal", "Scaled", "", "to 3 replicas")
	}
	if diff := cmp.Diff([]string{"Normal Scaled to 3 replicas"}, heard(buggy)); diff != "" {
		t.Errorf("the fake (-want +got):\n%s", diff)
	}
	synctest.Test(t, func(t *testing.T) {
		server := answering()
		broadcaster, _ := clientGo.startedEvents(t, server)
		buggy(newShape(broadcaster))
		synctest.Wait()
		if asked, stored := server.client.Writes().EventsV1.Creates, len(server.client.Events()); asked != 1 || stored != 0 {
			t.Errorf("the server was asked %d times and holds %d Events, want 1 and 0", asked, stored)
		}
	})

	recorder := eventstest.NewRecorder(t)
	buggy(recorder)
	if repaired := recorder.Stats().Repaired[events.RepairAction]; repaired != 1 {
		t.Errorf("%d actions repaired, want 1", repaired)
	}
}

// One Event more than the channel has room for, and the code under test stands still.
func TestFakeBlocksTheCodeUnderTest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake, done := clientevents.NewFakeRecorder(2), false
		go func() {
			record(fake, 3)
			done = true
		}()
		synctest.Wait()
		if done {
			t.Error("the third Event found room")
		}
		<-fake.Events
		synctest.Wait()
		if !done {
			t.Error("still blocked")
		}
	})
}

// deployment returns one of a single replica whose annotation asks for others.
func deployment(name, asks string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{
		Namespace: "default", Name: name, UID: "1", Annotations: map[string]string{replicas.Annotation: asks},
	}}
}

// What TestLeaks makes client-go leak it also ends, so that this holds here as well.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

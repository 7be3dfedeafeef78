// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	clientevents "k8s.io/client-go/tools/events"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/kubelet"
)

// stopsWith is a side that records nothing and ends as the test says.
func stopsWith(stop func(deps *kubelet.Dependencies) error) side {
	return side{name: "test", makeEventRecorder: func(_ context.Context, deps *kubelet.Dependencies, _ types.NodeName) {
		deps.Recorder = &clientevents.FakeRecorder{}
		deps.StopEvents = func(context.Context) error { return stop(deps) }
	}}
}

func runFor(t *testing.T, ctx context.Context, side side) (result, error) {
	t.Helper()
	o := options{duration: time.Minute, namespace: "default", pleg: plegEvented}
	return node{options: o, name: "node-1", side: side, api: memoryAPI()}.run(ctx)
}

func TestWriteThatStoppingLeftInFlightCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		late := func(deps *kubelet.Dependencies) error {
			go func() {
				time.Sleep(time.Second)
				_, err := deps.EventClient.CoreV1().Events("default").Create(context.Background(), &corev1.Event{
					ObjectMeta:     metav1.ObjectMeta{Namespace: "default", Name: "late"},
					InvolvedObject: corev1.ObjectReference{Namespace: "default", UID: "node-1/web"},
				}, metav1.CreateOptions{})
				if err != nil {
					t.Error(err)
				}
			}()
			return nil
		}
		got, err := runFor(t, t.Context(), stopsWith(late))
		if err != nil || got.stored.counts != 1 || got.writes != 1 || got.occurrences == 0 {
			t.Errorf("result %+v, %v, want one write, stored", got, err)
		}
	})
}

func TestInterruptedRunIsStillCounted(t *testing.T) {
	for _, side := range []side{before, after} {
		t.Run(side.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				got, err := runFor(t, ctx, side)
				if err != nil || got.occurrences == 0 || got.lost() != 0 {
					t.Errorf("result %+v, %v, want some occurrences and none of them lost", got, err)
				}
			})
		})
	}
}

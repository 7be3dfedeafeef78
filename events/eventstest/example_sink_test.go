// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// The sink holds what an API server would, and logs what it was asked in lines made for goldens.
func ExampleNewSink() {
	sink := eventstest.NewSink()
	broadcaster := events.NewBroadcaster(sink)
	scale(broadcaster.NewRecorder(scheme.Scheme, "example.com/scaler"))
	if err := broadcaster.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	fmt.Print(sink.Log()) // Warnings are written first
	// Output:
	// create deployment/web ScaleFailed count=3
	// create deployment/web Scaled
}

// The next calls fail, and have no effect.
func ExampleSink_FailNext() {
	sink := eventstest.NewSink()
	sink.FailNext(2, apierrors.NewServiceUnavailable("starting"))
	for range 3 { // a writer that retries
		_, _ = sink.Create(t.Context(), evicted())
	}
	fmt.Print(sink.Log())
	// Output:
	// create pod/web Evicted: ServiceUnavailable
	// create pod/web Evicted: ServiceUnavailable
	// create pod/web Evicted
}

// The next call has its effect, but its answer is lost: the writer cannot know, and asks again.
func ExampleSink_LoseNext() {
	sink := eventstest.NewSink()
	sink.LoseNext(1, context.DeadlineExceeded)
	for range 2 {
		_, _ = sink.Create(t.Context(), evicted())
	}
	fmt.Print(sink.Log())
	// Output:
	// create pod/web Evicted: context deadline exceeded (applied)
	// create pod/web Evicted: AlreadyExists
}

// A held sink does not answer until it is released, or its caller gives up.
func ExampleSink_Hold() {
	sink := eventstest.NewSink()
	sink.Hold()
	answer := make(chan error)
	go func() {
		_, err := sink.Create(t.Context(), evicted())
		answer <- err
	}()
	fmt.Println(len(sink.Events()), "stored")
	sink.Release()
	fmt.Println(<-answer, len(sink.Events()), "stored")
	// Output:
	// 0 stored
	// <nil> 1 stored
}

// A slow sink: a call whose context ends before has no effect. In a testing/synctest bubble the hour takes no time.
func ExampleSink_SetLatency() {
	sink := eventstest.NewSink()
	sink.SetLatency(time.Hour)
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err := sink.Create(ctx, evicted())
	fmt.Println(err, len(sink.Events()), "stored")
	// Output: context deadline exceeded 0 stored
}

// An Event whose time to live is over cannot be patched any more.
func ExampleSink_Expire() {
	sink := eventstest.NewSink()
	event, _ := sink.Create(t.Context(), evicted())
	sink.Expire(event.Namespace, event.Name)
	_, err := sink.Patch(t.Context(), event, secondTime)
	fmt.Println(err)
	// Output: events.events.k8s.io "web.17ab" not found
}

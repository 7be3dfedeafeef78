// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events/eventstest"
)

// The clientset refuses what a server refuses, so the mistake is found in a unit test.
func ExampleNewClientset() {
	client := eventstest.NewClientset()
	event := evicted()
	event.Action = ""
	_, err := client.EventsV1().Events("default").Create(t.Context(), event, metav1.CreateOptions{})
	fmt.Println(err)
	fmt.Println(len(client.Events()), "stored after", client.Writes().EventsV1.Creates, "request")
	// Output:
	// Event "web.17ab" is invalid: action: Required value
	// 0 stored after 1 request
}

// Both API groups show the same Events: what is created through one is read through the other.
func ExampleNewClientset_bothGroups() {
	client := eventstest.NewClientset()
	if err := tell(t.Context(), client, evicted()); err != nil {
		t.Error(err)
	}
	event, err := client.CoreV1().Events("default").Get(t.Context(), "web.17ab", metav1.GetOptions{})
	fmt.Println(event.InvolvedObject.Name, event.Message, err)
	// Output: web the node is short of memory <nil>
}

// An old cluster: discovery and requests answer 404, and core/v1 still works.
func ExampleClientset_ServeEventsV1() {
	client := eventstest.NewClientset()
	client.ServeEventsV1(false)
	support, err := discovery.NewProber(client).Probe(t.Context())
	fmt.Println(support, err)
	fmt.Println(apierrors.IsNotFound(tell(t.Context(), client, evicted())))
	// Output:
	// not served <nil>
	// true
}

// Discovery that is broken says nothing about what is served.
func ExampleClientset_FailDiscovery() {
	client := eventstest.NewClientset()
	client.FailDiscovery(apierrors.NewServiceUnavailable("starting"))
	support, err := discovery.NewProber(client).Probe(t.Context())
	fmt.Println(support, err)
	fmt.Println(tell(t.Context(), client, evicted()))
	// Output:
	// unknown discovery: cannot tell whether events.k8s.io/v1 is served; ask again later: starting
	// <nil>
}

// A Role that allows creating, but not patching, shows in access reviews and in the requests themselves.
func ExampleClientset_Authorize() {
	client := eventstest.NewClientset(evicted())
	client.Authorize(func(r eventstest.Request) bool { return r.Verb == "create" })
	_, err := client.CoreV1().Events("default").PatchWithEventNamespaceWithContext(t.Context(),
		&corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web.17ab"}}, []byte(`{"count":2}`))
	fmt.Println(apierrors.IsForbidden(err))
	// Output: true
}

// An outage of one namespace: the hook decides for every request.
func ExampleClientset_Fail() {
	client := eventstest.NewClientset()
	client.Fail(func(_ context.Context, r eventstest.Request) error {
		if r.Namespace == "default" {
			return apierrors.NewServiceUnavailable("etcd is down")
		}
		return nil
	})
	fmt.Println(tell(t.Context(), client, evicted()))
	// Output: etcd is down
}

// A write is done, but its answer is lost.
func ExampleClientset_Lose() {
	client := eventstest.NewClientset()
	client.Lose(func(context.Context, eventstest.Request) error { return context.DeadlineExceeded })
	fmt.Println(tell(t.Context(), client, evicted()), len(client.Events()), "stored")
	// Output: context deadline exceeded 1 stored
}

// Events live for an hour, by a clock that the test moves.
func ExampleClientset_SetTTL() {
	client, clock := eventstest.NewClientset(), clocktesting.NewFakePassiveClock(time.Now())
	client.SetClock(clock)
	client.SetTTL(time.Hour)
	if err := tell(t.Context(), client, evicted()); err != nil {
		t.Error(err)
	}
	fmt.Println(len(client.Events()), "stored")
	clock.SetTime(clock.Now().Add(2 * time.Hour))
	fmt.Println(len(client.Events()), "stored")
	// Output:
	// 1 stored
	// 0 stored
}

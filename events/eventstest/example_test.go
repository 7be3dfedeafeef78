// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/events/eventstest"
)

// evicted is an Event about pod web.
func evicted() *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: "default", Name: "web.17ab"},
		EventTime:           metav1.NowMicro(),
		ReportingController: "example.com/evictor",
		ReportingInstance:   "evictor-0",
		Action:              "Evicting",
		Reason:              "Evicted",
		Type:                corev1.EventTypeNormal,
		Note:                "the node is short of memory",
		Regarding:           corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
	}
}

// tell is the code under test in these examples: it forgets the action.
func tell(ctx context.Context, client kubernetes.Interface) error {
	event := evicted()
	event.Action = ""
	_, err := client.EventsV1().Events(event.Namespace).Create(ctx, event, metav1.CreateOptions{})
	return err
}

// The clientset refuses what a server refuses, so the mistake is found in a unit test.
func ExampleNewClientset() {
	client := eventstest.NewClientset()
	fmt.Println(tell(context.Background(), client))
	fmt.Println(len(client.Events()), "stored after", client.Writes().EventsV1.Creates, "request")
	// Output:
	// Event "web.17ab" is invalid: action: Required value
	// 0 stored after 1 request
}

// A Role that allows creating, but not patching, shows in access reviews and in the requests themselves.
func ExampleClientset_Authorize() {
	ctx, client := context.Background(), eventstest.NewClientset(evicted())
	client.Authorize(func(r eventstest.Request) bool { return r.Verb == "create" })
	_, err := client.CoreV1().Events("default").PatchWithEventNamespaceWithContext(ctx,
		&corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web.17ab"}}, []byte(`{"count":2}`))
	fmt.Println(apierrors.IsForbidden(err))
	// Output: true
}

// An outage of one namespace: the hook decides for every request.
func ExampleClientset_Fail() {
	ctx, client := context.Background(), eventstest.NewClientset()
	client.Fail(func(_ context.Context, r eventstest.Request) error {
		if r.Namespace == "default" {
			return apierrors.NewServiceUnavailable("etcd is down")
		}
		return nil
	})
	fmt.Println(tell(ctx, client))
	// Output: etcd is down
}

// The sink is scripted per call, and logs what it was asked in lines made for goldens.
func ExampleNewSink() {
	ctx, sink := context.Background(), eventstest.NewSink()
	sink.FailNext(1, apierrors.NewServiceUnavailable("starting"))
	sink.LoseNext(1, context.DeadlineExceeded)

	event := evicted()
	for range 3 { // a writer that retries
		_, _ = sink.Create(ctx, event)
	}
	_, _ = sink.Patch(ctx, event, []byte(`{"series":{"count":2,"lastObservedTime":"2026-11-20T11:25:24.080374Z"}}`))

	fmt.Print(sink.Log())
	// Output:
	// create pod/web Evicted: ServiceUnavailable
	// create pod/web Evicted: context deadline exceeded (applied)
	// create pod/web Evicted: AlreadyExists
	// patch pod/web Evicted count=2
}

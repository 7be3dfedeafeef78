// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// A unit test of code that takes a recorder.
func Example_recorder() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder) // the code under test
	if err := recorder.Check(eventstest.Want{Reason: "Scaled", Regarding: deployment, Count: 1}); err != nil {
		t.Error(err)
	}
	fmt.Println(len(recorder.Series()), "series")
	// Output: 2 series
}

// A test of code that takes a clientset, in a cluster with its troubles.
func Example_clientset() {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}

	client := eventstest.NewClientset(pod)
	client.ServeEventsV1(false)                                                    // an old cluster
	client.Authorize(func(r eventstest.Request) bool { return r.Verb != "patch" }) // a Role that forgot patch
	client.FailDiscovery(apierrors.NewServiceUnavailable("starting"))              // a proxy in between

	err := tell(t.Context(), client, evicted())
	fmt.Println(apierrors.ReasonForError(err))
	// Output: NotFound
}

// A test of what writes through a Sink: here, of the SDK's own broadcaster.
func Example_sink() {
	record := func(sink events.Sink) {
		broadcaster := events.NewBroadcaster(sink)
		if err := broadcaster.Start(t.Context()); err != nil {
			t.Error(err)
		}
		pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web"}
		recorder := broadcaster.NewRecorder(nil, "example.com/killer")
		recorder.Eventf(pod, nil, "Normal", "Killing", "Kill", "now")
		broadcaster.Shutdown()
	}

	sink := eventstest.NewSink()
	sink.FailNext(1, apierrors.NewServiceUnavailable("starting"))
	record(sink) // the code under test
	fmt.Print(sink.Log())
	// Output:
	// create pod/web Killing: ServiceUnavailable
	// create pod/web Killing
}

// aboutPods is a matcher of a test's own: everything recorded is about Pods.
type aboutPods struct{}

func (aboutPods) Match(actual any) (bool, error) {
	for _, s := range actual.([]eventstest.Series) {
		if s.Regarding.Kind != "Pod" {
			return false, nil
		}
	}
	return true, nil
}

func (aboutPods) FailureMessage(actual any) string {
	return fmt.Sprintf("want Pods only, got %v", actual.([]eventstest.Series)[0].Regarding)
}

func (aboutPods) NegatedFailureMessage(any) string { return "want something that is no Pod" }

// Want, Only and None are matchers, as are all of Gomega's; this is one of a test's own.
func ExampleMatcher() {
	recorder := eventstest.NewRecorder(t)
	scale(recorder)
	if err := recorder.Check(aboutPods{}); err != nil {
		t.Error(err)
	}
	// Output: want Pods only, got Deployment default/web
}

// A Clientset that is as strict as a Role.
func ExampleRules_Allow() {
	role := &rbacv1.Role{Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{"events.k8s.io"}, Resources: []string{"events"}, Verbs: []string{"create"}},
	}}
	client := eventstest.NewClientset()
	client.Authorize(eventstest.Rules{"shop": role.Rules}.Allow)

	err := tell(t.Context(), client, evicted()) // in namespace default
	fmt.Println(strings.Contains(err.Error(), `cannot create resource "events"`))
	// Output: true
}

// shop is a custom resource.
type shop struct{ corev1.ConfigMap }

// Kinds of one's own are looked up in the scheme of the component's manager.
func ExampleWithScheme() {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Shop"}, &shop{})
	corner := &shop{corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "corner"}}}

	recorder := eventstest.NewRecorder(t, adapter.WithScheme(scheme))
	recorder.Eventf(corner, nil, "Normal", "Opened", "Open", "at nine")
	fmt.Print(recorder)
	// Output: Normal Opened (Open) Shop default/corner x1: "at nine"
}

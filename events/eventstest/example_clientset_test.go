// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing/fstest"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// The Clientset refuses the Events that an API server refuses, so that a unit test finds the
// mistake.
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

// In an old cluster, discovery and requests are answered with 404, and core/v1 still works.
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

// A Role that allows create and not patch. The Clientset obeys it in access reviews and in
// requests.
func ExampleClientset_Authorize() {
	client := eventstest.NewClientset(evicted())
	client.Authorize(func(r eventstest.Request) bool { return r.Verb == "create" })
	_, err := client.CoreV1().Events("default").PatchWithEventNamespaceWithContext(t.Context(),
		&corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web.17ab"}}, []byte(`{"count":2}`))
	fmt.Println(apierrors.IsForbidden(err))
	// Output: true
}

// A Sink stores the Events that an API server would store. Its log has a line for each call.
func ExampleNewSink() {
	sink := eventstest.NewSink()
	broadcaster := events.NewBroadcaster(sink)
	scale(broadcaster.Recorder(scheme.Scheme, "example.com/scaler"))
	if err := broadcaster.Flush(t.Context()); err != nil {
		t.Error(err)
	}
	fmt.Print(sink.Log()) // Warnings are written first
	// Output:
	// create deployment/web ScaleFailed count=3
	// create deployment/web Scaled
}

// The next two calls fail and have no effect.
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

// The next call has its effect, but its answer is lost. The writer cannot know this, and tries
// again.
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

// shipped are the manifests of a project that has moved from core/v1 to events.k8s.io, and has
// forgotten its Role.
func shipped() fstest.MapFS {
	return fstest.MapFS{"deploy/rbac.yaml": {Data: []byte(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: evictor
rules:
- apiGroups: [""]
  resources: [events]
  verbs: [create, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: evictor
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: evictor}
subjects:
- {kind: ServiceAccount, namespace: shop-system, name: evictor}
`)}}
}

// A unit test of a project checks that its manifests allow its component to record Events. In a
// real test, t is the *testing.T.
func Example_rbac() {
	manifests := os.DirFS("../../examples/controller-test/config") // of the project
	eventstest.VerifyRBAC(t, manifests)
	// Output:
}

// The manifests of this project do not allow its component to record Events.
func ExampleVerifyRBAC() {
	eventstest.VerifyRBAC(t, shipped())
	// Output:
	// eventstest: the manifests do not grant
	//   create and patch events of events.k8s.io in all namespaces
	//   their rules about Events:
	//     ClusterRole evictor (deploy/rbac.yaml): create, patch events of [""], in force in all namespaces
	//   add to the rules of ClusterRole evictor (deploy/rbac.yaml):
	//     - apiGroups: ["events.k8s.io"]
	//       resources: ["events"]
	//       verbs: ["create", "patch"]
}

// The needed permissions can be taken from a test in which the component has written its Events.
func ExampleNeeds() {
	client := eventstest.NewClientset()
	_ = tell(context.Background(), client, evicted()) // writes through events.k8s.io into namespace default

	fmt.Printf("%+v\n", client.Written())
	eventstest.VerifyRBAC(t, fstest.MapFS{"role.yaml": {Data: []byte(`
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: evictor, namespace: default}
rules:
- {apiGroups: [events.k8s.io], resources: [events], verbs: [create]}
`)}}, eventstest.Needs(client.Written()...))
	// Output:
	// [{Group:events.k8s.io Namespace:default}]
	// eventstest: the manifests do not grant
	//   patch events of events.k8s.io in namespace "default"
	//   their rules about Events:
	//     Role evictor (role.yaml): create events of ["events.k8s.io"], in force in namespace "default"
	//   add to the rules of Role evictor (role.yaml):
	//     - apiGroups: ["events.k8s.io"]
	//       resources: ["events"]
	//       verbs: ["create", "patch"]
}

// A Clientset with the rules in the manifests of a component refuses the requests that a cluster
// would refuse.
func ExampleReadRBAC() {
	rules, err := eventstest.ReadRBAC(shipped(), eventstest.BoundTo("shop-system", "evictor"))
	if err != nil {
		panic(err) // in a test: t.Fatal(err)
	}
	client := eventstest.NewClientset()
	client.Authorize(rules.Allow)
	_, err = client.EventsV1().Events("default").Create(context.Background(), evicted(), metav1.CreateOptions{})
	fmt.Println("events.k8s.io: forbidden", apierrors.IsForbidden(err))
	_, err = client.CoreV1().Events("default").Create(context.Background(), &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: "default", Name: "web.17ab"},
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
	}, metav1.CreateOptions{})
	fmt.Println("core/v1:", err)
	// Output:
	// events.k8s.io: forbidden true
	// core/v1: <nil>
}

// shop is a custom resource.
type shop struct{ corev1.ConfigMap }

// For a custom resource, pass the scheme of the component's manager.
func ExampleNewRecorder_customResource() {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Shop"}, &shop{})
	corner := &shop{corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "corner"}}}

	recorder := eventstest.NewRecorder(t, events.WithScheme(scheme))
	recorder.Eventf(corner, nil, "Normal", "Opened", "Open", "at nine")
	fmt.Print(recorder)
	// Output: Normal Opened (Open) Shop default/corner x1: "at nine"
}

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

// A test of code that takes a clientset, in a cluster with faults.
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

// A test of code that writes to a Sink, in this case a broadcaster of the SDK.
func Example_sink() {
	record := func(sink events.Sink) {
		broadcaster := events.NewBroadcaster(sink)
		if err := broadcaster.Start(t.Context()); err != nil {
			t.Error(err)
		}
		pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web"}
		recorder := broadcaster.Recorder(nil, "example.com/killer")
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

// A Clientset that allows the requests that a Role allows.
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

// Leader election without a recorder of this SDK writes Events through core/v1, in the namespace of
// its lease.
func ExampleNeeds_leaderElection() {
	election := eventstest.Needs(eventstest.Access{Group: "", Namespace: "shop-system"})
	eventstest.VerifyRBAC(t, shipped(), eventstest.BoundTo("shop-system", "evictor"), election)
	fmt.Println("the ServiceAccount may record through core/v1")
	// Output: the ServiceAccount may record through core/v1
}

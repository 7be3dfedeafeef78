// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest_test

import (
	"context"
	"fmt"
	"os"
	"testing/fstest"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

// shipped is a project that moved from core/v1 to events.k8s.io, but for its Role.
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

// A project whose component may record, in a unit test of it. In a test, t is the test's own.
func Example_rbac() {
	manifests := os.DirFS("../../examples/controller-test/config") // of the project
	eventstest.VerifyRBAC(t, manifests)
	// Output:
}

// A project whose component may not.
func ExampleVerifyRBAC() {
	eventstest.VerifyRBAC(t, shipped())
	// Output:
	// eventstest: the manifests do not grant
	//   create and patch events of events.k8s.io in all namespaces
	//   what they have:
	//     ClusterRole evictor (deploy/rbac.yaml): create, patch events of [""], in force in all namespaces
	//   add to the rules of ClusterRole evictor (deploy/rbac.yaml):
	//     - apiGroups: ["events.k8s.io"]
	//       resources: ["events"]
	//       verbs: ["create", "patch"]
}

// What has to be allowed can be what a test saw the component write.
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
	//   what they have:
	//     Role evictor (role.yaml): create events of ["events.k8s.io"], in force in namespace "default"
	//   add to the rules of Role evictor (role.yaml):
	//     - apiGroups: ["events.k8s.io"]
	//       resources: ["events"]
	//       verbs: ["create", "patch"]
}

// The locks that client-go and controller-runtime make record through core/v1, in the namespace of the lease. That of
// adapter.LeaderElectionLock needs no more than the default.
func ExampleNeeds_leaderElection() {
	election := eventstest.Needs(eventstest.Access{Group: "", Namespace: "shop-system"})
	eventstest.VerifyRBAC(t, shipped(), eventstest.BoundTo("shop-system", "evictor"), election)
	fmt.Println("the ServiceAccount may record through core/v1")
	// Output: the ServiceAccount may record through core/v1
}

// A component that runs against the RBAC it ships is refused what a cluster would refuse.
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

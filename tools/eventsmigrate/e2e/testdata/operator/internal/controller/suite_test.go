// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/record"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"

	ledgerv1 "example.com/ledger-operator/api/v1"
)

func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientgoscheme.AddToScheme, ledgerv1.AddToScheme} {
		if err := add(scheme); err != nil {
			t.Fatal(err)
		}
	}
	return scheme
}

func newFakeClient(t *testing.T, objects ...client.Object) client.Client {
	t.Helper()
	return fake.NewClientBuilder().WithScheme(newScheme(t)).
		WithStatusSubresource(&ledgerv1.Database{}, &ledgerv1.Backup{}, &ledgerv1.Account{}).
		WithObjects(objects...).Build()
}

func newDatabase(name string, change ...func(*ledgerv1.Database)) *ledgerv1.Database {
	db := &ledgerv1.Database{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: name, UID: "1234", Finalizers: []string{databaseFinalizer},
		},
		Spec: ledgerv1.DatabaseSpec{Replicas: 2, Image: "example.com/ledger:v1"},
	}
	for _, f := range change {
		f(db)
	}
	return db
}

func request(object client.Object) ctrl.Request {
	return ctrl.Request{NamespacedName: client.ObjectKeyFromObject(object)}
}

// newTestDatabaseReconciler returns a reconciler and its recorder.
func newTestDatabaseReconciler(t *testing.T, objects ...client.Object) (*DatabaseReconciler, *record.FakeRecorder) {
	t.Helper()
	recorder := record.NewFakeRecorder(20)
	return &DatabaseReconciler{
		Client:   newFakeClient(t, objects...),
		Scheme:   newScheme(t),
		Recorder: recorder,
	}, recorder
}

// drain returns what was recorded so far.
func drain(recorder *record.FakeRecorder) []string {
	var all []string
	for {
		select {
		case e := <-recorder.Events:
			all = append(all, e)
		default:
			return all
		}
	}
}

func deployment(name string, replicas int32, owner *ledgerv1.Database) *appsv1.Deployment {
	d := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name},
		Spec:       appsv1.DeploymentSpec{Replicas: &replicas},
	}
	if owner != nil {
		d.OwnerReferences = []metav1.OwnerReference{
			*metav1.NewControllerRef(owner, ledgerv1.GroupVersion.WithKind("Database")),
		}
	}
	return d
}

func node(name string, conditions ...corev1.NodeCondition) *corev1.Node {
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, UID: "node-uid", Labels: map[string]string{labelStorage: "local"}},
		Status:     corev1.NodeStatus{Conditions: conditions},
	}
}

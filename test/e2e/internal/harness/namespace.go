// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Terminate deletes namespace, which stays Terminating, as no controller empties
// it.
func (e *Env) Terminate(namespace string) {
	e.t.Helper()
	e.must(e.Admin.CoreV1().Namespaces().Delete(e.t.Context(), namespace, metav1.DeleteOptions{}))
}

// Empty deletes the Events in namespace, as the namespace controller does.
func (e *Env) Empty(namespace string) {
	e.t.Helper()
	e.must(e.Admin.CoreV1().Events(namespace).
		DeleteCollection(e.t.Context(), metav1.DeleteOptions{}, metav1.ListOptions{}))
}

// Make makes a namespace of that name.
func (e *Env) Make(namespace string) {
	e.t.Helper()
	_, err := e.Admin.CoreV1().Namespaces().Create(e.t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	e.must(err)
}

// Finalize does what the namespace controller does when a namespace is empty, and
// returns when it is gone.
func (e *Env) Finalize(namespace string) {
	e.t.Helper()
	namespaces := e.Admin.CoreV1().Namespaces()
	ns, err := namespaces.Get(e.t.Context(), namespace, metav1.GetOptions{})
	e.must(err)
	ns.Spec.Finalizers = nil
	_, err = namespaces.Finalize(e.t.Context(), ns, metav1.UpdateOptions{})
	e.must(err)
}

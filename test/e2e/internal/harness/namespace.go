// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package harness

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Terminate deletes namespace, which stays Terminating, as no controller empties
// it.
func (e *Env) Terminate(namespace string) {
	e.t.Helper()
	e.must(e.Admin.CoreV1().Namespaces().Delete(e.t.Context(), namespace, metav1.DeleteOptions{}))
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

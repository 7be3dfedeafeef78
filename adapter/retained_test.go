// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"sync"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What was passed to a recorder of whatever shape is the caller's again when the call returns: other goroutines change
// it while it is written, and the race detector finds nobody who still reads it.
//
// Caught: no clone of the annotations in package legacy.
func TestNothingIsRetainedConcurrentSafe(t *testing.T) {
	for name, newTarget := range targets {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				target := newTarget(t)
				var all sync.WaitGroup
				for _, call := range target.calls {
					for range 10 {
						one := &attack{
							regarding: kinded("web"), reason: "Killing", note: "%v and %v",
							related: &unstructured.Unstructured{Object: map[string]any{
								"kind": "Thing", "apiVersion": "v1", "metadata": map[string]any{"name": "related"},
							}},
							annotations: map[string]string{"a": "1"}, args: []any{"a", "b"},
						}
						call(one)
						all.Go(func() { change(one) })
					}
				}
				all.Wait()
				flushed(t, target)
				for _, e := range target.cluster.Events() {
					if e.Regarding.Name != "web" || e.Related != nil && e.Related.Name != "related" ||
						e.Annotations["a"] == "changed" {
						t.Errorf("what was recorded changed with the arguments: %+v", e)
					}
				}
			})
		})
	}
}

func change(one *attack) {
	pod := one.regarding.(*corev1.Pod)
	pod.Name, pod.UID, pod.Kind = "changed", "changed", "Changed"
	related := one.related.(*unstructured.Unstructured)
	related.Object["kind"] = "Changed"
	related.Object["metadata"].(map[string]any)["name"] = "changed"
	one.annotations["a"], one.annotations["b"] = "changed", "new"
	one.args[0] = "changed"
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package copies

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/record"
)

func config(namespace string, data map[string]string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "settings"}, Data: data}
}

func source(to string) *corev1.ConfigMap {
	c := config("a", map[string]string{"k": "v"})
	c.Annotations = map[string]string{CopyTo: to}
	return c
}

func run(t *testing.T, objects ...*corev1.ConfigMap) (*fake.Clientset, []string) {
	t.Helper()
	var all []runtime.Object
	for _, o := range objects {
		all = append(all, o)
	}
	client := fake.NewClientset(all...)
	factory := informers.NewSharedInformerFactory(client, 0)
	recorder := record.NewFakeRecorder(10)
	c := New(client, factory, recorder)
	for _, o := range objects {
		if err := factory.Core().V1().ConfigMaps().Informer().GetIndexer().Add(o); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.sync(t.Context(), "a/settings"); err != nil {
		t.Fatal(err)
	}
	close(recorder.Events)
	var got []string
	for e := range recorder.Events {
		got = append(got, e)
	}
	return client, got
}

func TestSync(t *testing.T) {
	ours := config("b", map[string]string{"k": "old"})
	ours.Labels = map[string]string{copyOf: "a"}
	for name, tt := range map[string]struct {
		objects []*corev1.ConfigMap
		want    string
	}{
		"copied": {[]*corev1.ConfigMap{source("b")},
			"Normal Copied Copied to b/settings\nNormal Copied Copied from namespace a"},
		"updated": {[]*corev1.ConfigMap{source("b"), ours},
			"Normal Updated 100% of the keys are as in the source"},
		"conflict": {[]*corev1.ConfigMap{source("b"), config("b", nil)},
			"Warning Conflict Somebody wants a copy of this name here"},
		"invalid": {[]*corev1.ConfigMap{source("b*")},
			"Warning InvalidTarget Neither * nor % is a namespace: b*"},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := run(t, tt.objects...)
			if joined := strings.Join(got, "\n"); joined != tt.want {
				t.Errorf("events:\n%s\nwant:\n%s", joined, tt.want)
			}
		})
	}
}

// Nothing that was not asked for.
func TestNoCopy(t *testing.T) {
	client, got := run(t, config("a", nil))
	if len(got) != 0 || len(client.Actions()) != 0 {
		t.Errorf("events %v, actions %v", got, client.Actions())
	}
}

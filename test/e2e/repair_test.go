// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/wire"
)

func TestOddEventsAreAccepted(t *testing.T) {
	inBoth(t, func(t *testing.T, env *harness.Env, r *rig) {
		env.Allow(metav1.NamespaceDefault, harness.EventsV1)
		pod := env.NewPod(env.Namespace, "web")
		named := func(name string) *corev1.Pod {
			return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: env.Namespace, Name: name}}
		}
		node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-of-" + env.Namespace}}

		r.Eventf(pod, nil, corev1.EventTypeNormal, "NoAction", "", "an empty action")
		r.Eventf(pod, nil, corev1.EventTypeNormal, "LongNote", "Act", "%s", strings.Repeat("日", 5001/3))
		r.Eventf(pod, nil, corev1.EventTypeNormal, strings.Repeat("R", 200), "Act", "a long reason")
		r.Eventf(named(strings.Repeat("n", 253)), nil, corev1.EventTypeNormal, "LongName", "Act", "a long name")
		r.Eventf(named("Bad_Name"), nil, corev1.EventTypeNormal, "BadName", "Act", "a name that is none")
		r.Eventf(node, nil, corev1.EventTypeNormal, "ClusterScoped", "Act", "no namespace")
		r.drainAll(6)

		refused := env.Wire.Seen(func(e wire.Exchange) bool { return e.Status >= http.StatusBadRequest })
		if len(refused) > 0 {
			t.Errorf("the server refused %v", refused)
		}
		stored := env.Events(env.Namespace)
		if len(stored) != 5 {
			t.Errorf("%d Events in the namespace, want 5", len(stored))
		}
		for _, event := range stored {
			if !utf8.ValidString(event.Note) || strings.Contains(event.Note, "\uFFFD") {
				t.Errorf("the note of %s is damaged: %q", event.Reason, event.Note)
			}
		}
		regarding := metav1.ListOptions{FieldSelector: "regarding.name=" + node.Name}
		list, err := env.Admin.EventsV1().Events(metav1.NamespaceDefault).List(t.Context(), regarding)
		if err != nil || len(list.Items) != 1 {
			t.Errorf("%d Events about the node in %s, want 1: %v", len(list.Items), metav1.NamespaceDefault, err)
		}
	}, events.WithReportingInstance(controller+"-"+strings.Repeat("h", 200))) // as with such a hostname
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

// The test kit's matchers are Gomega's by structure alone; the kit does not depend on it.
var _, _, _ types.GomegaMatcher = eventstest.Want{}, eventstest.Only{}, eventstest.None{}

var web = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web"}}

// failed returns what Gomega says of an assertion, "" if it holds.
func failed(assert func(g gomega.Gomega)) (message string) {
	assert(gomega.NewGomega(func(text string, _ ...int) { message = text }))
	return message
}

func TestGomegaTakesTheKitsMatchers(t *testing.T) {
	rec := eventstest.NewRecorder(t)
	pod := eventstest.Want{Reason: "Pulled", NoteContains: "v1"}
	if text := failed(func(g gomega.Gomega) { g.Expect(rec).To(pod) }); text == "" {
		t.Error("nothing is recorded, and Gomega finds it")
	}
	go rec.Event(web, nil, "Normal", "Pulled", "Pull", "app:v1")
	if text := failed(func(g gomega.Gomega) {
		g.Eventually(rec).WithTimeout(time.Minute).Should(pod)
	}); text != "" {
		t.Fatal(text)
	}
	for name, assert := range map[string]func(g gomega.Gomega){
		"Only":  func(g gomega.Gomega) { g.Expect(rec).To(eventstest.Only{pod}) },
		"None":  func(g gomega.Gomega) { g.Expect(rec).To(eventstest.None{Reason: "Failed"}) },
		"ToNot": func(g gomega.Gomega) { g.Expect(rec).ToNot(eventstest.Want{Reason: "Failed"}) },
		"a combination": func(g gomega.Gomega) {
			g.Expect(rec.Events()).To(gomega.SatisfyAll(pod, gomega.HaveLen(1)))
		},
	} {
		if text := failed(assert); text != "" {
			t.Errorf("%s: %s", name, text)
		}
	}
	text := failed(func(g gomega.Gomega) { g.Expect(rec).To(eventstest.Want{Reason: "Pulled", Count: 2}) })
	if !strings.Contains(text, "count: got 1, want 2") {
		t.Errorf("the failure is %q, want the field that differs", text)
	}
}

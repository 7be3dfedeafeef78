// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientrecord "k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
)

var _ events.AnnotatedEventRecorder = (*events.FakeRecorder)(nil)

// The fake makes the same string of a call of the new API as client-go's fake makes of the same
// call of the old one.
func TestFakeRecorderSaysWhatClientGosDoes(t *testing.T) {
	typed := &corev1.Pod{TypeMeta: metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}}
	annotations := map[string]string{"b": "2", "a": "1"}
	for name, include := range map[string]bool{"plain": false, "with the object": true} {
		t.Run(name, func(t *testing.T) {
			old := &clientrecord.FakeRecorder{Events: make(chan string, 9), IncludeObject: include}
			old.Event(typed, "Normal", "Scaled", "100%")
			old.Eventf(typed, "Warning", "Failed", "no %s", "quota")
			old.Eventf(&corev1.Pod{}, "Warning", "Failed", "%d%%", 5)
			old.AnnotatedEventf(typed, annotations, "Normal", "Scaled", "up")
			old.AnnotatedEventf(typed, map[string]string{}, "Normal", "Scaled", "up")
			old.WithLogger(klog.Logger{}).Event(typed, "Normal", "Logged", "m")

			fake := events.NewFakeRecorder(9)
			fake.IncludeObject = include
			fake.Eventf(typed, nil, "Normal", "Scaled", "Scale", "%s", "100%")
			fake.Eventf(typed, typed, "Warning", "Failed", "Scale", "no %s", "quota")
			fake.Eventf(&corev1.Pod{}, nil, "Warning", "Failed", "Scale", "%d%%", 5)
			fake.AnnotatedEventf(typed, nil, annotations, "Normal", "Scaled", "Scale", "up")
			fake.AnnotatedEventf(typed, nil, map[string]string{}, "Normal", "Scaled", "Scale", "up")
			fake.WithLogger(klog.Logger{}).Eventf(typed, nil, "Normal", "Logged", "Log", "m")

			if diff := cmp.Diff(all(old.Events), all(fake.Events)); diff != "" {
				t.Errorf("(-client-go +ours):\n%s", diff)
			}
		})
	}
}

func all(channel chan string) (texts []string) {
	close(channel)
	for text := range channel {
		texts = append(texts, text)
	}
	return texts
}

// A struct literal without a channel discards Events.
func TestFakeRecorderWithoutChannel(t *testing.T) {
	fake := &events.FakeRecorder{}
	fake.Eventf(&corev1.Pod{}, nil, "Normal", "Scaled", "Scale", "up")
	fake.AnnotatedEventf(nil, nil, nil, "Normal", "Scaled", "Scale", "up")
}

// A test that reads the strings of client-go's fake only changes names.
func ExampleNewFakeRecorder() {
	recorder := events.NewFakeRecorder(10)
	recorder.AnnotatedEventf(&corev1.ReplicationController{}, nil, map[string]string{"revision": "7"},
		"Normal", "Scaled", "Scale", "to %d replicas", 3)
	fmt.Println(<-recorder.Events)
	// Output: Normal Scaled to 3 replicas map[revision:7]
}

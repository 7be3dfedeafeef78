// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
)

type plainRecorder struct{ calls *[]string }

func (p plainRecorder) Eventf(_, _ runtime.Object, eventtype, reason, action, note string, args ...any) {
	*p.calls = append(*p.calls, fmt.Sprint(eventtype, " ", reason, " ", action, " ", fmt.Sprintf(note, args...)))
}

type annotatedRecorder struct{ plainRecorder }

func (a annotatedRecorder) AnnotatedEventf(_, _ runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	a.Eventf(nil, nil, eventtype, reason, action, note, args...)
	*a.calls = append(*a.calls, fmt.Sprint(annotations))
}

// Caught: the assertion left out.
func TestAnnotatedEventfReachesWhoTakesAnnotations(t *testing.T) {
	var calls []string
	annotations := map[string]string{"a": "b"}
	AnnotatedEventf(plainRecorder{&calls}, nil, nil, annotations, "Normal", "Scaled", "Scale", "to %d", 3)
	AnnotatedEventf(annotatedRecorder{plainRecorder{&calls}}, nil, nil, annotations, "Normal", "Scaled", "Scale", "to %d", 4)
	want := []string{"Normal Scaled Scale to 3", "Normal Scaled Scale to 4", "map[a:b]"}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

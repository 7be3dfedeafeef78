// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
)

var _ resourcelock.EventRecorder = AsLegacy(&clientevents.FakeRecorder{})

// plainNew is a recorder with Eventf only.
type plainNew struct{ calls *[]string }

func (p plainNew) Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any) {
	*p.calls = append(*p.calls, fmt.Sprintln(related == nil, eventtype, reason, action, fmt.Sprintf(note, args...)))
}

// fullNew is a recorder with everything the SDK's have.
type fullNew struct{ plainNew }

func (f fullNew) AnnotatedEventf(_, _ runtime.Object, annotations map[string]string,
	eventtype, reason, action, note string, args ...any,
) {
	*f.calls = append(*f.calls, fmt.Sprintln(annotations, eventtype, reason, action, fmt.Sprintf(note, args...)))
}

func (f fullNew) WithLogger(klog.Logger) clientevents.EventRecorderLogger {
	*f.calls = append(*f.calls, "WithLogger")
	return f
}

func TestAsLegacy(t *testing.T) {
	var calls []string
	tests := map[string]struct {
		recorder clientevents.EventRecorder
		want     []string
	}{
		"with everything": {fullNew{plainNew{&calls}}, []string{
			"WithLogger",
			"map[] Normal Started Started 100%%d\n",
			"map[] Normal Started Started 1\n",
			"map[k:v] Normal Started Started 2\n",
		}},
		"with Eventf only": {plainNew{&calls}, []string{
			"true Normal Started Started 100%%d\n",
			"true Normal Started Started 1\n",
			"true Normal Started Started 2\n",
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			calls = nil
			var recorder record.EventRecorderLogger = AsLegacy(test.recorder).WithLogger(klog.Logger{})
			recorder.Event(pod("a"), "Normal", "Started", "100%%d")
			recorder.Eventf(pod("a"), "Normal", "Started", "%d", 1)
			recorder.AnnotatedEventf(pod("a"), map[string]string{"k": "v"}, "Normal", "Started", "%d", 2)
			if diff := cmp.Diff(test.want, calls); diff != "" {
				t.Errorf("calls (-want +got):\n%s", diff)
			}
		})
	}
}

// A nil recorder stays nil on both ways, so that code which asks for nil still
// gets its answer; what crossed the border twice is what it was.
// Caught: each of the three nil checks of the adapter, and unwrap left out.
func TestBridgesOfNothing(t *testing.T) {
	if got := AsLegacy(nil); got != nil {
		t.Errorf("AsLegacy(nil) = %v", got)
	}
	none := FromLegacy(nil)
	none.Eventf(nil, nil, "Normal", "Scaled", "Scale", "note")
	none.Event(nil, nil, "Normal", "Scaled", "Scale", "note")
	if got := none.WithLogger(klog.Background()); got != clientevents.EventRecorderLogger(none) {
		t.Errorf("WithLogger of a nil adapter = %v", got)
	}
	if got := AsLegacy(none); got != nil {
		t.Errorf("AsLegacy(FromLegacy(nil)) = %v", got)
	}
	fake := record.NewFakeRecorder(1)
	if got := AsLegacy(FromLegacy(fake)); got != record.EventRecorderLogger(fake) {
		t.Errorf("AsLegacy(FromLegacy(fake)) = %v", got)
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/record"

	"example.com/statuskit"

	"example.com/pipelines/recording"
)

// handwritten is a mock as people write them.
type handwritten struct {
	reasons, messages []string
}

func (h *handwritten) Event(_ runtime.Object, _, reason, message string) {
	h.reasons = append(h.reasons, reason)
	h.messages = append(h.messages, message)
}

func (h *handwritten) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...interface{}) {
	h.Event(object, eventtype, reason, fmt.Sprintf(messageFmt, args...))
}

func (h *handwritten) AnnotatedEventf(
	object runtime.Object, _ map[string]string, eventtype, reason, messageFmt string, args ...interface{},
) {
	h.Eventf(object, eventtype, reason, messageFmt, args...)
}

func newPipeline() *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "p"},
		Data:       map[string]string{"k": "v"},
	}
}

func nothing(context.Context) error { return nil }

func TestRun(t *testing.T) {
	m := &handwritten{}
	hook := func(r record.EventRecorder, about *corev1.ConfigMap) { r.Event(about, "Normal", "Hook", "hook") }
	r := New(WithRecorder(m), WithHook(hook))
	if err := r.Run(t.Context(), newPipeline(), Step{"a", nothing}, Step{"b", nothing}); err != nil {
		t.Fatal(err)
	}
	want := "PhaseRunning Started Progress Finished Hook Unlogged Done"
	if got := strings.Join(m.reasons, " "); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := m.messages[2], "50% done"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRunFails(t *testing.T) {
	recorder := record.NewFakeRecorder(10)
	r := New(WithRecorder(recorder))
	broken := func(context.Context) error { return errors.New("100% broken") }
	assert.Error(t, r.Run(t.Context(), newPipeline(), Step{"a", broken}))
	var last string
	for len(recorder.Events) > 0 {
		last = <-recorder.Events
	}
	assert.Equal(t, "Warning StepFailed a: 100% broken", last)
}

func TestRunLogged(t *testing.T) {
	recorder := record.NewFakeRecorder(20)
	r := New(WithRecorder(recorder), WithDryRun())
	assert.NoError(t, r.Run(t.Context(), newPipeline(), Step{"a", nothing}))
	close(recorder.Events)
	var all []string
	for e := range recorder.Events {
		all = append(all, e)
	}
	assert.Contains(t, all, "Normal Skipped would run a")
	assert.Contains(t, all, "Normal Logged has a logger")
}

func TestInject(t *testing.T) {
	recorder := record.NewFakeRecorder(20)
	r := New()
	statuskit.Inject(recorder, r)
	assert.NoError(t, r.Run(t.Context(), newPipeline()))
	assert.NotEmpty(t, recorder.Events)
}

func TestLibrary(t *testing.T) {
	recorder := record.NewFakeRecorder(20)
	plain, custom := Reporters(recorder)
	plain.Phase(newPipeline(), "A")
	custom.Phase(newPipeline(), "B")
	Audit(plain, newPipeline())
	for _, want := range []string{
		"Normal PhaseA The phase is A", "Normal PhaseB The phase is B",
		"Normal Audited by the library's recorder", "Normal AuditedTwice 2 times",
	} {
		assert.Equal(t, want, <-recorder.Events)
	}
	assert.Len(t, recorder.Events, 0)
}

func TestStages(t *testing.T) {
	recorder := record.NewFakeRecorder(20)
	TellStages(recording.Dedup(recorder), newPipeline())
	got := []string{}
	for {
		select {
		case e := <-recorder.Events:
			got = append(got, e)
			continue
		default:
		}
		break
	}
	assert.Equal(t, []string{
		"Normal StageBuild build: 100% compiled",
		"Normal StageTest test: 9 of 9 passed",
		"Normal Pooled from the pool",
		"Normal Scoped about one object",
		"Warning ScopedWarning 1% of the objects",
		"Normal Each one of many",
		"Normal Recorded no verbs, 100% sure",
	}, got)
}

func TestNewRecorder(t *testing.T) {
	recorder, shutdown, err := NewRecorder(fake.NewClientset(), "pipelines")
	assert.NoError(t, err)
	defer shutdown()
	recorder.Event(newPipeline(), corev1.EventTypeNormal, "A", "to a fake clientset")
	_, _, err = NewRecorder(fake.NewClientset(), "")
	assert.Error(t, err)
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package action

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"lint/names"
	"sigs.k8s.io/controller-runtime/pkg/recorder"
)

type operation string

type controller struct {
	recorder events.EventRecorder
	action   string
	phase    operation
}

const scale = "Scale"

func (c *controller) constants(pod *corev1.Pod) {
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", "Scale", "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", scale, "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", scale+"Up", "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", names.Scaled, "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", "", "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", names.Nothing, "done")
	// 129 bytes.
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", "A0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "done")
}

func (c *controller) repeated(pod *corev1.Pod) {
	c.recorder.Eventf(pod, nil, "Normal", "Pulled", "Pulled", "done")
	c.recorder.Eventf(pod, nil, "Normal", "BackOff", "BackOff", "done")
	c.recorder.Eventf(pod, nil, "Normal", "Pulled", "Pull", "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", "Scaled", "done")       // what was done is not known
	c.recorder.Eventf(pod, nil, "Normal", "Scheduled", "Scheduled", "done") // by whom?
}

// Warnf has no action but its own name.
func (c *controller) Warnf(pod *corev1.Pod, reason, format string, args ...any) {
	c.recorder.Eventf(pod, nil, "Warning", reason, "Warnf", format, args...)
	c.recorder.Eventf(pod, nil, "Warning", reason, "Reconcile", format, args...)
}

func (c *controller) reconcileDelete(pod *corev1.Pod) {
	c.recorder.Eventf(pod, nil, "Normal", "Deleted", "Reconcile", "done")
}

func (c *controller) scaleDown(pod *corev1.Pod, reason string) {
	c.recorder.Eventf(pod, nil, "Normal", reason, "Scale", "done")
}

// A few values, all of them in sight.
func (c *controller) choices(pod *corev1.Pod, up bool) {
	action := "ScaleDown"
	if up {
		action = scale + "Up"
	}
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", action, "done")

	var sometimes string
	if up {
		sometimes = "ScaleUp"
	} else {
		sometimes = ""
	}
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", sometimes, "done")

	c.recorder.Eventf(pod, nil, "Normal", "Scaled", verb(up), "done")
	reason, verb := both(up)
	c.recorder.Eventf(pod, nil, "Normal", reason, verb, "done")
	reason, again := indirect(up)
	c.recorder.Eventf(pod, nil, "Normal", reason, again, "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", string(c.phase), "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", string(operation("Scale")), "done")
}

func verb(up bool) string {
	if up {
		return "ScaleUp"
	}
	return "ScaleDown"
}

func indirect(up bool) (reason, verb string) { return both(up) }

func both(up bool) (reason, verb string) {
	if up {
		return "Scaled", "Scale"
	}
	reason = "Waiting"
	verb = ""
	return
}

var packaged = "Scale"

func (c *controller) elsewhere(pod *corev1.Pod, verbs map[string]string, decide func() string) {
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", c.action, "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", verbs["a"], "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", decide(), "done")
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", names.Chosen, "done")
	for _, verb := range verbs {
		c.recorder.Eventf(pod, nil, "Normal", "Scaled", verb, "done")
	}
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", packaged, "done")
}

type entry struct {
	reason, action string
	Verb           string
	empty          string
}

var table = []entry{{"Scaled", "Scale", "Scale", ""}, {reason: "Failed", action: scale, Verb: scale}}

// The fields of a table are followed, where no other package can set them.
func (c *controller) table(pod *corev1.Pod, i int) {
	e := table[i]
	c.recorder.Eventf(pod, nil, "Normal", e.reason, e.action, "done")
	c.recorder.Eventf(pod, nil, "Normal", e.reason, e.Verb, "done")
	c.recorder.Eventf(pod, nil, "Normal", e.reason, e.empty, "done")
}

// A loop that refers to itself has an end.
func (c *controller) loop(pod *corev1.Pod) {
	action := "Scale"
	for range 3 {
		action = action
	}
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", action, "done")
}

// The caller answers for a parameter, unless it is changed on the way.
func (c *controller) event(pod *corev1.Pod, action, note string, args ...any) {
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", action, note, args...)
}

func (c *controller) defaulted(pod *corev1.Pod, action string) {
	if action == "" {
		action = c.action
	}
	c.recorder.Eventf(pod, nil, "Normal", "Scaled", action, "done")
}

func (c *controller) callers(pod *corev1.Pod) {
	c.event(pod, "Scale", "done")
	c.event(pod, "", "done")
	c.defaulted(pod, "")
}

// Any recorder, also a module's own; none in the old shape, which has no action.
type own interface {
	events.EventRecorder
	Flush()
}

type declared interface {
	AnnotatedEventf(regarding, related object, annotations map[string]string, eventtype, reason, action, note string, args ...any)
}

func others(pod *corev1.Pod, o own, d declared, m recorder.EventRecorder, old record.EventRecorder) {
	o.Eventf(pod, nil, "Normal", "Scaled", "", "done")
	d.AnnotatedEventf(pod, nil, nil, "Normal", "Scaled", "", "done")
	m.AnnotatedEventf(pod, nil, nil, "Normal", "Scaled", "", "done")
	old.Eventf(pod, "Normal", "Scaled", "", "done")
	old.Event(pod, "Normal", "Scaled", "")
}

func generic[R events.EventRecorder](r R, pod *corev1.Pod) {
	r.Eventf(pod, nil, "Normal", "Scaled", "", "done")
}

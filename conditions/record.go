// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conditions

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Recorder is the interface that [Record] needs. It is implemented by the recorders of this SDK, by
// the recorders of client-go's tools/events, and by the recorders that controller-runtime's
// GetEventRecorder returns.
type Recorder interface {
	// Eventf records an Event. The parameters note and args are formatted as by fmt.Sprintf.
	Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any)
}

// Record compares two lists of conditions, before and after. It records an Event about object for
// each condition that is new in the second list, or whose status or reason has changed. It returns
// no error; recorder handles failures. The documentation of the package says which reason, note,
// action and type an Event gets.
func Record(recorder Recorder, object runtime.Object, before, after []metav1.Condition, opts ...Option) {
	changed := transitions(before, after)
	if len(changed) == 0 {
		return
	}
	var c config
	for _, opt := range opts {
		opt(&c)
	}
	for _, condition := range changed {
		reason, action, note := describe(condition)
		recorder.Eventf(object, nil, c.typeOf(condition), reason, action, "%s", note)
	}
}

// transitions compares two lists of conditions, before and after. It returns the conditions of the
// second list that are not in the first one, or whose status or reason has changed.
func transitions(before, after []metav1.Condition) (changed []*metav1.Condition) {
	for i := range after {
		condition := &after[i]
		if meta.FindStatusCondition(after, condition.Type) != condition {
			// Only the first condition of a type counts.
			continue
		}
		old := meta.FindStatusCondition(before, condition.Type)
		if old == nil || old.Status != condition.Status || old.Reason != condition.Reason {
			changed = append(changed, condition)
		}
	}
	return changed
}

// describe returns the reason, the action and the note for an Event about the condition c. None of
// them is ever empty, because the API server refuses an Event with an empty reason or action.
func describe(c *metav1.Condition) (reason, action, note string) {
	status := cmp.Or(string(c.Status), string(metav1.ConditionUnknown))
	end := strings.LastIndexByte(c.Type, '/') + 1
	domain := c.Type[:end]
	name := cmp.Or(c.Type[end:], "Condition")
	reason = cmp.Or(c.Reason, name+status)
	action = domain + "Set" + name + status
	note = cmp.Or(c.Message, name+" is "+status)
	return reason, action, note
}

// Option changes the behaviour of [Record].
type Option func(*config)

type config struct{ abnormalTrue []string }

// WithAbnormalTrue names types of conditions that are a fault when they are True, such as
// MemoryPressure or ReplicaFailure. Their Event is a Warning if the condition is True, and Normal
// if it is False. If the option is given several times, the types of all of them are combined. The
// type Stalled is always included.
func WithAbnormalTrue(types ...string) Option {
	return func(c *config) { c.abnormalTrue = append(c.abnormalTrue, types...) }
}

// reconciling and stalled are types of conditions that kstatus defines in addition to Ready.
const reconciling, stalled = "Reconciling", "Stalled"

// typeOf returns the type of the Event about a condition, Normal or Warning.
func (c *config) typeOf(condition *metav1.Condition) string {
	abnormal := metav1.ConditionFalse
	if condition.Type == stalled || slices.Contains(c.abnormalTrue, condition.Type) {
		abnormal = metav1.ConditionTrue
	}
	if condition.Status == abnormal && condition.Type != reconciling {
		return corev1.EventTypeWarning
	}
	return corev1.EventTypeNormal
}

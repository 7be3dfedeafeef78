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

// Recorder is what [Record] needs of a recorder. Those of this SDK, of client-go's
// tools/events and of controller-runtime's GetEventRecorder have it.
type Recorder interface {
	// Eventf records an Event, whose note is formatted with args.
	Eventf(regarding, related runtime.Object, eventtype, reason, action, note string, args ...any)
}

// Record records an Event about object for each condition of after that is not in
// before, or has another status or reason there.
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

// transitions returns the conditions of after that are new, or have another status or reason in before.
func transitions(before, after []metav1.Condition) (changed []*metav1.Condition) {
	for i := range after {
		condition := &after[i]
		if meta.FindStatusCondition(after, condition.Type) != condition {
			continue // not the first one of its type
		}
		old := meta.FindStatusCondition(before, condition.Type)
		if old == nil || old.Status != condition.Status || old.Reason != condition.Reason {
			changed = append(changed, condition)
		}
	}
	return changed
}

// describe returns what an Event says of a condition. None of it is empty, which the API server would refuse.
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

// Option changes how [Record] records.
type Option func(*config)

type config struct{ abnormalTrue []string }

// WithAbnormalTrue names types of conditions that say, when they are True, that
// something is wrong, such as MemoryPressure or ReplicaFailure: True is a Warning then,
// and False is not. Several add up. By default only Stalled is one of them.
func WithAbnormalTrue(types ...string) Option {
	return func(c *config) { c.abnormalTrue = append(c.abnormalTrue, types...) }
}

// The types of conditions that kstatus has standardized beside Ready.
const reconciling, stalled = "Reconciling", "Stalled"

// typeOf returns the type of a condition's Event.
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

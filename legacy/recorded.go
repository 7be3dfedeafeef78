// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"cmp"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/eventlabels"
	"github.com/eventseries/eventseries/internal/stats"
)

// recorded is one call of a recorder. All sinks and watchers share it, and nothing
// changes it. It has half the size of its Event, which a sink needs only for the
// correlator, and then as its own.
type recorded struct {
	recorder    *Recorder // its source and labels
	name        string    // of the Event
	object      corev1.ObjectReference
	related     *corev1.ObjectReference
	annotations map[string]string
	eventType   string
	reason      string
	action      string
	message     string
	at          time.Time
}

// namespace returns that of the Event.
func (r *recorded) namespace() string { return cmp.Or(r.object.Namespace, metav1.NamespaceDefault) }

func (r *recorded) warning() bool { return r.eventType == corev1.EventTypeWarning }

// event returns a new Event.
func (r *recorded) event() *corev1.Event {
	e := &corev1.Event{}
	r.writeTo(e)
	return e
}

// writeTo makes e the Event.
func (r *recorded) writeTo(e *corev1.Event) {
	source, at := &r.recorder.source, metav1.Time{Time: r.at}
	*e = corev1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Name: r.name, Namespace: r.namespace(),
			Labels: eventlabels.Parse(r.recorder.labels), Annotations: r.annotations,
		},
		InvolvedObject: r.object, Related: r.related,
		Type: r.eventType, Reason: r.reason, Action: r.action, Message: r.message,
		Source: *source, ReportingController: source.Component, ReportingInstance: source.Host,
		FirstTimestamp: at, LastTimestamp: at, Count: 1,
	}
}

func (r *recorded) labels() stats.Labels {
	return stats.Labels{
		ReportingController: r.recorder.source.Component, RegardingKind: r.object.Kind,
		Type: r.eventType, Reason: r.reason,
	}
}

// weight returns how many occurrences r counts for: one per KiB begun. core/v1 has no
// limit for texts but that of a request, a few MiB.
func (r *recorded) weight() int {
	bytes := len(r.message) + len(r.reason) + len(r.action) + len(r.recorder.labels) + bytesOf(&r.object)
	if r.related != nil {
		bytes += bytesOf(r.related)
	}
	for k, v := range r.annotations {
		bytes += len(k) + len(v)
	}
	return 1 + bytes/1024
}

func bytesOf(ref *corev1.ObjectReference) int {
	return len(ref.Kind) + len(ref.APIVersion) + len(ref.Namespace) + len(ref.Name) + len(ref.UID) +
		len(ref.ResourceVersion) + len(ref.FieldPath)
}

// retryFor is how long an occurrence may stay unwritten: with the default
// --event-ttl the server would have forgotten the event by then.
const retryFor = time.Hour

func (r *recorded) expired(now time.Time) bool { return now.Sub(r.at) > retryFor }

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package world

import (
	"bytes"
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// eventsV1 writes through events.k8s.io/v1, for the SDK and tools/events.
type eventsV1 struct {
	*wire
	// arrives is travel, but where that would hang.
	arrives func(ctx context.Context) (time.Time, error)
}

func (e eventsV1) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	s := e.seriesOf(event)
	w := write{name: objectName{event.Namespace, event.Name}, count: 1, last: event.EventTime.Time}
	if event.Series != nil {
		w.count, w.last = int64(event.Series.Count), event.Series.LastObservedTime.Time
	}
	var err error
	if w.at, err = e.arrives(ctx); err != nil {
		return nil, err
	}
	version, err := e.component.api.create(s, w)
	return answerV1(event, version, err)
}

func (e eventsV1) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	s := e.seriesOf(event)
	w := write{
		name: objectName{event.Namespace, event.Name}, count: countIn(patch), version: versionIn(patch),
	}
	if event.Series != nil {
		w.last = event.Series.LastObservedTime.Time
	}
	var err error
	if w.at, err = e.arrives(ctx); err != nil {
		return nil, err
	}
	version, err := e.component.api.patch(s, w)
	return answerV1(event, version, err)
}

func (e eventsV1) seriesOf(event *eventsv1.Event) *Series {
	return e.component.seriesOf(seriesKey{
		uid: event.Regarding.UID, fieldPath: event.Regarding.FieldPath, eventType: event.Type, reason: event.Reason,
	})
}

// Update is part of client-go's interface, and called by nobody.
func (e eventsV1) Update(context.Context, *eventsv1.Event) (*eventsv1.Event, error) {
	return nil, apierrors.NewMethodNotSupported(eventsv1.Resource("events"), "update")
}

func answerV1(event *eventsv1.Event, version string, err error) (*eventsv1.Event, error) {
	if err != nil {
		return nil, err
	}
	stored := *event
	stored.ResourceVersion = version
	if event.Series != nil {
		series := *event.Series
		stored.Series = &series
	}
	return &stored, nil
}

// coreV1 writes through core/v1, for tools/record.
type coreV1 struct{ *wire }

func (c coreV1) Create(event *corev1.Event) (*corev1.Event, error) {
	s := c.seriesOf(event)
	w := write{
		name:  objectName{event.Namespace, event.Name},
		count: int64(max(1, event.Count)), last: event.LastTimestamp.Time,
	}
	var err error
	if w.at, err = c.travel(context.Background()); err != nil {
		return nil, err
	}
	version, err := c.component.api.create(s, w)
	return answerCore(event, version, err)
}

func (c coreV1) Patch(event *corev1.Event, patch []byte) (*corev1.Event, error) {
	s := c.seriesOf(event)
	w := write{
		name:  objectName{event.Namespace, event.Name},
		count: countIn(patch), version: versionIn(patch), last: event.LastTimestamp.Time,
	}
	var err error
	if w.at, err = c.travel(context.Background()); err != nil {
		return nil, err
	}
	version, err := c.component.api.patch(s, w)
	return answerCore(event, version, err)
}

func (c coreV1) seriesOf(event *corev1.Event) *Series {
	object := &event.InvolvedObject
	return c.component.seriesOf(seriesKey{
		uid: object.UID, fieldPath: object.FieldPath, eventType: event.Type, reason: event.Reason,
	})
}

// Update is part of client-go's interface, and called by nobody.
func (c coreV1) Update(*corev1.Event) (*corev1.Event, error) {
	return nil, apierrors.NewMethodNotSupported(corev1.Resource("events"), "update")
}

func answerCore(event *corev1.Event, version string, err error) (*corev1.Event, error) {
	if err != nil {
		return nil, err
	}
	stored := *event
	stored.ResourceVersion = version
	return &stored, nil
}

// countIn reads the count of a patch without decoding it: a quote in a string is
// escaped in JSON, so the name can only be the field's.
func countIn(patch []byte) (count int64) {
	_, rest, _ := bytes.Cut(patch, []byte(`"count":`))
	for _, digit := range rest {
		if digit < '0' || digit > '9' {
			break
		}
		count = 10*count + int64(digit-'0')
	}
	return count
}

// versionIn reads the resourceVersion of a patch.
func versionIn(patch []byte) string {
	_, rest, _ := bytes.Cut(patch, []byte(`"resourceVersion":"`))
	version, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(version)
}

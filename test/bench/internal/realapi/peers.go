// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
)

// inSilence spares the peers a log line for each event that they lose.
func inSilence(ctx context.Context) context.Context {
	return logr.NewContext(context.WithoutCancel(ctx), logr.Discard())
}

// toolsEvents is client-go's recorder of events.k8s.io/v1 as its documentation sets
// it up. It cannot be asked to finish: it is waited for.
func toolsEvents(ctx context.Context, t *trial) (*turn, error) {
	ctx, cancel := context.WithCancel(inSilence(ctx))
	b := clientevents.NewBroadcaster(&clientevents.EventSinkImpl{Interface: t.client.EventsV1()})
	recorder := b.NewRecorder(scheme.Scheme, controller).WithLogger(logr.Discard())
	return &turn{
		run: func(ctx context.Context) (time.Time, error) {
			emit(t, recorder)
			return t.meter.quiet(ctx, len(t.pods), patience)
		},
		stop: func() {
			cancel()
			b.Shutdown()
		},
	}, b.StartRecordingToSinkWithContext(ctx)
}

// toolsRecord is client-go's recorder of core/v1, which has one writer and no
// option for more.
func toolsRecord(ctx context.Context, t *trial) (*turn, error) {
	b := record.NewBroadcaster(record.WithContext(inSilence(ctx)))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: t.client.CoreV1().Events("")})
	recorder := b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: controller}).WithLogger(logr.Discard())
	return &turn{
		run: func(ctx context.Context) (time.Time, error) {
			for _, pod := range t.pods {
				recorder.Eventf(pod, corev1.EventTypeWarning, reason, note)
			}
			return t.meter.quiet(ctx, len(t.pods), patience)
		},
		stop: b.Shutdown,
	}, nil
}

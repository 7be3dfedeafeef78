// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"context"

	"k8s.io/client-go/kubernetes"
	clientevents "k8s.io/client-go/tools/events"
)

// Dependencies are what a kubelet is given, as far as Events are concerned. It
// is filled by makeEventRecorder before the kubelet is made.
type Dependencies struct {
	// EventClient is the client that Events are written with. A kubelet has one
	// for them alone, so that they do not compete with its other requests.
	EventClient kubernetes.Interface
	// Recorder records the Events.
	Recorder clientevents.EventRecorderLogger
	// StopEvents ends the recording when the kubelet stops. The error says what
	// was left unwritten.
	StopEvents func(ctx context.Context) error
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/kubelet"
)

// makeEventRecorderAfter sets up the recorder of a kubelet unless it has one.
func makeEventRecorderAfter(ctx context.Context, deps *kubelet.Dependencies, nodeName types.NodeName) {
	if deps.Recorder != nil {
		return
	}
	// The default is the host name, and a node can have another name than its host.
	instance := events.WithReportingInstance(string(nodeName))
	broadcaster := adapter.New(ctx, deps.EventClient, instance)
	broadcaster.StartStructuredLogging(3)
	if err := broadcaster.Start(ctx); err != nil {
		klog.FromContext(ctx).Error(err, "Events are not written")
	}

	deps.Recorder = broadcaster.Recorder(component)
	deps.StopEvents = broadcaster.Drain
}

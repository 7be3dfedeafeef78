// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/kubelet"
)

func makeEventRecorderAfter(ctx context.Context, deps *kubelet.Dependencies, nodeName types.NodeName) {
	makeEventRecorderBefore(ctx, deps, nodeName)
}

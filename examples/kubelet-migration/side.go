// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"

	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/kubelet"
)

// component is who the Events are from.
const component = "kubelet"

// side is one of the two ways of recording that are compared.
type side struct {
	name              string
	makeEventRecorder func(ctx context.Context, deps *kubelet.Dependencies, nodeName types.NodeName)
	how               string // it records, for the foot of the table
}

var (
	before = side{
		name:              "before",
		makeEventRecorder: makeEventRecorderBefore,
		how: "client-go tools/record to core/v1, with its spam filter; ended by Shutdown, which\n" +
			"        drops what is queued, as the end of a kubelet's context does",
	}
	after = side{
		name:              "after",
		makeEventRecorder: makeEventRecorderAfter,
		how:               "this SDK to events.k8s.io/v1; ended by Drain, which writes the final counts",
	}
)

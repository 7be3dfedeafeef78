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
	end               string // what it does when the kubelet stops
}

var (
	before = side{
		name:              "before",
		makeEventRecorder: makeEventRecorderBefore,
		end: "client-go's tools/record through core/v1; Shutdown at the end, which writes nothing\n" +
			"that is still queued (a kubelet does not even call it)",
	}
	after = side{
		name:              "after",
		makeEventRecorder: makeEventRecorderAfter,
		end:               "this SDK; Drain at the end, which writes the final counts",
	}
)

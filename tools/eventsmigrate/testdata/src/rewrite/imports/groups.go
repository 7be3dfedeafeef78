// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package imports

import (
	"rewrite/shapes"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// collector needs fmt of the standard library, which has no group yet.
type collector struct {
	shapes.Narrow
	recorder record.EventRecorder
	object   client.Object
	seen     []string
}

func (c *collector) Event(object runtime.Object, eventtype, reason, message string) {
	c.seen = append(c.seen, message)
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package imports

import (
	"time"

	"rewrite/types"
)

// late has no group of other modules yet.
func late(c *types.Controller) {
	_ = time.Second
	c.Recorder.AnnotatedEventf(nil, nil, "Normal", "Late", "late")
}

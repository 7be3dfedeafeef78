// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package realapi

import (
	"context"
	"time"
)

// contender is one way to get events to the server.
type contender struct {
	name string // as package report has it
	// prepare does what is not measured.
	prepare func(ctx context.Context, t *trial) (*turn, error)
}

// turn is a contender that is ready to write.
type turn struct {
	// run writes, and says when the last write was answered.
	run func(ctx context.Context) (end time.Time, err error)
	// stop ends what still runs; nil if nothing does.
	stop func()
}

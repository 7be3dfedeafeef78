// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package replicas

import (
	"context"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/adapter"
)

// Run is what main does: it gives a controller a recorder, runs it until ctx ends, and writes the Events that are
// pending then. The error says which it could not.
func Run(ctx context.Context, client kubernetes.Interface, period time.Duration) error {
	broadcaster := adapter.New(ctx, client)
	// After the end of ctx the recorder waits for five seconds; a controller may take longer to return.
	if err := broadcaster.Start(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	controller := &Controller{Client: client, Recorder: broadcaster.Recorder("example.com/replicas")}
	controller.Run(ctx, period)

	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return broadcaster.Drain(drain)
}

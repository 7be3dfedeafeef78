// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package contender

import (
	"context"

	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/events"
)

// newSDK is a broadcaster with the defaults, but for the bound on series where
// the scenario has more of them.
func newSDK(c *Contender, config Config) error {
	opts := []events.Option{events.WithMaxSeries(config.Series)}
	if config.LogDoublings {
		opts = append(opts, events.WithLogDoublings())
	}
	b := events.NewBroadcaster(newSink{c.Sink}, opts...)
	if config.Logging {
		if _, err := b.StartLogging(c.logger()); err != nil {
			return err
		}
	}
	if err := b.Start(context.Background()); err != nil {
		return err
	}
	c.Recorder = b.NewRecorder(scheme.Scheme, component)
	c.finish = func() { _ = b.Flush(context.Background()) } // that cannot end early
	c.stop = func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = b.Drain(ctx) // it says what is lost
	}
	c.series = func() int { return b.Stats().Series }
	return nil
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package boundary crosses the border to code that stays old.
package boundary

import (
	"context"

	"thirdparty"

	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
)

type component struct {
	recorder record.EventRecorder
	options  thirdparty.Options
}

var shared = thirdparty.New("shared")

var declared record.EventRecorder = thirdparty.New("declared")

func (c *component) elect(ctx context.Context) resourcelock.LeaseLock {
	c.recorder = thirdparty.New("assigned")
	c.options.Recorder = c.recorder
	thirdparty.Run(ctx, c.recorder)
	thirdparty.RunAll(c.recorder, c.recorder)
	local := thirdparty.New("local")
	local.Event(nil, "Normal", "Old", "a local variable stays on the old side")
	take(local)
	both, err := thirdparty.NewOrError("both")
	if err == nil {
		c.recorder = both
	}
	thirdparty.Run(ctx, local)
	thirdparty.Configure(thirdparty.Options{Recorder: c.recorder})
	thirdparty.OnStart(func(r record.EventRecorder) record.EventRecorder {
		r.Event(nil, "Normal", "Old", "a parameter that others dictate")
		c.recorder = r
		return c.recorder
	})
	_ = thirdparty.Ptr(c.recorder)
	*thirdparty.Ptr(c.recorder) = c.recorder
	for _, r := range c.options.All {
		take(r)
	}
	c.options.All = append(c.options.All, c.recorder)
	return resourcelock.LeaseLock{LockConfig: resourcelock.ResourceLockConfig{EventRecorder: c.recorder}}
}

func take(r record.EventRecorder) record.EventRecorder {
	if r == nil {
		return nil
	}
	return thirdparty.New("returned")
}

// provider is what thirdparty.Provider wants.
type provider struct{ recorder record.EventRecorder }

var _ thirdparty.Provider = &provider{}

func (p *provider) RecorderFor(name string) record.EventRecorder { return p.recorder }

func (p *provider) Set(r record.EventRecorder) {
	p.recorder = r
	r.Event(nil, "Normal", "Old", "stays")
}

func unfreeze(f *Frozen, c *component) {
	f.Recorder = c.recorder
	take(f.Recorder)
	f.Recorder.Event(nil, "Normal", "Old", "the field is old")
}

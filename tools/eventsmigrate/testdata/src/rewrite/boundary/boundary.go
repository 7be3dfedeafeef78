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
	recorder record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder"
	options  thirdparty.Options
}

var shared = thirdparty.New("shared") // want "this recorder comes from the old API and gets legacy\\.FromLegacy"

var declared record.EventRecorder = thirdparty.New("declared") // want "record\\.EventRecorder becomes events\\.EventRecorder" "this recorder comes from the old API and gets legacy\\.FromLegacy"

func (c *component) elect(ctx context.Context) resourcelock.LeaseLock {
	c.recorder = thirdparty.New("assigned")   // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	c.options.Recorder = c.recorder           // want "c\\.options\\.Recorder stays with the old API and gets legacy\\.AsLegacy"
	thirdparty.Run(ctx, c.recorder)           // want "thirdparty\\.Run stays with the old API and gets legacy\\.AsLegacy"
	thirdparty.RunAll(c.recorder, c.recorder) // want "thirdparty\\.RunAll stays with the old API and gets legacy\\.AsLegacy" "thirdparty\\.RunAll stays with the old API and gets legacy\\.AsLegacy"
	local := thirdparty.New("local")
	local.Event(nil, "Normal", "Old", "a local variable stays on the old side")
	take(local) // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	both, err := thirdparty.NewOrError("both")
	if err == nil {
		c.recorder = both // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	}
	thirdparty.Run(ctx, local)
	thirdparty.Configure(thirdparty.Options{Recorder: c.recorder}) // want "thirdparty\\.Options\\.Recorder stays with the old API and gets legacy\\.AsLegacy"
	thirdparty.OnStart(func(r record.EventRecorder) record.EventRecorder {
		r.Event(nil, "Normal", "Old", "a parameter that others dictate")
		c.recorder = r    // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
		return c.recorder // want "record\\.EventRecorder stays with the old API and gets legacy\\.AsLegacy"
	})
	_ = thirdparty.Ptr(c.recorder)
	*thirdparty.Ptr(c.recorder) = c.recorder
	for _, r := range c.options.All {
		take(r) // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	}
	c.options.All = append(c.options.All, c.recorder)                                                     // want "record\\.EventRecorder stays with the old API and gets legacy\\.AsLegacy"
	return resourcelock.LeaseLock{LockConfig: resourcelock.ResourceLockConfig{EventRecorder: c.recorder}} // want "resourcelock\\.ResourceLockConfig\\.EventRecorder stays with the old API and gets legacy\\.AsLegacy"
}

func take(r record.EventRecorder) record.EventRecorder { // want "record\\.EventRecorder becomes events\\.EventRecorder" "record\\.EventRecorder becomes events\\.EventRecorder"
	if r == nil {
		return nil
	}
	return thirdparty.New("returned") // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
}

// provider is what thirdparty.Provider wants.
type provider struct{ recorder record.EventRecorder } // want "record\\.EventRecorder becomes events\\.EventRecorder"

var _ thirdparty.Provider = &provider{}

func (p *provider) RecorderFor(name string) record.EventRecorder { return p.recorder } // want "an interface of another module dictates the signature of RecorderFor" "record\\.EventRecorder stays with the old API and gets legacy\\.AsLegacy"

func (p *provider) Set(r record.EventRecorder) { // want "an interface of another module dictates the signature of Set"
	p.recorder = r // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	r.Event(nil, "Normal", "Old", "stays")
}

func unfreeze(f *Frozen, c *component) {
	f.Recorder = c.recorder // want "f\\.Recorder stays with the old API and gets legacy\\.AsLegacy"
	take(f.Recorder)        // want "this recorder comes from the old API and gets legacy\\.FromLegacy"
	f.Recorder.Event(nil, "Normal", "Old", "the field is old")
}

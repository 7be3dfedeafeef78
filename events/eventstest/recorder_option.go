// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/events"
)

// RecorderOption changes a default of a [Recorder].
type RecorderOption func(*recorderConfig)

type recorderConfig struct {
	scheme     *runtime.Scheme
	controller string
	clock      clock.WithTicker
	notes      []events.Option
	strict     bool
	annotate   func(context.Context) map[string]string
}

// WithScheme sets the scheme for objects without a kind. For custom resources pass the manager's scheme. The default is
// client-go's, which has the built-in kinds.
func WithScheme(scheme *runtime.Scheme) RecorderOption {
	return func(c *recorderConfig) { c.scheme = scheme }
}

// WithReportingController sets the reporting controller, "eventstest" by default. The reporting instance is the
// controller and "-0".
func WithReportingController(name string) RecorderOption {
	return func(c *recorderConfig) { c.controller = name }
}

// WithClock sets the clock for the times in Events, and for the six minutes after which a series ends. The default is
// the real clock, which in a testing/synctest bubble is the bubble's.
func WithClock(clock clock.WithTicker) RecorderOption {
	return func(c *recorderConfig) { c.clock = clock }
}

// WithNotes sets the policy for differing notes, as for a broadcaster. The default is events.NotesFirst.
func WithNotes(policy events.NotePolicy) RecorderOption {
	return func(c *recorderConfig) { c.notes = append(c.notes, events.WithNotes(policy)) }
}

// WithNotesFor sets the policy for differing notes of one reason, as for a broadcaster. The default is WithNotes'.
func WithNotesFor(reason string, policy events.NotePolicy) RecorderOption {
	return func(c *recorderConfig) { c.notes = append(c.notes, events.WithNotesFor(reason, policy)) }
}

// WithStrict fails the test for each occurrence that is dropped or needs repair. By default, as in a component, an
// occurrence is repaired and counted in [Recorder.Stats], and a drop is listed in [Recorder.Drops].
func WithStrict() RecorderOption { return func(c *recorderConfig) { c.strict = true } }

// WithContextAnnotations sets what [Recorder.WithContext] makes of a context, as for a broadcaster. The default is no
// annotations.
func WithContextAnnotations(annotate func(ctx context.Context) map[string]string) RecorderOption {
	return func(c *recorderConfig) { c.annotate = annotate }
}

func newRecorderConfig(opts []RecorderOption) *recorderConfig {
	c := &recorderConfig{scheme: scheme.Scheme, controller: "eventstest", clock: clock.RealClock{}}
	for _, opt := range opts {
		opt(c)
	}
	return c
}

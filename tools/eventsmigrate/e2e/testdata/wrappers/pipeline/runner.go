// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package pipeline runs steps one after the other.
package pipeline

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"example.com/statuskit"

	"example.com/pipelines/recording"
)

// Step is one thing to do.
type Step struct {
	Name string
	Do   func(ctx context.Context) error
}

// Runner runs the steps of a pipeline, which is a ConfigMap.
type Runner struct {
	recorder record.EventRecorder
	problems recording.Eventer
	reporter *statuskit.Reporter
	hooks    []func(r record.EventRecorder, pipeline *corev1.ConfigMap)
	dry      bool
}

// Option changes a Runner.
type Option func(*Runner)

// WithRecorder sets the recorder.
func WithRecorder(recorder record.EventRecorder) Option {
	return func(r *Runner) { r.recorder = recorder }
}

// WithHook has hook called at the end of every pipeline.
func WithHook(hook func(r record.EventRecorder, pipeline *corev1.ConfigMap)) Option {
	return func(r *Runner) { r.hooks = append(r.hooks, hook) }
}

// WithDryRun runs nothing.
func WithDryRun() Option { return func(r *Runner) { r.dry = true } }

// New returns a Runner.
func New(options ...Option) *Runner {
	r := &Runner{}
	for _, option := range options {
		option(r)
	}
	if r.recorder == nil {
		r.recorder = &record.FakeRecorder{}
	}
	r.problems = r.recorder
	r.reporter = statuskit.NewReporter(r.recorder)
	return r
}

// InjectRecorder makes it a statuskit.Component.
func (r *Runner) InjectRecorder(recorder record.EventRecorder) { r.recorder = recorder }

var _ statuskit.Component = &Runner{}

// Run runs steps until one fails.
func (r *Runner) Run(ctx context.Context, pipeline *corev1.ConfigMap, steps ...Step) error {
	ctx = recording.NewContext(ctx, r.recorder)
	r.reporter.Phase(pipeline, "Running")
	r.recorder.Eventf(pipeline, corev1.EventTypeNormal, "Started", "%d steps", len(steps))
	for i, step := range steps {
		if r.dry {
			r.recorder.Event(pipeline, corev1.EventTypeNormal, "Skipped", "would run "+step.Name)
			continue
		}
		if err := step.Do(ctx); err != nil {
			recording.Problem(r.problems, pipeline, "StepFailed", fmt.Errorf("%s: %w", step.Name, err))
			return err
		}
		recording.Progress(r.recorder, pipeline, 100*(i+1)/len(steps))
	}
	for _, hook := range r.hooks {
		hook(r.recorder, pipeline)
	}
	r.tell(ctx, pipeline)
	return nil
}

// tell says that the pipeline has ended.
func (r *Runner) tell(ctx context.Context, pipeline *corev1.ConfigMap) {
	emit := r.recorder.Eventf
	if len(pipeline.Data) == 0 {
		emit(pipeline, corev1.EventTypeWarning, "Empty", "nothing in %s", pipeline.Name)
	}
	plain := r.recorder.Event
	done := func(message string) { plain(pipeline, corev1.EventTypeNormal, "Done", message) }
	switch recorder := r.recorder.(type) {
	case record.EventRecorderLogger:
		recorder.WithLogger(klog.FromContext(ctx)).Event(pipeline, corev1.EventTypeNormal, "Logged", "has a logger")
	case nil:
		return
	default:
		recorder.Event(pipeline, corev1.EventTypeNormal, "Unlogged", "has no logger")
	}
	done("all steps have run")
	trace(r.recorder, pipeline)
}

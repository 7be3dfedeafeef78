// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package types has the old recorder's types wherever a type can be written.
package types

import (
	"context"

	"k8s.io/client-go/tools/record"
)

// Controller holds a recorder.
type Controller struct {
	Recorder record.EventRecorder // the recorder
	logger   record.EventRecorderLogger
	fake     *record.FakeRecorder
	byName   map[string]record.EventRecorder
	all      []record.EventRecorder
	queue    chan record.EventRecorder
	maker    func(name string) record.EventRecorder
}

type embedding struct {
	record.EventRecorder
	name string
}

type wide interface {
	record.EventRecorder
	Close()
}

type Alias = record.EventRecorder

type generic[R record.EventRecorder] struct{ recorder R }

type key struct{}

func Into(ctx context.Context, r record.EventRecorder) context.Context {
	return context.WithValue(ctx, key{}, r)
}

func From(ctx context.Context) (record.EventRecorder, bool) {
	r, ok := ctx.Value(key{}).(record.EventRecorder)
	return r, ok
}

func kind(x any) string {
	switch x.(type) {
	case record.EventRecorderLogger:
		return "logger"
	case *record.FakeRecorder:
		return "fake"
	}
	var none record.EventRecorder
	_ = none
	return ""
}

var _ record.EventRecorder = &embedding{}

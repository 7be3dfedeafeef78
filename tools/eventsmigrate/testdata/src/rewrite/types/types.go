// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package types has the old recorder's types wherever a type can be written.
package types

import (
	"context"

	"k8s.io/client-go/tools/record"
)

// Controller holds a recorder.
type Controller struct { // want "types\\.Controller is exported and changes its type: users in other modules change with it"
	Recorder record.EventRecorder                   // the recorder // want "record\\.EventRecorder becomes events\\.EventRecorder"
	logger   record.EventRecorderLogger             // want "record\\.EventRecorderLogger becomes events\\.EventRecorderLogger"
	fake     *record.FakeRecorder                   // want "production code keeps client-go's FakeRecorder, since package eventstest imports testing"
	byName   map[string]record.EventRecorder        // want "record\\.EventRecorder becomes events\\.EventRecorder"
	all      []record.EventRecorder                 // want "record\\.EventRecorder becomes events\\.EventRecorder"
	queue    chan record.EventRecorder              // want "record\\.EventRecorder becomes events\\.EventRecorder"
	maker    func(name string) record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder"
}

type embedding struct {
	record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder" "embedding has no AnnotatedEventf any more: declare one if annotations are to pass through it"
	name                 string
}

type wide interface {
	record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder"
	Close()
}

type Alias = record.EventRecorder // want "types\\.Alias is exported and changes its type: users in other modules change with it" "record\\.EventRecorder becomes events\\.EventRecorder"

type generic[R record.EventRecorder] struct{ recorder R } // want "record\\.EventRecorder becomes events\\.EventRecorder"

type key struct{}

func Into(ctx context.Context, r record.EventRecorder) context.Context { // want "types\\.Into is exported and changes its type: users in other modules change with it" "record\\.EventRecorder becomes events\\.EventRecorder"
	return context.WithValue(ctx, key{}, r)
}

func From(ctx context.Context) (record.EventRecorder, bool) { // want "types\\.From is exported and changes its type: users in other modules change with it" "record\\.EventRecorder becomes events\\.EventRecorder"
	r, ok := ctx.Value(key{}).(record.EventRecorder) // want "record\\.EventRecorder becomes events\\.EventRecorder"
	return r, ok
}

func kind(x any) string {
	switch x.(type) {
	case record.EventRecorderLogger: // want "record\\.EventRecorderLogger becomes events\\.EventRecorderLogger"
		return "logger"
	case *record.FakeRecorder: // want "production code keeps client-go's FakeRecorder, since package eventstest imports testing"
		return "fake"
	}
	var none record.EventRecorder // want "record\\.EventRecorder becomes events\\.EventRecorder"
	_ = none
	return ""
}

var _ record.EventRecorder = &embedding{} // want "record\\.EventRecorder becomes events\\.EventRecorder"

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
	Recorder record.EventRecorder                   // the recorder // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	logger   record.EventRecorderLogger             // want "record\\.EventRecorderLogger is events\\.EventRecorderLogger in the events API"
	fake     *record.FakeRecorder                   // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
	byName   map[string]record.EventRecorder        // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	all      []record.EventRecorder                 // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	queue    chan record.EventRecorder              // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	maker    func(name string) record.EventRecorder // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
}

type embedding struct {
	record.EventRecorder // want "record\\.EventRecorder is events\\.EventRecorder in the events API" "embedding has no AnnotatedEventf any more: declare one if annotations are to pass through it"
	name                 string
}

type wide interface {
	record.EventRecorder // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	Close()
}

type Alias = record.EventRecorder // want "record\\.EventRecorder is events\\.EventRecorder in the events API"

type generic[R record.EventRecorder] struct{ recorder R } // want "record\\.EventRecorder is events\\.EventRecorder in the events API"

type key struct{}

func Into(ctx context.Context, r record.EventRecorder) context.Context { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	return context.WithValue(ctx, key{}, r)
}

func From(ctx context.Context) (record.EventRecorder, bool) { // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	r, ok := ctx.Value(key{}).(record.EventRecorder) // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	return r, ok
}

func kind(x any) string {
	switch x.(type) {
	case record.EventRecorderLogger: // want "record\\.EventRecorderLogger is events\\.EventRecorderLogger in the events API"
		return "logger"
	case *record.FakeRecorder: // want "record\\.FakeRecorder is events\\.FakeRecorder in the events API"
		return "fake"
	}
	var none record.EventRecorder // want "record\\.EventRecorder is events\\.EventRecorder in the events API"
	_ = none
	return ""
}

var _ record.EventRecorder = &embedding{} // want "record\\.EventRecorder is events\\.EventRecorder in the events API"

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package conformance_test

import (
	"bytes"
	"context"

	eventsv1 "k8s.io/api/events/v1"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// patchedSink is a sink that keeps every rule, except by the methods that a test replaces.
type patchedSink struct {
	*eventstest.Sink
	create creator
	patch  patcher
}

type (
	creator = func(context.Context, *eventsv1.Event) (*eventsv1.Event, error)
	patcher = func(context.Context, *eventsv1.Event, []byte) (*eventsv1.Event, error)
)

func patchSink(how func(*patchedSink)) func() events.Sink {
	return func() events.Sink {
		sink := eventstest.NewSink()
		b := &patchedSink{sink, sink.Create, sink.Patch}
		how(b)
		return b
	}
}

func (b *patchedSink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return b.create(ctx, event)
}

func (b *patchedSink) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return b.patch(ctx, event, patch)
}

// refusing returns a sink whose Create fails with err if which returns true for the Event.
func refusing(which func(*eventsv1.Event) bool, err error) func() events.Sink {
	return patchSink(func(b *patchedSink) {
		b.create = func(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
			if which(event) {
				return nil, err
			}
			return b.Sink.Create(ctx, event)
		}
	})
}

// first returns a sink that calls do before each call.
func first(do func(ctx context.Context, event *eventsv1.Event, patch []byte)) func() events.Sink {
	return patchSink(func(b *patchedSink) {
		b.create = func(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
			do(ctx, event, nil)
			return b.Sink.Create(ctx, event)
		}
		b.patch = func(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
			do(ctx, event, patch)
			return b.Sink.Patch(ctx, event, patch)
		}
	})
}

// reply replaces an answer by another one.
type reply func(stored *eventsv1.Event, err error) (*eventsv1.Event, error)

func honest(stored *eventsv1.Event, err error) (*eventsv1.Event, error) { return stored, err }

// answering returns a sink that stores every Event, but whose answers are replaced by create and
// patch.
func answering(create, patch reply) func() events.Sink {
	return patchSink(func(b *patchedSink) {
		b.create = func(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
			return create(b.Sink.Create(ctx, event))
		}
		b.patch = func(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error) {
			return patch(b.Sink.Patch(ctx, event, data))
		}
	})
}

// instead returns a reply that replaces the errors for which of returns true by the error by.
func instead(of func(error) bool, by error) reply {
	return func(stored *eventsv1.Event, err error) (*eventsv1.Event, error) {
		if of(err) {
			return nil, by
		}
		return stored, err
	}
}

// answeringWith returns a reply that changes the Event in successful answers.
func answeringWith(change func(*eventsv1.Event)) reply {
	return func(stored *eventsv1.Event, err error) (*eventsv1.Event, error) {
		if err == nil {
			change(stored)
		}
		return stored, err
	}
}

func withoutVersion(stored *eventsv1.Event) { stored.ResourceVersion = "" }

// sending returns a sink that stores something else than it is passed. change may change event,
// which is a copy, and returns the patch to use. For a Create patch is nil.
func sending(change func(event *eventsv1.Event, patch []byte) []byte) func() events.Sink {
	return patchSink(func(b *patchedSink) {
		b.create = func(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
			event = event.DeepCopy()
			change(event, nil)
			return b.Sink.Create(ctx, event)
		}
		b.patch = func(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
			return b.Sink.Patch(ctx, event, change(event.DeepCopy(), patch))
		}
	})
}

// replacing returns a sink that reads the word by in place of word in each patch.
func replacing(word, by string) func() events.Sink {
	return sending(func(_ *eventsv1.Event, patch []byte) []byte {
		return bytes.ReplaceAll(patch, []byte(word), []byte(by))
	})
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/usercode"
)

// CoreWriter writes core/v1 Events. A successful call may return nil for the Event.
type CoreWriter interface {
	Create(ctx context.Context, event *corev1.Event) (*corev1.Event, error)
	Patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error)
}

// NewCoreWriter returns a CoreWriter for a sink of client-go's package record. It returns an error
// if the sink is nil.
//
// The usual sink is an EventSinkImpl. Its methods take no context, and client-go may retry inside
// them for minutes. Therefore the CoreWriter uses the REST client of an EventSinkImpl directly, so
// that requests can be cancelled and the SDK can classify each answer. For any other sink, it calls
// the sink's own methods.
func NewCoreWriter(sink record.EventSink) (CoreWriter, error) {
	impl, ok := sink.(*typedcorev1.EventSinkImpl)
	if sink == nil || ok && (impl == nil || impl.Interface == nil) {
		return nil, errors.New("the sink is nil; pass one")
	}
	if client, namespace := RESTClient(sink); client != nil {
		core := NewCoreEvents(typedcorev1.New(client))
		core.only = namespace
		return core, nil
	}
	if ok {
		return fakeClient{impl.Interface}, nil
	}
	return foreignSink{sink}, nil
}

// RESTClient returns the REST client behind a sink, and the only namespace that the sink can write
// to, or "" if it can write to all namespaces. It returns nil for fakes and for sinks of other
// types, because they have no REST client.
func RESTClient(sink record.EventSink) (client rest.Interface, namespace string) {
	type real interface {
		GetClient() rest.Interface
		GetNamespace() string
	}
	if impl, ok := sink.(*typedcorev1.EventSinkImpl); ok && impl != nil {
		if events, ok := impl.Interface.(real); ok && !usercode.IsNil(events.GetClient()) {
			return events.GetClient(), events.GetNamespace()
		}
	}
	return nil, ""
}

// foreignSink is a sink that is implemented by the component. Its methods take no context, so calls
// cannot be cancelled.
type foreignSink struct{ sink record.EventSink }

func (s foreignSink) Create(_ context.Context, event *corev1.Event) (*corev1.Event, error) {
	return s.sink.Create(event)
}

// Patch calls the sink. Any 404 means that the Event must be created again, as in client-go
// (recordEvent in tools/record). request.Classify would distinguish 404s by details that only an
// API server fills in.
func (s foreignSink) Patch(_ context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	stored, err := s.sink.Patch(event, data)
	if apierrors.IsNotFound(err) {
		err = &request.Answer{Verdict: request.Verdict{Action: request.Recreate}, Err: err}
	}
	return stored, err
}

// fakeClient is a client for Events that has no REST client, such as client-go's fake.
type fakeClient struct{ events typedcorev1.EventInterface }

func (c fakeClient) Create(ctx context.Context, event *corev1.Event) (*corev1.Event, error) {
	return c.events.CreateWithEventNamespaceWithContext(ctx, event)
}

func (c fakeClient) Patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	return c.events.PatchWithEventNamespaceWithContext(ctx, event, data)
}

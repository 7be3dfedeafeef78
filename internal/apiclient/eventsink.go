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

// CoreWriter writes core/v1 Events.
type CoreWriter interface {
	Create(ctx context.Context, event *corev1.Event) (*corev1.Event, error)
	Patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error)
}

// NewCoreWriter returns what writes to a sink of client-go's record. The methods of an
// EventSinkImpl have no context and retry inside client-go for minutes. Its REST client
// is used instead, so that requests can be cancelled and every answer is classified.
// Any other sink is called as it is.
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

// RESTClient returns the REST client behind a sink, and the namespace that it is limited to,
// if any. The real client of Events has one. Fakes and sinks of other kinds do not.
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

// foreignSink is a component's own sink, which has no contexts.
type foreignSink struct{ sink record.EventSink }

func (s foreignSink) Create(_ context.Context, event *corev1.Event) (*corev1.Event, error) {
	return s.sink.Create(event)
}

// Patch calls the sink. Whatever 404 such a sink answers, client-go creates the Event again
// (tools/record, recordEvent): no server filled in its details.
func (s foreignSink) Patch(_ context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	stored, err := s.sink.Patch(event, data)
	if apierrors.IsNotFound(err) {
		err = &request.Answer{Verdict: request.Verdict{Action: request.Recreate}, Err: err}
	}
	return stored, err
}

// fakeClient is a client of Events without a REST client.
type fakeClient struct{ events typedcorev1.EventInterface }

func (c fakeClient) Create(ctx context.Context, event *corev1.Event) (*corev1.Event, error) {
	return c.events.CreateWithEventNamespaceWithContext(ctx, event)
}

func (c fakeClient) Patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	return c.events.PatchWithEventNamespaceWithContext(ctx, event, data)
}

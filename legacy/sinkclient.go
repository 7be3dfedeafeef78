// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/usercode"
)

// sinkClient is a sink with contexts.
type sinkClient interface {
	create(ctx context.Context, event *corev1.Event) (*corev1.Event, error)
	patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error)
}

var errNoSink = errors.New("legacy: no sink to record to, pass one that is not nil")

// newSinkClient returns a client for sink. The methods of an EventSinkImpl have no
// context and retry inside client-go for minutes. Its REST client is used instead, so
// that requests can be cancelled and every answer is classified. Any other sink is
// called as it is.
func newSinkClient(sink record.EventSink) (sinkClient, error) {
	impl, ok := sink.(*typedcorev1.EventSinkImpl)
	switch {
	case sink == nil, ok && (impl == nil || impl.Interface == nil):
		return nil, errNoSink
	case !ok:
		return plainSink{sink}, nil
	}
	// The real client has these methods, fakes do not.
	client, ok := impl.Interface.(interface {
		GetClient() rest.Interface
		GetNamespace() string
	})
	if ok && !usercode.IsNil(client.GetClient()) {
		return restClient{apiclient.NewCoreEventsForREST(client.GetClient()), client.GetNamespace()}, nil
	}
	return typedClient{impl.Interface}, nil
}

// plainSink is any other sink.
type plainSink struct{ sink record.EventSink }

func (c plainSink) create(_ context.Context, event *corev1.Event) (*corev1.Event, error) {
	return c.sink.Create(event)
}

func (c plainSink) patch(_ context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	return c.sink.Patch(event, data)
}

// typedClient is a typed client without a REST client: a fake or a wrapper.
type typedClient struct{ client typedcorev1.EventInterface }

func (c typedClient) create(ctx context.Context, event *corev1.Event) (*corev1.Event, error) {
	return c.client.CreateWithEventNamespaceWithContext(ctx, event)
}

func (c typedClient) patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	return c.client.PatchWithEventNamespaceWithContext(ctx, event, data)
}

// restClient sends what the typed client would send, once.
type restClient struct {
	events    *apiclient.CoreEvents
	namespace string // what the client is limited to, empty for every namespace
}

func (c restClient) create(ctx context.Context, event *corev1.Event) (*corev1.Event, error) {
	if err := c.checkNamespace(event); err != nil {
		return nil, err
	}
	return c.events.Create(ctx, event)
}

func (c restClient) patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	if err := c.checkNamespace(event); err != nil {
		return nil, err
	}
	return c.events.Patch(ctx, event, data)
}

// checkNamespace returns an error that is not retried if the client cannot write
// to the namespace of event.
func (c restClient) checkNamespace(event *corev1.Event) error {
	if c.namespace == "" || event.Namespace == c.namespace {
		return nil
	}
	return &rest.RequestConstructionError{Err: fmt.Errorf(
		"legacy: the event is for namespace %q but the sink's client is limited to %q, make it with Events(\"\")",
		event.Namespace, c.namespace)}
}

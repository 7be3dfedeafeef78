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

// sinkClient has the methods of a sink, with contexts.
type sinkClient struct {
	create func(ctx context.Context, event *corev1.Event) (*corev1.Event, error)
	patch  func(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error)
}

// newSinkClient returns a client for sink. The methods of an EventSinkImpl have no
// context and retry inside client-go for minutes. Its REST client is used instead, so
// that requests can be cancelled and every answer is classified. Any other sink is
// called as it is.
func newSinkClient(sink record.EventSink) (c sinkClient, err error) {
	impl, ok := sink.(*typedcorev1.EventSinkImpl)
	switch {
	case sink == nil, ok && (impl == nil || impl.Interface == nil):
		return c, errors.New("legacy: the sink is nil; pass one")
	case !ok:
		c.create = func(_ context.Context, event *corev1.Event) (*corev1.Event, error) { return sink.Create(event) }
		c.patch = func(_ context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
			return sink.Patch(event, data)
		}
		return c, nil
	}
	// The real client has these methods, fakes do not.
	client, ok := impl.Interface.(interface {
		GetClient() rest.Interface
		GetNamespace() string
	})
	if ok && !usercode.IsNil(client.GetClient()) {
		return restSinkClient(apiclient.NewCoreEventsForREST(client.GetClient()), client.GetNamespace()), nil
	}
	return sinkClient{
		impl.Interface.CreateWithEventNamespaceWithContext, impl.Interface.PatchWithEventNamespaceWithContext,
	}, nil
}

// restSinkClient sends what the typed client would send, once. The client is limited
// to namespace, unless that is empty. An event of another one is an error that is not
// retried.
func restSinkClient(events *apiclient.CoreEvents, namespace string) sinkClient {
	check := func(event *corev1.Event) error {
		if namespace == "" || event.Namespace == namespace {
			return nil
		}
		return &rest.RequestConstructionError{Err: fmt.Errorf(
			"legacy: the event is for namespace %q but the sink's client is limited to %q, make it with Events(\"\")",
			event.Namespace, namespace)}
	}
	return sinkClient{
		create: func(ctx context.Context, event *corev1.Event) (*corev1.Event, error) {
			if err := check(event); err != nil {
				return nil, err
			}
			return events.Create(ctx, event)
		},
		patch: func(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
			if err := check(event); err != nil {
				return nil, err
			}
			return events.Patch(ctx, event, data)
		},
	}
}

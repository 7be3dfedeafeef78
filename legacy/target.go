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

// target is a sink with contexts.
type target interface {
	create(ctx context.Context, event *corev1.Event) (*corev1.Event, error)
	patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error)
}

var errNoSink = errors.New("legacy: no sink to record to, pass one that is not nil")

// newTarget looks into the sink that everybody uses, whose own methods know no
// context and retry inside client-go for minutes, so that a request can be cut
// off and every answer reaches the table of internal/writer. Any other sink is
// called as it is.
func newTarget(sink record.EventSink) (target, error) {
	impl, ok := sink.(*typedcorev1.EventSinkImpl)
	switch {
	case sink == nil, ok && (impl == nil || impl.Interface == nil):
		return nil, errNoSink
	case !ok:
		return plainTarget{sink}, nil
	}
	// The real client has it, fakes do not.
	client, ok := impl.Interface.(interface {
		GetClient() rest.Interface
		GetNamespace() string
	})
	if ok && !usercode.IsNil(client.GetClient()) {
		return restTarget{apiclient.NewCoreEventsForREST(client.GetClient()), client.GetNamespace()}, nil
	}
	return typedTarget{impl.Interface}, nil
}

// plainTarget is a foreign sink.
type plainTarget struct{ sink record.EventSink }

func (t plainTarget) create(_ context.Context, event *corev1.Event) (*corev1.Event, error) {
	return t.sink.Create(event)
}

func (t plainTarget) patch(_ context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	return t.sink.Patch(event, data)
}

// typedTarget is a typed client without a REST client: a fake or a wrapper.
type typedTarget struct{ client typedcorev1.EventInterface }

func (t typedTarget) create(ctx context.Context, event *corev1.Event) (*corev1.Event, error) {
	return t.client.CreateWithEventNamespaceWithContext(ctx, event)
}

func (t typedTarget) patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	return t.client.PatchWithEventNamespaceWithContext(ctx, event, data)
}

// restTarget sends what the typed client would send, once.
type restTarget struct {
	events    *apiclient.CoreEvents
	namespace string // what the client is limited to, empty for every namespace
}

func (t restTarget) create(ctx context.Context, event *corev1.Event) (*corev1.Event, error) {
	if err := t.checkNamespace(event); err != nil {
		return nil, err
	}
	return t.events.Create(ctx, event)
}

func (t restTarget) patch(ctx context.Context, event *corev1.Event, data []byte) (*corev1.Event, error) {
	if err := t.checkNamespace(event); err != nil {
		return nil, err
	}
	return t.events.Patch(ctx, event, data)
}

// checkNamespace returns an error that is not retried if the client cannot write
// to the namespace of event.
func (t restTarget) checkNamespace(event *corev1.Event) error {
	if t.namespace == "" || event.Namespace == t.namespace {
		return nil
	}
	return &rest.RequestConstructionError{Err: fmt.Errorf(
		"legacy: the event is for namespace %q but the sink's client is limited to %q, make it with Events(\"\")",
		event.Namespace, t.namespace)}
}

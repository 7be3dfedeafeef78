// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Do sends a request of client's exactly once. The client's rate limiter stays in force,
// and what waits for it says so.
func Do(ctx context.Context, client rest.Interface, r *rest.Request) rest.Result {
	if limiter := client.GetRateLimiter(); limiter != nil {
		r.Throttle(throttle{limiter})
	}
	return r.MaxRetries(0).Do(ctx)
}

// Events writes Events of one API group. The encoding is the one that the client's
// configuration names, and otherwise protobuf, as with client-go's typed clients.
type Events[E any, T object[E]] struct {
	api   string
	rest  func() rest.Interface
	typed func(namespace string) typedClient[T]
}

// object is an Event of either API group.
type object[E any] interface {
	*E
	runtime.Object
	metav1.Object
}

// typedClient is client-go's client for the Events of one namespace.
type typedClient[T any] interface {
	Create(ctx context.Context, event T, opts metav1.CreateOptions) (T, error)
	Patch(
		ctx context.Context, name string, pt types.PatchType, data []byte,
		opts metav1.PatchOptions, subresources ...string,
	) (T, error)
}

type (
	// EventsV1 writes through events.k8s.io/v1.
	EventsV1 = Events[eventsv1.Event, *eventsv1.Event]
	// CoreEvents writes core/v1 Events through core/v1.
	CoreEvents = Events[corev1.Event, *corev1.Event]
)

// NewEventsV1 returns an EventsV1 over client.
func NewEventsV1(client typedeventsv1.EventsV1Interface) *EventsV1 {
	return &EventsV1{
		api:   eventsv1.SchemeGroupVersion.String(),
		rest:  func() rest.Interface { return client.RESTClient() },
		typed: func(namespace string) typedClient[*eventsv1.Event] { return client.Events(namespace) },
	}
}

// CoreClient is what core/v1 Events need of a typed core/v1 client.
type CoreClient interface {
	RESTClient() rest.Interface
	typedcorev1.EventsGetter
}

// NewCoreEvents returns a CoreEvents over client.
func NewCoreEvents(client CoreClient) *CoreEvents {
	return &CoreEvents{
		api:   corev1.SchemeGroupVersion.String(),
		rest:  func() rest.Interface { return client.RESTClient() },
		typed: func(namespace string) typedClient[*corev1.Event] { return client.Events(namespace) },
	}
}

// NewCoreEventsForREST returns a CoreEvents over client, which must not be nil.
func NewCoreEventsForREST(client rest.Interface) *CoreEvents {
	return &CoreEvents{api: corev1.SchemeGroupVersion.String(), rest: func() rest.Interface { return client }}
}

// errNoNamespace is for callers that bypass the recorder. The writer does not retry an
// error of this type.
var errNoNamespace = &rest.RequestConstructionError{Err: errors.New("sinks: the event has no namespace, set one")}

// API returns the group and version that it writes through.
func (c *Events[E, T]) API() string { return c.api }

// Create posts event.
func (c *Events[E, T]) Create(ctx context.Context, event T) (T, error) {
	return c.send(ctx, event,
		func(client rest.Interface) *rest.Request { return client.Post().UseProtobufAsDefault().Body(event) },
		func(client typedClient[T]) (T, error) { return client.Create(ctx, event, metav1.CreateOptions{}) })
}

// Patch sends data, a strategic merge patch of event. A patch is always JSON, but its
// answer may have another encoding.
func (c *Events[E, T]) Patch(ctx context.Context, event T, data []byte) (T, error) {
	const merge = types.StrategicMergePatchType
	return c.send(ctx, event,
		func(client rest.Interface) *rest.Request {
			return client.Patch(merge).UseProtobufAsDefault().Name(event.GetName()).Body(data)
		},
		func(client typedClient[T]) (T, error) {
			return client.Patch(ctx, event.GetName(), merge, data, metav1.PatchOptions{})
		})
}

// send makes one request about event. Fakes have no REST client: their typed
// methods are called instead.
func (c *Events[E, T]) send(
	ctx context.Context, event T, build func(rest.Interface) *rest.Request, call func(typedClient[T]) (T, error),
) (T, error) {
	if event.GetNamespace() == "" {
		return nil, errNoNamespace
	}
	client := c.rest()
	if usercode.IsNil(client) {
		return call(c.typed(event.GetNamespace()))
	}
	r := build(client).Namespace(event.GetNamespace()).Resource("events")
	if err := r.Error(); err != nil {
		return nil, &rest.RequestConstructionError{Err: err} // nothing was sent, and a retry would not help
	}
	var stored T = new(E)
	if err := Do(ctx, client, r).Into(stored); err != nil {
		return nil, err
	}
	return stored, checkAnswer(stored, event)
}

// throttle is a client's rate limiter that says when a request waits for it.
type throttle struct{ flowcontrol.RateLimiter }

// Wait implements [flowcontrol.RateLimiter].
func (t throttle) Wait(ctx context.Context) error {
	defer request.Throttle(ctx)()
	return t.RateLimiter.Wait(ctx)
}

// checkAnswer returns an error if a 2xx does not hold the Event that was sent. A
// Status, or the page of a proxy, decodes to an empty Event without an error. In that
// case it is unknown whether the write was applied.
func checkAnswer(answer, sent metav1.Object) error {
	got, want := answer.GetName(), sent.GetName()
	if got == want || got == "" && answer.GetResourceVersion() != "" {
		return nil
	}
	return fmt.Errorf("sinks: the answer is a success but does not hold the Event %q; "+
		"check for a proxy between the component and the API server", want)
}

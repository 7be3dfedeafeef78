// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient

import (
	"context"
	"fmt"
	"path"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/usercode"
)

// Events writes the Events of one API group, with one request for each call. It uses the encoding
// that the client is configured with. The default is protobuf, as in client-go's typed clients.
//
// It is safe for concurrent use. Each call blocks until the server answers or the context ends.
type Events[T metav1.Object] struct {
	api schema.GroupVersion
	// real is true if the client talks to a server, and false for a fake.
	real bool
	// in returns client-go's client for a namespace.
	in func(namespace string) typedClient[T]
	// only is the only namespace that the client can write to, or empty if the client can write to
	// all namespaces.
	only string
}

// typedClient is the subset of client-go's namespaced Events client that this package uses.
type typedClient[T any] interface {
	Create(ctx context.Context, event T, opts metav1.CreateOptions) (T, error)
	Patch(
		ctx context.Context, name string, pt types.PatchType, data []byte,
		opts metav1.PatchOptions, subresources ...string,
	) (T, error)
}

type (
	// EventsV1 writes events.k8s.io/v1 Events.
	EventsV1 = Events[*eventsv1.Event]
	// CoreEvents writes core/v1 Events.
	CoreEvents = Events[*corev1.Event]
)

// NewEventsV1 returns an EventsV1 that uses client and sends one request for each call.
func NewEventsV1(client typedeventsv1.EventsV1Interface) *EventsV1 {
	client, real := Once(client, eventsv1.SchemeGroupVersion, typedeventsv1.New)
	in := func(namespace string) typedClient[*eventsv1.Event] { return client.Events(namespace) }
	return &EventsV1{
		api:  eventsv1.SchemeGroupVersion,
		real: real,
		in:   in,
	}
}

// NewCoreEvents returns a CoreEvents that uses client and sends one request for each call.
func NewCoreEvents(client typedcorev1.CoreV1Interface) *CoreEvents {
	client, real := Once(client, corev1.SchemeGroupVersion, typedcorev1.New)
	in := func(namespace string) typedClient[*corev1.Event] { return client.Events(namespace) }
	return &CoreEvents{
		api:  corev1.SchemeGroupVersion,
		real: real,
		in:   in,
	}
}

// Create creates event and returns the stored Event.
func (c *Events[T]) Create(ctx context.Context, event T) (T, error) {
	return c.send(ctx, request.Create, event, func(client typedClient[T]) (T, error) {
		return client.Create(ctx, event, metav1.CreateOptions{})
	})
}

// Patch sends data, a strategic merge patch of event, and returns the stored Event. The patch is
// always JSON, but the answer has the configured encoding.
func (c *Events[T]) Patch(ctx context.Context, event T, data []byte) (T, error) {
	return c.send(ctx, request.Patch, event, func(client typedClient[T]) (T, error) {
		return client.Patch(ctx, event.GetName(), types.StrategicMergePatchType, data, metav1.PatchOptions{})
	})
}

// send makes one request about event by calling call, and checks and reports the answer.
func (c *Events[T]) send(
	ctx context.Context, op request.Op, event T, call func(typedClient[T]) (T, error),
) (stored T, err error) {
	if namespace := event.GetNamespace(); c.only != "" && namespace != c.only {
		return stored, unsendable("the event is for namespace %q but the sink's client is limited to %q, "+
			"make it with Events(\"\")", namespace, c.only)
	}
	answered := request.Begin(ctx, c.api.String(), op)
	answer, err := call(c.in(event.GetNamespace()))
	if err == nil && c.real {
		err = checkAnswer(answer, event)
	}
	answered(err)
	if err != nil {
		return stored, err
	}
	return answer, nil
}

// unsendable returns an error for a request that cannot be sent. The writer does not retry after
// this error, because request.Classify returns the action Drop.
func unsendable(format string, args ...any) error {
	return &rest.RequestConstructionError{Err: fmt.Errorf("sinks: "+format, args...)}
}

// checkAnswer returns an error if the answer of a successful request is not the Event that was
// sent. client-go decodes a Status, or the page of a proxy, to an empty Event without an error.
// Such an empty Event does not show whether the write was applied, so the write must be retried.
func checkAnswer(answer, sent metav1.Object) error {
	got, want := answer.GetName(), sent.GetName()
	if got == want || got == "" && answer.GetResourceVersion() != "" {
		return nil
	}
	return fmt.Errorf("sinks: the answer is a success but does not hold the Event %q; "+
		"check for a proxy between the component and the API server", want)
}

// Once returns a client of the same kind as the parameter client. The returned client sends every
// request to api, exactly once and without retries. newClient is the function New of client's
// package, which creates a client from a REST client. If client has no REST client, which is the
// case for client-go's fakes, Once returns client unchanged and real is false.
//
// The rate limiter of client still applies. Each request waits for it through a [request.Limiter],
// so that the writer learns which rate limiter a request has waited for.
func Once[I interface{ RESTClient() rest.Interface }, C any](
	client I, api schema.GroupVersion, newClient func(rest.Interface) C,
) (sender I, real bool) {
	rc := client.RESTClient()
	if usercode.IsNil(rc) {
		return client, false
	}
	limited := once{Interface: rc, api: api}
	if limiter := rc.GetRateLimiter(); limiter != nil {
		limited.throttle = throttle{limiter, request.NewLimiter(limiter)}
	}
	return any(newClient(limited)).(I), true
}

// once is a REST client that modifies GET, POST and PATCH requests, which are the ones that the SDK
// sends.
type once struct {
	rest.Interface
	api schema.GroupVersion
	// throttle is the rate limiter of the client, or empty if the client has none.
	throttle throttle
}

// Get implements [rest.Interface].
func (c once) Get() *rest.Request { return c.change(c.Interface.Get()) }

// Patch implements [rest.Interface].
func (c once) Patch(pt types.PatchType) *rest.Request { return c.change(c.Interface.Patch(pt)) }

// Post implements [rest.Interface].
func (c once) Post() *rest.Request { return c.change(c.Interface.Post()) }

// change returns r with the path set to the API of c, with retries disabled, and with the rate
// limiter of c.
func (c once) change(r *rest.Request) *rest.Request {
	if !c.throttle.limiter.None() {
		r.Throttle(c.throttle)
	}
	prefix := "/apis"
	if c.api.Group == "" {
		prefix = "/api"
	}
	return r.AbsPath(path.Join(prefix, c.api.Group, c.api.Version)).MaxRetries(0)
}

// throttle is a client's rate limiter that lets a request pass immediately if the writer has
// already waited for the rate limiter on behalf of the request.
type throttle struct {
	flowcontrol.RateLimiter
	// limiter wraps the same rate limiter and knows whether the writer has already waited for a
	// request.
	limiter request.Limiter
}

// Wait implements [flowcontrol.RateLimiter].
func (t throttle) Wait(ctx context.Context) error { return t.limiter.Wait(ctx) }

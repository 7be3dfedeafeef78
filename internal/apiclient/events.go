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

// Events writes Events of one API group. The encoding is the one that the client's
// configuration names, and otherwise protobuf, as with client-go's typed clients.
type Events[T metav1.Object] struct {
	api  schema.GroupVersion
	real bool // there is a server behind the client
	in   func(namespace string) typedClient[T]
	// only is the namespace that the client is limited to, unless it is empty.
	only string
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
	EventsV1 = Events[*eventsv1.Event]
	// CoreEvents writes core/v1 Events through core/v1.
	CoreEvents = Events[*corev1.Event]
)

// NewEventsV1 returns an EventsV1 over client.
func NewEventsV1(client typedeventsv1.EventsV1Interface) *EventsV1 {
	client, real := Once(client, eventsv1.SchemeGroupVersion, typedeventsv1.New)
	in := func(namespace string) typedClient[*eventsv1.Event] { return client.Events(namespace) }
	return &EventsV1{
		api:  eventsv1.SchemeGroupVersion,
		real: real,
		in:   in,
	}
}

// NewCoreEvents returns a CoreEvents over client.
func NewCoreEvents(client typedcorev1.CoreV1Interface) *CoreEvents {
	client, real := Once(client, corev1.SchemeGroupVersion, typedcorev1.New)
	in := func(namespace string) typedClient[*corev1.Event] { return client.Events(namespace) }
	return &CoreEvents{
		api:  corev1.SchemeGroupVersion,
		real: real,
		in:   in,
	}
}

// Create posts event.
func (c *Events[T]) Create(ctx context.Context, event T) (T, error) {
	return c.send(ctx, request.Create, event, func(client typedClient[T]) (T, error) {
		return client.Create(ctx, event, metav1.CreateOptions{})
	})
}

// Patch sends data, a strategic merge patch of event. A patch is always JSON, but its
// answer may have another encoding.
func (c *Events[T]) Patch(ctx context.Context, event T, data []byte) (T, error) {
	return c.send(ctx, request.Patch, event, func(client typedClient[T]) (T, error) {
		return client.Patch(ctx, event.GetName(), types.StrategicMergePatchType, data, metav1.PatchOptions{})
	})
}

// send makes one request about event.
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

// unsendable returns an error that the writer takes as final: nothing was sent, and a retry
// would not help.
func unsendable(format string, args ...any) error {
	return &rest.RequestConstructionError{Err: fmt.Errorf("sinks: "+format, args...)}
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

// Once returns client over a REST client whose requests are for api and are sent exactly once,
// and whether there is a REST client. client-go's fakes have none: they are returned as they
// are. newClient is New of client's package. The rate limiter stays in force, and what waits for it
// says so.
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

// once changes the requests with which an Event is written or a question asked, and no others.
type once struct {
	rest.Interface
	api      schema.GroupVersion
	throttle throttle // of the client, if it has a rate limiter
}

// Get implements [rest.Interface].
func (c once) Get() *rest.Request { return c.change(c.Interface.Get()) }

// Patch implements [rest.Interface].
func (c once) Patch(pt types.PatchType) *rest.Request { return c.change(c.Interface.Patch(pt)) }

// Post implements [rest.Interface].
func (c once) Post() *rest.Request { return c.change(c.Interface.Post()) }

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

// throttle is a client's rate limiter for a request that may have passed it.
type throttle struct {
	flowcontrol.RateLimiter
	limiter request.Limiter // the same one
}

// Wait implements [flowcontrol.RateLimiter].
func (t throttle) Wait(ctx context.Context) error { return t.limiter.Wait(ctx) }

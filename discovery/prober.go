// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientdiscovery "k8s.io/client-go/discovery"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
	"github.com/eventseries/eventseries/internal/usercode"
)

// A Prober asks an API server how a component can record Events.
//
// It keeps no answers but the name of the client's user, and is safe for concurrent use.
// The zero Prober, which has no client, answers that nothing is known.
type Prober struct {
	client kubernetes.Interface
	user   atomic.Pointer[string] // its name, nil while that is not known
}

// NewProber returns a Prober that asks through client, as the identity that client
// has. It does no I/O. With a nil client every answer is unknown, with an error.
func NewProber(client kubernetes.Interface) *Prober { return &Prober{client: client} }

// Support says whether the API server serves events.k8s.io/v1. The zero value is
// Unknown, so that what was never asked cannot be mistaken for an answer.
type Support string

const (
	// Unknown means that the question was not answered; it is not a no.
	Unknown Support = ""
	// Served means that the server lists events in events.k8s.io/v1.
	Served Support = "served"
	// NotServed means that the server said it has no events.k8s.io/v1.
	NotServed Support = "not served"
)

// String returns the answer in words, as in "not served" or "unknown".
func (s Support) String() string { return cmp.Or(string(s), "unknown") }

// Probe asks whether the server serves events.k8s.io/v1, in one request.
//
// It may be called concurrently. It blocks until the server has answered, ctx has
// ended or 10 seconds have passed. The error is nil with Served and NotServed; with
// Unknown it wraps the cause.
func (p *Prober) Probe(ctx context.Context) (Support, error) {
	ctx, cancel := context.WithTimeout(ctx, timing.ProbeTimeout)
	defer cancel()
	list, err := ask(ctx, func(ctx context.Context) (*metav1.APIResourceList, error) {
		// The one group version and not the list of all groups, whose aggregated form servers
		// before 1.26 do not know.
		api := eventsv1.SchemeGroupVersion
		client, real := apiclient.Once(p.client.Discovery(), api, clientdiscovery.NewDiscoveryClient)
		if !real {
			return client.ServerResourcesForGroupVersion(api.String())
		}
		list := &metav1.APIResourceList{}
		return list, client.RESTClient().Get().Do(ctx).Into(list)
	})
	isEvents := func(r metav1.APIResource) bool { return r.Name == "events" }
	switch {
	case request.Classify(request.Request{}, err).Action == request.Unsupported: // a 404 without an object's name
		return NotServed, nil
	case err != nil:
		return Unknown, fmt.Errorf("discovery: cannot tell whether %s is served; %s: %w",
			eventsv1.SchemeGroupVersion, advice(err, "system:discovery"), err)
	case list == nil || !slices.ContainsFunc(list.APIResources, isEvents): // a 200 alone proves nothing
		return Unknown, fmt.Errorf("discovery: the server's list of %s has no events; "+
			"check for a proxy that answers in its place", eventsv1.SchemeGroupVersion)
	}
	return Served, nil
}

// advice returns the remedy for err. ClusterRole role allows the request. It is bound
// to all authenticated users, unless an administrator has removed that.
func advice(err error, role string) string {
	switch {
	case errors.As(err, new(runtime.Error)):
		return "use a client without nil parts"
	case apierrors.IsUnauthorized(err):
		return "check the client's credentials"
	case apierrors.IsForbidden(err):
		return "bind the ClusterRole " + role + " to this identity"
	default:
		return "ask again later"
	}
}

// ask calls question, unless ctx has ended, which a fake would not notice. A panic is an
// error. Most often the client lacks a part: a nil interface, a typed nil, a struct that
// embeds a nil interface and kubernetes.New(nil) cannot all be recognized from outside.
func ask[T any](ctx context.Context, question func(context.Context) (T, error)) (answer T, err error) {
	if err := ctx.Err(); err != nil {
		return answer, err
	}
	if panicked := usercode.Call(func() { answer, err = question(ctx) }); panicked != nil {
		return answer, fmt.Errorf("the client %w", panicked)
	}
	return answer, err
}

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

// A Prober finds out which API a component can use to record Events. It asks the API server. Make
// one with [NewProber].
//
// The only answer that a Prober remembers is the name of the client's user. A Prober is safe for
// concurrent use. The zero Prober has no client, and returns an error for every question.
type Prober struct {
	client kubernetes.Interface
	// user points to the name of the client's user. It is nil until the name is known.
	user atomic.Pointer[string]
}

// NewProber returns a Prober that asks through client, with the identity of client. NewProber does
// no I/O. If client is nil, every answer is unknown, with an error.
func NewProber(client kubernetes.Interface) *Prober { return &Prober{client: client} }

// Support says whether the API server serves events.k8s.io/v1. The zero value is Unknown, so that
// it is not mistaken for an answer.
type Support string

const (
	// Unknown means that the question was not answered. It does not mean that the API is not
	// served.
	Unknown Support = ""
	// Served means that the server lists events among the resources of events.k8s.io/v1.
	Served Support = "served"
	// NotServed means that the server has answered that it does not have events.k8s.io/v1.
	NotServed Support = "not served"
)

// String returns the answer in words: "served", "not served" or "unknown".
func (s Support) String() string { return cmp.Or(string(s), "unknown") }

// Probe asks, with one request, whether the server serves events.k8s.io/v1.
//
// The error is nil if the answer is Served or NotServed. If the answer is Unknown, the error says
// why, and wraps the cause.
//
// Probe blocks until the server has answered, until ctx ends, or for 10 seconds, whichever comes
// first. It is safe for concurrent use.
func (p *Prober) Probe(ctx context.Context) (Support, error) {
	ctx, cancel := context.WithTimeout(ctx, timing.ProbeTimeout)
	defer cancel()
	list, err := ask(ctx, func(ctx context.Context) (*metav1.APIResourceList, error) {
		// The request asks for this group version only. The list of all groups would be larger, and
		// servers before 1.26 do not have its aggregated form, which needs one request.
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
	case request.Classify(request.Request{}, err).Action == request.Unsupported:
		// The answer is a 404 that names no object.
		return NotServed, nil
	case err != nil:
		return Unknown, fmt.Errorf("discovery: cannot tell whether %s is served; %s: %w",
			eventsv1.SchemeGroupVersion, advice(err, "system:discovery"), err)
	case list == nil || !slices.ContainsFunc(list.APIResources, isEvents):
		// A 200 alone proves nothing, because a proxy may have sent it.
		return Unknown, fmt.Errorf("discovery: the server's list of %s has no events; "+
			"check for a proxy that answers in its place", eventsv1.SchemeGroupVersion)
	}
	return Served, nil
}

// advice returns the part of an error message that says how to remove the cause of err. The
// parameter role is the name of the ClusterRole that allows the request that failed. By default
// Kubernetes binds this ClusterRole to all authenticated users.
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

// ask calls question and returns its answer. If ctx has ended, it returns an error without calling
// question, because fake clients do not notice the end of ctx. If question panics, ask returns an
// error. The most frequent reason for a panic is a client that lacks a part. A missing part cannot
// be recognized before the call, because it can be a nil interface, a typed nil, a struct that
// embeds a nil interface, or kubernetes.New(nil).
func ask[T any](ctx context.Context, question func(context.Context) (T, error)) (answer T, err error) {
	if err := ctx.Err(); err != nil {
		return answer, err
	}
	if panicked := usercode.Call(func() { answer, err = question(ctx) }); panicked != nil {
		return answer, fmt.Errorf("the client %w", panicked)
	}
	return answer, err
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/internal/usercode"
)

// A Prober asks an API server how a component can record Events.
//
// It is immutable, keeps no answers and is safe for concurrent use. The zero
// Prober, which has no client, answers that nothing is known.
type Prober struct {
	client  kubernetes.Interface
	timeout time.Duration
}

// NewProber returns a Prober that asks through client, as the identity that client
// has. It does no I/O. A nil client is accepted: every answer is then unknown, with
// an error that says so.
func NewProber(client kubernetes.Interface, opts ...Option) *Prober {
	p := &Prober{client: client}
	for _, opt := range opts {
		opt(p)
	}
	return p
}

// Probe asks whether the server serves events.k8s.io/v1, in one request.
//
// It may be called concurrently. It blocks until the server has answered, ctx has
// ended or the time of [WithTimeout] has passed. The error is nil with Served and
// NotServed; with Unknown it wraps the cause.
func (p *Prober) Probe(ctx context.Context) (Support, error) {
	ctx, cancel := p.bound(ctx)
	defer cancel()
	list, err := p.resources(ctx)
	switch {
	case isAbsent(err):
		return NotServed, nil
	case err != nil:
		return Unknown, fmt.Errorf("discovery: cannot tell whether %s is served, %s: %w",
			eventsv1.SchemeGroupVersion, advice(err, "system:discovery"), err)
	case !namesEvents(list):
		return Unknown, fmt.Errorf("discovery: the server's list of %s has no events, "+
			"check for a proxy that answers in its place", eventsv1.SchemeGroupVersion)
	}
	return Served, nil
}

// resources lists what is served in events.k8s.io/v1.
func (p *Prober) resources(ctx context.Context) (_ *metav1.APIResourceList, err error) {
	defer recoverPart(&err)
	return eventResources(ctx, p.client.Discovery())
}

// bound gives ctx the deadline of WithTimeout.
func (p *Prober) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	timeout := cmp.Or(p.timeout, defaultTimeout)
	if timeout < 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}

// advice is what helps against err. ClusterRole role lets anyone ask the question
// and is bound to all authenticated users unless an administrator took it away.
func advice(err error, role string) string {
	var panicked runtime.Error
	switch {
	case errors.As(err, &panicked):
		return "use a client without nil parts"
	case apierrors.IsUnauthorized(err):
		return "check the client's credentials"
	case apierrors.IsForbidden(err):
		return "bind the ClusterRole " + role + " to this identity"
	default:
		return "ask again later"
	}
}

// recoverPart turns the panic of a client into an error, most often one that lacks
// the part it was asked for: a nil interface, a typed nil, a struct that embeds a
// nil interface and kubernetes.New(nil) cannot all be told from outside.
func recoverPart(err *error) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("the client %w", usercode.Recovered(cause))
	}
}

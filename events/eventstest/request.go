// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// Request describes a request to a [Clientset] in the terms of RBAC.
type Request struct {
	// Verb is create, update, patch, get, list, watch, delete or deletecollection.
	Verb string
	// Group is "events.k8s.io", "" for core/v1, or "authorization.k8s.io" for an access review.
	Group string
	// Resource is "events" or "selfsubjectaccessreviews".
	Resource string
	// Namespace is the namespace of the request, or "" for all namespaces.
	Namespace string
	// Name is the name of the object. It is "" for the verbs without a name: create, list, watch
	// and deletecollection.
	Name string
	// Object is the Event of a create or an update, in the type of the group, and nil for any other
	// verb. It must not be changed.
	Object runtime.Object
}

// Hook is a function of a test that decides about a request. If it returns an error, that is the
// answer to the request. It is called in the goroutine of the client, without a lock, and several
// calls may be concurrent. It may block, and should then return when ctx ends.
type Hook func(ctx context.Context, request Request) error

// Fail sets a hook that is called before each request for Events and each access review. If it
// returns an error, the request has no effect. Nil, the default, lets all requests pass.
func (c *Clientset) Fail(hook Hook) { c.set(func(s *settings) { s.fail = hook }) }

// Lose sets a hook that is called after each successful request for Events. If it returns an error,
// the client gets the error in place of the answer, so it cannot know that the request has had its
// effect. Nil, the default, loses no answer.
func (c *Clientset) Lose(hook Hook) { c.set(func(s *settings) { s.lose = hook }) }

// ask calls send, unless the settings refuse the request, and returns its answer, unless the
// settings lose it. send needs no context, because it does not block.
func ask[Answer any](
	ctx context.Context, c *Clientset, request Request, send func() (Answer, error),
) (answer Answer, err error) {
	if err := ctx.Err(); err != nil {
		return answer, err
	}
	s := c.current()
	c.count(request)
	if err := s.refuse(ctx, request); err != nil {
		return answer, err
	}
	answer, err = send()
	if err == nil && s.lose != nil {
		err = s.lose(ctx, request)
	}
	return answer, err
}

// refuse returns the error with which the settings refuse request, or nil. It checks in the order
// in which a server does.
func (s *settings) refuse(ctx context.Context, request Request) error {
	if s.authorize != nil && !s.authorize(request) {
		via := schema.GroupVersion{Group: request.Group}
		return rules.Forbidden(via, request.Verb, request.Namespace, request.Name)
	}
	if s.notServed && request.Group == eventsv1.GroupName {
		return rules.NotServed()
	}
	if s.fail != nil {
		if err := s.fail(ctx, request); err != nil {
			return err
		}
	}
	// The context may have ended during the hook.
	return ctx.Err()
}

// isTerminating reports whether the clientset has a Namespace of this name that is being deleted.
func (c *Clientset) isTerminating(name string) bool {
	object, err := c.Tracker().Get(corev1.SchemeGroupVersion.WithResource("namespaces"), "", name)
	namespace, ok := object.(*corev1.Namespace)
	return err == nil && ok &&
		(namespace.DeletionTimestamp != nil || namespace.Status.Phase == corev1.NamespaceTerminating)
}

// errEmbedded is the answer to a request for Events through the embedded clientset, which has no
// Events.
var errEmbedded = errors.New("eventstest: Events are in the Clientset of eventstest, not in client-go's inside it; " +
	"in place of reactors to requests for Events use Fail and Lose")

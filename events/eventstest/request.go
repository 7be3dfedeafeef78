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

// Request describes a request to a [Clientset] in RBAC terms.
type Request struct {
	// Verb is create, update, patch, get, list, watch, delete or deletecollection.
	Verb string
	// Group is "events.k8s.io", "" for core/v1, or "authorization.k8s.io" for an access review.
	Group string
	// Resource is "events" or "selfsubjectaccessreviews".
	Resource string
	// Namespace is the namespace of the request, or "" for all namespaces.
	Namespace string
	// Name is the name of the object. It is "" for the verbs create, list, watch and
	// deletecollection, which have no name.
	Name string
	// Object is the Event to create or update, in the type of its API group. It is nil for all
	// other verbs. It must not be modified.
	Object runtime.Object
}

// Hook is a function of a test that decides whether a request succeeds. If the function returns an
// error, the client receives that error. The function is called in the client's goroutine, without
// a lock held, and several calls may be concurrent. It may block, but should return when ctx ends.
type Hook func(ctx context.Context, request Request) error

// Fail sets a hook that is called before each request for Events and each access review. If the
// hook returns an error, the request has no effect. If hook is nil, the default, all requests pass.
func (c *Clientset) Fail(hook Hook) { c.set(func(s *settings) { s.fail = hook }) }

// Lose sets a hook that is called after each successful request for Events. If the hook returns an
// error, the client gets that error instead of the answer, and so cannot know that the request took
// effect. If hook is nil, the default, no answer is lost.
func (c *Clientset) Lose(hook Hook) { c.set(func(s *settings) { s.lose = hook }) }

// ask sends a request by calling send, and returns the answer of send. If the settings refuse the
// request, ask does not call send. If a hook of Lose loses the answer, ask returns the hook's error
// instead of the answer. send needs no context, because it does not block.
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

// refuse returns an error if the settings say that request must be refused. It makes its checks in
// the same order as a server.
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

// isTerminating reports whether the clientset contains a Namespace of this name that is being
// deleted.
func (c *Clientset) isTerminating(name string) bool {
	object, err := c.Tracker().Get(corev1.SchemeGroupVersion.WithResource("namespaces"), "", name)
	namespace, ok := object.(*corev1.Namespace)
	return err == nil && ok &&
		(namespace.DeletionTimestamp != nil || namespace.Status.Phase == corev1.NamespaceTerminating)
}

// errEmbedded is the answer to a request for Events through the embedded clientset, which contains
// no Events.
var errEmbedded = errors.New("eventstest: Events are in the Clientset of eventstest, not in client-go's inside it; " +
	"in place of reactors to requests for Events use Fail and Lose")

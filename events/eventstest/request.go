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

// Request describes a request to a [Clientset] in RBAC's terms.
type Request struct {
	// Verb is create, update, patch, get, list, watch, delete or deletecollection.
	Verb string
	// Group is "events.k8s.io", "" for core/v1, or "authorization.k8s.io" for an access review.
	Group string
	// Resource is "events", or "selfsubjectaccessreviews".
	Resource string
	// Namespace is the one requested, "" for all of them.
	Namespace string
	// Name is the object's, "" where the verb has none: create, list, watch and deletecollection.
	Name string
	// Object is the Event of a create or an update, in the group's type, and must not be changed; else nil.
	Object runtime.Object
}

// Hook decides about a request: nil lets it be, an error is the answer. It is called without any lock, in the caller's
// goroutine and concurrently; it may block, and should then heed ctx.
type Hook func(ctx context.Context, request Request) error

// Fail has hook asked before each request for Events and each access review. Its error is the answer, and the request
// has no effect. A nil hook, the default, lets all pass.
func (c *Clientset) Fail(hook Hook) { c.set(func(s *settings) { s.fail = hook }) }

// Lose has hook asked after each request for Events that succeeded. Its error takes the place of the answer: the write
// is done, but the client cannot know. A nil hook, the default, loses nothing.
func (c *Clientset) Lose(hook Hook) { c.set(func(s *settings) { s.lose = hook }) }

// ask sends a request, unless the settings refuse it, and may lose the answer. Send has no context to honour, as
// nothing in it blocks.
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

// refuse returns why request does not reach the storage, in the order in which a server finds out.
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
	return ctx.Err() // a hook may have slept
}

// isTerminating reports whether there is a Namespace of that name that is terminating.
func (c *Clientset) isTerminating(name string) bool {
	object, err := c.Tracker().Get(corev1.SchemeGroupVersion.WithResource("namespaces"), "", name)
	namespace, ok := object.(*corev1.Namespace)
	return err == nil && ok &&
		(namespace.DeletionTimestamp != nil || namespace.Status.Phase == corev1.NamespaceTerminating)
}

// errEmbedded is the answer to requests for Events through the embedded clientset, which are not stored.
var errEmbedded = errors.New("eventstest: Events are in the Clientset of eventstest, not in client-go's inside it; " +
	"for reactors to requests for Events use Fail and Lose")

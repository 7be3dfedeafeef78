// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"strings"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/internal/eventrules"
)

// Request describes a request to a [Clientset] in RBAC's terms.
type Request struct {
	// Verb is create, update, patch, get, list, delete or deletecollection.
	Verb string
	// Group is "events.k8s.io", "" for core/v1, or "authorization.k8s.io" for an access review.
	Group string
	// Resource is "events", or "selfsubjectaccessreviews".
	Resource string
	// Namespace is the one requested, "" for all of them.
	Namespace string
	// Name is the object's, "" where the verb has none: create, list and deletecollection.
	Name string
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

// invoke sends action through the settings to client-go's Fake, or straight to the server.
func (c *Clientset) invoke(ctx context.Context, action clienttesting.Action) (runtime.Object, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	request, s := requestOf(action), c.current()
	c.count(request)
	if err := s.refuse(ctx, request); err != nil {
		return nil, err
	}
	object, err := c.send(action, s.direct)
	if err == nil && s.lose != nil {
		err = s.lose(ctx, request)
	}
	return object, err
}

// send has no context to honour: nothing in it blocks.
func (c *Clientset) send(action clienttesting.Action, direct bool) (runtime.Object, error) {
	if direct {
		_, object, err := c.react(action)
		return object, err
	}
	return c.Invokes(action, nil)
}

// refuse returns why request does not reach the storage, in the order in which a server finds out.
func (s *settings) refuse(ctx context.Context, request Request) error {
	if s.authorize != nil && !s.authorize(request) {
		via := schema.GroupVersion{Group: request.Group}
		return eventrules.Forbidden(via, request.Verb, request.Namespace, request.Name)
	}
	if s.notServed && request.Group == eventsv1.GroupName {
		return eventrules.NotServed()
	}
	if s.fail != nil {
		if err := s.fail(ctx, request); err != nil {
			return err
		}
	}
	return ctx.Err() // a hook may have slept
}

func requestOf(action clienttesting.Action) Request {
	request := Request{
		Verb: strings.ReplaceAll(action.GetVerb(), "-", ""), // the Fake says delete-collection

		Group:     action.GetResource().Group,
		Resource:  action.GetResource().Resource,
		Namespace: action.GetNamespace(),
	}
	switch a := action.(type) {
	case clienttesting.UpdateActionImpl:
		request.Name = cored(a.GetObject()).Name
	case interface{ GetName() string }: // get, patch, delete
		request.Name = a.GetName()
	}
	return request
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"context"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/internal/testkit/rules"
	"github.com/eventseries/eventseries/internal/testkit/store"
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

// invoke sends action through the settings to client-go's Fake, or straight to the store.
func (c *Clientset) invoke(ctx context.Context, action clienttesting.Action) (runtime.Object, error) {
	return ask(ctx, c, action, func(direct bool) (runtime.Object, error) {
		if direct {
			_, object, err := c.react(action)
			return object, err
		}
		return c.Invokes(action, nil)
	})
}

// invokeWatch is invoke for a watch.
func (c *Clientset) invokeWatch(ctx context.Context, action clienttesting.WatchAction) (watch.Interface, error) {
	w, err := ask(ctx, c, action, func(direct bool) (watch.Interface, error) {
		if direct {
			_, w, err := c.reactToWatch(action)
			return w, err
		}
		return c.InvokesWatch(action)
	})
	switch {
	case err == nil:
		context.AfterFunc(ctx, w.Stop)
		return w, nil
	case w != nil:
		w.Stop() // its answer was lost
	}
	return nil, err
}

// ask sends action, unless the settings refuse it, and may lose the answer. Send has no context to honour, as nothing
// in it blocks.
func ask[Answer any](
	ctx context.Context, c *Clientset, action clienttesting.Action, send func(direct bool) (Answer, error),
) (answer Answer, err error) {
	if err := ctx.Err(); err != nil {
		return answer, err
	}
	request, s := requestOf(action), c.current()
	c.count(request)
	if err := s.refuse(ctx, request); err != nil {
		return answer, err
	}
	answer, err = send(s.direct)
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

func requestOf(action clienttesting.Action) Request {
	request := Request{
		Verb: strings.ReplaceAll(action.GetVerb(), "-", ""), // the Fake says delete-collection

		Group:     action.GetResource().Group,
		Resource:  action.GetResource().Resource,
		Namespace: action.GetNamespace(),
	}
	switch a := action.(type) {
	case clienttesting.CreateActionImpl:
	case clienttesting.UpdateActionImpl:
		request.Name = store.FromView(a.GetObject()).Name
	case interface{ GetName() string }: // get, patch, delete
		request.Name = a.GetName()
	}
	return request
}

// react answers an action on Events of any version from the store. It is a clienttesting.ReactionFunc.
func (c *Clientset) react(action clienttesting.Action) (bool, runtime.Object, error) {
	r := store.Request{Via: action.GetResource().GroupVersion(), Namespace: action.GetNamespace()}
	if !served(r.Via) {
		return true, nil, rules.NotServed()
	}
	switch a := action.(type) {
	case clienttesting.ListActionImpl:
		events, version, err := c.store.List(r, a.ListOptions)
		if err != nil {
			return true, nil, err
		}
		return true, store.ListView(r.Via, events, version), nil
	case clienttesting.DeleteActionImpl:
		r.Name, r.DryRun = a.GetName(), dry(a.DeleteOptions.DryRun)
		return true, nil, c.store.Delete(r)
	case clienttesting.DeleteCollectionActionImpl:
		r.DryRun = dry(a.DeleteOptions.DryRun)
		return true, nil, c.store.DeleteAll(r, a.ListOptions)
	default:
		event, err := c.one(r, action)
		if err != nil {
			return true, nil, err
		}
		return true, store.View(r.Via, event), nil
	}
}

// one answers the actions whose answer is one Event.
func (c *Clientset) one(r store.Request, action clienttesting.Action) (*corev1.Event, error) {
	switch a := action.(type) {
	case clienttesting.CreateActionImpl:
		r.DryRun, r.Terminating = dry(a.CreateOptions.DryRun), c.isTerminating(r.Namespace)
		return c.store.Create(r, store.FromView(a.GetObject()))
	case clienttesting.UpdateActionImpl:
		r.DryRun, r.Terminating = dry(a.UpdateOptions.DryRun), c.isTerminating(r.Namespace)
		return c.store.Update(r, store.FromView(a.GetObject()))
	case clienttesting.GetActionImpl:
		r.Name = a.GetName()
		return c.store.Get(r)
	case clienttesting.PatchActionImpl:
		r.Name, r.DryRun = a.GetName(), dry(a.PatchOptions.DryRun)
		return c.store.Patch(r, store.Patch{Type: a.GetPatchType(), Body: a.GetPatch()})
	default:
		return nil, apierrors.NewBadRequest("eventstest: an action of an unknown type")
	}
}

// reactToWatch answers a watch of Events of any version from the store. It is a clienttesting.WatchReactionFunc.
func (c *Clientset) reactToWatch(action clienttesting.Action) (bool, watch.Interface, error) {
	r := store.Request{Via: action.GetResource().GroupVersion(), Namespace: action.GetNamespace()}
	a, ok := action.(clienttesting.WatchActionImpl)
	if !ok || !served(r.Via) {
		return true, nil, rules.NotServed()
	}
	w, err := c.store.Watch(r, a.ListOptions)
	return true, w, err
}

func served(via schema.GroupVersion) bool {
	return via == corev1.SchemeGroupVersion || via == eventsv1.SchemeGroupVersion
}

func dry(run []string) bool { return slices.Contains(run, metav1.DryRunAll) }

// isTerminating reports whether there is a Namespace of that name that is terminating.
func (c *Clientset) isTerminating(name string) bool {
	object, err := c.Tracker().Get(corev1.SchemeGroupVersion.WithResource("namespaces"), "", name)
	namespace, ok := object.(*corev1.Namespace)
	return err == nil && ok &&
		(namespace.DeletionTimestamp != nil || namespace.Status.Phase == corev1.NamespaceTerminating)
}

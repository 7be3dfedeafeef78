// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"slices"

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
		return true, nil, c.store.Delete(r, a.DeleteOptions.Preconditions)
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
		r.Strict = a.PatchOptions.FieldValidation == metav1.FieldValidationStrict
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

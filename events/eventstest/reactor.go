// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	clienttesting "k8s.io/client-go/testing"

	"github.com/eventseries/eventseries/internal/eventrules"
)

// react answers an action on Events of any version from the server. It is a clienttesting.ReactionFunc.
func (c *Clientset) react(action clienttesting.Action) (bool, runtime.Object, error) {
	via := action.GetResource().GroupVersion()
	if via != corev1.SchemeGroupVersion && via != eventsv1.SchemeGroupVersion {
		return true, nil, eventrules.NotServed()
	}
	switch action.GetVerb() {
	case "create", "update", "patch", "get":
		event, err := c.server.one(via, action)
		if err != nil {
			return true, nil, err
		}
		return true, viewed(via, event), nil
	case "list":
		events, version, err := c.server.list(via, action.GetNamespace(), restrictions(action))
		if err != nil {
			return true, nil, err
		}
		return true, listed(via, events, version), nil
	case "delete":
		a, _ := action.(clienttesting.DeleteAction)
		return true, nil, c.server.delete(via, a.GetNamespace(), a.GetName())
	case "delete-collection":
		return true, nil, c.server.deleteAll(via, action.GetNamespace(), restrictions(action))
	default:
		return false, nil, nil
	}
}

// one answers the actions whose answer is one Event.
func (s *server) one(via schema.GroupVersion, action clienttesting.Action) (*corev1.Event, error) {
	switch a := action.(type) {
	case clienttesting.CreateActionImpl:
		return s.create(via, a.GetNamespace(), cored(a.GetObject()))
	case clienttesting.UpdateActionImpl:
		return s.update(via, a.GetNamespace(), cored(a.GetObject()))
	case clienttesting.GetActionImpl:
		return s.get(via, a.GetNamespace(), a.GetName())
	case clienttesting.PatchActionImpl:
		if a.GetPatchType() != types.StrategicMergePatchType {
			return nil, unsupportedPatch(a.GetPatchType())
		}
		return s.patch(via, a.GetNamespace(), a.GetName(), a.GetPatch())
	default:
		return nil, apierrors.NewBadRequest("eventstest: an action of an unknown type")
	}
}

// unsupportedPatch is the answer to the kinds of patch that a server takes and the kit does not.
func unsupportedPatch(kind types.PatchType) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    http.StatusUnsupportedMediaType,
		Reason:  metav1.StatusReasonUnsupportedMediaType,
		Message: fmt.Sprintf("eventstest: patches of type %s are not supported, send a strategic merge patch", kind),
	}}
}

// refuseWatch answers a watch with an error, because one that never delivers would be worse.
func refuseWatch(action clienttesting.Action) (bool, watch.Interface, error) {
	return true, nil, apierrors.NewMethodNotSupported(action.GetResource().GroupResource(), "watch")
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"errors"
	"fmt"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Refusal returns an error answer without details.
func Refusal(code int32, reason metav1.StatusReason, message string) *apierrors.StatusError {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    code,
		Reason:  reason,
		Message: message,
	}}
}

// NotFound returns the server's answer to a request for an Event that does not exist or has
// expired. Its details name the Event, unlike the details of [NotServed].
func NotFound(via schema.GroupVersion, name string) error {
	return apierrors.NewNotFound(resource(via), name)
}

// AlreadyExists returns the server's answer to a create with a name that exists already.
func AlreadyExists(via schema.GroupVersion, name string) error {
	return apierrors.NewAlreadyExists(resource(via), name)
}

// Conflict returns the server's answer to a write with an outdated resource version.
func Conflict(via schema.GroupVersion, name string) error {
	return apierrors.NewConflict(resource(via), name, errors.New(
		"the object has been modified; please apply your changes to the latest version and try again"))
}

// ConflictUID returns the server's answer to an update whose UID differs from the UID of the stored
// Event.
func ConflictUID(via schema.GroupVersion, name string, want, got string) error {
	return apierrors.NewConflict(resource(via), name, fmt.Errorf(
		"precondition failed: UID in precondition: %s, UID in object meta: %s", want, got))
}

// NamespaceMismatch returns the server's answer to a body whose namespace differs from the
// namespace of the request.
func NamespaceMismatch() error {
	return apierrors.NewBadRequest(
		"the namespace of the provided object does not match the namespace sent on the request")
}

// NameMismatch returns the server's answer to a body whose name differs from the name in the
// request.
func NameMismatch(body, request string) error {
	return apierrors.NewBadRequest(fmt.Sprintf(
		"the name of the object (%s) does not match the name on the URL (%s)", body, request))
}

// ResourceVersionOnCreate returns the server's answer to a create with a resource version. The
// server answers with a 500, although the fault is in the request.
func ResourceVersionOnCreate() error {
	return Refusal(http.StatusInternalServerError, "", "resourceVersion should not be set on objects to be created")
}

// NamespaceRequired returns the server's answer to a create without a namespace.
func NamespaceRequired() error {
	err := Refusal(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed,
		"the server does not allow this method on the requested resource")
	err.ErrStatus.Details = &metav1.StatusDetails{}
	return err
}

// NotServed returns the server's answer to a request for a version that it does not serve, in a
// group that it does serve. The details of the answer are present but empty.
func NotServed() error {
	err := Refusal(http.StatusNotFound, metav1.StatusReasonNotFound,
		"the server could not find the requested resource")
	err.ErrStatus.Details = &metav1.StatusDetails{}
	return err
}

// Forbidden returns the server's answer to a request that RBAC does not allow. namespace and name
// may be empty.
func Forbidden(via schema.GroupVersion, verb, namespace, name string) error {
	where := "at the cluster scope"
	if namespace != "" {
		where = fmt.Sprintf("in the namespace %q", namespace)
	}
	because := fmt.Sprintf("User %q cannot %s resource %q in API group %q %s",
		"system:serviceaccount:default:default", verb, "events", via.Group, where)
	return apierrors.NewForbidden(resource(via), name, errors.New(because))
}

// NamespaceTerminating returns the server's answer to a create in a namespace that is being
// deleted.
func NamespaceTerminating(via schema.GroupVersion, namespace, name string) error {
	err := apierrors.NewForbidden(resource(via), name, fmt.Errorf(
		"unable to create new content in namespace %s because it is being terminated", namespace))
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{
		Type:    corev1.NamespaceTerminatingCause,
		Message: fmt.Sprintf("namespace %s is being terminated", namespace),
		Field:   "metadata.namespace",
	}}
	return err
}

// resource returns the group resource of Events in the group of via.
func resource(via schema.GroupVersion) schema.GroupResource {
	return schema.GroupResource{Group: via.Group, Resource: "events"}
}

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

// Refusal is an answer without details.
func Refusal(code int32, reason metav1.StatusReason, message string) *apierrors.StatusError {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status:  metav1.StatusFailure,
		Code:    code,
		Reason:  reason,
		Message: message,
	}}
}

// NotFound is the server's answer about an Event that does not exist or has expired. Its details name the Event, which
// distinguishes it from [NotServed].
func NotFound(via schema.GroupVersion, name string) error {
	return apierrors.NewNotFound(resource(via), name)
}

// AlreadyExists is the server's answer to a create under a name that is taken.
func AlreadyExists(via schema.GroupVersion, name string) error {
	return apierrors.NewAlreadyExists(resource(via), name)
}

// Conflict is the server's answer to a write that names an outdated resource version.
func Conflict(via schema.GroupVersion, name string) error {
	return apierrors.NewConflict(resource(via), name, errors.New(
		"the object has been modified; please apply your changes to the latest version and try again"))
}

// ConflictUID is the server's answer to an update of another object of the same name.
func ConflictUID(via schema.GroupVersion, name string, want, got string) error {
	return apierrors.NewConflict(resource(via), name, fmt.Errorf(
		"precondition failed: UID in precondition: %s, UID in object meta: %s", want, got))
}

// NamespaceMismatch is the server's answer to a body with another namespace than the request's.
func NamespaceMismatch() error {
	return apierrors.NewBadRequest(
		"the namespace of the provided object does not match the namespace sent on the request")
}

// NameMismatch is the server's answer to a body with another name than the request's.
func NameMismatch(body, request string) error {
	return apierrors.NewBadRequest(fmt.Sprintf(
		"the name of the object (%s) does not match the name on the URL (%s)", body, request))
}

// ResourceVersionOnCreate is the server's answer to a create that names a resource version. It really is a 500.
func ResourceVersionOnCreate() error {
	return Refusal(http.StatusInternalServerError, "", "resourceVersion should not be set on objects to be created")
}

// NamespaceRequired is the server's answer to a write outside of a namespace.
func NamespaceRequired() error {
	err := Refusal(http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed,
		"the server does not allow this method on the requested resource")
	err.ErrStatus.Details = &metav1.StatusDetails{}
	return err
}

// NotServed is a server's answer to a request for a version it does not serve, of a group it knows. The details are
// there and empty.
func NotServed() error {
	err := Refusal(http.StatusNotFound, metav1.StatusReasonNotFound,
		"the server could not find the requested resource")
	err.ErrStatus.Details = &metav1.StatusDetails{}
	return err
}

// Forbidden is the server's answer to a request that RBAC does not allow. Namespace and name may be empty.
func Forbidden(via schema.GroupVersion, verb, namespace, name string) error {
	where := "at the cluster scope"
	if namespace != "" {
		where = fmt.Sprintf("in the namespace %q", namespace)
	}
	because := fmt.Sprintf("User %q cannot %s resource %q in API group %q %s",
		"system:serviceaccount:default:default", verb, "events", via.Group, where)
	return apierrors.NewForbidden(resource(via), name, errors.New(because))
}

// NamespaceTerminating is the server's answer to a create in a namespace that is being deleted.
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

func resource(via schema.GroupVersion) schema.GroupResource {
	return schema.GroupResource{Group: via.Group, Resource: "events"}
}

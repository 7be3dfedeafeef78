// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"errors"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func unknownReason(err error) bool {
	return apierrors.ReasonForError(err) == metav1.StatusReasonUnknown
}

func TestAnswers(t *testing.T) {
	for _, r := range []struct {
		err                       error
		code                      int32
		is                        func(error) bool
		detailGroup, detailObject string
		message                   string
	}{
		{
			NotFound(strict, "a"), 404, apierrors.IsNotFound, "events.k8s.io", "events a",
			`events.events.k8s.io "a" not found`,
		},
		{NotFound(core, "a"), 404, apierrors.IsNotFound, "", "events a", `events "a" not found`},
		{
			AlreadyExists(strict, "a"), 409, apierrors.IsAlreadyExists, "events.k8s.io", "events a",
			`events.events.k8s.io "a" already exists`,
		},
		{
			Conflict(core, "a"), 409, apierrors.IsConflict, "", "events a",
			`Operation cannot be fulfilled on events "a": ` +
				"the object has been modified; please apply your changes to the latest version and try again",
		},
		{
			ConflictUID(core, "a", "x", "y"), 409, apierrors.IsConflict, "", "events a",
			`Operation cannot be fulfilled on events "a": ` +
				"precondition failed: UID in precondition: x, UID in object meta: y",
		},
		{
			NamespaceMismatch(), 400, apierrors.IsBadRequest, "", " ",
			"the namespace of the provided object does not match the namespace sent on the request",
		},
		{
			NameMismatch("a", "b"), 400, apierrors.IsBadRequest, "", " ",
			"the name of the object (a) does not match the name on the URL (b)",
		},
		{
			ResourceVersionOnCreate(), 500, unknownReason, "", " ",
			"resourceVersion should not be set on objects to be created",
		},
		{
			NamespaceRequired(), 405, apierrors.IsMethodNotSupported, "", " ",
			"the server does not allow this method on the requested resource",
		},
		{NotServed(), 404, apierrors.IsNotFound, "", " ", "the server could not find the requested resource"},
		{
			Forbidden(strict, "patch", "ns", "a"), 403, apierrors.IsForbidden, "events.k8s.io", "events a",
			`events.events.k8s.io "a" is forbidden: User "system:serviceaccount:default:default" cannot patch ` +
				`resource "events" in API group "events.k8s.io" in the namespace "ns"`,
		},
		{
			Forbidden(core, "list", "", ""), 403, apierrors.IsForbidden, "", "events ",
			`events is forbidden: User "system:serviceaccount:default:default" cannot list resource "events" ` +
				`in API group "" at the cluster scope`,
		},
		{
			NamespaceTerminating(strict, "ns", "a"), 403, apierrors.IsForbidden, "events.k8s.io", "events a",
			`events.events.k8s.io "a" is forbidden: unable to create new content in namespace ns because it is ` +
				"being terminated",
		},
	} {
		t.Run(r.message, func(t *testing.T) {
			var status *apierrors.StatusError
			if !errors.As(r.err, &status) || !r.is(r.err) {
				t.Fatalf("%#v does not satisfy its predicate", r.err)
			}
			if got := status.ErrStatus.Code; got != r.code {
				t.Errorf("code %d, want %d", got, r.code)
			}
			if got := r.err.Error(); got != r.message {
				t.Errorf("message %q, want %q", got, r.message)
			}
			object, group := " ", ""
			if d := status.ErrStatus.Details; d != nil {
				object, group = d.Kind+" "+d.Name, d.Group
			}
			if object != r.detailObject || group != r.detailGroup {
				t.Errorf("details name %q in group %q, want %q in %q", object, group, r.detailObject, r.detailGroup)
			}
		})
	}
}

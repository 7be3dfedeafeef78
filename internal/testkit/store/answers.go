// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// preconditionFailed is the answer to a delete of another object than the stored one. It names the kind.
func preconditionFailed(name, what, want, got string) error {
	return apierrors.NewConflict(schema.GroupResource{Resource: "Event"}, name, fmt.Errorf(
		"precondition failed: %s in precondition: %s, %s in object meta: %s", what, want, what, got))
}

// unsupportedPatch is the answer to the kinds of patch that a server takes and a Store does not.
func unsupportedPatch(kind types.PatchType) error {
	return rules.Refusal(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType, fmt.Sprintf(
		"eventstest: patches of type %s are not supported, send a strategic merge patch or a merge patch", kind))
}

// tooLarge is the answer to a body over the server's limit.
func tooLarge() error {
	return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", maxBodyBytes))
}

// internal is a 500 without a reason, as the server makes of errors that it did not expect.
func internal(message string) error {
	return rules.Refusal(http.StatusInternalServerError, "", message)
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// unsupportedPatch returns the answer to a patch of a type that a server accepts but a Store does
// not.
func unsupportedPatch(kind types.PatchType) error {
	return rules.Refusal(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType, fmt.Sprintf(
		"eventstest: patches of type %s are not supported, send a strategic merge patch or a merge patch", kind))
}

// internal returns a 500 without a reason, which is the server's answer after an unexpected error.
func internal(message string) error {
	return rules.Refusal(http.StatusInternalServerError, "", message)
}

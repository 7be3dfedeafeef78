// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxBodyBytes is the server's limit for a request.
const maxBodyBytes = 3 << 20

// onTheWire returns a copy of event as it arrives at the server in JSON: times cut to microseconds, invalid UTF-8
// replaced byte by byte (which can exceed a limit that the original kept; protobuf, which client-go's typed clients
// prefer, would keep it), no TypeMeta.
func onTheWire(event *corev1.Event) (*corev1.Event, error) {
	body, err := json.Marshal(event)
	if err != nil {
		return nil, fmt.Errorf("eventstest: an event that cannot be encoded: %w", err)
	}
	if len(body) > maxBodyBytes {
		return nil, tooLarge()
	}
	arrived := &corev1.Event{}
	if err := json.Unmarshal(body, arrived); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	arrived.TypeMeta = metav1.TypeMeta{}
	return arrived, nil
}

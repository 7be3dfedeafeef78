// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"encoding/json"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// LastTimestamp is when the event was last seen, as this write has it.
func (r *Request) LastTimestamp() time.Time {
	if r.event != nil {
		return r.event.LastTimestamp.Time
	}
	var body struct {
		LastTimestamp metav1.Time `json:"lastTimestamp"`
	}
	if json.Unmarshal(r.patch, &body) != nil {
		return time.Time{}
	}
	return body.LastTimestamp.Time
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// maxRefusals bounds the namespaces remembered; to forget one costs a request.
const maxRefusals = 1024

// refusals remembers which namespaces refused a create because they are being
// deleted, and when. One such answer speaks for all that was recorded by then.
// It does not for what comes later: the namespace may exist anew, and the gate
// of the writer lets a create through after a minute.
type refusals struct {
	mu sync.Mutex // guards at
	at map[string]time.Time
}

func (r *refusals) add(namespace string, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.at == nil || len(r.at) >= maxRefusals {
		r.at = map[string]time.Time{}
	}
	r.at[namespace] = now
}

// covers tells whether a create of event was refused along with another one.
func (r *refusals) covers(event *corev1.Event) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.at[event.Namespace]
	return ok && event.LastTimestamp.Time.Before(at)
}

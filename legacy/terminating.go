// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// maxTerminating bounds the namespaces that are remembered. Forgetting one costs a
// request.
const maxTerminating = 1024

// terminatingNamespaces remembers which namespaces refused a create because they are
// being deleted, and when. One such answer is valid for all that was recorded by then,
// but not for later occurrences: the namespace may have been created again. The gate
// of the writer admits a create after a minute.
type terminatingNamespaces struct {
	mu sync.Mutex // guards at
	at map[string]time.Time
}

func (n *terminatingNamespaces) add(namespace string, now time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.at == nil || len(n.at) >= maxTerminating {
		n.at = map[string]time.Time{}
	}
	n.at[namespace] = now
}

// refused reports whether the answer to another create is valid for event, too.
func (n *terminatingNamespaces) refused(event *corev1.Event) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	at, ok := n.at[event.Namespace]
	return ok && event.LastTimestamp.Time.Before(at)
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package kubelet

import (
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
)

// occurrence is one call of Eventf.
type occurrence struct {
	at                      time.Time
	regarding               corev1.ObjectReference
	related                 *corev1.ObjectReference
	eventType, reason, verb string
	note                    string
}

// notebook is a recorder that keeps what it is told.
type notebook struct {
	mu   sync.Mutex
	kept []occurrence
}

// Eventf keeps an occurrence.
func (n *notebook) Eventf(regarding, related runtime.Object, eventType, reason, action, note string, args ...any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	o := occurrence{at: time.Now(), eventType: eventType, reason: reason, verb: action, note: fmt.Sprintf(note, args...)}
	o.regarding = *regarding.(*corev1.ObjectReference)
	o.related, _ = related.(*corev1.ObjectReference)
	n.kept = append(n.kept, o)
}

// WithLogger returns the same notebook.
func (n *notebook) WithLogger(klog.Logger) clientevents.EventRecorderLogger { return n }

// about returns what was recorded about a pod so far.
func (n *notebook) about(pod string) (out []occurrence) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, o := range n.kept {
		if o.regarding.Name == pod {
			out = append(out, o)
		}
	}
	return out
}

// reasons is about, as "Normal Started" and so on.
func (n *notebook) reasons(pod string) (out []string) {
	for _, o := range n.about(pod) {
		out = append(out, o.eventType+" "+o.reason)
	}
	return out
}

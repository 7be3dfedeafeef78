// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/record"
)

// dedup forwards what differs from what it has forwarded before.
type dedup struct {
	next record.EventRecorder

	mu   sync.Mutex
	seen map[string]struct{}
}

var _ record.EventRecorder = (*dedup)(nil)

// Dedup returns a recorder without repeats.
func Dedup(next record.EventRecorder) record.EventRecorder {
	return &dedup{next: next, seen: make(map[string]struct{})}
}

func (d *dedup) Event(object runtime.Object, eventtype, reason, message string) {
	if d.first(object, eventtype, reason, message) {
		d.next.Event(object, eventtype, reason, message)
	}
}

func (d *dedup) Eventf(object runtime.Object, eventtype, reason, messageFmt string, args ...interface{}) {
	d.Event(object, eventtype, reason, fmt.Sprintf(messageFmt, args...))
}

func (d *dedup) AnnotatedEventf(
	object runtime.Object, annotations map[string]string, eventtype, reason, messageFmt string, args ...interface{},
) {
	if d.first(object, eventtype, reason, fmt.Sprintf(messageFmt, args...)) {
		d.next.AnnotatedEventf(object, annotations, eventtype, reason, messageFmt, args...)
	}
}

func (d *dedup) first(object runtime.Object, parts ...string) bool {
	key := fmt.Sprint(parts)
	if m, err := meta.Accessor(object); err == nil {
		key += m.GetNamespace() + "/" + m.GetName()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	_, found := d.seen[key]
	d.seen[key] = struct{}{}
	return !found
}

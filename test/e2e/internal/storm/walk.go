// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package storm

import (
	"maps"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Walk records one Warning every interval until the storm is stopped: the nth is about the object next(n). The storm
// remembers when each was recorded first.
func (s *Storm) Walk(interval time.Duration, reason string, next func(n int) Object) {
	s.running.Go(func() {
		ticker := time.NewTicker(interval)
		defer ticker.Stop()
		for n := 0; ; n++ {
			select {
			case <-s.stop:
				return
			case <-ticker.C:
			}
			s.Warn(reason, next(n))
		}
	})
}

// Warn records a Warning about each of the objects before it returns.
func (s *Storm) Warn(reason string, objects ...Object) {
	for _, object := range objects {
		at := time.Now()
		s.recorder.Eventf(object, nil, corev1.EventTypeWarning, reason, "Do"+reason, "%s of %s", reason, object.GetName())
		key := Key{
			Namespace: object.GetNamespace(), Name: object.GetName(), Type: corev1.EventTypeWarning, Reason: reason,
		}
		s.count([]Key{key})
		s.mu.Lock()
		if s.first[key].IsZero() {
			s.first[key] = at
		}
		s.mu.Unlock()
	}
}

// First returns when each Warning of Walk and Warn was recorded for the first time.
func (s *Storm) First() map[Key]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.first)
}

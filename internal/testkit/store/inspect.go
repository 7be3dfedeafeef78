// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/eventconv"
)

// Events returns what is stored, by namespace and name.
func (s *Store) Events() []eventsv1.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	var all []eventsv1.Event
	for _, event := range s.objects.sorted(func(*corev1.Event) bool { return true }) {
		all = append(all, *eventconv.FromCore(event.DeepCopy()))
	}
	return all
}

// Len returns how many Events there are.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	return len(s.objects.entries)
}

// Expire removes an Event as if its TTL had ended, and reports whether it was there.
func (s *Store) Expire(namespace, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	old := s.objects.get(namespace, name)
	if old != nil {
		s.remove(old)
	}
	return old != nil
}

// SetTTL makes Events expire ttl after their last write; 0 means never. It holds for what is stored already, too.
func (s *Store) SetTTL(ttl time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.objects.ttl = ttl
}

// SetClock sets what creation timestamps and the TTL are measured with, by default the real time.
func (s *Store) SetClock(clock clock.PassiveClock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = clock
}

// Seed stores event as it is, without validation, because a cluster may hold Events that today's rules refuse.
func (s *Store) Seed(event *corev1.Event) error {
	event, err := onTheWire(event)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(s.objects.get(event.Namespace, event.Name), event)
	return nil
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventstest

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/utils/clock"

	"github.com/eventseries/eventseries/internal/eventrules"
)

// What a test may do to the storage behind the API's back. [Sink] and [Clientset] both offer these.

func (s *server) events() []eventsv1.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.sweep(s.clock.Now())
	var all []eventsv1.Event
	for _, event := range s.store.sorted("") {
		all = append(all, *eventrules.FromCore(event).DeepCopy())
	}
	return all
}

func (s *server) expire(namespace, name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.store.remove(namespace, name)
}

func (s *server) setTTL(ttl time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.store.ttl = ttl
}

func (s *server) setClock(clock clock.PassiveClock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clock = clock
}

// seed stores event as it is, without asking the rules: a cluster may hold what today's rules refuse.
func (s *server) seed(event *corev1.Event) error {
	event, err := onTheWire(event)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.write(event)
	return nil
}

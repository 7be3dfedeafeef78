// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// Get returns a stored Event.
func (s *Store) Get(r Request) (*corev1.Event, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, err := s.find(r)
	return old.DeepCopy(), err
}

// find returns the Event that r names, as it is stored.
func (s *Store) find(r Request) (*corev1.Event, error) {
	if r.Namespace == "" {
		return nil, rules.NotServed()
	}
	s.sweep()
	event := s.objects.get(r.Namespace, r.Name)
	if event == nil {
		return nil, rules.NotFound(r.Via, r.Name)
	}
	return event, nil
}

// List returns the stored Events that options select, by namespace and name, and the version of the storage.
func (s *Store) List(r Request, options metav1.ListOptions) (events []*corev1.Event, version string, err error) {
	if err := checkCombination(options, false); err != nil {
		return nil, "", err
	}
	where, err := selectionOf(r, options)
	if err != nil {
		return nil, "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	selected := s.objects.sorted(where.matches)
	for i, event := range selected {
		selected[i] = event.DeepCopy()
	}
	return selected, formatVersion(s.version), nil
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Delete removes an Event. An Event with finalizers is marked, and the write that removes the last finalizer removes
// it.
func (s *Store) Delete(r Request, preconditions *metav1.Preconditions) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, err := s.find(r)
	if err != nil {
		return err
	}
	if preconditions != nil {
		if want := preconditions.UID; want != nil && *want != old.UID {
			return preconditionFailed(old.Name, "UID", string(*want), string(old.UID))
		}
		if want := preconditions.ResourceVersion; want != nil && *want != old.ResourceVersion {
			return preconditionFailed(old.Name, "ResourceVersion", *want, old.ResourceVersion)
		}
	}
	if !r.DryRun {
		s.delete(old)
	}
	return nil
}

// DeleteAll deletes the Events that options select.
func (s *Store) DeleteAll(r Request, options metav1.ListOptions) error {
	where, err := selectionOf(r, options)
	if err != nil || r.DryRun {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sweep()
	for _, old := range s.objects.sorted(where.matches) {
		s.delete(old)
	}
	return nil
}

func (s *Store) delete(old *corev1.Event) {
	switch {
	case len(old.Finalizers) == 0:
		s.remove(old)
	case old.DeletionTimestamp == nil:
		event, now := old.DeepCopy(), s.second()
		event.DeletionTimestamp, event.DeletionGracePeriodSeconds = &now, new(int64)
		s.write(old, event)
	}
}

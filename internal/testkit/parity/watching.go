// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package parity

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/watch"
)

// watchBound is how long to wait for an event of a watch before it counts as missing. A test that
// passes does not wait this long.
const watchBound = 20 * time.Second

// startWatch starts the watch of the scene, after stopping an earlier one.
func (s *run) startWatch(ctx context.Context, r request) (err error) {
	s.stopWatch()
	group, namespace := s.route(r)
	if group == "core" {
		s.watch, err = s.Watches.CoreV1().Events(namespace).Watch(ctx, r.selectors())
	} else {
		s.watch, err = s.Watches.EventsV1().Events(namespace).Watch(ctx, r.selectors())
	}
	return err
}

// stopWatch stops the watch of the scene, if there is one, and drains its channel.
func (s *run) stopWatch() {
	if s.watch == nil {
		return
	}
	s.watch.Stop()
	for range s.watch.ResultChan() {
	}
	s.watch = nil
}

// seen waits for the next count events of the watch, and returns their types and names.
func (s *run) seen(ctx context.Context, count string) string {
	n, err := strconv.Atoi(count)
	if err != nil || s.watch == nil {
		panic(fmt.Sprintf("parity: seen %q: no number, or no watch", count))
	}
	ctx, cancel := context.WithTimeout(ctx, watchBound)
	defer cancel()
	words := []string{"ok"}
	for range n {
		select {
		case <-ctx.Done():
			return strings.Join(append(words, "and no more"), " ")
		case sent, open := <-s.watch.ResultChan():
			if !open {
				return strings.Join(append(words, "closed"), " ")
			}
			words = append(words, strings.TrimSpace(string(sent.Type)+" "+subject(sent)))
		}
	}
	return strings.Join(words, " ")
}

// subject returns the name of the Event in sent, or the text of the error if sent is an error.
func subject(sent watch.Event) string {
	if sent.Type == watch.Error {
		return refused(apierrors.FromObject(sent.Object))
	}
	object, err := meta.Accessor(sent.Object)
	if err != nil {
		return err.Error()
	}
	return object.GetName()
}

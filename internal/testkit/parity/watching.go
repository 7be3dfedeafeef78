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

// watchBound is how long a watch may take to send an event. A test that passes does not wait so long.
const watchBound = 20 * time.Second

// watching is the scene's watch.
type watching struct{ watch.Interface }

func (s *run) startWatch(ctx context.Context, r request) (*watching, error) {
	group, namespace := s.route(r)
	start := s.Watches.EventsV1().Events(namespace).Watch
	if group == "core" {
		start = s.Watches.CoreV1().Events(namespace).Watch
	}
	w, err := start(ctx, r.selectors())
	if err != nil {
		return nil, err
	}
	return &watching{w}, nil
}

// stop ends the watch, if there is one, and reads what is left of it.
func (w *watching) stop() {
	if w == nil {
		return
	}
	w.Stop()
	for range w.ResultChan() {
	}
}

// seen renders the next events of the watch.
func (w *watching) seen(ctx context.Context, count string) string {
	n, err := strconv.Atoi(count)
	if err != nil || w == nil {
		panic(fmt.Sprintf("parity: seen %q: no number, or no watch", count))
	}
	ctx, cancel := context.WithTimeout(ctx, watchBound)
	defer cancel()
	words := []string{"ok"}
	for range n {
		select {
		case <-ctx.Done():
			return strings.Join(append(words, "and no more"), " ")
		case sent, open := <-w.ResultChan():
			if !open {
				return strings.Join(append(words, "closed"), " ")
			}
			words = append(words, strings.TrimSpace(string(sent.Type)+" "+subject(sent)))
		}
	}
	return strings.Join(words, " ")
}

// subject returns the name of the Event, or the error.
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

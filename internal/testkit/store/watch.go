// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package store

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/watch"
)

// queueLimit is how many changes a watcher may be behind.
const queueLimit = 1000

// watcher gets the changes of what it selects. Its channel has room for one event more than it may be behind: the one
// that says so.
type watcher struct {
	store *Store
	where selection
	since int64 // only later versions are sent
	queue chan watch.Event
	ended bool // guarded by store.mu, like all writing to queue
}

// Watch returns the Events that options select and what happens to them: all there are as ADDED and then every change,
// or the changes since options.ResourceVersion. An object that moves into the selection is ADDED, one that moves out
// DELETED. A watcher that falls 1000 changes behind gets an ERROR, 410 Expired, and its end, as does one that begins
// before the history, which has 1000 changes.
func (s *Store) Watch(r Request, options metav1.ListOptions) (watch.Interface, error) {
	if options.SendInitialEvents != nil { // client-go then lists first
		why := field.Forbidden(field.NewPath("sendInitialEvents"), "eventstest does not serve watch lists")
		kind := schema.GroupKind{Group: metav1.GroupName, Kind: "ListOptions"}
		return nil, apierrors.NewInvalid(kind, "", field.ErrorList{why})
	}
	where, err := selectionOf(r, options)
	if err != nil {
		return nil, err
	}
	defer s.open()()
	w := &watcher{store: s, where: where}
	events, ended, err := w.backlog(options)
	if err != nil {
		return nil, err
	}
	w.queue = make(chan watch.Event, len(events)+queueLimit+1)
	for _, event := range events {
		w.queue <- event
	}
	s.watchers[w] = struct{}{}
	if ended {
		w.end()
	}
	return w, nil
}

// backlog returns the events that a new watcher gets at once, and whether the watch ends with them.
func (w *watcher) backlog(options metav1.ListOptions) (events []watch.Event, ended bool, err error) {
	if options.ResourceVersion == "" || options.ResourceVersion == "0" {
		for _, event := range w.store.objects.sorted(w.where.matches) {
			events = append(events, w.event(watch.Added, event))
		}
		return events, false, nil
	}
	w.since, err = parseVersion(options.ResourceVersion)
	if err != nil {
		return nil, false, err
	}
	changes, complete := w.store.history.since(w.since)
	if !complete {
		tooOld := fmt.Sprintf("too old resource version: %d (%d)", w.since, w.store.version)
		return []watch.Event{expired(tooOld)}, true, nil
	}
	for _, c := range changes {
		if event, ok := w.view(c); ok {
			events = append(events, event)
		}
	}
	return events, false, nil
}

// view returns c as the watcher sees it, if it does. A deletion has its own version.
func (w *watcher) view(c change) (watch.Event, bool) {
	was, is := w.where.matches(c.old), w.where.matches(c.now)
	switch {
	case c.version <= w.since:
		return watch.Event{}, false
	case was && is:
		return w.event(watch.Modified, c.now), true
	case is:
		return w.event(watch.Added, c.now), true
	case was:
		gone := *c.old
		gone.ResourceVersion = formatVersion(c.version)
		return w.event(watch.Deleted, &gone), true
	default:
		return watch.Event{}, false
	}
}

func (w *watcher) event(kind watch.EventType, event *corev1.Event) watch.Event {
	return watch.Event{Type: kind, Object: View(w.where.via, event.DeepCopy())}
}

func expired(message string) watch.Event {
	status := apierrors.NewResourceExpired(message).ErrStatus
	return watch.Event{Type: watch.Error, Object: &status}
}

// notify adds a change to the history and sends it to the watchers. It never blocks.
func (s *Store) notify(c change) {
	s.history.add(c)
	for w := range s.watchers {
		if event, ok := w.view(c); ok {
			w.notify(event)
		}
	}
}

func (w *watcher) notify(event watch.Event) {
	if len(w.queue) < cap(w.queue)-1 {
		w.queue <- event
		return
	}
	w.queue <- expired("the watch has fallen behind: list again")
	w.end()
}

// ResultChan implements watch.Interface.
func (w *watcher) ResultChan() <-chan watch.Event { return w.queue }

// Stop implements watch.Interface. What is in the channel stays readable.
func (w *watcher) Stop() {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	w.end()
}

func (w *watcher) end() {
	if !w.ended {
		w.ended = true
		delete(w.store.watchers, w)
		close(w.queue)
	}
}

// change is one version of the storage: what a key held before and after, nil for nothing.
type change struct {
	version  int64
	old, now *corev1.Event
}

// historyLimit is how many changes are kept for watches that begin in the past.
const historyLimit = 1000

// history is the latest changes, the oldest first.
type history struct {
	changes   []change
	forgotten int64 // the version of the latest change that is not there any more
}

func (h *history) add(c change) {
	h.changes = append(h.changes, c)
	if len(h.changes) > historyLimit {
		h.forgotten = h.changes[0].version
		h.changes[0] = change{} // lets go of its Events
		h.changes = h.changes[1:]
	}
}

// since returns the changes after version, and whether all of them are there.
func (h *history) since(version int64) (changes []change, complete bool) {
	for i, c := range h.changes {
		if c.version > version {
			return h.changes[i:], version >= h.forgotten
		}
	}
	return nil, version >= h.forgotten
}

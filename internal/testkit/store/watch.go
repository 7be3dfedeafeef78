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

// queueLimit is the maximum number of unread events in the queue of a watcher.
const queueLimit = 1000

// watcher sends the changes of the Events that it selects. Its channel has room for one more event
// than queueLimit: the error that the reader has fallen behind.
type watcher struct {
	store *Store
	where selection
	// since is the version after which changes are sent.
	since int64
	queue chan watch.Event
	// ended is guarded by store.mu, as are all sends to queue.
	ended bool
}

// Watch returns a watch of the Events that options select. Without a resource version, the watch
// sends all of them as ADDED, and then each change. With a resource version, it sends the changes
// after that version. An object that moves into the selection is ADDED, and one that moves out is
// DELETED.
//
// A watch ends with an ERROR, 410 Expired, if its reader falls 1000 changes behind, or if it begins
// at a version that is older than the history, which holds the last 1000 changes.
func (s *Store) Watch(r Request, options metav1.ListOptions) (watch.Interface, error) {
	// client-go falls back to a list and a watch after this refusal.
	if options.SendInitialEvents != nil {
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

// backlog returns the events that a new watcher sends first, and whether the watch ends after them.
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

// view returns the event that the watcher sends for c, and whether it sends an event at all. The
// object of a DELETED event has the version of the deletion.
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

// event returns an event with a copy of the Event in the shape of the watcher's group.
func (w *watcher) event(kind watch.EventType, event *corev1.Event) watch.Event {
	return watch.Event{Type: kind, Object: View(w.where.via, event.DeepCopy())}
}

// expired returns an ERROR event with a 410 Expired.
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

// notify sends event, or ends the watch if the queue is full.
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

// Stop implements watch.Interface. The events in the channel can still be read.
func (w *watcher) Stop() {
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	w.end()
}

// end closes the watch. It does nothing if the watch is already closed.
func (w *watcher) end() {
	if !w.ended {
		w.ended = true
		delete(w.store.watchers, w)
		close(w.queue)
	}
}

// change is one change in the storage. The fields old and now hold the changed Event before and
// after the change. old is nil if the Event did not exist before, and now is nil if it does not
// exist afterwards. version is the version of the storage after the change.
type change struct {
	version  int64
	old, now *corev1.Event
}

// historyLimit is the number of changes to keep for watches that begin at an earlier version.
const historyLimit = 1000

// history holds the latest changes, oldest first.
type history struct {
	changes []change
	// forgotten is the version of the latest change that is no longer kept.
	forgotten int64
}

func (h *history) add(c change) {
	h.changes = append(h.changes, c)
	if len(h.changes) > historyLimit {
		h.forgotten = h.changes[0].version
		// Release the Events of the change.
		h.changes[0] = change{}
		h.changes = h.changes[1:]
	}
}

// since returns the changes after version, and whether the history still holds all of them.
func (h *history) since(version int64) (changes []change, complete bool) {
	for i, c := range h.changes {
		if c.version > version {
			return h.changes[i:], version >= h.forgotten
		}
	}
	return nil, version >= h.forgotten
}

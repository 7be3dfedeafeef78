// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
)

// Client lists and watches Events. client-go's typed clients are Clients, such as
// client.EventsV1().Events("default") and client.CoreV1().Events(""), and so is what the
// dynamic client's Resource returns.
type Client[List runtime.Object] interface {
	// List lists Events, in pages.
	List(ctx context.Context, opts metav1.ListOptions) (List, error)
	// Watch watches them.
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

// Change is an Event that was read.
type Change struct {
	Event
	// Delta is what the reading adds.
	Delta Delta
	// Deleted reports that the Event was deleted, or has expired. An Event that
	// went while nobody watched is not reported.
	Deleted bool
	// Object is the Event as it was read.
	Object runtime.Object
}

// pageSize is how many Events a page of a list has, as for kubectl.
const pageSize = 500

// Watch reads Events until ctx ends or the loop over it does: those that are there, and then
// each change. It asks for pages of 500 and keeps no Events, so its memory is that of the
// tracker, also where there are a million Events. Without a tracker all deltas are zero.
//
// What ends a watch is mended: it goes on where it was, or with a new list where the server
// has forgotten that. The tracker sees to it that nothing counts twice. A failure
// that is not part of that life, such as a 403, is yielded with an empty Change, and tried again
// after 1 to 30 seconds; a break ends the loop. A loop that is slow slows the connection, and
// nothing is dropped here.
//
// Of opts, LabelSelector, FieldSelector and Limit, the size of a page, are used. The fields that
// can be selected differ between the APIs; adapter.GetFieldSelector makes a selector for the
// Events about an object. A tracker that was restored from a checkpoint resumes.
//
// Watch starts no goroutine of its own.
func Watch[List runtime.Object](
	ctx context.Context, client Client[List], opts metav1.ListOptions, tracker *Tracker,
) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		r := reader[List]{client: client, opts: opts, position: &position{}, tracker: tracker, yield: yield}
		if tracker != nil {
			r.position = &tracker.position
		}
		pause := backoff()
		for ctx.Err() == nil {
			began := time.Now()
			err := r.read(ctx)
			switch {
			case r.stopped, ctx.Err() != nil:
				return
			case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
				r.position.version = "" // list again
			case err != nil && !yield(Change{}, err):
				return
			}
			if r.progress || time.Since(began) > time.Minute {
				pause = backoff()
			}
			select { // also after a watch that just ended: those of some proxies end at once
			case <-time.After(pause.Step()):
			case <-ctx.Done():
			}
		}
	}
}

func backoff() wait.Backoff {
	return wait.Backoff{Duration: time.Second, Factor: 2, Jitter: 0.5, Steps: 6, Cap: 30 * time.Second}
}

// reader is one loop over [Watch].
type reader[List runtime.Object] struct {
	client  Client[List]
	opts    metav1.ListOptions
	tracker *Tracker // nil: nobody asks for deltas
	yield   func(Change, error) bool

	*position
	progress bool // an Event was read since the last failure
	stopped  bool // the loop has ended
}

// read lists, if that is needed, and watches until the watch ends.
func (r *reader[List]) read(ctx context.Context) error {
	r.progress = false
	if r.version == "" {
		if err := r.list(ctx); err != nil || r.stopped {
			return err
		}
	}
	return r.watch(ctx)
}

// list reads all pages. A watch from the version of the first one misses nothing that
// changes meanwhile.
func (r *reader[List]) list(ctx context.Context) error {
	opts := metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector, Limit: cmp.Or(r.opts.Limit, pageSize),
	}
	version := ""
	for {
		page, err := r.client.List(ctx, opts)
		if err != nil {
			return fmt.Errorf("eventview: cannot list Events: %w", err)
		}
		accessor, err := meta.ListAccessor(page)
		if err != nil {
			return fmt.Errorf("eventview: cannot list Events: %w", err)
		}
		version = cmp.Or(version, accessor.GetResourceVersion())
		err = meta.EachListItem(page, func(object runtime.Object) error {
			r.item(object, !r.listed, false)
			return nil
		})
		if err != nil || r.stopped {
			return err
		}
		if opts.Continue = accessor.GetContinue(); opts.Continue == "" {
			r.version, r.listed = version, true
			return nil
		}
	}
}

// watch reads changes until the server ends that.
func (r *reader[List]) watch(ctx context.Context) error {
	w, err := r.client.Watch(ctx, metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector, FieldSelector: r.opts.FieldSelector,
		ResourceVersion: r.version, AllowWatchBookmarks: true,
	})
	if err != nil {
		return fmt.Errorf("eventview: cannot watch Events: %w", err)
	}
	defer w.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case change, ok := <-w.ResultChan():
			if !ok {
				return nil
			}
			if change.Type == watch.Error {
				return fmt.Errorf("eventview: cannot watch Events: %w", apierrors.FromObject(change.Object))
			}
			accessor, err := meta.Accessor(change.Object)
			if err != nil {
				return fmt.Errorf("eventview: cannot watch Events: %w", err)
			}
			if r.version = accessor.GetResourceVersion(); change.Type == watch.Bookmark {
				continue
			}
			if r.item(change.Object, false, change.Type == watch.Deleted); r.stopped {
				return nil
			}
		}
	}
}

// item passes one Event on. One that cannot be read is an error for the loop, and no more.
func (r *reader[List]) item(object runtime.Object, seed, deleted bool) {
	if r.stopped {
		return
	}
	r.progress = true
	event, err := of(object)
	if err != nil {
		r.stopped = !r.yield(Change{}, err)
		return
	}
	c := Change{Event: event, Deleted: deleted, Object: object}
	switch {
	case r.tracker == nil:
	case seed:
		c.Delta = r.tracker.Seed(&event)
	default:
		c.Delta = r.tracker.Observe(&event)
	}
	r.stopped = !r.yield(c, nil)
}

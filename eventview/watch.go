// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventview

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/resourceversion"
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
// When a watch ends, Watch resumes where it was. Where the server has forgotten that, or has been
// restored to an older state, Watch lists again. A list goes on at the page at which it failed, also
// when the server has forgotten the version of the list. A later list passes on what has changed
// since, as far as versions can be compared, and the tracker sees to it that nothing counts twice.
// Any other failure, such as a 403, is yielded with an empty Change, and Watch tries again
// after 1 to 30 seconds; a break ends the loop. A loop that is slow slows the connection, and
// nothing is dropped here.
//
// Of opts, LabelSelector, FieldSelector and Limit, the size of a page, are used. The fields that
// can be selected differ between the APIs; events.GetFieldSelector of clientgo/events makes a selector for the
// Events about an object. A tracker that was restored from a checkpoint resumes. A server that was
// restored to an older state, and has since passed the version of the checkpoint, cannot be told
// from one that was not.
//
// Watch starts no goroutine of its own.
func Watch[List runtime.Object](
	ctx context.Context, client Client[List], opts metav1.ListOptions, tracker *Tracker,
) iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		r := reader[List]{
			client:   client,
			opts:     opts,
			position: &position{},
			tracker:  tracker,
			yield:    yield,
		}
		if tracker != nil {
			r.position = &tracker.position
		}
		pause := backoff()
		for ctx.Err() == nil {
			err := r.read(ctx)
			switch {
			case r.stopped, ctx.Err() != nil:
				return
			case err != nil && !yield(Change{}, err):
				return
			}
			if r.progress {
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
	return wait.Backoff{
		Duration: time.Second,
		Factor:   2,
		Jitter:   0.5,
		Steps:    6,
		Cap:      30 * time.Second,
	}
}

const (
	// shortWatch is less than the time after which servers and proxies end a watch on which
	// nothing happens.
	shortWatch = 10 * time.Second
	// emptyWatches is how many short watches without a change make a reader list again. One may
	// be that of a server that is just stopping.
	emptyWatches = 2
)

// reader is one loop over [Watch].
type reader[List runtime.Object] struct {
	client  Client[List]
	opts    metav1.ListOptions
	tracker *Tracker // nil: nobody asks for deltas
	yield   func(Change, error) bool

	*position
	// confirmed reports that version is of this loop's server, and not of a checkpoint, whose
	// server may have been another one.
	confirmed bool
	// told is the version up to which the loop was told everything, and which a new list
	// therefore does not repeat. It is empty if that is not known.
	told string
	// page is what the list has read.
	page listPosition
	// failed reports that the list failed at a page. The server that answers next may have an older state.
	failed bool
	// empty counts the short watches without a change, since there was one that was not.
	empty int

	progress bool // a failure now is not a repetition of the last one
	stopped  bool // the loop has ended
}

// listPosition is how far a list has come.
type listPosition struct {
	next    string    // the token of the next page, empty for the first one
	version string    // that of the first page
	at      time.Time // of the newest page
}

// read lists, if that is needed, and watches until the watch ends.
func (r *reader[List]) read(ctx context.Context) error {
	r.progress = false
	if r.version != "" || r.failed {
		if err := r.compare(ctx); err != nil {
			return err
		}
	}
	if r.version == "" {
		if err := r.list(ctx); err != nil || r.stopped {
			return err
		}
		if r.page.next != "" {
			return nil // the rest of the list comes after a pause
		}
		if time.Since(r.page.at) > shortWatch { // the loop is slow, and the server may have been restored meanwhile
			if err := r.compare(ctx); err != nil || r.version == "" {
				return err
			}
		}
	}
	began := time.Now()
	r.progress = false // a list in itself is none: a proxy may end each watch
	err := r.watch(ctx)
	long := time.Since(began) >= shortWatch
	if time.Since(began) > time.Minute {
		r.progress = true
	}
	switch {
	case isForgotten(err):
		r.relist()
		return nil
	case apierrors.IsBadRequest(err), apierrors.IsInvalid(err):
		r.relist() // the version may be what is bad
		return err
	case err != nil:
		return err
	case r.progress, long:
		r.empty = 0
		return nil
	}
	// Some servers end a watch from a version that they have forgotten as one on which nothing happens.
	r.empty++
	if r.empty >= emptyWatches {
		r.relist()
	}
	return nil
}

// isForgotten reports whether a watch failed because of the version that it began at.
func isForgotten(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) ||
		apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}

// relist gives up the version. A list follows.
func (r *reader[List]) relist() {
	r.told = ""
	if r.confirmed {
		r.told = r.version
	}
	r.version = ""
	r.page.next = ""
	r.empty = 0
}

// compare gives up a version, or a list, that the server has not reached: it was restored to an older
// state, or is another one, and a watch would be silent until it has. The request names no selector,
// because a server may have to read all Events until it finds one that is selected.
func (r *reader[List]) compare(ctx context.Context) error {
	page, err := r.client.List(ctx, metav1.ListOptions{Limit: 1})
	if apierrors.IsForbidden(err) {
		return nil // who may only watch, or only some Events, resumes without
	}
	if err != nil {
		return fmt.Errorf("eventview: cannot list Events: %w", err)
	}
	accessor, err := meta.ListAccessor(page)
	if err != nil {
		return fmt.Errorf("eventview: cannot list Events: %w", err)
	}
	r.failed = false
	if isOlder(accessor.GetResourceVersion(), cmp.Or(r.version, r.page.version)) {
		r.confirmed = false
		r.relist()
	}
	return nil
}

// isOlder reports whether version a is known to be older than b. Versions can be compared since
// Kubernetes 1.35, and could in fact before.
func isOlder(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	return err == nil && order < 0
}

// list reads the pages that are left. A watch from the version of the first one misses nothing
// that changes meanwhile.
func (r *reader[List]) list(ctx context.Context) error {
	opts := metav1.ListOptions{
		LabelSelector: r.opts.LabelSelector,
		FieldSelector: r.opts.FieldSelector,
		Limit:         cmp.Or(r.opts.Limit, pageSize),
	}
	for {
		opts.Continue = r.page.next
		page, err := r.client.List(ctx, opts)
		if err != nil {
			return r.listFailed(err)
		}
		accessor, err := meta.ListAccessor(page)
		if err != nil {
			return fmt.Errorf("eventview: cannot list Events: %w", err)
		}
		if r.page.next == "" {
			r.page.version = accessor.GetResourceVersion()
			if isOlder(r.page.version, r.told) {
				r.told = "" // of a state that the server does not have any more
			}
		} else {
			r.progress = true
		}
		r.page.at = time.Now()
		err = meta.EachListItem(page, func(object runtime.Object) error {
			if !r.wasTold(object) {
				r.item(object, !r.listed, false)
			}
			return nil
		})
		if err != nil || r.stopped {
			return err
		}
		r.page.next = accessor.GetContinue()
		if r.page.next == "" {
			r.version = r.page.version
			r.listed = true
			r.confirmed = true
			r.told = ""
			return nil
		}
	}
}

// listFailed decides where the list goes on after an error.
func (r *reader[List]) listFailed(err error) error {
	token := r.page.next
	var status apierrors.APIStatus
	switch {
	case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		// The server has forgotten the version that the list began at. Its answer carries a token for the
		// rest of the list, at the newest version: the watch from the version of the first page, or the list
		// that follows if that is forgotten, has what the pages before miss.
		r.page.next = ""
		if errors.As(err, &status) {
			r.page.next = status.Status().Continue
		}
		if token != "" && r.page.next != "" {
			return nil
		}
	case apierrors.IsBadRequest(err), apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge):
		r.page.next = "" // the token may be what is bad, or of a state that the server does not have any more
	}
	r.failed = r.page.next != ""
	return fmt.Errorf("eventview: cannot list Events: %w", err)
}

// wasTold reports whether an Event has not changed since the loop was told of it.
func (r *reader[List]) wasTold(object runtime.Object) bool {
	if r.told == "" {
		return false
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return false
	}
	order, err := resourceversion.CompareResourceVersion(accessor.GetResourceVersion(), r.told)
	return err == nil && order <= 0
}

// watch reads changes until the server ends that.
func (r *reader[List]) watch(ctx context.Context) error {
	w, err := r.client.Watch(ctx, metav1.ListOptions{
		LabelSelector:       r.opts.LabelSelector,
		FieldSelector:       r.opts.FieldSelector,
		ResourceVersion:     r.version,
		AllowWatchBookmarks: true,
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
			r.version = accessor.GetResourceVersion()
			r.confirmed = true
			r.progress = true
			if change.Type == watch.Bookmark {
				continue
			}
			r.item(change.Object, false, change.Type == watch.Deleted)
			if r.stopped {
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
	event, err := of(object)
	if err != nil {
		r.stopped = !r.yield(Change{}, err)
		return
	}
	c := Change{
		Event:   event,
		Deleted: deleted,
		Object:  object,
	}
	switch {
	case r.tracker == nil:
	case seed, deleted: // nothing occurs in an Event that goes
		c.Delta = r.tracker.Seed(&event)
	default:
		c.Delta = r.tracker.Observe(&event)
	}
	r.stopped = !r.yield(c, nil)
}

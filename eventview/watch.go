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

// Client lists and watches Events. The typed clients of client-go implement it, such as
// client.EventsV1().Events("default") and client.CoreV1().Events(""). The resources of client-go's
// dynamic client implement it, too.
type Client[List runtime.Object] interface {
	// List returns one page of Events.
	List(ctx context.Context, opts metav1.ListOptions) (List, error)
	// Watch returns the changes after a resourceVersion.
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

// Change is one reading of an Event: from a list, or a change from a watch.
type Change struct {
	Event
	// Delta is the number of occurrences that this reading adds.
	Delta Delta
	// Deleted is true if the Event was deleted or has expired. Events that disappear while nobody
	// watches are not reported.
	Deleted bool
	// Object is the Event as the client returned it.
	Object runtime.Object
}

// pageSize is the default number of Events in a page of a list, as in kubectl.
const pageSize = 500

// Watch returns an iterator over Events: first over the existing ones, then over each change. The
// iteration ends when ctx ends or when the loop breaks. Watch starts no goroutine of its own. It
// keeps no Events: it asks for pages of 500, so that it needs no more memory than the tracker and a
// page, even for a million Events. If tracker is nil, all deltas are zero.
//
// When a watch ends, Watch resumes at the last version that it has read. If the server has
// forgotten this version, takes it for invalid, or was restored to an older state, Watch lists the
// Events again. This list skips the Events that have not changed since that version, as far as
// versions can be compared, and the tracker counts nothing twice. If a page of a list cannot be read, the list
// continues at that page, even if the server has forgotten the version at which the list began.
//
// Any other failure, such as a 403, is yielded with an empty Change. If the loop goes on, Watch
// tries again after a pause. The pause grows from 1 to 30 seconds while the failure lasts, plus up
// to half as much at random. A slow loop misses no change, because Watch reads a change only when
// the loop asks for it.
//
// Watch uses three fields of opts: LabelSelector, FieldSelector and Limit, the size of a page. The
// fields that a selector may name differ between the APIs. events.GetFieldSelector of
// clientgo/events makes a selector for the Events about one object.
//
// With a tracker that was restored from a checkpoint, Watch resumes at the checkpoint. There is one
// case that Watch cannot recognise: the server was restored to an older state, and its version has
// since passed the version of the checkpoint. In this case Watch misses the changes between the
// older state and the version of the checkpoint.
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
			// There is a pause even after a watch that ended without an error, because some proxies
			// end each watch at once.
			select {
			case <-time.After(pause.Step()):
			case <-ctx.Done():
			}
		}
	}
}

// backoff returns the pauses between two attempts.
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
	// shortWatch is shorter than the time after which servers and proxies end a watch that sends
	// nothing.
	shortWatch = 10 * time.Second
	// emptyWatches is the number of short watches without a change after which the reader lists
	// again. It is more than one because a server that is just stopping may end one such watch.
	emptyWatches = 2
)

// reader is one loop over [Watch].
type reader[List runtime.Object] struct {
	client Client[List]
	opts   metav1.ListOptions
	// tracker computes the deltas. It is nil if the caller wants no deltas.
	tracker *Tracker
	yield   func(Change, error) bool

	*position
	// confirmed is true if the server sent version during this loop. It is false for the version of
	// a checkpoint, which may come from another server.
	confirmed bool
	// delivered is the version up to which the loop has seen every change, so that a new list can
	// skip the Events that have not changed since this version. It is empty if there is no such
	// version.
	delivered string
	// page is the position in the current list.
	page listPosition
	// failed is true if the list failed at a page. The next attempt compares versions before it
	// lists, because the server may have been restored to an older state meanwhile.
	failed bool
	// empty is the number of consecutive short watches without a change.
	empty int

	// progress is true if something was read, so that the next pause is the shortest one again.
	progress bool
	// stopped is true once the caller has ended the loop.
	stopped bool
}

// listPosition is the point up to which a list has read.
type listPosition struct {
	// next is the token of the next page. It is empty before the first page and after the last one.
	next string
	// version is the resourceVersion of the first page of the list.
	version string
	// at is the time at which the newest page was read.
	at time.Time
}

// read lists the Events if there is no version at which a watch can begin, and then watches until
// the watch ends.
func (r *reader[List]) read(ctx context.Context) error {
	r.progress = false
	resumes := r.version != ""
	if resumes || r.failed {
		if err := r.compare(ctx); err != nil {
			return err
		}
	}
	if r.version == "" {
		resumes = false
		if err := r.list(ctx); err != nil || r.stopped {
			return err
		}
		if r.page.next != "" {
			// The rest of the list comes after a pause.
			return nil
		}
		// The loop was slow, so the server may have been restored since the last page.
		if time.Since(r.page.at) > shortWatch {
			if err := r.compare(ctx); err != nil || r.version == "" {
				return err
			}
		}
	}
	began := time.Now()
	// The list does not count as progress. Otherwise, a proxy that ends each watch at once would
	// cause a list each second.
	r.progress = false
	err := r.watch(ctx)
	long := time.Since(began) >= shortWatch
	if time.Since(began) > time.Minute {
		r.progress = true
	}
	switch {
	case isForgotten(err), resumes && isRefused(err):
		r.relist()
		return nil
	case isRefused(err):
		// The version is that of the list above, so the server refuses something else. After this,
		// the next attempt must not take a refusal for one of the version either.
		r.relist()
		return err
	case err != nil:
		return err
	case r.progress, long:
		r.empty = 0
		return nil
	}
	// Some servers report no error for a version that they have forgotten. They end the watch as if
	// there were no changes.
	r.empty++
	if r.empty >= emptyWatches {
		r.relist()
	}
	return nil
}

// isForgotten reports whether a watch failed because the server does not have the version at which
// the watch should begin.
func isForgotten(err error) bool {
	return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) ||
		apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge)
}

// isRefused reports whether the server takes a watch for invalid. Kubernetes 1.38 answers so to a
// version that it cannot read, such as that of another server.
func isRefused(err error) bool { return apierrors.IsBadRequest(err) || apierrors.IsInvalid(err) }

// relist gives up the version, so that the next call of read lists the Events.
func (r *reader[List]) relist() {
	r.delivered = ""
	if r.confirmed {
		r.delivered = r.version
	}
	r.version = ""
	r.page.next = ""
	r.empty = 0
}

// compare gives up the version, or the current list, if the newest version of the server is older.
// An older version means that the server was restored to an older state or is another server. A
// watch would then send nothing until the server reaches the version. The request has no selector,
// because otherwise a server may have to read all Events to find one that is selected.
func (r *reader[List]) compare(ctx context.Context) error {
	page, err := r.client.List(ctx, metav1.ListOptions{Limit: 1})
	if apierrors.IsForbidden(err) {
		// If RBAC allows only a watch, or only some Events, the reader resumes without the
		// comparison.
		return nil
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

// isOlder reports whether version a is known to be older than version b. Kubernetes promises since
// 1.35 that versions can be compared, and earlier releases behave in the same way.
func isOlder(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	return err == nil && order < 0
}

// list reads the remaining pages. The watch that follows begins at the version of the first page,
// so that it misses no change that happens while the list is read.
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
			if isOlder(r.page.version, r.delivered) {
				// The version delivered belongs to a state that the server no longer has.
				r.delivered = ""
			}
		} else {
			r.progress = true
		}
		r.page.at = time.Now()
		err = meta.EachListItem(page, func(object runtime.Object) error {
			if !r.wasDelivered(object) {
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
			r.delivered = ""
			return nil
		}
	}
}

// listFailed decides at which page the list continues after an error. It returns nil if the list
// can continue, so that the caller need not be told.
func (r *reader[List]) listFailed(err error) error {
	token := r.page.next
	var status apierrors.APIStatus
	switch {
	case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
		// The server has forgotten the version at which the list began. Its answer has a token with
		// which the rest of the list can be read at the newest version. Changes on the earlier
		// pages are not lost: they come with the watch from the version of the first page, or with
		// another list if that version is forgotten.
		r.page.next = ""
		if errors.As(err, &status) {
			r.page.next = status.Status().Continue
		}
		if token != "" && r.page.next != "" {
			return nil
		}
	case apierrors.IsBadRequest(err), apierrors.HasStatusCause(err, metav1.CauseTypeResourceVersionTooLarge):
		// The token may be invalid, or belong to a state that the server no longer has.
		r.page.next = ""
	}
	r.failed = r.page.next != ""
	return fmt.Errorf("eventview: cannot list Events: %w", err)
}

// wasDelivered reports whether the loop has already seen this state of an Event.
func (r *reader[List]) wasDelivered(object runtime.Object) bool {
	if r.delivered == "" {
		return false
	}
	accessor, err := meta.Accessor(object)
	if err != nil {
		return false
	}
	order, err := resourceversion.CompareResourceVersion(accessor.GetResourceVersion(), r.delivered)
	return err == nil && order <= 0
}

// watch passes changes on until the server ends the watch, or the caller ends the loop.
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

// item passes one Event to the loop. If seed is true, the Event belongs to the first list. An
// object that is not an Event is yielded as an error, and the reader continues.
func (r *reader[List]) item(object runtime.Object, seed, deleted bool) {
	if r.stopped {
		return
	}
	event, err := viewOf(object)
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
	case seed, deleted:
		// A deletion is not caused by an occurrence. If the series is old and not known, Observe
		// would count one of its occurrences as new.
		c.Delta = r.tracker.Seed(&event)
	default:
		c.Delta = r.tracker.Observe(&event)
	}
	r.stopped = !r.yield(c, nil)
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"k8s.io/utils/buffer"

	"github.com/eventseries/eventseries/internal/request"
)

// initialSize is the first size of a queue: most namespaces have a handful of
// series waiting at a time.
const initialSize = 8

// namespaceQueue is what waits in one namespace. Creates and patches are apart
// because a terminating namespace refuses creates only.
type namespaceQueue[T any] struct {
	position[T]
	index     int // in Writer.order
	namespace string
	creates   *buffer.TypedRingGrowing[T]
	patches   *buffer.TypedRingGrowing[T]
	patchNext bool // the two take turns
	inFlight  int
	slow      int  // of them, those that have taken slowAfter
	failed    bool // the last answer was a bad one
	all       gate // for every write in the namespace
	create    gate // for creates only
}

func newNamespaceQueue[T any](namespace string) *namespaceQueue[T] {
	opts := buffer.RingGrowingOptions{InitialSize: initialSize}
	return &namespaceQueue[T]{
		position:  position[T]{delayed: notDelayed},
		namespace: namespace,
		creates:   buffer.NewTypedRingGrowing[T](opts),
		patches:   buffer.NewTypedRingGrowing[T](opts),
	}
}

func (q *namespaceQueue[T]) add(item T, op request.Op) {
	if op == request.Create {
		q.creates.WriteOne(item)
		return
	}
	q.patches.WriteOne(item)
}

func (q *namespaceQueue[T]) len() int { return q.creates.Len() + q.patches.Len() }

// suspect reports whether writes in the namespace may hang or fail.
func (q *namespaceQueue[T]) suspect() bool { return q.failed || q.slow > 0 }

// idle reports whether nothing waits in the queue or is under way.
func (q *namespaceQueue[T]) idle() bool { return q.len() == 0 && q.inFlight == 0 }

// keepUntil returns how long an idle queue is kept for its closed gates, zero if all
// are open: a namespace that goes on failing must not begin with short waits again.
func (q *namespaceQueue[T]) keepUntil() (at time.Time) {
	for _, g := range []*gate{&q.all, &q.create} {
		if g.closed() {
			at = later(at, g.until.Add(longestWait))
		}
	}
	return at
}

// removable reports whether nothing would be forgotten with the queue.
func (q *namespaceQueue[T]) removable(now time.Time) bool {
	return q.idle() && !now.Before(q.keepUntil())
}

// take returns the next item whose gates admit it, as job id. If there is none,
// retry is when a closed gate may open; zero if only an answer or a new item can
// change anything.
func (q *namespaceQueue[T]) take(now time.Time, id uint64) (item T, op request.Op, retry time.Time) {
	if q.len() == 0 {
		return item, request.Nothing, time.Time{}
	}
	ok, retry := q.all.admits(now)
	if !ok {
		return item, request.Nothing, retry
	}
	createOK, createRetry := q.create.admits(now)
	hasCreate, hasPatch := q.creates.Len() > 0 && createOK, q.patches.Len() > 0
	switch {
	case hasPatch && (q.patchNext || !hasCreate):
		item, _ = q.patches.ReadOne()
		op = request.Patch
	case hasCreate:
		item, _ = q.creates.ReadOne()
		op = request.Create
		q.create.enter(id)
	default:
		return item, request.Nothing, createRetry
	}
	q.patchNext = op == request.Create
	q.all.enter(id)
	q.inFlight++
	return item, op, time.Time{}
}

// drainCreates empties the queue of creates.
func (q *namespaceQueue[T]) drainCreates() []T {
	items := make([]T, 0, q.creates.Len())
	for {
		item, ok := q.creates.ReadOne()
		if !ok {
			return items
		}
		items = append(items, item)
	}
}

// purge removes the items for which gone returns true.
func (q *namespaceQueue[T]) purge(gone func(T) bool) {
	for _, items := range []*buffer.TypedRingGrowing[T]{q.creates, q.patches} {
		for range items.Len() {
			if item, _ := items.ReadOne(); !gone(item) {
				items.WriteOne(item)
			}
		}
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"time"

	"k8s.io/utils/buffer"

	"github.com/eventseries/eventseries/internal/request"
)

// laneBuffer is the first size of a lane's queues: most namespaces have a
// handful of series waiting at a time.
const laneBuffer = 8

// lane is what waits in one namespace. Creates and patches are apart because a
// terminating namespace refuses the former and takes the latter.
type lane[T any] struct {
	turn[T]
	index     int // in Writer.order
	namespace string
	creates   *buffer.TypedRingGrowing[T]
	patches   *buffer.TypedRingGrowing[T]
	patchTurn bool // the two take turns
	inflight  int
	slow      int  // of them, those that take long
	failed    bool // the last answer was a bad one
	all       gate // every write in the namespace
	create    gate // creates only
}

func newLane[T any](namespace string) *lane[T] {
	opts := buffer.RingGrowingOptions{InitialSize: laneBuffer}
	return &lane[T]{
		turn:      turn[T]{closed: notClosed},
		namespace: namespace,
		creates:   buffer.NewTypedRingGrowing[T](opts),
		patches:   buffer.NewTypedRingGrowing[T](opts),
	}
}

func (l *lane[T]) add(item T, op request.Op) {
	if op == request.Create {
		l.creates.WriteOne(item)
		return
	}
	l.patches.WriteOne(item)
}

func (l *lane[T]) len() int { return l.creates.Len() + l.patches.Len() }

// suspect tells whether writes in the namespace may hang or fail.
func (l *lane[T]) suspect() bool { return l.failed || l.slow > 0 }

// idle tells whether nothing waits in the lane or is under way.
func (l *lane[T]) idle() bool { return l.len() == 0 && l.inflight == 0 }

// keepUntil is how long an idle lane is kept for its closed gates, zero if all
// are open: a namespace that goes on failing must not begin with short waits.
func (l *lane[T]) keepUntil() (at time.Time) {
	for _, g := range []*gate{&l.all, &l.create} {
		if g.closed() {
			at = later(at, g.until.Add(longestWait))
		}
	}
	return at
}

// removable tells whether nothing would be forgotten with the lane.
func (l *lane[T]) removable(now time.Time) bool { return l.idle() && !now.Before(l.keepUntil()) }

// take returns the next item whose gates admit it, as job id; if there is none,
// retry is when a closed gate should be asked again (zero: an answer or a new
// item will tell).
func (l *lane[T]) take(now time.Time, id uint64) (item T, op request.Op, retry time.Time) {
	if l.len() == 0 {
		return item, request.Nothing, time.Time{}
	}
	ok, retry := l.all.admits(now)
	if !ok {
		return item, request.Nothing, retry
	}
	createOK, createRetry := l.create.admits(now)
	hasCreate, hasPatch := l.creates.Len() > 0 && createOK, l.patches.Len() > 0
	switch {
	case hasPatch && (l.patchTurn || !hasCreate):
		item, _ = l.patches.ReadOne()
		op = request.Patch
	case hasCreate:
		item, _ = l.creates.ReadOne()
		op = request.Create
		l.create.enter(id)
	default:
		return item, request.Nothing, createRetry
	}
	l.patchTurn = op == request.Create
	l.all.enter(id)
	l.inflight++
	return item, op, time.Time{}
}

// drainCreates empties the queue of creates.
func (l *lane[T]) drainCreates() []T {
	items := make([]T, 0, l.creates.Len())
	for {
		item, ok := l.creates.ReadOne()
		if !ok {
			return items
		}
		items = append(items, item)
	}
}

// purge throws out the items that gone tells.
func (l *lane[T]) purge(gone func(T) bool) {
	for _, queue := range []*buffer.TypedRingGrowing[T]{l.creates, l.patches} {
		for range queue.Len() {
			if item, _ := queue.ReadOne(); !gone(item) {
				queue.WriteOne(item)
			}
		}
	}
}

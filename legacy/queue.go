// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"sync/atomic"

	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// objectKey says whose occurrences must stay in order. It is what client-go's spam
// filter goes by, without the type: everything that the correlator counts or
// aggregates by default has one objectKey.
type objectKey struct {
	component, host                string
	kind, namespace, name, version string
	uid                            types.UID
}

func keyOf(r *recorded) objectKey {
	object, source := &r.object, &r.recorder.source
	return objectKey{
		component: source.Component,
		host:      source.Host,
		kind:      object.Kind,
		namespace: object.Namespace,
		name:      object.Name,
		version:   object.APIVersion,
		uid:       object.UID,
	}
}

// namespaceKeyOf is for a KeyFunc of the caller, which may count occurrences of
// several objects as one Event. Out of order, the server would keep a lower count.
func namespaceKeyOf(r *recorded) objectKey { return objectKey{namespace: r.namespace()} }

// objectQueue is the FIFO of one object's occurrences, and the item of the writer:
// it is queued there at most once, and an attempt writes the head. The lock of its
// backlog guards it.
type objectQueue struct {
	key         objectKey
	namespace   string // of the events
	occurrences chain
	class       request.Class // what it is queued for
	known       bool          // to its backlog, which puts occurrences there

	gone atomic.Bool // forgotten while it was queued; readable without the lock
}

// Gone reports whether the writer need not keep the queue. It needs no lock.
func (q *objectQueue) Gone() bool { return q.gone.Load() }

// head returns the occurrence that is written next, nil if there is none.
func (q *objectQueue) head() *occurrence { return q.occurrences.first }

// occurrence is one call of a recorder on its way to one sink. The attempt that
// writes it owns answer and op. The lock of the backlog guards the rest.
type occurrence struct {
	*recorded
	// answer is the correlator's. It is asked once, because it counts: a retry must
	// send the same again.
	answer correlated
	op     request.Op

	attempts int // requests for it; of the attempt

	account     *stats.Account[*backlog]
	weighs      int    // in the limit of the backlog
	number      uint64 // in the order of the backlog
	writing     bool   // an attempt has it
	unconfirmed bool   // it was sent and not answered: the server may have it

	queue *objectQueue // nil once it left
	age   *chain       // backlog.normals or backlog.warnings
	links [chainKinds]link
}

// asked reports whether the correlator was asked about o, and has counted it.
func (o *occurrence) asked() bool { return o.answer.event != nil }

// class returns what the writer must queue o for, once it is correlated.
func (o *occurrence) class() request.Class {
	switch {
	case o.op == request.Create:
		return request.First(o.warning())
	case o.answer.event.Count == 2:
		return request.Second
	default:
		return request.Count
	}
}

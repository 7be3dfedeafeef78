// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"container/list"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/request"
)

// laneKey says whose occurrences must stay in order. It is what client-go's
// spam filter goes by, less the type: everything the correlator counts or
// aggregates by default lies within one lane.
type laneKey struct {
	component, host             string
	kind, namespace, name, vers string
	uid                         types.UID
}

// laneOfNamespace is for a KeyFunc of the caller, which may count occurrences of
// several objects as one Event. Out of order, the server would keep a lower count.
func laneOfNamespace(event *corev1.Event) laneKey { return laneKey{namespace: event.Namespace} }

func laneOf(event *corev1.Event) laneKey {
	object := &event.InvolvedObject
	return laneKey{
		component: event.Source.Component,
		host:      event.Source.Host,
		kind:      object.Kind,
		namespace: object.Namespace,
		name:      object.Name,
		vers:      object.APIVersion,
		uid:       object.UID,
	}
}

// lane is the FIFO of one object's occurrences, and the item of the writer: it
// is queued there at most once, and an attempt handles the head. The lock of
// its backlog guards it.
type lane struct {
	key       laneKey
	namespace string // the events'
	queue     list.List
	op        request.Op // what it is queued for

	gone atomic.Bool // forgotten while it was queued; readable without the lock
}

// Gone tells the writer, in any goroutine, not to keep the lane queued.
func (l *lane) Gone() bool { return l.gone.Load() }

// head is the occurrence that is next to be written, nil if there is none.
func (l *lane) head() *occurrence {
	if first := l.queue.Front(); first != nil {
		return first.Value.(*occurrence)
	}
	return nil
}

// occurrence is one call of a recorder on its way to one sink. The attempt that
// handles it owns result and op, the lock of the backlog guards the rest.
type occurrence struct {
	event *corev1.Event // as it was recorded; shared with other sinks and watchers
	// result is the correlator's answer. It is asked once, because it counts:
	// a retry must send the same again.
	result *record.EventCorrelateResult
	op     request.Op

	weight  int    // what it counts for in the bound of the backlog
	number  uint64 // in the order of the backlog
	writing bool   // an attempt has it
	unsure  bool   // it was sent and not answered: the server may have it

	lane          *lane
	age           *list.List
	inLane, inAge *list.Element // nil once it left
}

// needs is what the occurrence is to be queued for. Before it is correlated
// nobody knows; as a patch it passes where only creates are held back.
func (o *occurrence) needs() request.Op {
	if o.result == nil {
		return request.Patch
	}
	return o.op
}

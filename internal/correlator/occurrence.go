// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package correlator

import (
	"container/list"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/series"
	"github.com/eventseries/eventseries/internal/stats"
)

// objectKey says whose occurrences must stay in order: those that the correlator may count
// together. With a KeyFunc of the caller these may be about several objects.
type objectKey struct {
	sink   *sink
	source corev1.EventSource
	object corev1.ObjectReference
}

// occurrence is one call of a recorder on its way to one sink.
type occurrence struct {
	*series.Series // of this occurrence alone

	number     uint64
	at         time.Time
	first      request.Class // until it is correlated
	weight     int
	account    *stats.Account[*Core]
	key        objectKey
	gone       atomic.Bool   // it has left; readable without the lock
	inQueue    *list.Element // nil then
	inAge      *list.Element
	queued     bool // the writer has it
	writing    bool // a write is under way
	maybeThere bool // it was sent and not answered

	write *series.Write // what the correlator said; nil until it was asked
}

// Gone implements [series.Item].
func (o *occurrence) Gone() bool { return o.gone.Load() }

// class is what the writer has o for.
func (o *occurrence) class() request.Class {
	switch {
	case o.write == nil, o.write.Op == request.Create:
		return o.first
	case o.write.Event.DeprecatedCount == 2:
		return request.Second
	default:
		return request.Count
	}
}

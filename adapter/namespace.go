// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"time"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
)

// namespace is what the adapter knows about one namespace in which RBAC or admission has refused a
// write. It is a state machine without a lock, a clock and requests: its owner, permissions, tells it
// what happened. A namespace is
//
//	refused    refused is an operation: writes wait, and are retried
//	exception  Exception is set, too: writes go through core/v1, because events.k8s.io/v1 has refused one;
//	           now and then a write tries that again
//	healthy    neither: a write was refused, and writes are not refused any more
type namespace struct {
	// NamespaceStatus has no API: permissions.status fills it in.
	NamespaceStatus

	reviews *throttledProbe
	// refused is the operation that was refused last, and has not succeeded since. It is never
	// Nothing in an exception.
	refused request.Op
	// creates says what a stored Patch has told about creates that were refused.
	creates createProof
	// lastTried is when events.k8s.io/v1 last refused an exception.
	lastTried time.Time
	// lastWritten is when a write of the namespace last began.
	lastWritten time.Time
}

// outdated reports whether the namespace may be forgotten at now, because it was not written to for some
// time. Somebody may have deleted it. Unless it is an exception, nothing waits any more after
// timing.RetryFor: a pending occurrence was tried again, or dropped, before.
func (ns *namespace) outdated(now time.Time) bool {
	memory := timing.RetryFor
	if ns.Exception {
		memory = timing.ExceptionMemory
	}
	return now.Sub(ns.lastWritten) >= memory
}

// createProof says what is known of creates in a namespace where they were refused, and a Patch was stored
// later. Nearly every Role that allows one allows the other, so a Patch is taken for a proof once: an
// exception with nothing to create would otherwise never end. A Role may allow patches only.
type createProof uint8

const (
	// byPatch is the first state: a Patch that is stored ends a refusal of creates.
	byPatch createProof = iota
	// assumed means that a Patch has ended such a refusal, and no Create was answered since.
	assumed
	// byCreate means that a Create was refused then: only a Create that is stored ends the refusal.
	byCreate
)

// healthy reports whether nothing is refused any more. A healthy namespace is kept, so
// that it is not reviewed again within the minute.
func (ns *namespace) healthy() bool { return ns.refused == request.Nothing }

// proves reports whether a write of op that is stored ends the refusal. A Create says nothing about
// patches, because a Role may have forgotten them.
func (ns *namespace) proves(op request.Op) bool {
	switch {
	case ns.healthy():
		return false
	case op == ns.refused:
		return true
	default:
		return op == request.Patch && ns.creates == byPatch
	}
}

// onRefused notes that api has refused a write of op with these words.
func (ns *namespace) onRefused(op request.Op, api Mode, refusal string, now time.Time) {
	if ns.healthy() {
		ns.Since = now
	}
	ns.LastError = refusal
	// An exception ends when events.k8s.io/v1 allows what it has refused, whatever core/v1 refuses.
	if ns.Exception && api != ModeEventsV1 {
		return
	}
	ns.refused = op
	if op == request.Create && ns.creates == assumed {
		ns.creates = byCreate
	}
}

// onStored notes that api has stored a write of op, which may end the refusal; see restore.
func (ns *namespace) onStored(op request.Op, api Mode) (moved, granted bool) {
	switch {
	case ns.Exception && api != ModeEventsV1:
		return false, false
	case ns.proves(op):
		return ns.restore(op)
	case op == request.Create && ns.creates == assumed:
		ns.creates = byPatch
		return false, true
	default:
		return false, false
	}
}

// fallBack makes the namespace an exception, because events.k8s.io/v1 has refused a write of op and
// core/v1 has not. It reports whether it was none.
func (ns *namespace) fallBack(op request.Op, now time.Time) (changed bool) {
	changed = !ns.Exception
	ns.Exception = true
	ns.refused = op
	ns.lastTried = now
	return changed
}

// restore makes the namespace healthy, because a write of op has shown that what was refused is allowed.
// moved reports whether the namespace was an exception. granted reports whether it is certain that
// permissions have changed, so that they may have changed in other namespaces as well.
func (ns *namespace) restore(op request.Op) (moved, granted bool) {
	moved = ns.Exception
	granted = moved && op == ns.refused
	switch {
	case op == request.Create:
		ns.creates = byPatch
	case ns.refused == request.Create && ns.creates == byPatch:
		ns.creates = assumed
	}
	ns.Exception = false
	ns.refused = request.Nothing
	ns.forgetDenials()
	return moved, granted
}

// forgetDenials makes unknown again what a review found denied, because a write has shown since that
// permissions have changed. Otherwise a refusal within the minute until the next review would be taken
// for a refusal through both APIs, and the namespace would wait for that review.
func (ns *namespace) forgetDenials() {
	for _, permission := range []*discovery.Permission{&ns.Access.EventsV1, &ns.Access.CoreV1} {
		if *permission == discovery.Denied {
			*permission = discovery.PermissionUnknown
		}
	}
}

// status returns the status, in an adapter that writes other namespaces through usual. Where that is not
// events.k8s.io/v1, no namespace is an exception.
func (ns *namespace) status(usual Mode) NamespaceStatus {
	status := ns.NamespaceStatus
	status.API = usual
	if ns.Exception {
		status.API = ModeCoreV1
	}
	status.Exception = ns.Exception && usual == ModeEventsV1
	return status
}

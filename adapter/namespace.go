// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"time"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
)

// namespace is the state of one namespace in which RBAC or admission has refused a write. It is a
// state machine without a lock and without a clock, and sends no requests: its owner, the type
// permissions, tells it what happened and guards it with a lock. A namespace is in one of three
// states:
//
//	refused    writes are refused, and the pending occurrences wait: the field refused is an
//	           operation
//	exception  writes go through core/v1, because events.k8s.io/v1 has refused a write: Exception
//	           is true and the field refused is an operation; now and then a write tries
//	           events.k8s.io/v1 again
//	healthy    writes were refused before, and are not refused now: Exception is false and the
//	           field refused is Nothing
type namespace struct {
	// NamespaceStatus is the state that is shown to users, except that API is empty. The method
	// status sets API.
	NamespaceStatus

	// reviews limits how often the access to the namespace is reviewed.
	reviews *throttledProbe
	// refused is the operation that was refused last, or Nothing if no write is refused.
	refused request.Op
	// creates says which stored write proves that refused creates are allowed again.
	creates createProof
	// lastTried is the time at which the namespace became an exception, or at which one of its
	// writes last tried events.k8s.io/v1, whichever is later. It is zero if the next write may try
	// events.k8s.io/v1 at once.
	lastTried time.Time
	// lastWritten is the time at which the last write in the namespace began.
	lastWritten time.Time
}

// outdated reports whether the namespace can be forgotten at the time now, because nothing has been
// written in it for so long that it may have been deleted. An exception is remembered for longer,
// because after an exception is forgotten, the next write is refused once more, which costs a
// request and a log line. In any other state no occurrence waits for longer than timing.RetryFor,
// because until then every pending occurrence has been retried or dropped.
func (ns *namespace) outdated(now time.Time) bool {
	memory := timing.RetryFor
	if ns.Exception {
		memory = timing.ExceptionMemory
	}
	return now.Sub(ns.lastWritten) >= memory
}

// createProof says which stored write proves that creates are allowed again after a refusal: only a
// Create, or a Patch as well. Nearly every Role that allows patches also allows creates, and an
// exception that has only patches to write could not end if a Patch proved nothing. However, some
// Roles allow only patches. Therefore a Patch counts as proof until it is followed by a refused
// Create.
type createProof uint8

const (
	// byPatch means that a stored Patch proves that creates are allowed again. It is the initial
	// value.
	byPatch createProof = iota
	// assumed means that a stored Patch has counted as proof that creates are allowed again, and
	// that no Create has been answered since that Patch.
	assumed
	// byCreate means that a Create was refused after a stored Patch had counted as proof, so only a
	// stored Create proves that creates are allowed again.
	byCreate
)

// healthy reports whether no write is being refused. A healthy namespace is not forgotten
// immediately, so that its access is not reviewed twice within a minute if another write is
// refused.
func (ns *namespace) healthy() bool { return ns.refused == request.Nothing }

// proves reports whether a stored write with the operation op proves that the refused operation is
// allowed again. A stored Create does not prove that patches are allowed, because a Role may allow
// creates only.
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

// onRefused handles the refusal of a write with operation op through api. refusal is the text of
// the answer.
func (ns *namespace) onRefused(op request.Op, api Mode, refusal string, now time.Time) {
	if ns.healthy() {
		ns.Since = now
	}
	ns.LastError = refusal
	// An exception ends when events.k8s.io/v1 stores a write of the operation that it has refused.
	// So a refusal by core/v1 must not change the field refused.
	if ns.Exception && api != ModeEventsV1 {
		return
	}
	ns.refused = op
	if op == request.Create && ns.creates == assumed {
		ns.creates = byCreate
	}
}

// onStored handles the success of a write with operation op through api. If the success proves that
// writes are allowed again, onStored makes the namespace healthy. The results are those of restore.
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

// fallBack makes the namespace an exception, because events.k8s.io/v1 has refused a write with
// operation op and core/v1 has not refused it. It returns false if the namespace already is an
// exception.
func (ns *namespace) fallBack(op request.Op, now time.Time) (changed bool) {
	changed = !ns.Exception
	ns.Exception = true
	ns.refused = op
	ns.lastTried = now
	return changed
}

// restore makes the namespace healthy, because a write with operation op has shown that writes are
// allowed. The result moved is true if the namespace was an exception, so that its writes move back
// to events.k8s.io/v1. The result granted is true if the namespace was an exception and RBAC now
// certainly grants the operation that was refused. In that case, RBAC may grant it in other
// namespaces as well.
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

// forgetDenials replaces each Denied in Access with PermissionUnknown, because a stored write has
// shown that permissions have changed since the last review. The next review may be up to a minute
// away. If one API refused a write before the next review, the adapter would rely on the outdated
// Denied and not try the other API.
func (ns *namespace) forgetDenials() {
	for _, permission := range []*discovery.Permission{&ns.Access.EventsV1, &ns.Access.CoreV1} {
		if *permission == discovery.Denied {
			*permission = discovery.PermissionUnknown
		}
	}
}

// status returns the state for a Snapshot. The parameter usual is the API of the namespaces that
// are not exceptions. The namespace is reported as an exception only if usual is events.k8s.io/v1,
// because otherwise all namespaces are written through core/v1.
func (ns *namespace) status(usual Mode) NamespaceStatus {
	status := ns.NamespaceStatus
	status.API = usual
	if ns.Exception {
		status.API = ModeCoreV1
	}
	status.Exception = ns.Exception && usual == ModeEventsV1
	return status
}

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
// state machine without a lock and without a clock, and sends no requests: its owner, permissions,
// tells it what happened and guards it. It is in one of three states:
//
//	refused    writes are refused, and the pending occurrences wait: refused is an operation
//	exception  writes go through core/v1, because events.k8s.io/v1 has refused one: Exception is true and
//	           refused is an operation; now and then a write tries events.k8s.io/v1 again
//	healthy    writes were refused before, and are not refused now: neither is set
type namespace struct {
	// NamespaceStatus is the state that is shown to users, except that API is empty. The method
	// status sets API.
	NamespaceStatus

	// reviews limits how often the access to the namespace is reviewed.
	reviews *throttledProbe
	// refused is the operation that was refused last, or Nothing if no write is refused.
	refused request.Op
	// creates says which stored write ends a refusal of creates.
	creates createProof
	// lastTried is the time at which the namespace became an exception, or at which one of its
	// writes last tried events.k8s.io/v1, whichever is later. It is zero if the next write may try.
	lastTried time.Time
	// lastWritten is the time at which the last write in the namespace began.
	lastWritten time.Time
}

// outdated reports whether the namespace can be forgotten at now, because it has not been written
// for so long that it may have been deleted. An exception is remembered for longer. After it is
// forgotten, the next write is refused once more, which costs a request and a log line. In any
// other state nothing waits for longer than timing.RetryFor: by then every pending occurrence has
// been retried or dropped.
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
	// byPatch means that a stored Patch ends a refusal of creates. It is the initial value.
	byPatch createProof = iota
	// assumed means that a stored Patch has ended a refusal of creates, and no Create has been
	// answered since.
	assumed
	// byCreate means that a Create was refused although a stored Patch had ended a refusal of
	// creates, so only a stored Create ends the refusal.
	byCreate
)

// healthy reports whether no write is being refused. A healthy namespace is not forgotten
// immediately, so that its access is not reviewed twice within a minute if another write is
// refused.
func (ns *namespace) healthy() bool { return ns.refused == request.Nothing }

// proves reports whether a stored write of op ends the refusal. A stored Create does not end a
// refusal of patches, because a Role may allow creates only.
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
	// So a refusal by core/v1 must not change that operation.
	if ns.Exception && api != ModeEventsV1 {
		return
	}
	ns.refused = op
	if op == request.Create && ns.creates == assumed {
		ns.creates = byCreate
	}
}

// onStored handles the success of a write with operation op through api. It may end the refusal.
// The results are those of restore.
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
// operation op while core/v1 has not. It returns false if the namespace already is an exception.
func (ns *namespace) fallBack(op request.Op, now time.Time) (changed bool) {
	changed = !ns.Exception
	ns.Exception = true
	ns.refused = op
	ns.lastTried = now
	return changed
}

// restore makes the namespace healthy, because a write with operation op has shown that writes are
// allowed. moved is true if the namespace was an exception, so that its API changes. granted is
// true if the refused operation has certainly been granted in an exception, so that it may have
// been granted in other namespaces as well.
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
// away. If one API refused a write before then, the adapter would rely on the outdated Denied and
// not try the other API.
func (ns *namespace) forgetDenials() {
	for _, permission := range []*discovery.Permission{&ns.Access.EventsV1, &ns.Access.CoreV1} {
		if *permission == discovery.Denied {
			*permission = discovery.PermissionUnknown
		}
	}
}

// status returns the state for a Snapshot. usual is the API of the namespaces that are not
// exceptions. The namespace is reported as an exception only if usual is events.k8s.io/v1, because
// otherwise all namespaces are written through core/v1.
func (ns *namespace) status(usual Mode) NamespaceStatus {
	status := ns.NamespaceStatus
	status.API = usual
	if ns.Exception {
		status.API = ModeCoreV1
	}
	status.Exception = ns.Exception && usual == ModeEventsV1
	return status
}

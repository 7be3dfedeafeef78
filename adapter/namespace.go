// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"time"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/request"
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
	// lastTried is when events.k8s.io/v1 last refused an exception.
	lastTried time.Time
}

// healthy reports whether nothing is refused any more. A healthy namespace is kept, so
// that it is not reviewed again within the minute.
func (ns *namespace) healthy() bool { return ns.refused == request.Nothing }

// proves reports whether a write of op that is stored proves that what was refused is allowed. Who
// may patch may create, too, but a Role may have forgotten to allow patches.
func (ns *namespace) proves(op request.Op) bool {
	return op == ns.refused || op == request.Patch && !ns.healthy()
}

// onRefused notes that api has refused a write of op with these words.
func (ns *namespace) onRefused(op request.Op, api Mode, refusal string, now time.Time) {
	if ns.healthy() {
		ns.Since = now
	}
	ns.LastError = refusal
	// An exception ends when events.k8s.io/v1 allows what it has refused, whatever core/v1 refuses.
	if !ns.Exception || api == ModeEventsV1 {
		ns.refused = op
	}
}

// endedBy reports whether a write of op, which api has stored, ends the refusal.
func (ns *namespace) endedBy(op request.Op, api Mode) bool {
	return ns.proves(op) && (api == ModeEventsV1 || !ns.Exception)
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

// restore makes the namespace healthy, because what was refused is allowed now. It reports whether the
// namespace was an exception.
func (ns *namespace) restore() (changed bool) {
	changed = ns.Exception
	ns.Exception = false
	ns.refused = request.Nothing
	ns.forgetDenials()
	return changed
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

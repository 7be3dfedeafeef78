// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package conditions records an Event for each condition of an object that changes.
//
//	before, after ──▶ transitions ──▶ one Eventf each ──▶ Recorder
//
// # Usage
//
//	conditions.Record(r.recorder, service, before, service.Status.Conditions)
//
// The Example has the deferred function of a reconciler around it. A condition that was
// not stored is the same transition in the next reconcile, so record after the update.
// before must be a copy, as meta.SetStatusCondition changes a condition in place. And since
// the arguments of a deferred call are evaluated at once, defer a function that calls Record.
//
// # What is recorded
//
// A transition is a condition of a new type, or one with another status or reason.
//
//	reason   the condition's reason; without one its type and status, ReadyFalse
//	note     its message; without one "Ready is False"
//	action   SetReadyFalse, or example.com/SetReadyFalse for the type example.com/Ready
//	type     Warning if a condition is False, else Normal
//
// True is the Warning, not False, for Stalled and the types that [WithAbnormalTrue] names.
// Reconciling is Normal. So is Unknown: kstatus, Flux and Knative say with both that work
// goes on. Since actions differ, so do the series of two conditions with one reason.
//
// # Guarantees
//
//   - Restraint: a message that changes alone is not recorded, since messages contain
//     counts and times. Nor is a condition that was removed: nothing says why. Of several
//     conditions of one type, which the API forbids, the first one counts.
//   - Blocking: nothing blocks but Eventf, which is called in the order of the conditions.
//     Without a transition nothing is allocated.
//   - Concurrency: nothing of the arguments is changed or kept.
//
// # Testing
//
// Pass the recorder of [github.com/eventseries/eventseries/events/eventstest].
package conditions

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package conditions records an Event for each condition of an object that has changed in a
// reconcile.
//
//	before, after ──▶ transitions ──▶ one Eventf each ──▶ Recorder
//
// # Usage
//
//	conditions.Record(r.recorder, service, before, service.Status.Conditions)
//
// The Example shows the call in a deferred function of a reconciler. Three rules apply:
//
//   - before must be a copy, because meta.SetStatusCondition changes a condition in place.
//   - Call Record after the status was stored. If the update fails, the next reconcile finds the
//     same transition again, and would record it twice.
//   - Defer a function that calls Record, and not Record itself, because Go evaluates the arguments
//     of a deferred call at once.
//
// # What is recorded
//
// A transition is a condition of a new type, or a condition whose status or reason differs from
// before. Its Event has:
//
//	reason   the reason of the condition; if it is empty, the type and status, such as ReadyFalse
//	note     the message of the condition; if it is empty, for example "Ready is False"
//	action   SetReadyFalse; for the type example.com/Ready it is example.com/SetReadyFalse
//	type     Warning if the condition is False, otherwise Normal
//
// The type of the Event has three exceptions. Stalled, and each type that [WithAbnormalTrue] names,
// is a Warning if it is True, and Normal if it is False. Reconciling is always Normal. A condition
// with the status Unknown is always Normal, because kstatus, Flux and Knative use this status for
// work in progress.
//
// Two conditions with the same reason are in different series, because their actions differ.
//
// # Guarantees
//
//   - Restraint: a change of only the message is not recorded, because messages contain counts and
//     times. The removal of a condition is not recorded, because nothing says why it was removed.
//     If several conditions have one type, which the API forbids, only the first one counts.
//   - Blocking: Record calls Eventf once for each transition, in the order of the conditions, and
//     does nothing else that can block. It allocates nothing if there is no transition.
//   - Concurrency: Record neither changes nor keeps its arguments.
//
// # Testing
//
// Use the recorder of [github.com/eventseries/eventseries/events/eventstest].
package conditions

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventstest is the test kit for code that records Events: an API server's rules for Events, in memory.
//
//	Sink ────────────────┐
//	                     ├──▶ server: rules of the request's group ──▶ one storage
//	Clientset ──▶ Fake ──┘
//
// client-go's fake clientset accepts any Event: one without an action, with a note of 5000 bytes, with another note
// than before. A kube-apiserver refuses those, and a component that only ever met the fake finds out in production.
// Both fakes here refuse what a kube-apiserver v1.36 refuses, with the same Status errors, so that code which
// classifies errors can be tested too.
//
// # Which one
//
// [Sink] is for code that writes through an events.Sink, and for everything about time and failure: it scripts faults
// per call, holds calls, takes its time, loses answers, and logs what it was asked in a form made for goldens.
//
//	sink := eventstest.NewSink()
//	sink.FailNext(1, apierrors.NewServiceUnavailable("starting"))
//	... record an occurrence ...
//	if got, want := sink.Log(), "create pod/web Killing: ServiceUnavailable\ncreate pod/web Killing\n"; got != want {
//
// [Clientset] is for code that takes a kubernetes.Interface. It is client-go's fake clientset for everything but
// Events, what discovery says about events.k8s.io/v1, and access reviews.
//
//	client := eventstest.NewClientset(pod)
//	client.ServeEventsV1(false)                                                     // an old cluster
//	client.Authorize(func(r eventstest.Request) bool { return r.Verb != "patch" })  // a Role that forgot patch
//	client.Fail(func(ctx context.Context, r eventstest.Request) error { ... })      // an outage of one namespace
//
// # What is enforced
//
//   - The create and update rules of both groups, 422 Invalid with a cause per violation. They name the stored, core/v1
//     fields (message, involvedObject) whichever group was asked, and limits count bytes after JSON has replaced
//     invalid UTF-8.
//   - One storage behind both groups: an Event created through one is read and patched through the other, renamed
//     without loss.
//   - Resource versions: 500 when a create names one, 409 Conflict when a write names an old one. A name that is taken
//     is 409 AlreadyExists, an Event that is missing 404 with the Event in its details. An update of a missing Event
//     creates it.
//   - Time to live, if set: a write that changes something renews it, one that does not changes nothing at all.
//
// Not modelled: namespaces (any name exists), quota, managed fields, dry run, watches (405), patches other than
// strategic merge patches (415), and finalizers, which do not hold back a delete. The server's rate limits and outages
// are scripted instead.
//
// # Guarantees
//
//   - Everything is safe for concurrent use, except adding reactors, as in client-go.
//   - Nothing passed in is kept or changed, and nothing handed out is shared.
//   - No goroutine is started. Only mutexes, channels and timers are used, so both work in a testing/synctest bubble.
//   - Nothing blocks but what a test asked to: [Sink.Hold], [Sink.SetLatency] and hooks.
//   - Memory grows with the Events and, unless [Sink.CountOnly] or [Clientset.DiscardActions] says otherwise, with
//     every call. With them, a core does tens of thousands of patches a second.
//   - UIDs and resource versions are counted up from one: two runs of the same requests store the same.
package eventstest

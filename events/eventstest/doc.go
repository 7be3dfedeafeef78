// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventstest is the test kit for code that records Events.
//
//	Recorder ──▶ the SDK's repair and series ──▶ Sink ──┐
//	                                                    ├──▶ an API server's rules ──▶ storage ──▶ watches
//	                   Clientset ──▶ client-go's Fake ──┘
//
// client-go's fakes accept any Event: one without an action, with a note of 5000 bytes, with another note than before.
// A kube-apiserver refuses those, and a component that only ever met a fake finds out in production. Those here refuse
// what a kube-apiserver v1.36 refuses, with the same Status errors.
//
// # Usage
//
// [Recorder] is for unit tests of a controller, in the place of client-go's FakeRecorder. [Want], [Only] and [None]
// match what it holds, also in Gomega, and their failures show the nearest Events; [Series] are for go-cmp.
//
//	recorder := eventstest.NewRecorder(t)
//	scale(recorder) // the code under test
//	if err := recorder.Check(eventstest.Want{Reason: "Scaled", Regarding: deployment, Count: 1}); err != nil {
//		t.Error(err)
//	}
//
// [Clientset] is for code that takes a kubernetes.Interface, such as the wiring of a whole component. It is client-go's
// fake clientset for everything but Events, what discovery says about events.k8s.io/v1, and access reviews.
//
//	client := eventstest.NewClientset(pod)
//	client.ServeEventsV1(false)                                                    // an old cluster
//	client.Authorize(func(r eventstest.Request) bool { return r.Verb != "patch" }) // a Role that forgot patch
//	client.FailDiscovery(apierrors.NewServiceUnavailable("starting"))              // a proxy in between
//
// [Sink] is for what writes through an events.Sink, and for everything about time and failure: it scripts faults per
// call, holds calls, takes its time, loses answers, and logs what it was asked in a form made for goldens.
//
//	sink := eventstest.NewSink()
//	sink.FailNext(1, apierrors.NewServiceUnavailable("starting"))
//	record(sink) // the code under test
//	fmt.Print(sink.Log())
//
// [TestSink] is for who writes a Sink. [VerifyRBAC] is for who ships a component: it fails when the project's manifests
// do not let it record what its tests recorded.
//
// Nothing of it leaves a goroutine behind, so a package that uses it can have goleak.VerifyTestMain without any ignore
// option; docs/testing.md has the example, and what client-go leaks next to it.
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
//   - Strategic merge patches and merge patches; bodies of at most 3 MiB; dry runs, which check and store nothing;
//     preconditions of a delete, and finalizers, which hold it back.
//   - Watches through both groups, with selectors, which informers can rely on: an Event that moves into the selection
//     is ADDED, one that moves out or expires DELETED. A watch from a resource version on needs it to be among the last
//     1000 changes, and one that falls 1000 behind ends; both get 410 Expired.
//   - A Namespace in the [Clientset] that is Terminating takes patches and no new Events: 403 with its cause.
//
// Not modelled: namespaces otherwise (any name exists), quota, managed fields, pages of a list, and JSON patches and
// server-side apply (415). Expiry is noticed, and sent to watches, with the next request. The server's rate
// limits and outages are scripted instead, and a watch has no timeout of its own.
//
// # Guarantees
//
//   - Blocking: nothing blocks but what a test asked to: [Recorder.WaitFor], [Sink.Hold], [Sink.SetLatency] and hooks.
//   - Concurrency: everything is safe for concurrent use, except adding reactors, as in client-go. No goroutine is
//     started, but by TestSink, which awaits them. Only mutexes, channels and timers are used, so everything works in a
//     testing/synctest bubble.
//   - Ownership: nothing passed in is kept or changed, and nothing handed out is shared.
//   - Memory grows with the Events and, unless [Sink.CountOnly] or [Clientset.DiscardActions] says otherwise, with
//     every call. With them, a core does tens of thousands of patches a second.
//   - Repetition: UIDs and resource versions are counted up from one: two runs of the same requests store the same.
//
// # Testing
//
// Who tests the test kit? A table of several hundred requests has the answers of a real kube-apiserver: the kit must
// give the same, and the end-to-end tests ask the server again.
package eventstest

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventstest is the test kit for code that records Events.
//
//	Recorder ──▶ the SDK's repair and series ──▶ Sink ──┐
//	                                                    ├──▶ an API server's rules ──▶ storage ──▶ watches
//	                   Clientset ──▶ client-go's Fake ──┘
//
// client-go's fakes accept any Event: without an action, with a note of 5000 bytes, or with a changed note. A
// kube-apiserver rejects these. A component that was tested with such a fake fails in production. The fakes in this
// package reject what a kube-apiserver v1.36 rejects, with the same Status errors.
//
// # Usage
//
// [Recorder] is for unit tests of a controller. It replaces client-go's FakeRecorder. [Want], [Only] and [None] match
// its Events, also in Gomega, and their failures show the nearest Events. [Series] is for go-cmp.
//
//	recorder := eventstest.NewRecorder(t)
//	scale(recorder) // the code under test
//	if err := recorder.Check(eventstest.Want{Reason: "Scaled", Regarding: deployment, Count: 1}); err != nil {
//		t.Error(err)
//	}
//
// [Clientset] is for code that takes a kubernetes.Interface, such as a whole component. It implements Events, discovery
// of events.k8s.io/v1 and access reviews. Everything else is client-go's fake clientset.
//
//	client := eventstest.NewClientset(pod)
//	client.ServeEventsV1(false)                                                    // an old cluster
//	client.Authorize(func(r eventstest.Request) bool { return r.Verb != "patch" }) // a Role that forgot patch
//	client.FailDiscovery(apierrors.NewServiceUnavailable("starting"))              // a proxy in between
//
// [Sink] is for code that writes through an events.Sink, and for tests of time and failures. It can fail, hold or delay
// each call and lose answers. Its log of calls is made for goldens.
//
//	sink := eventstest.NewSink()
//	sink.FailNext(1, apierrors.NewServiceUnavailable("starting"))
//	record(sink) // the code under test
//	fmt.Print(sink.Log())
//
// [TestSink] tests an implementation of events.Sink. [VerifyRBAC] tests the manifests of a component: it fails if they
// do not allow the Events that its tests recorded.
//
// The package leaves no goroutine behind. So a package that uses it can call goleak.VerifyTestMain without an ignore
// option. docs/testing.md has an example, and lists the goroutines that client-go leaks.
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
//   - Time to live, if set: a write that changes the Event renews it, any other write changes nothing.
//   - Strategic merge patches and merge patches; dry runs, which check and store nothing.
//   - Watches through both groups, with selectors, which informers can rely on: an Event that moves into the selection
//     is ADDED, one that moves out or expires DELETED. A watch from a resource version on needs it to be among the last
//     1000 changes, and one that falls 1000 behind ends; both get 410 Expired.
//   - A Namespace in the [Clientset] that is Terminating takes patches and no new Events: 403 with its cause.
//
// Not modelled: namespaces otherwise (any name exists), quota, managed fields, finalizers, preconditions of a delete,
// strict field validation, the size of a body, pages of a list, and JSON patches and server-side apply (415). Expiry is
// noticed, and sent to watches, with the next request. The server's rate limits and outages are scripted instead, and a
// watch has no timeout of its own.
//
// # Guarantees
//
//   - Blocking: nothing blocks, except [Recorder.WaitFor], [Sink.Hold], [Sink.SetLatency] and hooks.
//   - Concurrency: everything is safe for concurrent use, except adding reactors, as in client-go. TestSink, and the
//     methods of [Recorder] that say what was recorded, start goroutines and wait for them. Everything works in a
//     testing/synctest bubble, because only mutexes, channels and timers are used.
//   - Ownership: arguments are neither kept nor changed, and results are not shared.
//   - Memory: it grows with the Events, and a Sink's with every call unless [Sink.CountOnly] is set. One core does tens
//     of thousands of patches a second.
//   - Repetition: UIDs and resource versions count up from one, so two runs of the same requests store the same.
//
// # Testing
//
// A table of several hundred requests has the answers of a real kube-apiserver. The test kit must give the same
// answers. The end-to-end tests send the requests to a server again.
package eventstest

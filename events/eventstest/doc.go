// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventstest is the test kit for code that records Events.
//
//	Recorder ──▶ the SDK's repair and series ──▶ Sink ──┐
//	                                                    ├──▶ an API server's rules ──▶ storage ──▶ watches
//	                   Clientset ──▶ client-go's Fake ──┘
//
// The fakes of client-go accept any Event: one without an action, one with a note of 5000 bytes, or
// a changed note. A kube-apiserver rejects these, so a component that was tested with such a fake
// may fail in production. The fakes in this package reject the Events that a kube-apiserver v1.36
// rejects, with the same Status errors.
//
// # Usage
//
// [Recorder] is for unit tests of code that takes a recorder, such as a reconciler. Use it in place
// of client-go's FakeRecorder. The matchers [Want], [Only] and [None] check its Events, also in
// Gomega. If a check fails, the message shows the closest Events. [Series] is for comparisons with
// go-cmp.
//
//	recorder := eventstest.NewRecorder(t)
//	scale(recorder) // the code under test
//	if err := recorder.Check(eventstest.Want{Reason: "Scaled", Regarding: deployment, Count: 1}); err != nil {
//		t.Error(err)
//	}
//
// [Clientset] is for code that takes a kubernetes.Interface, such as a whole component. It
// implements Events, discovery of events.k8s.io/v1 and access reviews. Everything else is
// client-go's fake clientset.
//
//	client := eventstest.NewClientset(pod)
//	client.ServeEventsV1(false)                                                    // an old cluster
//	client.Authorize(func(r eventstest.Request) bool { return r.Verb != "patch" }) // a Role that forgot patch
//	client.FailDiscovery(apierrors.NewServiceUnavailable("starting"))              // a proxy in between
//
// [Sink] is for code that writes to an events.Sink, and for tests of intervals and failures. A test
// can make its calls fail, block or take time, and can make it lose answers. Its log of calls is
// suitable for golden files.
//
//	sink := eventstest.NewSink()
//	sink.FailNext(1, apierrors.NewServiceUnavailable("starting"))
//	record(sink) // the code under test
//	fmt.Print(sink.Log())
//
// [TestSink] tests an implementation of events.Sink. [VerifyRBAC] tests the manifests of a
// component: it fails the test if they do not allow the Events that the component records.
//
// The package leaves no goroutines behind, so packages that use it can call goleak.VerifyTestMain
// without an ignore option. docs/testing.md has an example, and lists the goroutines that client-go
// leaks.
//
// # What the fakes enforce
//
//   - They enforce the rules for creates and updates of both API groups. A request that violates
//     rules is answered with 422 Invalid, with a cause for each violation. As on a real server, the
//     causes name the fields of core/v1 (message, involvedObject) whichever group was used, and the
//     limits count the bytes after JSON has replaced invalid UTF-8.
//   - Both groups share one storage. An Event that was created through one group can be read and
//     patched through the other, where its fields have other names.
//   - A create with a resource version is answered with 500, a write with an old resource version
//     with 409 Conflict, and a create with a name that is taken with 409 AlreadyExists. A request
//     for a missing Event is answered with 404, with the Event in the details. An update of a
//     missing Event creates it.
//   - If a time to live is set, Events expire. A write that changes an Event extends its time to
//     live, and a write that changes nothing does not.
//   - Strategic merge patches, merge patches and dry runs are supported. A dry run checks a request
//     and stores nothing.
//   - Events can be watched through both groups, with selectors. Informers work with these watches.
//     An Event that moves into the selection is ADDED, and one that moves out or expires is
//     DELETED. A watch can begin at a resource version that is among the last 1000 changes. A watch
//     ends if its reader falls 1000 changes behind. A watch that begins at an older version, or
//     that ends in this way, gets the error 410 Expired.
//   - A Namespace in the [Clientset] that is Terminating accepts patches, and refuses new Events
//     with 403 and the cause that a real server gives.
//
// The fakes do not implement other checks of namespaces (every namespace exists), quotas, managed
// fields, finalizers, preconditions of deletes, strict field validation, a limit on the size of a
// body, paging of lists, or timeouts of watches. JSON patches and server-side apply are answered
// with 415. An expired Event is removed, and watches are notified, at the next request. Rate limits
// and outages of a server must be scripted by the test.
//
// # Guarantees
//
//   - Blocking: nothing blocks, except [Recorder.WaitFor], [Sink.Hold], [Sink.SetLatency] and
//     hooks.
//   - Concurrency: everything is safe for concurrent use except adding reactors, as in client-go.
//     TestSink, and the methods of [Recorder] that return recorded Events, start goroutines and
//     wait for them. Everything works in a testing/synctest bubble, because it uses only mutexes,
//     channels and timers.
//   - Ownership: arguments are neither kept nor changed, and results are not shared.
//   - Memory: it grows with the number of Events. The memory of a Sink also grows with every call
//     unless [Sink.CountOnly] is set. One core handles tens of thousands of patches per second.
//   - Repetition: UIDs and resource versions count up from one, so two runs with the same requests
//     store the same Events.
//
// # How the fakes are tested
//
// A table contains several hundred requests and the answers that a real kube-apiserver gave. The
// fakes must give the same answers. The end-to-end tests check the table against a real server.
package eventstest

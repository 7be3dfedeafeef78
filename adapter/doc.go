// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package adapter is the front door of eventseries, and most components need no other package of
// it. Its Adapter chooses the Kubernetes API for Events: it records through events.k8s.io/v1 or
// core/v1, whichever the cluster serves and RBAC allows. If that changes while the component runs,
// the adapter changes to the other API.
//
// eventseries is a Go SDK with which a Kubernetes component records Events. It replaces the event
// recorders of client-go and controller-runtime. Its recorders implement the interface EventRecorder
// of k8s.io/client-go/tools/events.
//
// # Why
//
// People read the Events of an object when a workload misbehaves. client-go's recorders lose Events
// exactly then: while the API server is overloaded, while one object fails again and again, while
// RBAC is incomplete, and when a new version replaces the component. Often no log line says that an
// Event is missing. With eventseries:
//
//   - A repeated failure is one Event with a count. The SDK writes the count when it has doubled, and
//     once more at shutdown, so that a rolling update does not lose the newest count. A million
//     repeats cost about twenty writes.
//   - An outage of the API server delays Events and does not lose them. While the server is
//     overloaded or cannot be reached, Events wait in memory, and the SDK retries their writes for
//     an hour. By default at most 65,536 different Events wait, in about 30 MiB. If more come, some
//     are dropped. The SDK also drops an Event that it could not write within the hour. The metrics
//     count all of these losses.
//   - A noisy object does not hide its other Events. client-go's tools/record has a spam filter:
//     after 25 requests about an object, it sends only one request every five minutes. It counts
//     skipped repeats in memory, and stores their count with its next request. But a skipped Event
//     with a new reason is lost. With eventseries, a repeat only raises a count, so a rare Warning
//     among a thousand repeats is stored.
//   - Missing RBAC comes with its remedy. If RBAC forbids an Event, the log has the missing Role as a
//     manifest for kubectl apply. Kubernetes has two API groups for Events, events.k8s.io and the
//     older core/v1. If RBAC allows only one of them, the SDK writes through that one. If RBAC allows
//     neither, the SDK retries for an hour.
//   - A component that shuts the SDK down loses nothing silently. The SDK counts each call of
//     Eventf as recorded (the server has stored it), pending, or dropped for a reason. Metrics, a
//     debug page and the log show the numbers and the reasons. Only a process that is killed, or
//     that ends without shutting the SDK down, loses its pending calls without a report.
//
// Kubernetes' own components ran on 40 nodes for half an hour, once with client-go and once with
// eventseries. The kubelets sent 11,424 writes with client-go and 6,200 with eventseries. client-go
// lost 7,077 of 38,537 calls of Eventf. eventseries lost 11 of 38,470, all of them while a kubelet
// was already shutting down its recorder (docs/evidence/kubernetes.md).
//
// # When not to use it
//
// client-go's tools/events is enough for a component that records a few Events a day, has correct
// RBAC, and has time to write them before it ends. You have that package already. If readers need the
// message of each occurrence, write a log instead: an Event has one message (the field note of the
// API) for all its occurrences, and the API server deletes the Event an hour after the last write.
// docs/evidence/comparison.md compares the recorders, and has the cases in which client-go is better.
//
// # Before and after
//
// A controller checks a database every ten seconds for an hour. Each check fails, so the controller
// calls Eventf with a Warning about a Pod, and writes the failure and its time into the status of
// that Pod. After 40 minutes the certificate of the database expires, and the controller calls
// Eventf once about that. After the hour, a new version of the controller takes over. Fifteen
// minutes later you run kubectl describe pod web. If the controller used client-go's tools/record,
// the recorder of mgr.GetEventRecorderFor, you see:
//
//	Events:
//	  Type     Reason       Age                  From           Message
//	  ----     ------       ----                 ----           -------
//	  Warning  CheckFailed  20m (x331 over 75m)  my-controller  no answer from the database
//
// If the controller used eventseries, you see:
//
//	Events:
//	  Type     Reason              Age                  From           Message
//	  ----     ------              ----                 ----           -------
//	  Warning  CheckFailed         15m (x360 over 75m)  my-controller  no answer from the database
//	  Warning  CertificateExpired  35m                  my-controller  the certificate of the database has expired
//
// With tools/record, the Warning that explains the others is missing, because too many Warnings
// about the Pod came before it. Besides, the last 29 failures are in no count on the server:
// tools/record would have stored them with its next request, but the old version ended before that
// request.
//
// client-go's tools/events stores 361 Events in the same hour. It counts two failures together only
// if the resourceVersion of the Pod has not changed in between. But the controller writes the time
// of each failure into the status of the Pod, which changes the resourceVersion.
//
// # Occurrence, series, Event
//
// Three nouns have the same meaning on all pages:
//
//   - An occurrence is one call of Eventf.
//   - A series is the occurrences that are counted together: they have the same type, reason and
//     action, the same reporting controller (the name of the recorder) and instance (the process),
//     and the same two objects: the regarding object, which the Event is about, and the related
//     object, if there is one.
//   - An Event is the object in the API server in which a series is stored.
//
// Eventf counts the occurrence in its series, in the memory of the component, and returns without
// waiting for the network. From then on the occurrence is observed, and it is pending. A writer
// creates the Event of the series, and later patches its count. If the server is busy or does not
// answer, the writer retries. When the server has stored a count that includes the occurrence, the
// occurrence is recorded. If the SDK gives up an occurrence, it is dropped, and the metrics count it
// under a reason.
//
//	component                                                       API server
//
//	Eventf ──▶ occurrence ─┐
//	Eventf ──▶ occurrence ─┼──▶ series, x3 ──▶ writer ── create, patch ──▶ Event, x3
//	Eventf ──▶ occurrence ─┘                     ▲                            │
//	                                             └────────── answer ◀─────────┘
//	                                             stored:            recorded
//	                                             busy or no answer: retried
//	                                             rejected:          dropped, with a reason
//
// # Usage
//
// A component makes one adapter, starts it, records with its recorders, and shuts it down at the end:
//
//	a := adapter.New(ctx, client)
//	if err := a.Start(ctx); err != nil {
//		return err // an option is invalid
//	}
//	defer a.Shutdown()
//	recorder := a.Recorder("example.com/my-controller")
//	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
//
// The API server then has one Event. Package eventstest prints it like this:
//
//	Normal Scaled (Scale) Pod default/web x1: "to 3 replicas"
//
// A component that does the same again and again calls Eventf each time:
//
//	for range 3 {
//		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "to %d replicas", 3)
//	}
//
// The server still has one Event, now with the count 3:
//
//	Normal Scaled (Scale) Pod default/web x3: "to 3 replicas"
//
// The client above is a kubernetes.Interface of client-go. It should be for Events alone, with 50
// requests a second and a burst of 100, so that Events and the component's other requests do not
// wait for each other. It needs RBAC for create and patch of events in events.k8s.io.
// [NewForConfig] makes such a client of a rest.Config:
//
//	a, err := adapter.NewForConfig(ctx, config)
//
// With controller-runtime, the manager starts the adapter, whether it is the leader or not, and
// shuts it down after its controllers have stopped. One line makes a recorder:
//
//	recorder := adapter.RecorderFor(mgr, "my-controller")
//
// Most components need no options. To set options, call ForManager with them before the first call
// of RecorderFor. Otherwise RecorderFor makes the adapter of the manager without options, and
// ForManager then returns an error:
//
//	a, err := adapter.ForManager(mgr, events.WithMaxSeries(10_000))
//
// The adapter counts what became of each occurrence:
//
//	fmt.Println("recorded:", a.Stats().Recorded)
//
// After the three calls above, this prints:
//
//	recorded: 3
//
// It also tells which API it uses, and which namespaces use another one because of RBAC:
//
//	status := a.Snapshot(0)
//	fmt.Println("new events:", status.API)
//	for name, namespace := range status.Namespaces {
//		fmt.Printf("in %s: %s, because events.k8s.io/v1 is %v\n", name, namespace.API, namespace.Access.EventsV1)
//	}
//
// If RBAC for events.k8s.io is missing in the namespace shop, this prints:
//
//	new events: v1
//	in shop: core, because events.k8s.io/v1 is denied
//
// The argument of Snapshot is the maximum length of each list of series in it; 0 leaves the lists out.
// [Snapshot.Remedy] is the missing RBAC, as a manifest for kubectl apply. Neither Stats nor Snapshot
// sends a request, so health checks and scrapes may call them.
//
// Some components need another package in addition to this one, or instead of it:
//
//   - clusters has an adapter for each of many clusters, and one recorder for all of them.
//   - clientgo/events has every name of client-go's tools/events, for a component that changes only
//     its import.
//   - clientgo/recordevents is for a component that changes its calls of Eventf to the interface of
//     tools/events, but keeps the rest of its code for a broadcaster of tools/record.
//   - legacy converts a recorder to the old interface, for code that takes only that one, such as
//     leader election; see [legacy.AsLegacy].
//
// # Which API
//
// Both API groups show the same stored objects. So the adapter has one set of series, and two ways to
// write them, and a change of the API converts nothing: the next write of a series goes through the
// other API, to the same object.
//
//	                        ┌──▶ sinks.EventsV1 ──▶ events.k8s.io/v1 ─┐
//	Recorder ──▶ series ──▶ route (per write)                         ├──▶ one object
//	         │              └──▶ sinks.CoreV1 ────▶ core/v1 ──────────┘
//	         └─▶ client-go's correlator (in ModeLegacy, and while events.k8s.io/v1 is not served)
//
// The correlator is the code in client-go's tools/record that combines similar Events and drops some
// as spam. The adapter uses it while a cluster does not serve events.k8s.io/v1, so that Events on such
// a cluster look as its users and tools know them.
//
// The adapter asks discovery whether the server serves events.k8s.io/v1:
//
//	discovery answers    Events go through
//	served               events.k8s.io/v1
//	not served (a 404)   core/v1, as client-go's correlator makes them
//	nothing yet          events.k8s.io/v1
//
// Until discovery answers, the adapter uses events.k8s.io/v1, because every supported cluster serves
// it. If a write gets a 404 all the same, the adapter asks discovery again. If discovery answers that
// the API is not served, Events go through core/v1, and the adapter asks again every five minutes.
//
// The adapter learns from refused writes what RBAC allows, and never asks in advance. If RBAC
// allows core/v1 in a namespace and refuses events.k8s.io/v1, the series of that namespace are
// written through core/v1, and the log has the missing RBAC. The correlator is only for a server
// that does not serve events.k8s.io/v1. This server serves both APIs, so readers see the series
// through either of them. If RBAC refuses both APIs, the writes are retried for an hour. The log
// has one line when the API changes, one when RBAC refuses a namespace, and one when a namespace
// returns to events.k8s.io/v1.
//
// A webhook or a policy may refuse an Event that RBAC allows. After at least three refusals in a
// row, over at least a minute, the Event is dropped as Rejected. Then one later occurrence of its
// series is tried after one, two, four and then every eight minutes, as in package events.
//
// All this is ModeAuto, the default. [WithMode] sets another mode, in which the adapter uses one
// API only. The person who operates the component can set the mode without a build, with the
// environment variable EVENTSERIES_API, which wins over WithMode:
//
//	EVENTSERIES_API   Events are written                         use it if
//	auto              through the API of each case above         you have no reason for another value
//	v1                as series, through events.k8s.io/v1        core/v1 must not be used
//	core              as series, through core/v1                 a tool reads only the old fields
//	legacy            by the correlator, through core/v1         you want the Events of tools/record back
//
// Any other value is logged and ignored. To return to the mode of WithMode, unset the variable.
//
// # Guarantees
//
// The guarantees of package events hold, whichever API is used. In addition:
//
//   - Order: a change of the API does not change the order of the writes of a series. With
//     client-go's correlator, the occurrences about one object are written in the order of their
//     calls of Eventf.
//   - Blocking: New does no I/O, and Start does none in its caller's goroutine. Recording never
//     blocks, whatever the server answers.
//   - Isolation: a namespace whose writes hang, fail or are refused does not hold up any other.
//   - Loss: a change of the API loses nothing and makes no duplicate. A failed discovery request
//     changes nothing. [Adapter.Stats] counts drops by reason.
//   - Shutdown: Drain and Shutdown end every goroutine. After the end of Start's context,
//     occurrences are still written until Drain or Shutdown is called. Without such a call the
//     adapter shuts itself down, one drain timeout after the end of the context. That takes at most
//     one more drain timeout, and then one second for cancelled requests to return. After that its
//     goroutines are gone. Before the first call of Start or of StartStructuredLogging, which logs
//     each occurrence, the adapter has no goroutines, except during a call of Flush.
//   - Concurrency: everything is safe for concurrent use.
//   - Requests: the adapter sends one request to discovery at the start, one every five minutes
//     while the API is not served, and one every 30 seconds while discovery has not answered or
//     writes get a 404. After a refused write it sends access reviews for the namespace, at most
//     once a minute. If some namespaces go through core/v1 because RBAC allows only that, the
//     adapter tests from time to time whether RBAC has been changed: it sends a write of one of
//     these namespaces to events.k8s.io/v1. If RBAC still refuses, the write goes through core/v1
//     after all. If RBAC allows it, the adapter makes the test with the next write of each of the
//     other namespaces, too. The waits between these tests are 1, 2, 4 and 8 minutes, and then
//     always 10 minutes. In addition, the adapter makes the test in each of these namespaces every
//     half hour, because a Role may allow events.k8s.io/v1 in one namespace alone. All this needs
//     no other RBAC than create and patch of events.
//
// # Testing
//
// Package [github.com/eventseries/eventseries/events/eventstest] has what the tests of a component
// need:
//
//   - NewRecorder, for code that takes a recorder.
//   - NewClientset, for the code that makes the adapter. ServeEventsV1(false) makes it an old cluster,
//     Authorize sets RBAC, and Writes shows which API was used.
//   - VerifyRBAC, which fails when a project's manifests do not let it record.
package adapter

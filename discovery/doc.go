// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package discovery finds out through which API a component can record Events. It asks the API
// server whether it serves events.k8s.io/v1, and whether RBAC allows the component to write Events
// through that API and through core/v1. If RBAC does not, it returns the objects that are missing.
//
//	Probe(ctx) ──────────▶ Support  is events.k8s.io/v1 served?
//	Access(ctx, "shop") ─▶ Access   may I create and patch Events in "shop"?
//	                         └─▶ Remedy()  the missing RBAC, for kubectl
//
// A [Prober] only asks. It makes no decision, logs nothing, and remembers nothing except the name
// of the user. The caller decides when to ask and how to use an answer. Package adapter is such a
// caller, so a component that records through an adapter does not need this package.
//
// # Usage
//
//	prober := discovery.NewProber(client)
//	support, err := prober.Probe(ctx)
//	if support == discovery.Unknown {
//		return err // ask again later; this is not a no
//	}
//	access, err := prober.Access(ctx, "shop")
//	if remedy := access.Remedy(); remedy != "" {
//		fmt.Println(remedy) // kubectl apply -f -
//	}
//
// # Unknown is an answer
//
// A recorder must not mistake a failed request for a no. Otherwise, a single 503 or 403 while the
// process starts would keep the recorder on the old API until the process ends. Therefore both
// questions have three possible answers, and the zero value means that the answer is not known.
//
//	the server answers                       Support
//	200, the list names events               Served
//	404, about the group version             NotServed
//	200 without events, 404 about an object  Unknown
//	401, 403, 429, 5xx, no answer in time    Unknown
//
//	the first review that is not a yes       Permission
//	none: create and patch are allowed       Allowed
//	no                                       Denied
//	no, without a repetition of the question PermissionUnknown
//	no, because an authorizer has failed     PermissionUnknown
//	no, when asked for all namespaces        PermissionUnknown
//	the review itself failed                 PermissionUnknown
//
// Two rows need an explanation. A review for namespace "" asks about every namespace at once, so
// its answer is no even if the component has a sufficient Role in each namespace that it uses. And
// an answer that is not a review, for example from a proxy, decodes to an empty review, which looks
// like a no. The server repeats the question in a real answer.
//
// # Guarantees
//
//   - Requests: Probe sends one request. Access sends at most two reviews for each API, about
//     create and about patch; it does not ask about patch unless create is allowed. If RBAC does
//     not allow both APIs, Access also asks for the name of the user, until the name is known. If
//     several callers ask at the same time, each of them may send the request for the name. The
//     hidden retries of client-go are off, so that a server that answers 429 or 503 with
//     Retry-After is spared. The client's own rate limiter applies.
//   - Nothing is written: reviews are sent with POST, but the server does not store them.
//   - Blocking: Probe and Access return soon after their context ends, and within 10 seconds in any
//     case. A fake client without a RESTClient is an exception, because its methods may ignore the
//     context.
//   - Errors: an error says in one line why an answer is not known and how to correct that, and
//     wraps the cause. A no is not an error.
//   - Concurrency: a Prober is safe for concurrent use. The package starts no goroutine, and a
//     Prober need not be stopped.
//   - Panics: if the client panics, as incomplete fakes do, the answer is that nothing is known,
//     with an error.
//
// # Limits of the answers
//
// The API servers of one cluster may differ while the cluster is upgraded, so a write can get a 404
// although Probe has returned Served. A review does not consider admission, such as a namespace
// that is being deleted or a webhook, and does not consider whether the API is served.
//
// # Testing
//
// eventstest.NewClientset, of package [github.com/eventseries/eventseries/events/eventstest],
// returns a clientset that a Prober can ask: its methods ServeEventsV1 and FailDiscovery set the
// answers to Probe, and Authorize sets the answers to Access. The fake clientset of client-go
// works, too. For Served, list events in its Resources. For Access, add a reactor for
// "selfsubjectaccessreviews".
package discovery

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package discovery finds out through which API a component can record Events:
// whether the server serves events.k8s.io/v1, whether the component may write
// there and to core/v1, and what to apply when it may not.
//
//	Probe(ctx) ──────────▶ Support  is events.k8s.io/v1 served?
//	Access(ctx, "shop") ─▶ Access   may I create and patch Events in "shop"?
//	                         └─▶ Remedy()  the missing RBAC, for kubectl
//
// A [Prober] decides nothing, logs nothing, and keeps nothing but the user's name. The caller decides
// when to ask, and what to do with an answer. Package adapter is such a caller. A
// component that records through it does not need this package.
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
// A recorder that takes a failed request for a no stays on the old API for the life of
// the process, because of one 503 or 403 at its start. So both questions have three
// answers, and unknown is the zero value.
//
//	the server says                          Support
//	200, the list names events               Served
//	404, about the group version             NotServed
//	200 without events, 404 about an object  Unknown
//	401, 403, 429, 5xx, no answer in time    Unknown
//
//	the first review that does not say yes   Permission
//	none: create and patch are allowed       Allowed
//	no                                       Denied
//	no, without a repetition of the question PermissionUnknown
//	no, when asked for all namespaces        PermissionUnknown
//	it failed                                PermissionUnknown
//
// A review for namespace "" asks about every namespace at once: it says no to a component
// whose Roles are all in order. An answer that is no review decodes to an empty one, which
// would be a no.
//
// # Guarantees
//
//   - Requests: Probe sends one and Access four. Of an API that may not be created, or of
//     which that is not known, none is sent about patch. Unless both APIs are Allowed,
//     Access also asks for the user, until it knows the name; callers that come first
//     together may each ask. client-go's
//     hidden retries are off, so a server that answers 429 or 503 with Retry-After is
//     left alone. The client's own rate limiter stays in force.
//   - Nothing is written: reviews are POSTed, but the server does not store them.
//   - Blocking: all methods return soon after their context ends, and within
//     10 seconds anyway. The one exception is a fake client without a RESTClient,
//     whose methods may ignore the context.
//   - Errors: an error says in one line why something is unknown and what to do,
//     and wraps the cause. A no comes without an error.
//   - Concurrency: a Prober is safe for concurrent use. The package starts no
//     goroutine, and a Prober needs no stop.
//   - Panics: if the client panics, as incomplete fakes do, the answer is unknown.
//
// # What the answers do not cover
//
// Servers of one cluster may differ while it is upgraded, so a write can meet a
// 404 after Served. A review knows nothing of admission (a namespace that is being
// deleted, a webhook), nor whether the API is served at all.
//
// # Testing
//
// eventstest.NewClientset, of package
// [github.com/eventseries/eventseries/events/eventstest], is a server to ask:
// ServeEventsV1 and FailDiscovery script what Probe hears, Authorize what Access
// does. client-go's fake clientset works, too: list events in its Resources to be
// Served, and answer "selfsubjectaccessreviews" with a reactor.
package discovery

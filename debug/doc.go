// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package debug serves a page with the state of an adapter, as HTML for a browser or as JSON. The
// page shows: which API receives the Events and why; the RBAC that is missing; how many occurrences
// were recorded, are pending or were dropped; the series with the most occurrences; the series that
// have waited longest, with the reason for which each of them waits; the back-offs; and the options
// that were set.
//
//	GET ──▶ Adapter.Snapshot ──▶ HTML or JSON in memory ──▶ client
//
// # Usage
//
//	mux.Handle("/debug/events", debug.Handler(a))
//
// Everyone who can open the page can read the names and notes of Events in all namespaces. Protect
// it in the same way as the pprof pages of the component: with the component's own authentication,
// or by listening on a loopback address only. In the second case, this command makes the page
// reachable:
//
//	kubectl port-forward -n my-system deployment/my-controller 8082
//
// With controller-runtime there are two ways. If the metrics options of the manager have a
// FilterProvider, pass AddMetricsServerExtraHandler the path and a handler for the adapter that
// adapter.ForManager returns; the filter then protects the page and the metrics. Without a
// FilterProvider, the manager serves its metrics to everyone, so add a manager.Server on a loopback
// address instead, as examples/operator does.
//
// The client chooses the format. It gets JSON if it sends the header "Accept: application/json", as
// kubectl get --raw does, or the parameter ?format=json. The page is made for people, as /statusz
// of the Kubernetes components is: fields of the JSON may be added, and its limits may change. A
// program should call Adapter.Snapshot instead.
//
// # The JSON
//
// The JSON is an [adapter.Snapshot] with additional fields, among them the name of the program, its
// version of Go, and the missing RBAC as YAML. Times are in RFC 3339.
//
// # Guarantees
//
//   - Blocking: a request takes the same locks as Adapter.Stats, and for no longer, so recording
//     hardly waits for it. No lock is held while the response is sent, so a slow client blocks
//     nothing.
//   - Concurrency: a handler is safe for concurrent use. Requests take their snapshots one after
//     the other, so that many requests do not slow down recording more than one does.
//   - Bounds: the page has at most 50 series in each list and at most 50 namespaces. Texts are as
//     long as the adapter keeps them: at most 1 KiB for a note, 4 KiB for the names of an object,
//     and 1,000 characters for an answer of the server.
//   - Read only: the handler answers GET and HEAD. It changes nothing and sends no request to the
//     API server.
//   - Hostile texts: names, notes and answers of the server are shown as text, and invisible
//     characters in them are escaped. The page has no script and loads nothing, and its
//     Content-Security-Policy forbids both.
//
// # Testing
//
// A test of a handler needs no server. It needs net/http/httptest, and an adapter with a clientset
// of package [github.com/eventseries/eventseries/events/eventstest].
package debug

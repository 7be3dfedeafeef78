// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package debug shows what an adapter holds, on one page for a browser or as JSON: which
// API takes Events and why, the RBAC that is missing, the accounts, the series that are
// counted most and that wait longest, what each of them waits for, the back-offs, and the
// options that were set.
//
//	GET ──▶ Adapter.Snapshot ──▶ HTML or JSON in memory ──▶ client
//
// # Usage
//
//	mux.Handle("/debug/events", debug.Handler(a))
//
// Everyone who can open the page can read names and notes of all namespaces. Serve it as
// the component serves its pprof: behind its own authentication, or on an address of
// loopback. Then this opens it:
//
//	kubectl port-forward -n hello deployment/hello 8080
//
// A manager of controller-runtime serves its metrics without authentication, unless its
// options set a FilterProvider for them. With one, pass AddMetricsServerExtraHandler the path
// and the handler of the adapter that adapter.ForManager returns: the filter protects both.
// Without one, add a manager.Server on an address of loopback, as examples/operator does.
//
// The client chooses the format: Accept: application/json, as kubectl get --raw sends
// it, or ?format=json. As with /statusz of Kubernetes' components, the page is for people.
// Fields of the JSON may be added, and the limits may change; a program calls Snapshot of the
// adapter.
//
// # The JSON
//
// It is an [adapter.Snapshot], with the name of the program and its version of Go, and with
// the missing RBAC as YAML. Times are RFC 3339.
//
// # Guarantees
//
//   - Blocking: recording waits for the locks that Stats takes as well, for no longer. No
//     lock is held while the answer is written, so a slow client blocks nothing.
//   - Concurrency: a handler is safe for concurrent use. Requests look one after the
//     other, so that many of them cost no more than one core.
//   - Bounds: 50 series of each kind and 50 namespaces, whatever the adapter holds. Texts
//     are as long as it keeps them: a note has 1 KiB, the names of an object 4 KiB, the
//     answer of a server 1,000 characters.
//   - Read only: it answers GET and HEAD, and changes and requests nothing.
//   - Hostile texts: names, notes and answers of the server are text, in which invisible
//     characters are escaped. The page has no script and loads nothing, and its
//     Content-Security-Policy allows neither.
//
// # Testing
//
// A handler needs no server: net/http/httptest and an adapter over a clientset of package
// [github.com/eventseries/eventseries/events/eventstest] are enough.
package debug

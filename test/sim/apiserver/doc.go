// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiserver models a kube-apiserver for the simulation: what it stores, whom it lets in, and how it fails.
//
//	client-go ──▶ RoundTrip ──▶ parked Request ◀── the driver: Answer, Lose, Mask, Fail, Break, Vanish
//	                                  │
//	            RBAC ▶ API served? ▶ decode ▶ namespace ▶ validation ▶ storage ──▶ ledger
//
// It sits below a real clientset, so that the SDK's own request building and decoding are used and the errors have
// their real shapes. No request is handled on its own: each is parked until the driver says what becomes of it. Which
// one is next is therefore the driver's choice alone, and with [Server.Waiting] in an order that does not depend on
// scheduling, a run can be replayed.
//
// The package starts no goroutine and no timer. A client whose context ends stops waiting, but its request stays
// parked: it may still land, as one does that a slow network carries. Methods are safe for concurrent use; the driver's
// are meant for one goroutine.
//
// # Ledger
//
// The server remembers what every object was at last, and what its writer was told about it ([Server.Objects]), also
// when the object is gone. What no well-behaved client does is in [Server.Violations].
package apiserver

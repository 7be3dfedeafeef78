// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package apiserver models a kube-apiserver for the simulation: storage, authorization and failures.
//
//	client-go ──▶ RoundTrip ──▶ waiting Request ◀── the driver: Answer, Lose, Mask, Fail, Break, Vanish
//	                                  │
//	            RBAC ▶ API served? ▶ decode ▶ namespace ▶ validation ▶ storage ──▶ history
//
// Clients reach it through a real clientset, so requests and errors have their real form. No request is handled at
// once. Each waits until the driver ends it. So the driver alone chooses which request is next. The order of
// [Server.Waiting] does not depend on scheduling, so a run can be replayed.
//
// The package starts no goroutine and no timer. A client whose context ends stops waiting, but its request may still
// take effect, as on a slow network. Methods are safe for concurrent use. Those of the driver are meant for one
// goroutine.
//
// # History
//
// The server keeps the last state of every event, and what it acknowledged to the writer, also after the event is
// deleted ([Server.Objects]). [Server.Violations] has what clients did that they must not do.
package apiserver

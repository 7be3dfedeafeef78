// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package chaos breaks a real control plane while a component records, and then compares three
// counts: the occurrences that the component recorded, the numbers in the SDK's Stats, and the
// Events that an observer saw on the server. It has tests only. run.sh runs them and prints a table
// of the results.
//
// A scenario is a test that breaks one thing:
//
//	func TestServerKilled(t *testing.T) {
//		s := open(t, scenario{title: "kube-apiserver killed (-9), restarted"})
//		s.Run(2 * time.Second)
//		s.must(s.plane.KillServer())
//		s.Run(5 * time.Second)
//		s.must(s.plane.StartServer())
//		s.recovers()
//		s.Run(2 * time.Second)
//		s.settle()
//	}
//
// Its steps are these:
//
//   - open starts a control plane, an adapter, an observer, and the storm, which is the code that
//     records all the time. The user of the adapter may only record. The scenario has everything
//     else that differs: flags of kube-apiserver, options of the adapter, a proxy with the faults
//     of Toxiproxy, RBAC, and the reasons for which occurrences may be dropped.
//   - beside adds a second component, for example one in another mode or one that ends earlier.
//     Walk records Warnings at a given interval, and remembers when each was recorded first.
//   - Run waits for a time while the storm goes on. There is no other way to wait for the SDK, so
//     that every fault comes while it is busy.
//   - The fault and its end are calls of s.plane, of s.Admin, or of the harness (Deny, Terminate,
//     Finalize). They return when the server is in the new state.
//   - recovers must be called when the fault has ended. It checks that all occurrences until then
//     are written within one back-off step and one write timeout.
//   - settle ends the storm, flushes and drains. Then it compares the three counts of each series,
//     and adds a row to the table. A scenario that ends during its fault calls abandon at that
//     time, and account after the fault.
package chaos

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package chaos breaks a real control plane under a component that records all the
// while, and then settles the accounts. It holds tests only; run.sh runs
// them and prints the table.
//
// A scenario is a test that says what breaks:
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
// Its steps:
//
//   - open starts a control plane for this test, an adapter over a client of a user
//     that may record but nothing else, an observer, and the storm. A scenario says what
//     is different: flags of kube-apiserver, options of the adapter, a proxy with
//     Toxiproxy's faults in between, RBAC, reasons for which occurrences may be dropped.
//   - beside adds another component to the rig, with another mode, or one that is to
//     end earlier. Walk has a component record at a pace of its own, of which the storm
//     knows when each series began.
//   - Run lets the storm go on. There is no other way to wait for the SDK: what is to
//     happen to it happens in mid-storm.
//   - The fault and its end are calls of s.plane, or of s.Admin, or of the harness
//     (Deny, Terminate, Finalize). They return when the server is where it should be.
//   - recovers is to be called at that moment. All that was recorded so far must be
//     written within one back-off step and one write timeout.
//   - settle ends the storm, flushes, drains, compares what the storm recorded, what
//     the SDK says and what the observer saw, series by series, and adds the row. A
//     scenario that ends in the fault calls abandon there, and account afterwards.
package chaos

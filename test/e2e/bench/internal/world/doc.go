// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package world lets components record Events in simulated time: thousands of
// them, for simulated days, on one API server in memory. It is for comparing how
// much is written, how late it can be seen, and what is lost. CPU time says
// nothing here.
//
// Everything happens in a bubble of testing/synctest, where time passes when all
// goroutines wait. A test makes one with synctest.Test, a benchmark with [Simulate]:
//
//	world.Simulate(func() {
//		api := world.NewAPI()
//		kubelet := api.NewComponent(world.Contenders["tools/record"], world.Identity{Controller: "kubelet", Host: "node-1"})
//		backOff := kubelet.Series(world.Subject{
//			Regarding: container, Type: "Warning", Reason: "BackOff", Action: "Restarting",
//		})
//		var script world.Script
//		script.Add(time.Now().Add(time.Second), func(now time.Time) (next time.Time) {
//			backOff.Occur("Back-off restarting failed container %s in pod %s", "main", "web-0")
//			return now.Add(10 * time.Second)
//		})
//		script.Play(time.Now().Add(time.Hour))
//		api.Finish() // time to deliver, then every component's best shutdown
//		fmt.Println(api.Totals())
//	})
//
// # What is modelled
//
// The server is that of package internal/testkit/store, which answers as a real
// one does.
//
// Between a component and the server there is client-go's token bucket, of
// kubelet's size unless [Identity] says otherwise, and a latency. The same for
// every contender. What is applied is visible at once.
//
// An occurrence is what a component reports with [Series.Occur]. The server shows
// it when a count that includes it has been applied. A write that raises the count
// by k, and says that the last of them was observed at t, shows the k latest
// occurrences up to t; earlier ones that it did not count are lost.
//
// # What is not, in the peers' favour
//
//   - tools/events holds the lock of its cache while it refreshes and finishes
//     series, so that nothing else is recorded for as long as these writes take. A
//     bubble cannot wait for a mutex. These writes are let through at once, and
//     counted at the moment when they would have arrived.
//   - The resourceVersion of the objects never changes. It is part of tools/events'
//     key, and a real one changes with each status update: no series would form.
//   - The server never fails, but for components that are cut off ([Identity]), and
//     nothing restarts.
package world

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package world simulates thousands of components that record Events for days on one API server in
// memory. It compares recorders by the number of their writes, by the time until readers see an
// Event, and by the losses. The CPU time of a simulation has no meaning.
//
// A simulation runs in a bubble of testing/synctest, where time passes when all goroutines wait. A
// test makes a bubble with synctest.Test, and a benchmark with [Simulate]:
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
// # Model
//
// The server is package internal/testkit/store, which answers as a real one does. A write that it
// has applied is visible at once.
//
// Each request waits for client-go's token bucket and then for a latency. Both are the same for all
// recorders. The bucket has the size that kubelet's has, unless [Identity] has another.
//
// A component reports an occurrence with [Series.Occur]. The occurrence is visible when the server
// has applied a count that includes it. A write that raises the count by k, and whose last time is
// t, makes the k latest occurrences until t visible. Earlier occurrences that it did not count are
// lost.
//
// # Simplifications
//
// Three things differ from a real cluster. All of them are to the advantage of the recorders with
// which the SDK is compared.
//
//   - tools/events holds the lock of its cache while it writes a refresh or a final count. Nothing
//     else can be recorded during these writes. A bubble cannot wait for a mutex, so the writes end
//     at once, and are counted at the time at which they would have arrived.
//   - The resourceVersion of the objects never changes. It is a part of the key of tools/events. In
//     a real cluster it changes with each update of the status, so that occurrences would not form
//     a series.
//   - The server never fails, and nothing restarts. Only components that are cut off lose the
//     server; see [Identity].
package world

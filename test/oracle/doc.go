// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package oracle holds the SDK to its promises with the simplest test that can: random schedules, a tiny API server,
// and arithmetic.
//
//	schedule ──▶ emitters ──▶ the SDK, by its public names ──▶ requests, with faults ──▶ server
//	                 │                                                                      │
//	                 └────────── ledger: what was recorded ◀──── compared with ─────────────┘
//
// Package test/sim asks the same questions with a model of the SDK's parts. An error in that model hides an error in the
// SDK. So this package shares no code and no model with it, and imports nothing internal: all that it knows is in the
// documentation of package events and in docs/reliability.md. What it demands is this:
//
//   - For each key, the counts of all Events of that key that the server has or ever had add up to no more than what was
//     recorded, to no less than what the SDK says is Recorded, and exceed that by no more than Unconfirmed.
//   - Observed = Recorded + Pending + Dropped at each quiet moment; Observed is what was recorded, and Dropped is what the
//     drop handler was told.
//   - The count, the resourceVersion and the last time of an Event never go back. Each time is one at which the key
//     occurred, and no count is higher than the number of occurrences by then.
//   - No patch precedes its create, and no Event has two writes under way.
//   - A share under WithSharedCounts is no higher than what its process recorded.
//   - No Event is asked for in a hot loop, and a Create that finds an Event and a patch that finds none do not take turns in
//     one.
//   - A drain ends within its bound and a second, and says exactly what it gave up. If the server is well, that is nothing.
//     A Shutdown beside a Drain with a later bound keeps to its own, and so does a Flush, also before Start.
//   - Two minutes after the last fault every Event is on the server, and after the longest interval every count.
//   - Nothing of the SDK is left when it has ended: no goroutine, and no request.
//
// Each seed is one schedule in a bubble of testing/synctest: a few keys, one to three processes of the same identity that
// start, record, and are drained, killed or left alone, and a fault for some of the requests: answers come late or never,
// contradict each other, or are the pages of proxies. Namespaces differ in latency, by verb, too, and have rate limits of
// their own. Others delete and change Events, or the server lets them expire. Clocks are ahead, behind or jump. A loop
// records more than 10,000 occurrences of one key a second. Handlers, loggers, rate limiters and the sink panic, and
// record. A failure prints the seed, the shortest schedule that still fails, and what happened in it. ORACLE_SEED=n runs
// one seed, with its trace.
package oracle

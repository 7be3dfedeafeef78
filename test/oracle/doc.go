// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package oracle checks that the SDK keeps its promises. It needs only random schedules, a tiny API
// server, and arithmetic.
//
//	schedule ──▶ emitters ──▶ the SDK, by its public names ──▶ requests, with faults ──▶ server
//	                 │                                                                      │
//	                 └────────── ledger: what was recorded ◀──── compared with ─────────────┘
//
// Package test/sim checks the same promises with a model of the parts of the SDK. If that model has
// the same error as the SDK, its checks do not find the error. Therefore this package shares no
// code and no model with test/sim. It knows only the documentation of package events and
// docs/reliability.md. It imports no internal package except internal/testkit/tuning, for options
// that only tests set.
//
// # Checks
//
// A key is an object and a reason. The occurrences of a key make one series.
//
//   - The server has for each key a sum of counts over all Events of that key, including Events
//     that it has deleted. This sum is at most the number of calls, and at least the SDK's
//     Recorded. It exceeds Recorded by at most Unconfirmed.
//   - Observed = Recorded + Pending + Dropped, whenever all goroutines are blocked. Observed is the
//     number of calls, and Dropped is the number of occurrences that were passed to the drop
//     handler.
//   - The count, the resourceVersion and the last time of an Event never decrease. Each time is a
//     time at which the key occurred, and no count is higher than the number of occurrences until
//     that time.
//   - No patch is sent before the create of its Event, and no Event has two writes in flight.
//   - With WithSharedCounts, the share of a process is at most the number of its calls.
//   - No request for an Event is repeated in a hot loop. Neither is the pair of a create that finds
//     an Event and a patch that finds none.
//   - A drain ends at most a second after the end of its context, and reports exactly the
//     occurrences that it gave up. It gives up none if the server is healthy. If Shutdown is called
//     during a Drain that may take longer, it ends within its own timeout. So does a Flush, even
//     before Start.
//   - Two minutes after the last fault the server has every Event, and after the longest interval
//     it has every count.
//   - When the SDK has ended, it has no goroutine and no request left.
//
// # Schedules
//
// A schedule is made from a seed, and runs in a bubble of testing/synctest:
//
//   - One to three processes with the same identity record occurrences of a few keys. They are
//     drained, killed, or left alone. A loop records more than 10,000 occurrences of one key a
//     second.
//   - Some requests fail: the answer comes late or never, contradicts another answer, or is the
//     page of a proxy.
//   - Namespaces have different latencies, also for different verbs, and some have a rate limit of
//     their own.
//   - Other clients delete and change Events, or the server lets Events expire.
//   - The clocks are ahead or behind, or jump.
//   - Handlers, loggers, rate limiters and the sink panic, and record Events themselves.
//
// If a check fails, the test prints the seed, the shortest schedule that still fails, and the trace
// of that schedule. ORACLE_SEED=n runs one seed and prints its trace.
package oracle

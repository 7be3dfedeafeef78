// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventsprom exports what one adapter or broadcaster of the SDK counts to Prometheus.
//
//	Eventf ──▶ adapter ──▶ API server
//	              │
//	              └──(Snapshot, OnRequest)──▶ Collector ──▶ Registry ──▶ scrape
//
// # Usage
//
//	registry.MustRegister(eventsprom.NewCollector(a))
//
// With controller-runtime the registry is metrics.Registry. Two adapters in one registry are told
// apart by labels that [prometheus.WrapRegistererWith] adds to all metrics of each:
//
//	edge := prometheus.WrapRegistererWith(prometheus.Labels{"cluster": "edge"}, registry)
//	edge.MustRegister(eventsprom.NewCollector(b))
//
// The alerts and the dashboard are in the directory mixin,
// docs/operations.md explains every metric and every alert.
//
// # Guarantees
//
//   - Blocking: recording pays nothing. The counters are read when Prometheus scrapes; a request
//     to the API server costs one increment and one observation after its answer.
//   - Concurrency: a Collector is safe for concurrent use. It starts no goroutine.
//   - Scope: there is no init function, no global, and no default registry. A collector reads the
//     broadcaster that it was made of, before Start, during Drain and after it.
//   - Counters never decrease while the broadcaster lives.
//   - Labels: the broadcaster keeps at most 1,000 sets of controller, kind, type and reason.
//     What is beyond is counted as "other". No label has a name or a note.
//
// # Testing
//
// A prometheus.NewPedanticRegistry takes the collector; package testutil of client_golang reads it.
package eventsprom

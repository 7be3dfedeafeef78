// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package eventsprom exports the numbers of an adapter or of a broadcaster to Prometheus: how many
// occurrences were recorded, are pending or were dropped, and the requests that were sent.
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
//   - Blocking: recording costs nothing more, because the numbers are read when Prometheus scrapes.
//     A request to the API server costs the increment of a counter and one observation in a
//     histogram, after its answer.
//   - Concurrency: a Collector is safe for concurrent use. It starts no goroutine.
//   - Scope: the package has no init function, no global variable and no default registry. A
//     Collector can be scraped at any time: before Start of its adapter, during Drain, and
//     afterwards.
//   - Counters never decrease while the adapter or broadcaster lives.
//   - Labels: at most 1,000 combinations of controller, kind, type and reason have their own
//     values. Occurrences of all further combinations are counted with the value "other". No label
//     contains a name or a note of an object.
//
// # Testing
//
// Register the collector in a prometheus.NewPedanticRegistry, and read it with package testutil of
// client_golang.
package eventsprom

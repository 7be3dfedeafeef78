// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package series is the pure core of the SDK. A series consists of the occurrences that are counted
// together in one Event. The package decides which occurrences belong together, when to write them,
// and what to do after each answer of the server. It does no I/O, starts no goroutine and reads no
// clock: callers pass it the time, and send the writes that it returns.
//
// In reading order:
//
//	occurrence.go   Occurrence and Key: one call of a recorder, and which calls belong together
//	packed.go       both packed into one string, as a map key and in the memory of a series
//	name.go         names of Events
//	monotime.go     a time in eight bytes
//	core.go         Core and Item: the interfaces for the engine and the writer
//
//	series.go       Series: the state of one series, and when to write it
//	annotations.go  its annotations
//	write.go        Write: the request that brings the server up to date
//	answer.go       how the answer to a write changes a series
//	shared.go       counts that several processes keep in one Event
//
//	cache.go        Cache: all series, in shards
//	shard.go        entry and shard: a series in the cache, and the lock that guards it
//	evict.go        which series to evict from a full cache
//	limit.go        limits on the series of an object, on notes and on writes of doubled counts
//	lifetime.go     an estimate of how long the server keeps Events
//	registry.go     the shares of this process in shared Events
//	flush.go        Flush: waiting until everything is written
//	snapshot.go     totals and lists for diagnostics
//
// A [Series] is a state machine without a lock. In a [Cache], each series is part of an entry, each
// entry belongs to a shard, and the lock of the shard guards it.
//
// A simulated run has the same results each time, except that the names of Events and the IDs of
// shares are random.
package series

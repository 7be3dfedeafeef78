// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package series is the pure core of the SDK. It decides which occurrences belong together, what
// should be written of them and when, and what an answer of the server changes. It does no I/O,
// starts no goroutine and reads no clock: callers pass the time in and take writes out.
//
// Read it in this order.
//
//	occurrence.go   Occurrence and Key: one call of a recorder, and what makes two calls alike
//	packed.go       both as one string: the key of a map, and the memory of a series
//	name.go         names of Events
//	monotime.go     a time in eight bytes
//	core.go         Core and Item: what the engine and the writer see of this package
//
//	series.go       Series: the state of one series, and when it is written
//	annotations.go  its annotations
//	write.go        Write: the request that brings the server up to date
//	answer.go       what the answer to a write changes
//	shared.go       counts that several processes keep in one Event
//
//	cache.go        Cache: all series, in shards
//	shard.go        entry and shard: a series in the cache, and the lock that guards it
//	evict.go        which series leaves when the cache is full
//	limit.go        limits: series of an object, notes, doubled counts
//	lifetime.go     how long the server keeps Events, learned from answers
//	registry.go     where this process has counted, by the hash of the key
//	flush.go        Flush: waiting until everything is written
//	snapshot.go     totals and lists for people
//
// A [Series] is a state machine without a lock. Each series of a [Cache] is in an entry, each entry is
// in a shard, and the lock of the shard guards it.
//
// Files above the line do not use the ones below. Names of Events and IDs of shares are random, so a
// simulated run can be repeated except for these.
package series

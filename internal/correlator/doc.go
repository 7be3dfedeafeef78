// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package correlator writes occurrences as client-go's package record does. For each occurrence it
// asks client-go's own [record.EventCorrelator] what to write: a new Event, a patch that raises the
// count of an earlier Event, or nothing because the spam filter suppresses the occurrence.
//
// [Core] implements [series.Core], so the engine and the writer use it in the same way as the cache
// of series. Each occurrence waits in memory until it is written or dropped, because the correlator
// must see the occurrences of an object one after the other.
package correlator

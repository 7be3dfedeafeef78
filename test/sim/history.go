// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"strings"
	"time"
)

// history has the last writes of one event.
type history struct {
	// refused is the time at which the server refused the last write. It is zero if the server did
	// not refuse it.
	refused time.Time

	// The fields below are about the last write of package legacy, which writes each occurrence.

	// count and at are the count and the lastTimestamp in that write.
	count int32
	at    time.Time
	// unconfirmed is true if that write was sent and not answered.
	unconfirmed bool
	// ambiguous is true if that write may have been stored although the component does not know.
	ambiguous bool
	// mayExist is true if an earlier attempt for the same occurrence may have been stored so.
	mayExist bool
	// dropped is the number of drops in its bucket at that time.
	dropped int64
}

// checkRewrite checks a request for an event that was written before. A write that the server has
// refused must not be sent again too soon. A count of package legacy must never decrease, and an
// unanswered write must be repeated unchanged.
func (w *world) checkRewrite(c *component, r *request) {
	// Package legacy also patches events that were never created.
	if r.about() == nil {
		return
	}
	h := &r.stored.writes
	if c.config.SharedCounts && r.verb == "patch" && r.count == 0 {
		// A new series for the same event reads the event.
		h.refused = time.Time{}
	}
	if !r.legacy {
		if age := time.Since(h.refused); !h.refused.IsZero() && age < c.config.retryAfterRefusal() {
			w.fail("sent again %v after it was refused: %s", age, r)
		}
		return
	}
	count, at := r.count, r.lastTimestamp
	if count < h.count || at.Before(h.at) {
		w.fail("%d of %v comes after %d of %v: %s", count, at, h.count, h.at, r)
	}
	dropped := c.counts.droppedIn(c.counts.bucketOfRequest(r))
	if h.unconfirmed && count != h.count && dropped == h.dropped {
		w.fail("%d comes after %d, which was not answered: %s", count, h.count, r)
	}
	h.mayExist = count == h.count && (h.mayExist || h.ambiguous)
	h.count, h.at, h.unconfirmed, h.ambiguous, h.dropped = count, at, true, true, dropped
}

// recordOutcome notes the end of a write, as far as its sender knows it.
func (w *world) recordOutcome(r *request) {
	if h := &r.stored.writes; !r.abandoned() {
		h.refused = time.Time{}
		if isRefusal(r.outcome) {
			h.refused = time.Now()
		}
		h.unconfirmed = !isAnswered(r.outcome)
		h.ambiguous = h.unconfirmed && !strings.Contains(r.outcome, errRefused.Error())
	}
}

// isRefusal reports whether an outcome is a refusal that is final.
func isRefusal(outcome string) bool { return outcome == "400" || outcome == "422" }

// isAnswered reports whether an outcome proves that the write took effect, or that it did not.
func isAnswered(outcome string) bool {
	return len(outcome) == len("200") && outcome[0] < '5' && outcome != "408"
}

// retryAfterRefusal returns the least time from a refusal to the next write of the series. It is a
// minute, or the refresh interval if that is shorter.
func (c *ComponentConfig) retryAfterRefusal() time.Duration {
	return min(time.Minute, cmp.Or(c.Refresh, time.Minute))
}

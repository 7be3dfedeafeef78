// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"strings"
	"time"
)

// history is what is known of the writes of one event.
type history struct {
	refused time.Time // when the server refused the last write; zero: it did not

	// Of package legacy, which writes each occurrence:
	count       int32     // the last
	at          time.Time // the lastTimestamp of that write
	unconfirmed bool      // it was sent and not answered
	ambiguous   bool      // it may have been stored without the component's knowledge
	mayExist    bool      // so may one before it, of the same occurrence
	dropped     int64     // drops of its bucket at that time
}

// checkRewrite checks a request for an event that was written before. What the server has refused is not sent again too
// soon. A count of package legacy never decreases, and an unanswered write is repeated as it was.
func (w *world) checkRewrite(c *component, r *request) {
	if r.about() == nil {
		return // package legacy also patches events that were never created
	}
	h := &r.stored.writes
	if c.config.SharedCounts && r.verb == "patch" && r.count == 0 {
		h.refused = time.Time{} // a series that has begun again, for the same Event, looks at it
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

// recordOutcome records how a write ended, as its sender knows it.
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

// isRefusal reports whether an outcome is final.
func isRefusal(outcome string) bool { return outcome == "400" || outcome == "422" }

// isAnswered reports whether an outcome says for sure what became of a write.
func isAnswered(outcome string) bool {
	return len(outcome) == len("200") && outcome[0] < '5' && outcome != "408"
}

// retryAfterRefusal returns how long a series waits at least before it is sent again after a refusal: a minute, or the
// refresh interval if that is shorter.
func (c *ComponentConfig) retryAfterRefusal() time.Duration {
	return min(time.Minute, cmp.Or(c.Refresh, time.Minute))
}

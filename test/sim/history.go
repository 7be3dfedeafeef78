// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/eventseries/eventseries/test/sim/apiserver"
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
func (w *world) checkRewrite(c *component, r *apiserver.Request) {
	if r.Event() == nil {
		return // package legacy also patches events that were never created
	}
	h := w.history(r)
	if c.config.Continues && r.Verb() == "patch" && r.Count() == 0 {
		h.refused = time.Time{} // a series that has begun again, for the same Event, looks at it
	}
	if !r.Legacy() {
		if age := time.Since(h.refused); !h.refused.IsZero() && age < c.config.retryAfterRefusal() {
			w.fail("sent again %v after it was refused: %s", age, r)
		}
		return
	}
	count, at := r.Count(), r.LastTimestamp()
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
func (w *world) recordOutcome(r *apiserver.Request) {
	if h := w.history(r); !r.GaveUp() {
		h.refused = time.Time{}
		if slices.Contains([]string{"400", "413", "422"}, r.Outcome()) {
			h.refused = time.Now()
		}
		h.unconfirmed = !isAnswered(r.Outcome())
		h.ambiguous = h.unconfirmed && !strings.Contains(r.Outcome(), apiserver.ErrRefused.Error())
	}
}

// isAnswered reports whether an outcome says for sure what became of a write.
func isAnswered(outcome string) bool {
	return len(outcome) == len("200") && outcome[0] < '5' && outcome != "408"
}

func (w *world) history(r *apiserver.Request) *history {
	key := keyOf(r)
	if w.histories[key] == nil {
		w.histories[key] = &history{}
	}
	return w.histories[key]
}

// retryAfterRefusal returns how long a series waits at least before it is sent again after a refusal: a minute, or the
// refresh interval if that is shorter.
func (c *ComponentConfig) retryAfterRefusal() time.Duration {
	return min(time.Minute, cmp.Or(c.Refresh, time.Minute))
}

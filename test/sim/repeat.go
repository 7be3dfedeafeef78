// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"cmp"
	"slices"
	"time"

	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// history is what is known of the writes of one event.
type history struct {
	refused time.Time // when the server refused it; zero: it has not, or not last

	// Of package legacy, which writes each occurrence:
	count   int32     // the last
	at      time.Time // when it was last seen, as of that write
	unsure  bool      // it was sent and not answered
	again   bool      // so was the one before it
	dropped int64     // of its bucket, by then
}

// checkRepeat holds what must be so when an event is written again. What the
// server will never take is not sent again. What package legacy counts does not go
// back, and after a write that nobody answered comes the same again.
func (w *world) checkRepeat(c *component, r *apiserver.Request) {
	if r.Event() == nil {
		return // package legacy patches also what was never created
	}
	h := w.history(r)
	if !r.Legacy() {
		if age := time.Since(h.refused); !h.refused.IsZero() && age < c.config.trial() {
			w.fail("sent again %v after it was refused: %s", age, r)
		}
		return
	}
	count, at := r.Count(), r.LastTimestamp()
	if count < h.count || at.Before(h.at) {
		w.fail("%d of %v comes after %d of %v: %s", count, at, h.count, h.at, r)
	}
	dropped := c.books.droppedIn(bucketOfRequest(r))
	if h.unsure && count != h.count && dropped == h.dropped {
		w.fail("%d comes after %d, which was not answered: %s", count, h.count, r)
	}
	h.count, h.at, h.again, h.unsure, h.dropped = count, at, h.unsure, true, dropped
}

// remember takes note of how a write ended, as its sender was told.
func (w *world) remember(r *apiserver.Request) {
	if h := w.history(r); !r.GaveUp() {
		h.refused = time.Time{}
		if slices.Contains([]string{"400", "413", "422"}, r.Outcome()) {
			h.refused = time.Now()
		}
		h.unsure = !isAnswered(r.Outcome())
	}
}

// isAnswered tells the outcomes that say for sure what became of a write.
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

// trial is how long a series waits after a refusal before it is tried again, at
// least: a minute, or the refresh interval if that is shorter.
func (c *ComponentConfig) trial() time.Duration {
	return min(time.Minute, cmp.Or(c.Refresh, time.Minute))
}

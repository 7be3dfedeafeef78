// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"slices"

	"github.com/eventseries/eventseries/internal/stats"
)

// check holds everything that must be so after each step.
func (m *model) check() {
	total, pending, size := snapshotOf(m.cache)
	sum := total.Recorded + pending
	for _, r := range stats.Reasons() {
		sum += total.Dropped[r]
	}
	if total.Observed != sum {
		m.t.Errorf("I1: observed %d, accounted for %d", total.Observed, sum)
	}
	m.checkBalances()
	if int64(size) != m.cache.size.Load() || int64(size) > m.cache.budget.max {
		m.t.Errorf("I5: %d series, counted %d, at most %d", size, m.cache.size.Load(), m.cache.budget.max)
	}
	for _, sh := range m.cache.shards {
		m.checkShard(sh)
		m.checkLimit(sh)
	}
}

// checkLimit checks that no object has more series than its limit, and that the shard counts them.
func (m *model) checkLimit(sh *shard) {
	want := map[*objectCount]objectCount{}
	for _, s := range sh.series {
		first := s.First()
		about := sh.objects.about(&first.Regarding)
		n := want[about]
		if first.Reason == OverflowReason {
			n.overflow++
		} else if n.limited++; m.limit > 0 && int(n.limited) > m.limit {
			m.t.Errorf("%s has %d series, want at most %d", first.Regarding.Name, n.limited, m.limit)
		}
		want[about] = n
	}
	for i := range sh.objects {
		if n := &sh.objects[i]; *n != want[n] {
			m.t.Errorf("the shard counts %+v, and there are %+v", *n, want[n])
		}
	}
}

// checkPublished checks that no more doubled counts are written than the limit allows. A
// write is one of them if nothing else asks for it.
func (m *model) checkPublished(s *Series) {
	refresh, finish := m.kepDeadlines(s)
	unasked := s.exists && s.recorded > 1 && !s.forced() && s.refusals == 0 && s.holds == 0
	now := momentOf(m.now, epoch)
	if !unasked || !now.Before(refresh) || !now.Before(finish) {
		return
	}
	m.published++
	if most := m.mostPublished + int(m.now.Sub(epoch)/m.publishEvery); m.published > most {
		m.t.Errorf("%d doubled counts are written, at most %d", m.published, most)
	}
}

// kepDeadlines are when KEP-383 asks for a write.
func (m *model) kepDeadlines(s *Series) (refresh, finish moment) {
	return s.lastWrite.Add(m.cache.iv.refresh()), s.last.Add(m.cache.iv.Finish)
}

// checkBalances checks that the accounts by label set are conserved one by one, and add up to the totals.
func (m *model) checkBalances() {
	now := m.cache.Snapshot()
	for labels, b := range now.Balances {
		sum := b.Recorded + b.Pending
		for _, r := range stats.Reasons() {
			sum += b.Dropped[r]
		}
		if b.Observed != sum || b.Pending < 0 {
			m.t.Errorf("I1: %+v: observed %d, accounted for %d", labels, b.Observed, sum)
		}
	}
	if pending := now.Total().Pending; now.OldestPending.IsZero() != (pending == 0) {
		m.t.Errorf("%d pending since %v", pending, now.OldestPending)
	}
}

func (m *model) checkShard(sh *shard) {
	groups := map[string]int{}
	for _, s := range sh.series {
		m.checkSeries(s)
		if s.Gone() {
			m.t.Errorf("%s is gone and still there", ownName(s))
		}
		if s.distinct {
			if groups[s.base()]++; groups[s.base()] > 2 {
				m.t.Errorf("more than 2 notes of %s", ownName(s))
			}
		}
	}
}

func (m *model) checkSeries(s *Series) {
	if s.unwritten() < 0 || s.recorded < 0 || s.rare().dropped < 0 {
		m.t.Errorf("%s: observed %d, dropped %d, recorded %d", ownName(s), s.observed, s.rare().dropped, s.recorded)
	}
	if s.queued != slices.Contains(m.queue, s) {
		m.t.Errorf("%s: queued %v, and the writer does not agree", ownName(s), s.queued)
	}
	flying := slices.ContainsFunc(m.flying, func(f modelWrite) bool { return f.s == s })
	if s.inFlight != flying || s.inFlight && s.queued {
		m.t.Errorf("%s: in flight %v, queued %v", ownName(s), s.inFlight, s.queued)
	}
	if want := s.rankNow(); want.before(s.rank) {
		m.t.Errorf("%s: rank %v, want %v or an earlier one", ownName(s), s.rank, want)
	}
	if s.unwritten() > 0 && !s.queued && !s.inFlight { // it waits for the timer
		if s.wake.After(s.deadline(&intervals)) { // as it was before a shorter lifetime was known
			m.t.Errorf("%s: the timer comes %v late", ownName(s), s.wake.Sub(s.deadline(&intervals)))
		}
		at, ok := s.writeAt(&m.cache.iv)
		if !ok || at.IsZero() {
			m.t.Errorf("%s wants to be written at once and is not queued", ownName(s))
		}
		if refresh, finish := m.kepDeadlines(s); s.holds == 0 && (at.After(refresh) || at.After(finish)) {
			m.t.Errorf("%s waits until %v beyond its refresh or finish", ownName(s), at.Sub(after(0)))
		}
	}
	if s.refusedFor != stats.None && (s.refusals == 0 || s.unwritten() != 0) {
		m.t.Errorf("%s is refused %d times with %d unwritten", ownName(s), s.refusals, s.unwritten())
	}
}

// recur checks that no refusal lasts for ever: what occurs once more after the longest
// wait is not dropped unless the cache is full.
func (m *model) recur() {
	m.now = m.now.Add(longestRetry)
	for pod := range 8 {
		for _, eventType := range []string{normal, warning} {
			r := see(m.cache, spread(fmt.Sprint("pod-", pod), eventType), m.now)
			m.took(r)
			if r.Dropped != stats.None && r.Dropped != stats.CacheFull {
				m.t.Errorf("pod-%d is still dropped as %v", pod, r.Dropped)
			}
		}
	}
	m.check()
}

// settleAll lets a healthy server end it, or Drain give it up.
func (m *model) settleAll() {
	m.cache.Close(stats.Stopped)
	if m.rand.IntN(2) == 0 {
		m.did = "abandon"
		m.cache.Abandon()
		checkEmpty(m.t, m.cache)
		return
	}
	_, f := flushAll(m.cache, m.now)
	for _, sh := range m.cache.shards {
		for _, s := range sh.series {
			if s.queued && !slices.Contains(m.queue, s) {
				m.queue = append(m.queue, s)
			}
		}
	}
	for len(m.queue)+len(m.flying) > 0 {
		m.begin()
		if f, ok := pick(m, &m.flying); ok {
			m.settle(f, m.apply(f))
		}
		m.check()
	}
	if _, pending, _ := snapshotOf(m.cache); pending != 0 || !finished(f) {
		m.t.Errorf("%d pending, flushed %v once the server answers everything", pending, finished(f))
	}
}

// checkEnd compares the counters with the server.
func (m *model) checkEnd() {
	for len(m.late) > 0 {
		m.arriveLate()
	}
	total, _, _ := snapshotOf(m.cache)
	var stored int64
	for name, s := range m.byName {
		var count int64
		if o := m.server[name]; o != nil {
			count = o.count
		}
		if count < s.recorded {
			m.t.Errorf("%s: recorded %d, the server has %d", name, s.recorded, count)
		}
		stored += count
	}
	if stored < total.Recorded || stored > total.Recorded+total.Unconfirmed {
		m.t.Errorf("the server has %d, recorded are %d and %d unconfirmed", stored, total.Recorded, total.Unconfirmed)
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"slices"
	"time"
)

const (
	// slowAfter is when an attempt is set aside. Kubernetes promises 99 of 100
	// calls that change an object within a second (its API call latency SLO).
	slowAfter = time.Second
	// promptly is how long an attempt of a suspect lane keeps its worker: a refusal,
	// which most are, comes sooner and is not worth another goroutine.
	promptly = 20 * time.Millisecond
	// maxAside bounds the attempts under way beside those of the workers. Each costs
	// a goroutine of 8 KiB here and a seat of the API server there.
	maxAside = 64
	// keptAside of them may take until their own deadline. The others give way when
	// a suspect lane finds no place: with a thousand namespaces that hang, each is
	// tried again within a back-off step, and one that is only slow still gets its
	// time now and then.
	keptAside = maxAside / 2
)

// slow are the attempts that do not count as workers, because they have taken
// slowAfter or because their lane is suspect. In the place of each goes another
// worker, so that what is well is not held up. The lock of the writer guards it.
type slow[T any] struct {
	aside   []*worker[T] // the oldest first
	overdue []*worker[T] // those that wait to be set aside
}

func (s *slow[T]) full() bool { return len(s.aside) >= maxAside }

// setAside no longer counts k as a worker. Its place is for another one.
func (s *slow[T]) setAside(k *worker[T]) {
	k.aside = true
	s.aside = append(s.aside, k)
}

// replace gives k's place to another worker.
func (k *worker[T]) replace() {
	k.replaced = true
	k.w.hire(k.team)
}

// relieve sets aside who waits for it, as far as there is room.
func (s *slow[T]) relieve() {
	for len(s.overdue) > 0 && !s.full() {
		k := s.overdue[0]
		s.overdue = slices.Delete(s.overdue, 0, 1)
		s.setAside(k)
		k.replace()
	}
	if len(s.overdue) > 0 {
		s.cutOne()
	}
}

// cutOne ends the oldest attempt that is late and not kept. It is the same one until
// that has returned: a sink that ignores its context makes no room for more.
func (s *slow[T]) cutOne() {
	if !s.full() {
		return
	}
	for _, k := range s.aside[keptAside:] {
		if k.late {
			k.cancel()
			return
		}
	}
}

// remove forgets k, whose attempt has ended.
func (s *slow[T]) remove(k *worker[T]) {
	same := func(other *worker[T]) bool { return other == k }
	if k.aside {
		s.aside = slices.DeleteFunc(s.aside, same)
	} else {
		s.overdue = slices.DeleteFunc(s.overdue, same)
	}
}

// beginLocked makes j the job of k. A write of a suspect lane takes the place of a
// worker for a moment only.
func (w *Writer[T]) beginLocked(k *worker[T], j job[T]) {
	k.job, k.began = j, time.Now()
	if j.lane.suspect() && k.team != nil {
		w.slow.setAside(k)
		k.timer.Reset(promptly)
		return
	}
	k.timer.Reset(slowAfter)
}

// endLocked takes its job from k, and returns whether k goes on: not if somebody
// has taken its place.
func (w *Writer[T]) endLocked(k *worker[T]) (j job[T], goOn bool) {
	j, k.job = k.job, job[T]{}
	j.lane.inflight--
	if k.late {
		j.lane.slow--
	}
	if k.late || k.aside {
		w.slow.remove(k)
		k.late, k.aside = false, false
		w.slow.relieve()
	}
	return j, !k.replaced
}

// lateNow is called when the attempt of k may have taken promptly, if its lane is
// suspect, and when it may have taken slowAfter.
func (w *Writer[T]) lateNow(k *worker[T]) {
	select {
	case <-k.stop: // nobody begins anything any more
		return
	default:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	took := time.Since(k.began)
	if k.job.id != 0 && k.aside && !k.replaced && took >= promptly {
		k.replace()
		k.timer.Reset(slowAfter - took)
	}
	if k.job.id == 0 || k.late || took < slowAfter { // or it was another attempt
		return
	}
	l := k.job.lane
	k.late = true
	l.slow++
	// Nobody has answered: other lanes need not wait for it.
	if w.server.leave(k.job.id) && !l.failed {
		w.server.shut(w.clock.Now(), 0, true, w.jitter)
	}
	w.pressure.leave(k.job.id)
	if k.team != nil && !k.aside {
		w.slow.overdue = append(w.slow.overdue, k)
		w.slow.relieve()
	}
	w.signal() // a suspect lane may take the place of this one
}

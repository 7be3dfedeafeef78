// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"slices"
	"time"
)

const (
	// slowAfter is when an attempt is detached. Kubernetes promises 99 of 100 calls
	// that change an object within a second (its API call latency SLO).
	slowAfter = time.Second
	// workerHold is how long an attempt of a suspect queue keeps its worker. Most such
	// attempts are refused sooner and are not worth another goroutine.
	workerHold = 20 * time.Millisecond
	// maxDetached bounds the attempts under way beside those of the workers. Each costs
	// a goroutine of 8 KiB here and a seat at the API server.
	maxDetached = 64
	// keepDetached of them may take until their own deadline. The others are cancelled
	// when a suspect queue finds no place: with a thousand namespaces that hang, each
	// is tried again within a back-off step, and one that is only slow still gets its
	// time now and then.
	keepDetached = maxDetached / 2
)

// detached are the attempts that do not count as a worker's, because they have taken
// slowAfter or because their queue is suspect. Another worker takes the place of
// each, so that healthy namespaces are not held up. The lock of the writer guards it.
type detached[T any] struct {
	workers []*worker[T] // the oldest first
	waiting []*worker[T] // those that are to be detached when there is a place
}

func (d *detached[T]) full() bool { return len(d.workers) >= maxDetached }

// add detaches the attempt of k. Its place is for another worker.
func (d *detached[T]) add(k *worker[T]) {
	k.detached = true
	d.workers = append(d.workers, k)
}

// replace gives the place of k to another worker.
func (k *worker[T]) replace() {
	k.replaced = true
	k.w.working--
	k.w.reserveLocked()
}

// addWaiting detaches those that wait for it, as far as there are places.
func (d *detached[T]) addWaiting() {
	for len(d.waiting) > 0 && !d.full() {
		k := d.waiting[0]
		d.waiting = slices.Delete(d.waiting, 0, 1)
		d.add(k)
		k.replace()
	}
	if len(d.waiting) > 0 {
		d.cancelOldest()
	}
}

// cancelOldest ends the oldest slow attempt beyond keepDetached, if there is no
// place. It is the same one until that has returned: a sink that ignores its context
// makes no place for more.
func (d *detached[T]) cancelOldest() {
	if !d.full() {
		return
	}
	for _, k := range d.workers[keepDetached:] {
		if k.slow {
			k.cancel()
			return
		}
	}
}

// remove forgets k, whose attempt has ended.
func (d *detached[T]) remove(k *worker[T]) {
	same := func(other *worker[T]) bool { return other == k }
	if k.detached {
		d.workers = slices.DeleteFunc(d.workers, same)
	} else {
		d.waiting = slices.DeleteFunc(d.waiting, same)
	}
}

// beginLocked makes j the job of k. A write of a suspect queue takes the place of a
// worker for a moment only.
func (w *Writer[T]) beginLocked(k *worker[T], j job[T]) {
	if k.job = j; j.queue.suspect() && k.team.group != nil {
		w.detached.add(k)
	}
	k.sentLocked()
}

// sentLocked begins to measure how long the attempt of k takes.
func (k *worker[T]) sentLocked() {
	if k.throttled, k.began = false, time.Now(); k.detached {
		k.arm(workerHold)
	} else if !k.armed {
		k.arm(slowAfter)
	}
}

// throttle is called when the attempt of k begins to wait for the client's rate limiter.
// It keeps its worker for so long, and is not slow: that is nothing about its namespace,
// and what is taken in its place would wait in the same limiter, where the component's
// own requests may wait, too.
func (k *worker[T]) throttle() (sent func()) {
	k.w.mu.Lock()
	defer k.w.mu.Unlock()
	id := k.job.id
	k.throttled = id != 0
	return func() {
		k.w.mu.Lock()
		defer k.w.mu.Unlock()
		if k.throttled && k.job.id == id {
			k.sentLocked()
		}
	}
}

// arm makes [Writer.onTimer] look at k after d. It looks at the attempt that is under
// way then, which may have begun later: setting a timer for each would cost more than
// the rest of taking an item.
func (k *worker[T]) arm(d time.Duration) {
	k.armed = true
	k.timer.Reset(d)
}

// endLocked takes its job from k. It reports whether k goes on, which it does unless
// another worker has its place.
func (w *Writer[T]) endLocked(k *worker[T]) (j job[T], goOn bool) {
	j, k.job = k.job, job[T]{}
	j.queue.inFlight--
	if k.slow {
		j.queue.slow--
	}
	if k.slow || k.detached {
		w.detached.remove(k)
		k.slow, k.detached = false, false
		w.detached.addWaiting()
	}
	return j, !k.replaced
}

// onTimer is called when the attempt of k may have taken workerHold, if its queue is
// suspect, and when it may have taken slowAfter.
func (w *Writer[T]) onTimer(k *worker[T]) {
	select {
	case <-k.team.stop: // nobody begins anything any more
		return
	default:
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if k.armed = false; k.job.id == 0 || k.slow || k.throttled {
		return
	}
	took := time.Since(k.began)
	if k.detached && !k.replaced {
		if took < workerHold {
			k.arm(workerHold - took)
			return
		}
		k.replace()
	}
	if took < slowAfter {
		k.arm(slowAfter - took)
		return
	}
	q := k.job.queue
	k.slow = true
	q.slow++
	// There is no answer: other queues need not wait for it.
	if w.server.leave(k.job.id) && !q.failed {
		w.server.shut(w.clock.Now(), 0, true, w.jitter)
	}
	w.pressure.leave(k.job.id)
	if k.team.group != nil && !k.detached {
		w.detached.waiting = append(w.detached.waiting, k)
		w.detached.addWaiting()
	}
	w.signal() // a suspect queue may take the place of this one
}

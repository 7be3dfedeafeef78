// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"container/heap"
	"time"
)

// turns says which lane is next. A lane that may have something to write stands
// in one of two lines; one whose gate is closed waits for the time to ask again;
// any other waits for an item or an answer. So neither taking an item nor adding
// one looks at lanes that cannot be written, of which there may be thousands.
type turns[T any] struct {
	healthy, suspect line[T]
	closed           closedLanes[T]
	asked            time.Time // when wake was last called
}

// line is a queue of lanes; its links are in the lanes.
type line[T any] struct{ first, last *lane[T] }

// turn is a lane's own place in turns.
type turn[T any] struct {
	line          *line[T]  // nil: in none
	ahead, behind *lane[T]  // while in line
	ask           time.Time // while closed: when to ask again
	closed        int       // index among the closed ones, or notClosed
}

const notClosed = -1

// join puts l at the end of the line where it belongs, unless it stands there
// already.
func (t *turns[T]) join(l *lane[T]) {
	to := &t.healthy
	if l.suspect() {
		to = &t.suspect
	}
	if l.line == to {
		return
	}
	t.leave(l)
	l.line, l.ahead = to, to.last
	if to.last == nil {
		to.first = l
	} else {
		to.last.behind = l
	}
	to.last = l
}

// wait lets l, which stands nowhere, wait until at.
func (t *turns[T]) wait(l *lane[T], at time.Time) {
	l.ask = at
	heap.Push(&t.closed, l)
}

// leave takes l out wherever it is.
func (t *turns[T]) leave(l *lane[T]) {
	if l.line != nil {
		l.line.remove(l)
	}
	if l.turn.closed != notClosed {
		heap.Remove(&t.closed, l.turn.closed)
	}
}

func (q *line[T]) remove(l *lane[T]) {
	if l.ahead == nil {
		q.first = l.behind
	} else {
		l.ahead.behind = l.behind
	}
	if l.behind == nil {
		q.last = l.ahead
	} else {
		l.behind.ahead = l.ahead
	}
	l.line, l.ahead, l.behind = nil, nil, nil
}

// next takes the first lane out of the line, nil if there is none.
func (q *line[T]) next() *lane[T] {
	l := q.first
	if l != nil {
		q.remove(l)
	}
	return l
}

// wake lets those join whose time has come. When the clock was set back, all do:
// what they waited for may now be hours away.
func (t *turns[T]) wake(now time.Time) {
	setBack := now.Before(t.asked.Add(-skew))
	t.asked = now
	for len(t.closed) > 0 && (setBack || !now.Before(t.closed[0].ask)) {
		t.join(t.closed[0])
	}
}

// earliest is when to wake the next one, zero if none waits.
func (t *turns[T]) earliest() time.Time {
	if len(t.closed) == 0 {
		return time.Time{}
	}
	return t.closed[0].ask
}

// closedLanes is a heap by the time to ask again.
type closedLanes[T any] []*lane[T]

func (c closedLanes[T]) Len() int           { return len(c) }
func (c closedLanes[T]) Less(i, j int) bool { return c[i].ask.Before(c[j].ask) }
func (c closedLanes[T]) Swap(i, j int) {
	c[i], c[j] = c[j], c[i]
	c[i].turn.closed, c[j].turn.closed = i, j
}

func (c *closedLanes[T]) Push(x any) {
	l := x.(*lane[T])
	l.turn.closed = len(*c)
	*c = append(*c, l)
}

func (c *closedLanes[T]) Pop() any {
	last := len(*c) - 1
	l := (*c)[last]
	(*c)[last] = nil
	*c = (*c)[:last]
	l.turn.closed = notClosed
	return l
}

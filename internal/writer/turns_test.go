// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/internal/request"
)

// A lane that cannot be written is not looked at again before its time.
//
// Caught: a rest that puts every lane back in line; an item that puts all in line.
func TestClosedLanesAreLeftAlone(t *testing.T) {
	const namespaces = 4000
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(answering(request.Verdict{Action: request.Forbidden, Gate: request.Namespace}, request.Create))
		for i := range namespaces {
			r.add(request.Create, fmt.Sprint("ns-", i, "/1"))
		}
		check := func() {
			r.look(func() {
				if inLine, closed := r.turns.inLine(), len(r.turns.closed); inLine != 0 || closed != namespaces {
					t.Errorf("%d lanes in line and %d closed, want %d closed", inLine, closed, namespaces)
				}
			})
		}
		check()
		r.after(5 * time.Minute)
		check()
		r.add(request.Patch, "ns-1/2") // the gate is closed to it, too
		check()
		r.OpenGates()
		synctest.Wait()
		check() // each was tried once more
	})
}

// Lanes that are closed and have nothing to write are forgotten in time.
//
// Caught: an idle lane that nobody asks again; one that is forgotten with its gate; a place in the order that is not
// moved.
func TestIdleLanesAreForgotten(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		wait := map[string]time.Duration{"a": 20 * time.Second, "b": 0, "c": 40 * time.Second}
		r.serve(func(i *item) (request.Verdict, request.Op) {
			return request.Verdict{Action: request.Drop, Gate: request.Creates, Wait: wait[i.namespace]}, request.Nothing
		})
		r.add(request.Create, "a/1", "b/1", "c/1")
		for _, row := range []struct {
			at   time.Duration
			left string
		}{{30 * time.Second, "a b c"}, {31 * time.Second, "a c"}, {50 * time.Second, "c"}, {70 * time.Second, ""}} {
			r.after(row.at)
			r.look(func() { checkLanes(t, r, row.left) })
		}
	})
}

func checkLanes(t *testing.T, r *rig, want string) {
	t.Helper()
	var left []string
	for i, l := range r.order {
		left = append(left, l.namespace)
		if l.index != i || r.lanes[l.namespace] != l {
			t.Errorf("%s is not where it should be", l.namespace)
		}
	}
	slices.Sort(left)
	if got := strings.Join(left, " "); got != want || len(r.lanes) != len(left) || len(r.turns.closed) != len(left) {
		t.Errorf("lanes %q, %d of them, %d closed, want %q", got, len(r.lanes), len(r.turns.closed), want)
	}
}

// Caught: a wake that trusts the clock.
func TestTurnsSurviveAClockSetBack(t *testing.T) {
	began := time.Now()
	lanes := []*lane[int]{newLane[int]("a"), newLane[int]("b"), newLane[int]("c")}
	var turns turns[int]
	turns.wake(began)
	for i, l := range lanes {
		turns.wait(l, began.Add(time.Duration(3-i)*time.Second))
	}
	turns.wake(began.Add(-skew)) // two goroutines read the clock one after the other
	if got := turns.healthy.next(); got != nil {
		t.Fatalf("%s is next before its time", got.namespace)
	}
	turns.wake(began.Add(time.Second))
	if got := turns.healthy.next(); got != lanes[2] {
		t.Fatalf("the earliest is not next: %+v", got)
	}
	if got, want := turns.earliest(), began.Add(2*time.Second); !got.Equal(want) {
		t.Errorf("earliest %v, want %v", got, want)
	}
	turns.wake(began.Add(-time.Hour))
	for _, want := range []*lane[int]{lanes[1], lanes[0]} {
		if got := turns.healthy.next(); got != want {
			t.Errorf("%+v is next, want %s", got, want.namespace)
		}
	}
	if !turns.earliest().IsZero() {
		t.Error("somebody still waits")
	}
}

// inLine counts both lines.
func (t *turns[T]) inLine() int { return t.healthy.len() + t.suspect.len() }

// len counts the line, and is far below zero when it is not the same from both ends.
func (q *line[T]) len() (n int) {
	const broken = -1 << 20
	var last *lane[T]
	for l := q.first; l != nil; l = l.behind {
		if n++; l.ahead != last || l.line != q {
			return broken
		}
		last = l
	}
	if last != q.last {
		return broken
	}
	return n
}

// Lanes leave the line wherever they stand, and come back to its end.
//
// Caught: a link that is left behind by one that steps out at either end.
func TestTurnsLine(t *testing.T) {
	lanes := make([]*lane[int], 5)
	for i := range lanes {
		lanes[i] = newLane[int](fmt.Sprint(i))
	}
	random := rand.New(rand.NewPCG(1, 1))
	var line turns[int]
	var want []*lane[int] // in the healthy line
	for range 2000 {
		l := lanes[random.IntN(len(lanes))]
		switch random.IntN(3) {
		case 0:
			if line.join(l); !slices.Contains(want, l) {
				want = append(want, l)
			}
		case 1:
			line.leave(l)
			want = slices.DeleteFunc(want, func(one *lane[int]) bool { return one == l })
		default:
			got := line.healthy.next()
			if len(want) == 0 {
				want = append(want, nil)
			}
			if got != want[0] {
				t.Fatalf("next is %v, want %v", got, want[0])
			}
			want = want[1:]
		}
		if n := line.inLine(); n != len(want) {
			t.Fatalf("%d in line, want %d", n, len(want))
		}
	}
}

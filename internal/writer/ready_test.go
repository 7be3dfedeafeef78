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

// A queue that cannot be written is not looked at again before its time.
//
// Caught: a rest that makes every queue ready again; an item that makes all ready.
func TestDelayedQueuesAreNotLookedAt(t *testing.T) {
	const namespaces = 4000
	inBubble(t, 4, func(t *testing.T, r *rig) {
		r.serve(answering(request.Verdict{Action: request.Forbidden, Gate: request.Namespace}, request.FirstNormal))
		for i := range namespaces {
			r.add(request.FirstNormal, fmt.Sprint("ns-", i, "/1"))
		}
		check := func() {
			r.look(func() {
				if listed, closed := r.ready.listed(), len(r.ready.delayed.Items); listed != 0 || closed != namespaces {
					t.Errorf("%d queues ready and %d delayed, want %d delayed", listed, closed, namespaces)
				}
			})
		}
		check()
		r.after(5 * time.Minute)
		check()
		r.add(request.Count, "ns-1/2") // the gate is closed to it, too
		check()
		r.OpenGates()
		synctest.Wait()
		check() // each was tried once more
	})
}

// Queues that are closed and have nothing to write are forgotten in time.
//
// Caught: an idle queue that nobody asks again; one that is forgotten with its gate; a place in the order that is not
// moved.
func TestIdleQueuesAreRemoved(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		wait := map[string]time.Duration{"a": 20 * time.Second, "b": 0, "c": 40 * time.Second}
		r.serve(func(i *item) (request.Verdict, request.Class) {
			return request.Verdict{Action: request.Drop, Gate: request.Creates, Wait: wait[i.namespace]}, request.NoWrite
		})
		r.add(request.FirstNormal, "a/1", "b/1", "c/1")
		for _, row := range []struct {
			at   time.Duration
			left string
		}{{30 * time.Second, "a b c"}, {31 * time.Second, "a c"}, {50 * time.Second, "c"}, {70 * time.Second, ""}} {
			r.after(row.at)
			r.look(func() { checkQueues(t, r, row.left) })
		}
	})
}

func checkQueues(t *testing.T, r *rig, want string) {
	t.Helper()
	var left []string
	for i, l := range r.order {
		left = append(left, l.namespace)
		if l.index != i || r.queues[l.namespace] != l {
			t.Errorf("%s is not where it should be", l.namespace)
		}
	}
	slices.Sort(left)
	if got := strings.Join(left, " "); got != want || len(r.queues) != len(left) || len(r.ready.delayed.Items) != len(left) {
		t.Errorf("queues %q, %d of them, %d closed, want %q", got, len(r.queues), len(r.ready.delayed.Items), want)
	}
}

// Caught: a wake that trusts the clock.
func TestReadyListSurvivesAClockSetBack(t *testing.T) {
	began := time.Now()
	queues := newQueues("a", "b", "c")
	ready := readyList[int]{delayed: newDelayed[int]()}
	ready.wake(began)
	for i, l := range queues {
		ready.delay(l, began.Add(time.Duration(3-i)*time.Second))
	}
	ready.wake(began.Add(-skew)) // two goroutines read the clock one after the other
	if got := ready.pop(request.FirstWarning); got != nil {
		t.Fatalf("%s is next before its time", got.namespace)
	}
	ready.wake(began.Add(time.Second))
	if got := ready.pop(request.FirstWarning); got != queues[2] {
		t.Fatalf("the earliest is not next: %+v", got)
	}
	if got, want := ready.nextWake(), began.Add(2*time.Second); !got.Equal(want) {
		t.Errorf("earliest %v, want %v", got, want)
	}
	ready.wake(began.Add(-time.Hour))
	for _, want := range []*namespaceQueue[int]{queues[1], queues[0]} {
		if got := ready.pop(request.FirstWarning); got != want {
			t.Errorf("%+v is next, want %s", got, want.namespace)
		}
	}
	if !ready.nextWake().IsZero() {
		t.Error("somebody still waits")
	}
}

// listed counts the places in all lists.
func (r *readyList[T]) listed() (n int) {
	for list := range r.lists {
		n += r.len(request.Class(list))
	}
	return n
}

// len counts a list, and is far below zero when it is not the same from both ends.
func (r *readyList[T]) len(list request.Class) (n int) {
	const broken = -1 << 20
	var last *namespaceQueue[T]
	for q := r.lists[list].first; q != nil; q = q.links[list].next {
		if n++; q.links[list].previous != last || !q.links[list].listed {
			return broken
		}
		last = q
	}
	if last != r.lists[list].last {
		return broken
	}
	return n
}

func newQueues(namespaces ...string) []*namespaceQueue[int] {
	queues := make([]*namespaceQueue[int], len(namespaces))
	for i, namespace := range namespaces {
		queues[i] = newNamespaceQueue[int](namespace)
	}
	return queues
}

// Queues leave the list wherever they are, and come back to its end.
//
// Caught: a link that is left behind by one that steps out at either end.
func TestReadyListOrder(t *testing.T) {
	queues := newQueues("0", "1", "2", "3", "4")
	random := rand.New(rand.NewPCG(1, 1))
	ready := readyList[int]{delayed: newDelayed[int]()}
	var want []*namespaceQueue[int] // in the healthy list
	for range 2000 {
		l := queues[random.IntN(len(queues))]
		switch random.IntN(3) {
		case 0:
			if ready.add(l); !slices.Contains(want, l) {
				want = append(want, l)
			}
		case 1:
			ready.remove(l)
			want = slices.DeleteFunc(want, func(one *namespaceQueue[int]) bool { return one == l })
		default:
			got := ready.pop(request.FirstWarning)
			if len(want) == 0 {
				want = append(want, nil)
			}
			if got != want[0] {
				t.Fatalf("next is %v, want %v", got, want[0])
			}
			want = want[1:]
		}
		if n := ready.listed(); n != len(want) {
			t.Fatalf("%d ready, want %d", n, len(want))
		}
	}
}

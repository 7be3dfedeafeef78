// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
)

// load is how many items of each class wait in a namespace.
type load map[request.Class]int

// letters stand for the classes in the names of items.
const letters = ".wnsc"

// addLoad enqueues the items of each class, the least urgent class first.
func (r *rig) addLoad(namespace string, l load) {
	for class := request.Classes - 1; class > request.NoWrite; class-- {
		for i := range l[class] {
			r.add(class, fmt.Sprintf("%s/%c%d", namespace, letters[class], i))
		}
	}
}

// checkClasses compares the classes of the requests since the last check.
func (r *rig) checkClasses(t *testing.T, want string) {
	t.Helper()
	synctest.Wait()
	var got strings.Builder
	for _, line := range r.takeLog() {
		_, name, _ := strings.Cut(line, "/")
		got.WriteByte(name[0])
	}
	if diff := cmp.Diff(strings.ReplaceAll(want, " ", ""), got.String()); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
}

// What is urgent comes first in whatever namespace it is, and each class has its share.
//
// Caught: an order within each namespace only; a class that has no turn; no order at all.
func TestWriterOrder(t *testing.T) {
	for name, row := range map[string]struct {
		busy, calm load
		want       string
	}{
		"urgent in another namespace": {
			load{request.FirstNormal: 4, request.Second: 4, request.Count: 4}, load{request.FirstWarning: 3},
			"wnwswcn nnsssccc",
		},
		"shares": {
			load{request.FirstWarning: 10, request.FirstNormal: 3, request.Second: 3, request.Count: 3},
			load{request.FirstWarning: 5, request.FirstNormal: 3, request.Second: 3, request.Count: 3},
			"wnwswcww wnwswcww wnwswcww nnnsscscc",
		},
		"nothing urgent": {load{request.Count: 5}, load{request.Count: 5}, "cccccccccc"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, 1)
				r.addLoad("busy", row.busy)
				r.addLoad("calm", row.calm)
				r.start(t)
				r.checkClasses(t, row.want)
			})
		})
	}
}

// A Warning is the next that is written, however many namespaces have something else, and so
// is a count when it is the turn of counts.
//
// Caught: queues in one list; lists by class whose queues have an order of their own.
func TestWriterOrderOfManyNamespaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, 1)
		r.serve(slowly(100*time.Millisecond, settled))
		for i := range 1000 {
			r.addLoad(fmt.Sprint("ns-", i), load{request.FirstNormal: 2, request.Count: 1})
		}
		for _, namespace := range []string{"ns-900", "ns-700", "ns-500"} {
			r.addLoad(namespace, load{request.FirstWarning: 1})
		}
		r.start(t)
		r.after(950 * time.Millisecond)
		r.checkClasses(t, "wnwwncnn nn")
	})
}

// A suspect namespace takes its classes in turn, and a closed gate for creates holds back no patch.
//
// Caught: a suspect queue that follows the turns of all; one that takes the most urgent only.
func TestWriterOrderOfSuspects(t *testing.T) {
	inBubble(t, 2, func(t *testing.T, r *rig) {
		r.serve(answering(retryIn(request.Namespace, 0, false)))
		r.addLoad("bad", load{request.FirstWarning: 1})
		synctest.Wait()
		r.takeLog()
		r.addLoad("bad", load{request.FirstWarning: 20, request.FirstNormal: 2, request.Second: 2, request.Count: 8})
		r.after(4 * time.Minute)
		r.checkClasses(t, "wnscwnsc wcwcw")
		r.serve(answering(terminating))
		r.after(5 * time.Minute)
		r.checkClasses(t, "cccc")
	})
}

// While writes fail, what has not failed goes first, the last one before the others. Then what has failed is tried
// again, creates and patches in turn.
//
// Caught: failed creates that keep failed patches from being tried.
func TestWriterTriesWhatHasNotFailedFirst(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		failing := func(i *item) (request.Verdict, request.Class) {
			next := request.FirstWarning
			if strings.Contains(i.name, "count") {
				next = request.Count
			}
			return answering(retryIn(request.Namespace, 0, false), next)(i)
		}
		r.serve(failing)
		r.add(request.FirstWarning, "ns/1")
		synctest.Wait()
		r.add(request.FirstWarning, "ns/2", "ns/3")
		r.add(request.Count, "ns/count")
		r.after(20 * time.Second)
		r.check(t, "@0s ns/1", "@250ms ns/3", "@750ms ns/count", "@1.75s ns/2", "@3.75s ns/1", "@7.75s ns/count", "@15.75s ns/3")
	})
}

// A terminating namespace refuses the creates of both classes.
//
// Caught: Normals that stay.
func TestWriterTerminatingNamespaceRefusesBothClasses(t *testing.T) {
	inBubble(t, 1, func(t *testing.T, r *rig) {
		r.serve(answering(terminating))
		r.add(request.FirstWarning, "ns/w1", "ns/w2")
		synctest.Wait()
		r.checkRefused(t, "ns/w2 NamespaceGone")
		r.OpenGates()
		r.serve(slowly(time.Millisecond, terminating))
		r.addLoad("ns", load{request.FirstWarning: 2, request.FirstNormal: 2})
		r.after(time.Second)
		r.checkWaiting(t, 0)
	})
}

// No class of a namespace starves, however the turns fall together with what is under way. A
// client's limiter lets the workers through one by one, so that their requests end in turns, too.
//
// Caught: a turn that is lost because the namespace has all the writes under way that it may
// have. With two workers and two namespaces, each has every other turn.
func TestWriterOrderOfBusyNamespaces(t *testing.T) {
	for workers := 1; workers <= 5; workers++ {
		for namespaces := 1; namespaces <= 4; namespaces++ {
			t.Run(fmt.Sprintf("%d workers, %d namespaces", workers, namespaces), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := newRig(t, workers)
					r.serve(oneByOne(10 * time.Millisecond))
					for i := range namespaces {
						r.addLoad(fmt.Sprint("ns-", i), load{
							request.FirstWarning: 200, request.FirstNormal: 3, request.Second: 3, request.Count: 3,
						})
					}
					r.start(t)
					r.after(time.Minute)
					last := 0
					for i, line := range r.takeLog() {
						if !strings.Contains(line, "/w") {
							last = i
						}
					}
					if most := len(turns)*namespaces*4 + workers; last > most {
						t.Errorf("a third item is request %d, want it among the first %d", last, most)
					}
				})
			})
		}
	}
}

// A namespace that has more urgent items all the time keeps its turns beside one that has none.
//
// Caught: a place in the turns of a class that is lost whenever the namespace is looked at while it has all the writes
// under way that it may have.
func TestWriterOrderBesideLessUrgent(t *testing.T) {
	for workers := 2; workers <= 5; workers++ {
		synctest.Test(t, func(t *testing.T) {
			r := newRig(t, workers)
			r.serve(oneByOne(10 * time.Millisecond))
			r.addLoad("urgent", load{request.FirstWarning: 1000, request.FirstNormal: 3})
			r.addLoad("calm", load{request.FirstNormal: 500})
			r.start(t)
			r.after(time.Minute)
			last := 0
			for i, line := range r.takeLog() {
				if strings.Contains(line, "urgent/n") {
					last = i
				}
			}
			if most := len(turns)*2*4 + workers; last > most {
				t.Errorf("%d workers: the third Normal is request %d, want it among the first %d", workers, last, most)
			}
		})
	}
}

// oneByOne answers one request after the other, each after d.
func oneByOne(d time.Duration) func(*item) (request.Verdict, request.Class) {
	var mu sync.Mutex
	var next time.Time
	return func(i *item) (request.Verdict, request.Class) {
		mu.Lock()
		next = later(next, time.Now()).Add(d)
		wait := time.Until(next)
		mu.Unlock()
		return slowly(wait, settled)(i)
	}
}

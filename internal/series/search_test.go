// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/request"
)

var searches = flag.String("search", "2,2,1 3,1,1", "processes, occurrences of each, and faults of TestContinuitySearch")

// TestContinuitySearch looks at every order in which some processes can record some occurrences each of one series,
// while a number of things go wrong: an answer is lost, a request arrives twice or late, the Event expires, a process is
// killed and another one begins, somebody removes the annotation, or forges a share that is valid or not. It runs the
// code of [Series] itself and checks after each step what [searched.check] says. The search is breadth first, so what
// it finds is the shortest way to it.
func TestContinuitySearch(t *testing.T) {
	for _, search := range strings.Fields(*searches) {
		t.Run(search, func(t *testing.T) {
			var processes, faults int
			var occurrences int64
			if _, err := fmt.Sscanf(search, "%d,%d,%d", &processes, &occurrences, &faults); err != nil {
				t.Fatal(err)
			}
			runSearch(t, processes, occurrences, faults)
		})
	}
}

func runSearch(t *testing.T, processes int, occurrences int64, faults int) {
	first := &searched{faults: faults, acked: map[ackedShare]int64{}, owner: map[string]int{}, observed: map[int]int64{}}
	for range processes {
		first.processes = append(first.processes, first.process(occurrences))
	}
	seen, steps := map[[16]byte]bool{}, 0
	for layer := []*searched{first}; len(layer) > 0; {
		var next []*searched
		for _, from := range layer {
			for _, to := range from.steps() {
				if to.check(); to.wrong != "" {
					t.Fatalf("%s, after%s", to.wrong, first.along(to.path))
				}
				steps++
				if id := to.fingerprint(); !seen[id] {
					seen[id] = true
					next = append(next, to)
				}
			}
		}
		layer = next
	}
	t.Logf("%d states, %d steps", len(seen), steps)
}

// searched is one state of all processes and of the server.
type searched struct {
	processes []searchedProcess
	faults    int                          // that are still to come
	events    [maxNames]*searchedEvent     // by the number of their names
	late      []*Write                     // requests that may still arrive
	acked     map[ackedShare]int64         // the highest one
	owner     map[string]int               // the process of a share
	observed  map[int]int64                // by process
	dead      struct{ seen, stored int64 } // what killed processes had observed and recorded
	versions  int
	expired   bool
	lost      bool // an answer
	wrong     string
	step      string // the last one
	path      []byte // which of the possible steps were taken
}

// searchedProcess is one process, which records one series.
type searchedProcess struct {
	id               int
	left             int64 // occurrences that are still to come
	names            *generations
	s                *Series
	w                *Write // under way
	recorded, deltas int64
}

// searchedEvent is a stored Event. It is never changed.
type searchedEvent struct {
	*eventsv1.Event
	forged int64 // of the count
	foul   bool  // what the annotation says cannot be so: nobody may write it
}

type ackedShare struct {
	event types.UID
	id    string
}

var (
	searchKey   = Occurrence{Key: keyOf("web", warning), At: epoch, Name: FixedName("unique")}
	searchNames = func() (names [maxNames]string) {
		for i := range names {
			names[i] = hashOf(&searchKey.Key).name(searchKey.Regarding.Name, i)
		}
		return names
	}()
	searchShard   = newCache(intervals, 1<<40).shards[0]
	searchAccount = searchShard.account(&searchKey)
)

// process begins a process.
func (w *searched) process(left int64) searchedProcess {
	id := len(w.observed) + 1
	w.observed[id] = 0
	return searchedProcess{id: id, left: left, names: newGenerations()}
}

// steps returns all that can happen next.
func (w *searched) steps() (all []*searched) {
	can := func(possible bool, name string, i int, step func(to *searched)) {
		if possible {
			to := w.clone()
			to.step, to.path = fmt.Sprintf("\n%s %d", name, i), append(slices.Clip(w.path), byte(len(all)))
			step(to)
			all = append(all, to)
		}
	}
	fault := func(possible bool, name string, i int, step func(to *searched)) {
		can(possible && w.faults > 0, name, i, func(to *searched) { to.faults--; step(to) })
	}
	lose := func(possible bool, name string, i int, step func(to *searched)) {
		fault(possible, name, i, func(to *searched) { to.lost = true; step(to) })
	}
	for i, p := range w.processes {
		repeat := func(to *searched) { to.late = append(to.late, copyOf(p.w)) }
		written := p.s == nil || p.s.unwritten() == 0
		for n := range p.left + 1 { // what is observed concerns nobody else, so it may as well be when it is sent
			can(p.w == nil && (n > 0 || !written), fmt.Sprintf("observe %d and send", n), i, func(to *searched) {
				to.send(&to.processes[i], n)
			})
			can(p.w == nil && n > 0 && p.s != nil && written, fmt.Sprintf("forget the series, observe %d and send", n), i,
				func(to *searched) {
					to.processes[i].s = nil
					to.send(&to.processes[i], n)
				})
		}
		can(p.w != nil, "answer", i, func(to *searched) { to.reply(&to.processes[i]) })
		lose(p.w != nil, "answer, lost,", i, func(to *searched) {
			_, _ = to.apply(p.w)
			to.processes[i].settle(nil, request.NoAnswer)
		})
		lose(p.w != nil, "delay the request of", i, func(to *searched) {
			repeat(to)
			to.processes[i].settle(nil, request.NoAnswer)
		})
		lose(p.w != nil && !p.w.ReadVersion, "answer and repeat the request of", i, func(to *searched) {
			repeat(to)
			to.reply(&to.processes[i])
		})
		lose(p.s != nil, "kill", i, func(to *searched) {
			if to.dead.seen, to.dead.stored = to.dead.seen+w.observed[p.id], to.dead.stored+p.recorded; p.w != nil {
				repeat(to)
			}
			to.processes[i] = to.process(max(p.left, 1))
		})
	}
	w.late = slices.DeleteFunc(w.late, w.hopeless)
	for i, late := range w.late {
		can(true, "take late request", i, func(to *searched) {
			to.late = slices.Delete(to.late, i, i+1)
			_, _ = to.apply(late)
		})
	}
	for i, e := range w.events {
		fault(e != nil, "expire Event", i, func(to *searched) { to.events[i], to.expired = nil, true })
		fault(e != nil && !e.foul, "strip Event", i, func(to *searched) {
			to.put(i, &searchedEvent{e.Event, e.forged, true}, func(e *eventsv1.Event) { delete(e.Annotations, Counts) })
		})
		forge := func(kind string, foul bool, edit func(shares []Share) []Share) {
			fault(e != nil && !e.foul, "forge "+kind+" in Event", i, func(to *searched) {
				to.put(i, &searchedEvent{e.Event, e.forged + 5, foul}, func(e *eventsv1.Event) {
					e.Series = &eventsv1.EventSeries{Count: int32(countIn(e) + 5), LastObservedTime: e.EventTime}
					text, _ := json.Marshal(edit(slices.Clone(parsedShares(e.Annotations))))
					e.Annotations[Counts] = string(text)
				})
			})
		}
		share := Share{ID: fmt.Sprint("forged", w.versions), Count: 5}
		forge("a share", false, func(shares []Share) []Share { return append(shares, share) })
		forge("another sum", true, func(shares []Share) []Share { return append(shares, share, share) })
		forge("a higher share", false, func(shares []Share) []Share { shares[0].Count += 5; return shares })
	}
	return all
}

func countIn(e *eventsv1.Event) int64 {
	if e.Series == nil {
		return 1
	}
	return int64(e.Series.Count)
}

// along describes the steps of a path.
func (w *searched) along(path []byte) (text string) {
	for _, i := range path {
		w = w.steps()[i]
		text += w.step
	}
	return text
}

// send records n occurrences, as the cache does, and begins a write.
func (w *searched) send(p *searchedProcess, n int64) {
	if p.s == nil {
		var buf KeyBuffer
		p.s = newSeries(searchKey.PackKey(buf[:0]), &searchKey)
		p.s.account = searchAccount
		p.s.continueIn(p.names, &searchKey)
	}
	for range n {
		p.s.observe(&searchKey, after(0), &intervals)
	}
	p.left, w.observed[p.id] = p.left-n, w.observed[p.id]+n
	p.w = p.s.begin()
	w.owner[p.s.rare().continuity.id] = p.id
}

// apply does what the API server does with a write.
func (w *searched) apply(write *Write) (*eventsv1.Event, error) {
	resource, name := eventsv1.Resource("events"), write.Event.Name
	i := slices.Index(searchNames[:], name)
	old := w.events[i]
	switch {
	case write.Op == request.Create && old != nil:
		return nil, apierrors.NewAlreadyExists(resource, name)
	case write.Op == request.Create:
		return w.put(i, &searchedEvent{Event: write.Event}, func(e *eventsv1.Event) {
			e.UID = types.UID(fmt.Sprint("uid-", w.versions))
		}), nil
	case old == nil:
		return nil, apierrors.NewNotFound(resource, name)
	case write.ReadVersion:
		return old.Event, nil
	case version(write) != "" && version(write) != old.ResourceVersion:
		return nil, apierrors.NewConflict(resource, name, errors.New("changed"))
	}
	stored := w.put(i, old, func(e *eventsv1.Event) {
		_ = json.Unmarshal(write.Patch, e) // no key of a patch needs a real merge
	})
	if before, now := countIn(old.Event), countIn(stored); now < before || old.foul {
		w.wrong = fmt.Sprintf("the count goes from %d to %d, of an Event that may not be written: %v", before, now, old.foul)
	}
	return stored, nil
}

// put stores an edited copy of an Event.
func (w *searched) put(i int, e *searchedEvent, edit func(*eventsv1.Event)) *eventsv1.Event {
	stored := *e
	stored.Event = e.DeepCopy()
	w.versions++
	edit(stored.Event)
	stored.ResourceVersion = strconv.Itoa(w.versions)
	w.events[i] = &stored
	return stored.Event
}

// reply has the server do what a process asks. An answer concerns nobody else, so it may as well arrive at once.
func (w *searched) reply(p *searchedProcess) {
	stored, err := w.apply(p.w)
	v := request.Classify(p.w.Request, err)
	if v.Action == request.Stored && !p.w.ReadVersion {
		c := p.s.rare().continuity
		key := ackedShare{stored.UID, c.id}
		w.acked[key] = max(w.acked[key], c.base+p.w.Count)
		p.deltas += p.w.Delta
	}
	p.settle(stored, v)
}

func (p *searchedProcess) settle(stored *eventsv1.Event, v request.Verdict) {
	before := p.s.recorded
	p.s.end(p.w)
	searchShard.settle(p.s, p.w, v, stored, epoch)
	p.recorded += p.s.recorded - before
	p.w = nil
}

// check looks for what must not be: a count that is not the sum of its shares; a process with more in the shares of all
// Events than it has observed; an acknowledged share that is gone while its Event is there; deltas that do not add up to
// what is recorded; and at rest, occurrences that are missing, or counted twice. What was on its way to an Event that was
// edited meanwhile may be there and be counted again in another share: nobody can tell.
func (w *searched) check() {
	fail := func(wrong bool, format string, args ...any) {
		if wrong {
			w.wrong = fmt.Sprintf(format, args...)
		}
	}
	all, seen, stored, forged, foul, rest := int64(0), w.dead.seen, w.dead.stored, int64(0), false, true
	by := map[int]int64{}
	for i, e := range w.events {
		if e == nil {
			continue
		}
		all += countIn(e.Event)
		seen, stored, forged = seen+e.forged, stored+e.forged, forged+e.forged
		if foul = foul || e.foul; e.foul {
			continue
		}
		shares, err := SharesOf(e.Annotations)
		sum, of := int64(0), map[string]int64{}
		for _, share := range shares {
			sum, of[share.ID] = sum+share.Count, share.Count
			by[w.owner[share.ID]] += share.Count
		}
		fail(err != nil || sum != countIn(e.Event), "Event %d counts %d with shares of %d, %v", i, countIn(e.Event), sum, err)
		for key, acked := range w.acked {
			fail(key.event == e.UID && of[key.id] < acked, "a share of %d was acknowledged in Event %d, which has %d", acked, i, of[key.id])
		}
	}
	blurred := w.lost && (foul || forged > 0)
	for id, observed := range w.observed {
		fail(!blurred && by[id] > observed+forged, "process %d has observed %d, its shares are %d", id, observed, by[id])
	}
	for i, p := range w.processes {
		seen, stored = seen+w.observed[p.id], stored+p.recorded
		rest = rest && p.w == nil && (p.s == nil || p.s.unwritten() == 0)
		fail(p.deltas != p.recorded, "%d has recorded %d, the deltas are %d", i, p.recorded, p.deltas)
	}
	fail(rest && !w.expired && (all < stored || !blurred && all > seen), "at rest %d are counted, of %d to %d", all, stored, seen)
}

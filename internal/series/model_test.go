// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

// TestModel drives a small cache through thousands of random steps against a
// simple model of a server that applies writes, loses them, loses its answers,
// lets writes arrive late, forgets objects and refuses. After every step it
// checks what must hold in every state. A failing seed replays.
func TestModel(t *testing.T) {
	const seeds, steps = 20, 3000
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			m := newModel(t, seed)
			for step := range steps {
				m.step()
				m.check()
				if t.Failed() {
					t.Fatalf("after step %d: %s", step, m.did)
				}
			}
			m.recur()
			m.settleAll()
			m.checkEnd()
		})
	}
}

// modelWrite is a request on its way.
type modelWrite struct {
	s *Series
	w *Write
}

type model struct {
	t      *testing.T
	rand   *rand.Rand
	cache  *Cache
	now    time.Time
	did    string
	byName map[string]*Series // every series there ever was
	queue  []*Series          // the writer's
	flying []modelWrite
	late   []modelWrite // given up by the client, and still on their way
	server map[string]*object
	flush  *Flush
	limit  int // of an object; 0 for none

	published, mostPublished int           // doubled counts, and the burst of them
	publishEvery             time.Duration // there is one more in each
}

func newModel(t *testing.T, seed uint64) *model {
	m := &model{
		t: t, rand: rand.New(rand.NewPCG(seed, 1)), now: epoch,
		byName: map[string]*Series{}, server: map[string]*object{},
	}
	m.cache = newCache(intervals, 1+m.rand.IntN(12))
	if m.limit = m.rand.IntN(4); m.limit > 0 {
		m.cache.LimitObjects(m.limit)
	}
	m.mostPublished = 1 + m.rand.IntN(4)
	m.publishEvery = []time.Duration{time.Minute, 24 * time.Hour}[m.rand.IntN(2)]
	m.cache.LimitPublishing(m.mostPublished, m.publishEvery)
	return m
}

func (m *model) step() {
	switch n := m.rand.IntN(100); {
	case n < 40:
		m.observe()
	case n < 55:
		m.begin()
	case n < 75:
		m.answer()
	case n < 80:
		m.arriveLate()
	case n < 92:
		m.pass()
	case n < 94:
		m.expireObject()
	case n < 96:
		m.flushOrForget()
	case n < 98:
		m.meddle()
	default:
		m.did = "insert a key that is there"
		m.insertAgain()
	}
}

func (m *model) occurrence() Occurrence {
	k := spread(fmt.Sprint("pod-", m.rand.IntN(8)), []string{normal, warning}[m.rand.IntN(2)])
	o := Occurrence{Key: k}
	if m.rand.IntN(3) == 0 {
		o.Note, o.DistinctNotes = fmt.Sprint("note-", m.rand.IntN(5)), 2
	}
	before := time.Duration(m.rand.IntN(2)) * time.Millisecond // the caller read its clock
	o.At = m.now.Add(-before)
	if m.rand.IntN(4) == 0 {
		o.Annotations = map[string]string{"a": strconv.Itoa(m.rand.IntN(3))}
	}
	return o
}

func (m *model) observe() {
	o := m.occurrence()
	m.did = "observe " + o.Regarding.Name
	r := record(m.cache, o.Key, o)
	m.took(r)
}

func (m *model) insertAgain() {
	r := observe(m.cache, first(m.occurrence()))
	m.took(r)
}

// took notes what became of an occurrence.
func (m *model) took(r result) {
	if r.Series == nil {
		return
	}
	first := r.Series.First()
	if name := ownName(r.Series); m.byName[name] == nil {
		m.byName[name] = r.Series
	}
	if r.Folded != (first.Reason == OverflowReason) || r.Folded && m.limit == 0 {
		m.t.Errorf("folded: %v, as %+v", r.Folded, first)
	}
	if r.Enqueue != 0 {
		m.enqueue(r.Series, r.Enqueue)
	}
}

func (m *model) enqueue(s *Series, class request.Class) {
	if slices.Contains(m.queue, s) {
		m.t.Errorf("%s is queued twice", ownName(s))
	}
	if want := s.class(); class != want {
		m.t.Errorf("%s is queued for %v, wants %v", ownName(s), class, want)
	}
	m.queue = append(m.queue, s)
	m.checkPublished(s)
}

// pick takes one of all at random.
func pick[T any](m *model, all *[]T) (one T, ok bool) {
	if len(*all) == 0 {
		return one, false
	}
	i := m.rand.IntN(len(*all))
	one = (*all)[i]
	*all = slices.Delete(*all, i, i+1)
	return one, true
}

func (m *model) begin() {
	s, ok := pick(m, &m.queue)
	if !ok {
		return
	}
	m.did = "begin " + ownName(s)
	w := begin(s)
	if w == nil {
		if !s.Gone() {
			m.t.Errorf("%s was queued for nothing", ownName(s))
		}
		return
	}
	for _, f := range m.flying {
		if f.s == s {
			m.t.Errorf("I3: two writes of %s are in flight", ownName(s))
		}
	}
	m.flying = append(m.flying, modelWrite{s, w})
}

// answer ends one write.
func (m *model) answer() {
	f, ok := pick(m, &m.flying)
	if !ok {
		return
	}
	var a answer
	switch n := m.rand.IntN(10); {
	case n < 5:
		a = m.apply(f)
	case n < 6: // applied, and the answer is lost
		m.apply(f)
		a = unanswered
	case n < 7: // lost, or late
		m.late = append(m.late, f)
		a = unanswered
	case n < 9:
		a = answer{Verdict: request.Verdict{Action: request.Retry, Hold: m.rand.IntN(3) == 0}}
	default:
		a = answer{Verdict: request.Verdict{Action: request.Drop, Reason: stats.Rejected}}
	}
	m.settle(f, a)
}

func (m *model) settle(f modelWrite, a answer) {
	m.did = fmt.Sprintf("answer %s count %d with %+v", ownName(f.s), f.w.Count, a)
	if a.Action == request.Resend && f.w.Unconditional {
		m.t.Error("a conflict without a resourceVersion")
	}
	next, _ := settle(f.s, f.w, a, m.now)
	if next != 0 {
		m.enqueue(f.s, next)
	}
}

// pass lets time go by, and the timer do its work.
func (m *model) pass() {
	d := []time.Duration{time.Second, 10 * time.Second, time.Minute, 6 * time.Minute, 31 * time.Minute, time.Hour}
	m.now = m.now.Add(d[m.rand.IntN(1+m.rand.IntN(len(d)))])
	m.did = fmt.Sprintf("the timer at %v", m.now.Sub(epoch))
	due, _, next := expire(m.cache, m.now)
	for _, d := range due {
		m.enqueue(seriesOf(d.Item), d.Class)
	}
	if !next.IsZero() && !next.After(m.now) {
		m.t.Errorf("the timer wants to look again at once, at %v", next.Sub(epoch))
	}
}

func (m *model) flushOrForget() {
	if m.flush != nil {
		m.did = "forget the flush"
		m.flush.Cancel()
		m.flush = nil
		return
	}
	m.did = "flush"
	due, f := flushAll(m.cache, m.now)
	for _, d := range due {
		m.enqueue(seriesOf(d.Item), d.Class)
	}
	m.flush = f
}

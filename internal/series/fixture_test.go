// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"flag"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// epoch is when every test begins.
var epoch = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// intervals are the defaults that users get.
var intervals = Intervals{
	Publish: 10 * time.Second, Refresh: 30 * time.Minute, Finish: 6 * time.Minute, RetryFor: time.Hour,
	lifetime: forever(),
}

func at(d time.Duration) time.Time { return epoch.Add(d) }

// keyOf makes a key that differs from others by the object's name only.
func keyOf(name, eventType string) Key {
	return Key{
		Type: eventType, Action: "Kill", Reason: "Killing",
		ReportingController: "example.com/test", ReportingInstance: "test-1",
		Regarding: Reference{Kind: "Pod", Namespace: "default", Name: name, UID: "uid-" + "of-a-pod"},
	}
}

// spread makes a key whose shard depends on the name.
func spread(name, eventType string) Key {
	k := keyOf(name, eventType)
	k.Regarding.UID = ""
	return k
}

// first completes an occurrence as a recorder does for the first of a series.
func first(o Occurrence) *Occurrence {
	o.Namespace, o.Name = o.Regarding.Namespace, NewName(o.At)
	o.Regarding.Version, o.Regarding.ResourceVersion = "v1", "7"
	return &o
}

// result is a Result of a cache, whose items are series.
type result struct {
	Result
	Series *Series
}

func resultOf(r Result) result { return result{r, seriesOf(r.Series)} }

func seriesOf(item Item) *Series {
	s, _ := item.(*Series)
	return s
}

func begin(_ *Cache, s *Series) (w *Write, ok bool) {
	w, _ = s.Begin(time.Time{})
	return w, w != nil
}

// observe packs the key, as a recorder does once for both calls.
func observe(c *Cache, o *Occurrence) Result {
	var buf KeyBuffer
	return c.Observe(o, o.PackKey(buf[:0]))
}

func insert(c *Cache, o *Occurrence) (result, []Dropped) {
	r := resultOf(observe(c, o))
	return r, r.Effects.Dropped
}

func expire(c *Cache, now time.Time) (due []Due, dropped []Dropped, next time.Time) {
	effects, next := c.Expire(now)
	return effects.Due, effects.Dropped, next
}

func flushAll(c *Cache, now time.Time) ([]Due, *Flush) {
	f := NewFlush()
	effects := c.Flush(now, f)
	f.Add(-1)
	return effects.Due, f
}

// refuse sends what s needs, which the server refuses for good.
func refuse(c *Cache, s *Series, reason stats.Reason, now time.Time) []Dropped {
	w, ok := begin(c, s)
	if !ok {
		return nil
	}
	_, dropped := settleDropped(c, s, w, request.Verdict{Action: request.Drop, Reason: reason}, nil, now)
	return dropped
}

func settleDropped(
	_ *Cache, s *Series, w *Write, v request.Verdict, stored *eventsv1.Event, now time.Time,
) (request.Class, []Dropped) {
	next, effects := s.Settle(w, v, stored, now)
	return next, effects.Dropped
}

// record does what a recorder does with one occurrence.
func record(c *Cache, k Key, o Occurrence) (result, []Dropped) {
	o.Key = k
	if r := observe(c, &o); !r.Missing {
		return resultOf(r), nil
	}
	return insert(c, first(o))
}

// see is record for an occurrence with nothing but a time.
func see(c *Cache, k Key, now time.Time) result {
	r, _ := record(c, k, Occurrence{At: now})
	return r
}

// write begins the next write of s, which must have one.
func write(t *testing.T, c *Cache, s *Series) *Write {
	t.Helper()
	w, ok := begin(c, s)
	if !ok {
		t.Fatal("there is nothing to write")
	}
	return w
}

// stored writes s once and acknowledges that.
func stored(t *testing.T, c *Cache, s *Series, now time.Time) (next request.Class) {
	t.Helper()
	w := write(t, c, s)
	next, _ = settle(c, s, w, answer{Verdict: request.Verdict{Action: request.Stored}, version: "1"}, now)
	return next
}

// recorded makes a series of n occurrences that the server has.
func recorded(t *testing.T, c *Cache, k Key, n int, now time.Time) *Series {
	t.Helper()
	var r result
	for range n {
		r = see(c, k, now)
	}
	stored(t, c, r.Series, now)
	return r.Series
}

func snapshotOf(c *Cache) (total stats.Counters, pending int64, size int) {
	now := c.Snapshot()
	sum := now.Total()
	return sum, sum.Pending, now.Series
}

// counts is a snapshot of the cache; counters that are zero are left out.
type counts struct {
	observed, recorded, pending, unconfirmed int64
	size                                     int
	dropped                                  map[stats.Reason]int64
}

// checkCounts compares a snapshot with want and checks invariant I1.
func checkCounts(t *testing.T, c *Cache, want counts) {
	t.Helper()
	total, pending, size := snapshotOf(c)
	got := counts{
		observed: total.Observed, recorded: total.Recorded, pending: pending, unconfirmed: total.Unconfirmed,
		size: size,
	}
	sum := got.recorded + got.pending
	for _, r := range stats.Reasons() {
		if n := total.Dropped[r]; n != 0 {
			if got.dropped == nil {
				got.dropped = map[stats.Reason]int64{}
			}
			got.dropped[r] = n
			sum += n
		}
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(counts{})); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	if sum != got.observed {
		t.Errorf("I1: observed %d, accounted for %d", got.observed, sum)
	}
	if n := c.size.Load(); n != int64(size) {
		t.Errorf("the cache counts %d series and has %d", n, size)
	}
}

const (
	normal  = corev1.EventTypeNormal
	warning = corev1.EventTypeWarning
)

// answer is what a test settles a write with.
type answer struct {
	request.Verdict
	version string // the resourceVersion of the stored Event
}

func settle(c *Cache, s *Series, w *Write, a answer, now time.Time) (next request.Class, dropped []Dropped) {
	return settleDropped(c, s, w, a.Verdict, &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{ResourceVersion: a.version}}, now)
}

// newCache returns an empty cache of at most maxSeries series.
func newCache(iv Intervals, maxSeries int) *Cache { return NewBudget(maxSeries).NewCache(iv, epoch) }

// timeOf is the time of a moment.
func timeOf(m moment) time.Time { return at(m.Sub(after(0))) }

// after is the moment d after the epoch.
func after(d time.Duration) moment { return momentOf(at(d), epoch) }

// ownName is the name that the Event has without continuity.
func ownName(s *Series) string {
	first := s.First()
	return first.EventName()
}

// writeAt returns when the series should be written next, and whether at all. The zero moment means at once.
func (s *Series) writeAt(iv *Intervals) (at moment, ok bool) {
	why, at := s.nextWrite(iv)
	return at, why != ForNothing
}

// forever is the lifetime of Events of which none has expired.
func forever() *atomic.Int64 {
	var d atomic.Int64
	d.Store(math.MaxInt64)
	return &d
}

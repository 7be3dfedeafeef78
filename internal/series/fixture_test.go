// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"flag"
	"testing"
	"time"

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
	Series *entry
}

func resultOf(r Result) result { return result{r, seriesOf(r.Series)} }

func seriesOf(item Item) *entry {
	s, _ := item.(*entry)
	return s
}

// begin returns the next write of s, nil if there is none.
func begin(s *entry) *Write {
	w, _ := s.Begin(time.Time{})
	return w
}

// record does what a recorder does with one occurrence.
func record(c *Cache, k Key, o Occurrence) result {
	o.Key = k
	var buf KeyBuffer
	r, found := c.Count(&o, o.PackKey(buf[:0]))
	if !found {
		return insert(c, first(o))
	}
	return resultOf(r)
}

// insert inserts a complete occurrence, although another caller may have been faster.
func insert(c *Cache, o *Occurrence) result { return resultOf(c.Insert(o, o.PackKey(nil))) }

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

// see is record for an occurrence with nothing but a time.
func see(c *Cache, k Key, now time.Time) result {
	return record(c, k, Occurrence{At: now})
}

// write begins the next write of s, which must have one.
func write(t *testing.T, s *entry) *Write {
	t.Helper()
	w := begin(s)
	if w == nil {
		t.Fatal("there is nothing to write")
	}
	return w
}

// stored writes s once and acknowledges that.
func stored(t *testing.T, s *entry, now time.Time) (next request.Class) {
	t.Helper()
	w := write(t, s)
	next, _ = settle(s, w, answer{Verdict: request.Verdict{Action: request.Stored}, version: "1"}, now)
	return next
}

// recorded makes a series of n occurrences that the server has.
func recorded(t *testing.T, c *Cache, k Key, n int, now time.Time) *entry {
	t.Helper()
	var r result
	for range n {
		r = see(c, k, now)
	}
	stored(t, r.Series, now)
	return r.Series
}

func snapshotOf(c *Cache) (total stats.Counters, pending int64, size int) {
	now := c.Snapshot()
	sum := now.Total()
	return sum, sum.Pending, now.Series
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

var (
	accepted   = answer{Verdict: request.Verdict{Action: request.Stored}}
	busy       = answer{Verdict: request.Verdict{Action: request.Retry}}
	unanswered = answer{Verdict: request.Verdict{Action: request.Retry, Ambiguous: true}}
	heldBack   = answer{Verdict: request.Verdict{Action: request.Retry, Hold: true}}
	refused    = answer{Verdict: request.Verdict{Action: request.Drop, Reason: stats.Rejected}}
)

func settle(s *entry, w *Write, a answer, now time.Time) (next request.Class, dropped []Dropped) {
	stored := &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{ResourceVersion: a.version}}
	next, effects := s.Settle(w, a.Verdict, stored, now)
	return next, effects.Dropped
}

// newCache returns an empty cache of at most maxSeries series.
func newCache(iv Intervals, maxSeries int) *Cache { return NewCache(iv, maxSeries, epoch) }

// after is the time d after the epoch.
func after(d time.Duration) monotime { return monotimeOf(at(d), epoch) }

// ownName is the name that the Event has unless it shares its count.
func ownName(s interface{ First() Occurrence }) string {
	first := s.First()
	return first.EventName()
}

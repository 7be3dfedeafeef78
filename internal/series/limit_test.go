// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/selector"
	"github.com/eventseries/eventseries/internal/stats"
)

// limited returns a cache in which an object gets burst new series, and one more a minute.
func limited(burst int) *Cache {
	c := newCache(intervals, 1<<16)
	c.LimitObjects(burst, time.Minute)
	return c
}

// because makes an occurrence about the object web that differs from others by its reason.
func because(reason string, now time.Time) Occurrence {
	o := Occurrence{Key: keyOf("web", normal), At: now}
	o.Reason = reason
	return o
}

// fold records an occurrence and returns the reason under which it is counted.
func fold(t *testing.T, c *Cache, o Occurrence) string {
	t.Helper()
	r, _ := record(c, o.Key, o)
	if r.Series == nil {
		t.Fatalf("%+v: %+v", o.Key, r)
	}
	reason := r.Series.First().Reason
	if r.Folded != (reason == OverflowReason) {
		t.Errorf("folded: %v, and it is counted as %s", r.Folded, reason)
	}
	return reason
}

func TestObjectLimit(t *testing.T) {
	const over = OverflowReason
	type step struct {
		at           time.Duration
		reason, want string
	}
	for name, steps := range map[string][]step{
		"a burst":           {{0, "a", "a"}, {0, "b", "b"}, {0, "c", over}, {0, "d", over}},
		"repeats are free":  {{0, "a", "a"}, {0, "b", "b"}, {0, "a", "a"}, {0, "b", "b"}, {0, "c", over}, {0, "a", "a"}},
		"one more a minute": {{0, "a", "a"}, {0, "b", "b"}, {59 * time.Second, "c", over}, {time.Minute, "c", "c"}, {time.Minute, "d", over}},
		"no more than the burst comes back": {
			{0, "a", "a"}, {0, "b", "b"}, {time.Hour, "c", "c"}, {time.Hour, "d", "d"}, {time.Hour, "e", over},
		},
		"part of a minute is not lost": {
			{0, "a", "a"}, {0, "b", "b"}, {90 * time.Second, "c", "c"}, {2 * time.Minute, "d", "d"}, {2 * time.Minute, "e", over},
		},
		"a clock that is set back gives nothing": {
			{time.Hour, "a", "a"}, {time.Hour, "b", "b"}, {0, "c", over}, {59 * time.Second, "c", over}, {time.Minute, "c", "c"},
			{time.Minute, "d", over},
		},
		"a clock that is set back a little": {
			{time.Minute, "a", "a"}, {time.Minute, "b", "b"}, {30 * time.Second, "c", over}, {119 * time.Second, "c", over},
			{2 * time.Minute, "c", "c"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := limited(2)
			var got, want []string
			for _, s := range steps {
				got, want = append(got, fold(t, c, because(s.reason, at(s.at)))), append(want, s.want)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("counted as (-want +got):\n%s", diff)
			}
		})
	}
}

// An object at its limit stays there while others have all their tokens again.
//
// Caught: a sweep that begins with those that miss one.
func TestSweepForgetsTheFullFirst(t *testing.T) {
	c := newCache(intervals, 100)
	c.LimitObjects(1, time.Hour)
	web := because("a", at(2*time.Hour))
	l := c.shard(&web).limit
	take := func(at time.Time, n int) {
		for i := 0; n > 0; i++ {
			o := Occurrence{Key: spread(fmt.Sprint(at, i), normal), At: at}
			if c.shard(&o).limit == l {
				l.take(&o, after(at.Sub(epoch)))
				n--
			}
		}
	}
	take(at(0), leastBuckets-2)
	l.take(&web, after(2*time.Hour))
	take(web.At, 1)
	if kept := len(l.buckets); kept != 2 || !l.exceeded(&web, after(2*time.Hour)) {
		t.Errorf("%d buckets after the sweep, want that of web and the last", kept)
	}
}

// The limit is of an object, whatever varies; the Event about what is beyond it has nothing that varies.
func TestOverflowSeries(t *testing.T) {
	c := limited(1)
	first := because("Made", at(0))
	if got := fold(t, c, first); got != "Made" {
		t.Fatalf("counted as %s", got)
	}
	vary := map[string]func(*Occurrence){
		"reason":     func(o *Occurrence) { o.Reason = "Other" },
		"action":     func(o *Occurrence) { o.Action = "Other" },
		"field path": func(o *Occurrence) { o.Regarding.FieldPath = "spec.containers{main}" },
		"related":    func(o *Occurrence) { o.Related, o.HasRelated = Reference{Kind: "Node", Name: "n"}, true },
		"note":       func(o *Occurrence) { o.Note, o.DistinctNotes = "other", 10 },
		"annotation": func(o *Occurrence) { o.Reason, o.Annotations = "Another", map[string]string{"a": "b"} },
		"versions": func(o *Occurrence) {
			o.Reason, o.Regarding.Version, o.Regarding.ResourceVersion = "Yet another", "v2", "8"
		},
	}
	for name, change := range vary {
		o := first
		change(&o)
		if got := fold(t, c, o); got != OverflowReason {
			t.Errorf("another %s is counted as %s", name, got)
		}
	}
	checkCounts(t, c, counts{observed: int64(1 + len(vary)), pending: int64(1 + len(vary)), size: 2})
	if n := c.Snapshot().Total().Folded; n != int64(len(vary)) {
		t.Errorf("%d are folded, want %d", n, len(vary))
	}
	key := first.Key
	key.Reason, key.Action = OverflowReason, overflowAction
	r, _ := record(c, key, Occurrence{At: at(0)})
	e := r.Series.Event()
	e.Name, e.Note = "", e.Note[:len("Too many different Events about this object: the limit is 1, then one every 1m0s.")]
	want := NewSingle(&Occurrence{Key: key, Namespace: "default", At: at(0)}).Event()
	want.Note, want.Series = "Too many different Events about this object: the limit is 1, then one every 1m0s.", e.Series
	want.Regarding.APIVersion, want.Regarding.ResourceVersion = "v1", "7"
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Each type and each reporter has an overflow series of its own, and each object a limit of its own.
func TestOverflowSeriesAreApart(t *testing.T) {
	c := limited(1)
	warn, other, pod := because("c", at(0)), because("d", at(0)), because("e", at(0))
	warn.Type, other.ReportingController, pod.Regarding.Name = warning, "example.com/other", "db"
	var got []string
	for _, o := range []Occurrence{because("a", at(0)), because("b", at(0)), warn, other, pod} {
		got = append(got, fold(t, c, o))
	}
	if diff := cmp.Diff([]string{"a", OverflowReason, OverflowReason, OverflowReason, "e"}, got); diff != "" {
		t.Errorf("counted as (-want +got):\n%s", diff)
	}
	checkCounts(t, c, counts{observed: 5, pending: 5, size: 5})
}

// An object is what its identity says, with or without a UID. Its versions and its parts are no other object.
func TestLimitIsOfAnObject(t *testing.T) {
	for name, row := range map[string]struct {
		change func(*Reference)
		other  bool
	}{
		"group":           {func(r *Reference) { r.Group = "apps" }, true},
		"kind":            {func(r *Reference) { r.Kind = "Node" }, true},
		"namespace":       {func(r *Reference) { r.Namespace = "shop" }, true},
		"name":            {func(r *Reference) { r.Name = "db" }, true},
		"UID":             {func(r *Reference) { r.UID = "another" }, true},
		"version":         {func(r *Reference) { r.Version = "v1beta1" }, false},
		"resourceVersion": {func(r *Reference) { r.ResourceVersion = "8" }, false},
		"field path":      {func(r *Reference) { r.FieldPath = "spec.containers{main}" }, false},
	} {
		for _, uid := range []types.UID{"", "uid"} {
			t.Run(fmt.Sprintf("%s/UID=%q", name, uid), func(t *testing.T) {
				c := limited(1)
				one, two := because("a", at(0)), because("b", at(0))
				one.Regarding.UID, two.Regarding.UID = uid, uid
				row.change(&two.Regarding)
				fold(t, c, one)
				if other := fold(t, c, two) != OverflowReason; other != row.other {
					t.Errorf("another object: %v, want %v", other, row.other)
				}
			})
		}
	}
}

// An overflow series is a series as any other: it ends, and another one begins.
func TestOverflowSeriesEnds(t *testing.T) {
	c := newCache(intervals, 16)
	c.LimitObjects(1, time.Hour)
	fold(t, c, because("a", at(0)))
	o := because("b", at(0))
	r, _ := record(c, o.Key, o)
	stored(t, c, r.Series, at(0))
	o.At = at(intervals.Finish)
	again, _ := record(c, o.Key, o)
	if !again.Folded || again.Series == r.Series || !r.Series.Gone() {
		t.Errorf("%+v", again)
	}
}

// What has no slot is dropped and evicts nothing for an Event that it does not get.
func TestObjectLimitInFullCache(t *testing.T) {
	c := newCache(intervals, 1)
	c.LimitObjects(1, time.Hour)
	fold(t, c, because("a", at(0)))
	o := because("b", at(0))
	if r, _ := record(c, o.Key, o); r.Dropped != stats.CacheFull || r.Folded {
		t.Errorf("%+v", r)
	}
	if got := fold(t, c, because("a", at(0))); got != "a" {
		t.Errorf("counted as %s", got)
	}
	checkCounts(t, c, counts{observed: 3, pending: 2, size: 1, dropped: map[stats.Reason]int64{stats.CacheFull: 1}})
}

// A selector sees the occurrence first, and then the Event in which it would be counted.
func TestObjectLimitWithSelector(t *testing.T) {
	for text, want := range map[string]counts{
		"reason!=b":                 {observed: 3, pending: 2, size: 2, dropped: map[stats.Reason]int64{stats.Muted: 1}},
		"reason!=" + OverflowReason: {observed: 3, pending: 1, size: 1, dropped: map[stats.Reason]int64{stats.Muted: 2}},
	} {
		t.Run(text, func(t *testing.T) {
			c := limited(1)
			s, err := selector.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			c.SelectBy(s)
			for _, reason := range []string{"a", "b", "c"} {
				o := because(reason, at(0))
				record(c, o.Key, o)
			}
			checkCounts(t, c, want)
		})
	}
}

// I5: a million random occurrences about one object cost the cluster as many Events as the limit says, and no memory.
//
// Caught: a bucket of each field path.
func TestI5OneObjectIsBounded(t *testing.T) {
	const n, burst, lasts = 1_000_000, 10, time.Hour
	c := limited(burst)
	random := rand.New(rand.NewPCG(1, 1))
	began := map[*Series]bool{}
	for i := range n {
		o := because(fmt.Sprint("Reason", random.Uint32()), at(lasts*time.Duration(i)/n))
		o.Regarding.FieldPath = fmt.Sprint("spec.containers{", random.Uint32(), "}")
		o.Type = []string{normal, warning}[random.IntN(2)]
		r, _ := record(c, o.Key, o)
		began[r.Series] = true
	}
	if most := burst + int(lasts/time.Minute) + 2; len(began) > most {
		t.Errorf("%d Events, want at most %d", len(began), most)
	}
	now := c.Snapshot().Total()
	if now.Observed != n || now.Pending != n || now.Folded < n-burst-int64(lasts/time.Minute) {
		t.Errorf("observed %d, pending %d, folded %d", now.Observed, now.Pending, now.Folded)
	}
	if kept := countBuckets(c); kept != 1 {
		t.Errorf("%d buckets of one object", kept)
	}
}

func countBuckets(c *Cache) (n int) {
	for _, sh := range c.shards {
		n += len(sh.limit.buckets)
	}
	return n
}

// I5: the state of a million objects is bounded. The objects that made more of their limit are remembered for longer.
//
// Caught: a sweep that removes only what is full again.
func TestI5BucketsAreBounded(t *testing.T) {
	const objects, burst = 1_000_000, 10
	c := newCache(intervals, 100)
	c.LimitObjects(burst, time.Hour)
	runaway := func(i int) bool {
		o := because(fmt.Sprint("reason-", i), at(0))
		return !c.shard(&o).limit.exceeded(&o, after(0))
	}
	shards := map[*shard]bool{}
	for i := range objects {
		o := Occurrence{Key: spread(fmt.Sprint("pod-", i), normal), At: at(0)}
		sh := c.shard(&o)
		sh.limit.take(&o, after(0))
		shards[sh] = true
		if i < burst {
			o := because("first", at(0))
			c.shard(&o).limit.take(&o, after(0))
		}
	}
	if n := countBuckets(c); n > numShards*leastBuckets || len(shards) != numShards {
		t.Errorf("%d buckets in %d shards", n, len(shards))
	}
	if runaway(burst) {
		t.Error("the object that has used up its limit is forgotten")
	}
	o := because("later", at(burst*time.Hour))
	l := c.shard(&o).limit
	for i := 0; len(l.buckets) >= leastBuckets; i++ { // each sweep removes what is full by now
		o := Occurrence{Key: spread(fmt.Sprint("new-", i), normal), At: o.At}
		if c.shard(&o).limit == l {
			l.take(&o, after(0))
		}
		if i > objects {
			t.Fatalf("%d buckets are left, though most are full again", len(l.buckets))
		}
	}
	if l.sweepAt > 2*leastBuckets {
		t.Errorf("the next sweep is at %d buckets, of %d now", l.sweepAt, len(l.buckets))
	}
}

// In every period an object gets no more than the burst and a token for each interval, whatever it asks for and when. It
// gets no less than a virtual scheduler would give (the GCRA of ATM, which keeps the time when the bucket is full again).
func TestObjectLimitHoldsInEveryPeriod(t *testing.T) {
	for seed := range uint64(50) {
		random := rand.New(rand.NewPCG(seed, 1))
		burst := 1 + random.IntN(4)
		c := limited(burst)
		now, full, got := time.Duration(0), time.Duration(0), []time.Duration(nil)
		for i := range 500 {
			now += time.Duration(random.Int64N(int64(1 + random.IntN(int(2*time.Minute)))))
			folded := fold(t, c, because(fmt.Sprint("reason-", i), at(now))) == OverflowReason
			next := max(full, now) + time.Minute
			if want := next-now > time.Duration(burst)*time.Minute; folded != want {
				t.Fatalf("seed %d: folded %v at %v, want %v", seed, folded, now, want)
			}
			if !folded {
				got, full = append(got, now), next
			}
		}
		for i, from := range got {
			for j := i; j < len(got); j++ {
				if n, most := j-i+1, burst+int((got[j]-from)/time.Minute); n > most {
					t.Fatalf("seed %d: %d new series from %v to %v, want at most %d", seed, n, from, got[j], most)
				}
			}
		}
	}
}

// Recorders that come at once get no more than the limit, and every occurrence is counted.
func TestObjectLimitConcurrentSafe(t *testing.T) {
	const goroutines, each, burst = 8, 2000, 5
	c := limited(burst)
	var group sync.WaitGroup
	var folded atomic.Int64
	for g := range goroutines {
		group.Go(func() {
			for i := range each {
				o := because(fmt.Sprint("reason-", g, i), at(0))
				if r, _ := record(c, o.Key, o); r.Folded {
					folded.Add(1)
				}
			}
		})
	}
	group.Wait()
	const n = goroutines * each
	checkCounts(t, c, counts{observed: n, pending: n, size: burst + 1})
	if now := c.Snapshot().Total(); now.Folded != n-burst || folded.Load() != n-burst {
		t.Errorf("%d are folded, %d said so, want %d", now.Folded, folded.Load(), n-burst)
	}
	frequent, _ := c.List(1, epoch)
	if got := frequent[0].Reason; got != OverflowReason {
		t.Errorf("most are counted as %s", got)
	}
	if slices.ContainsFunc(frequent, func(s State) bool { return s.Observed != n-burst }) {
		t.Errorf("%+v", frequent[0])
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	eventsv1 "k8s.io/api/events/v1"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/timing"
)

// shelf is a server that stores Events and loses no answer by itself.
type shelf struct {
	t        *testing.T
	events   map[string]*eventsv1.Event
	version  int
	requests int
}

func newShelf(t *testing.T) *shelf { return &shelf{t: t, events: map[string]*eventsv1.Event{}} }

// apply does what the API server does with a write.
func (sh *shelf) apply(w *Write) (request.Verdict, *eventsv1.Event) {
	sh.requests++
	stored := sh.events[w.Event.Name]
	switch {
	case w.Op == request.Create && stored != nil && w.Shared:
		return request.Verdict{Action: request.Resend}, nil
	case w.Op == request.Create && stored != nil:
		return request.Verdict{Action: request.Stored, Exists: true}, nil
	case w.Op == request.Create:
		stored = w.Event.DeepCopy()
		stored.UID = types.UID(fmt.Sprint("uid-", sh.version))
		sh.events[stored.Name] = stored
	case stored == nil:
		return request.Verdict{Action: request.Recreate}, nil
	case w.ReadVersion:
		return request.Verdict{Action: request.Stored}, stored.DeepCopy()
	case version(w) != stored.ResourceVersion:
		return request.Verdict{Action: request.Resend}, nil
	default:
		if err := json.Unmarshal(w.Patch, stored); err != nil { // no key of a patch needs a real merge
			sh.t.Fatal(err)
		}
	}
	sh.version++
	stored.ResourceVersion = strconv.Itoa(sh.version)
	return request.Verdict{Action: request.Stored}, stored.DeepCopy()
}

// forge stores something under each of the names that a series tries, and more.
func (sh *shelf) forge(k Key) {
	hash := hashOf(&k)
	for i := range 3 * maxNames {
		name := hash.name(k.Regarding.Name, i)
		sh.events[name] = &eventsv1.Event{ObjectMeta: metav1.ObjectMeta{Name: name}}
	}
}

// deliver writes s until it has nothing more to write.
func (sh *shelf) deliver(c *Cache, s *entry, now time.Time) {
	sh.t.Helper()
	for range 50 {
		w := begin(s)
		if w == nil {
			return
		}
		v, stored := sh.apply(w)
		if next, _ := s.Settle(w, v, stored, now); next == request.NoWrite {
			return
		}
	}
	sh.t.Fatal("it writes without end")
}

// only returns the one Event that is stored.
func (sh *shelf) only() *eventsv1.Event {
	sh.t.Helper()
	for _, e := range sh.events {
		if len(sh.events) == 1 {
			return e
		}
	}
	sh.t.Fatalf("%d Events, want 1", len(sh.events))
	return nil
}

// process returns the cache of a process that continues series.
func process() *Cache {
	c := newCache(intervals, 100)
	c.ShareCounts()
	return c
}

// podOf is a key that differs between processes by the reporting instance alone.
func podOf(instance string) Key {
	k := keyOf("web", warning)
	k.ReportingInstance, k.Related, k.HasRelated = instance, Reference{Kind: "Node", Name: "n"}, true
	return k
}

func podHash() keyHash {
	k := podOf("pod-a")
	return hashOf(&k)
}

// occur records n occurrences and writes them.
func (sh *shelf) occur(c *Cache, k Key, n int, now time.Time) *entry {
	sh.t.Helper()
	var r result
	for range n {
		r = see(c, k, now)
	}
	sh.deliver(c, r.Series, now)
	return r.Series
}

// What is stored under the name of a series decides whether the series counts there.
func TestSharedCountsLooksFirst(t *testing.T) {
	many := func(n int) func(e *eventsv1.Event) {
		return func(e *eventsv1.Event) {
			var shares []Share
			for i := range n {
				shares = append(shares, Share{Instance: "pod", ID: fmt.Sprint(i), Count: 1})
			}
			text, _ := json.Marshal(shares)
			e.Annotations[Counts], e.Series.Count = string(text), int32(n)
		}
	}
	claim := func(count int64, since time.Duration) func(e *eventsv1.Event) {
		return func(e *eventsv1.Event) {
			e.Annotations[Counts] = fmt.Sprintf(`[{"id":"a","count":%d}]`, count)
			e.Series.Count, e.EventTime = wireCount(count), metav1.NewMicroTime(at(-since))
		}
	}
	last := func(when time.Duration) func(e *eventsv1.Event) {
		return func(e *eventsv1.Event) { e.Series.LastObservedTime = metav1.NewMicroTime(at(when)) }
	}
	stored := func(counts string) func(e *eventsv1.Event) {
		return func(e *eventsv1.Event) { e.Annotations[Counts] = counts }
	}
	for name, row := range map[string]struct {
		edit   func(e *eventsv1.Event)
		joined bool
	}{
		"nothing special": {func(*eventsv1.Event) {}, true},
		"another note":    {func(e *eventsv1.Event) { e.Note = "other" }, true},
		"another version": {func(e *eventsv1.Event) { e.Regarding.ResourceVersion = "99" }, true},
		"31 shares":       {many(31), true},
		"32 shares":       {many(32), false},
		"33 shares":       {many(33), false},
		"quiet for long":  {last(time.Minute - 100*intervals.Finish), true},
		"another clock":   {last(119 * time.Second), true},
		"the future":      {last(3 * time.Minute), false},
		"the future, and never a series": {func(e *eventsv1.Event) {
			e.Series, e.EventTime = nil, metav1.NewMicroTime(at(time.Hour))
			e.Annotations[Counts] = `[{"id":"a","count":1}]`
		}, false},
		"a hot loop":                 {claim(30_000_000, time.Hour), true},
		"more than there was time":   {claim(1<<31-1, time.Hour), false},
		"another count than its own": {func(e *eventsv1.Event) { e.Series.Count++ }, false},
		"no shares":                  {func(e *eventsv1.Event) { e.Annotations = nil }, false},
		"no list":                    {stored("3"), false},
		"too long an annotation":     {stored(`[{"id":"a","count":3}` + strings.Repeat(" ", maxCounts) + `]`), false},
		"a share of 0":               {stored(`[{"id":"a","count":0},{"id":"b","count":3}]`), false},
		"shares that overflow":       {stored(`[` + strings.Repeat(`{"id":"a","count":9223372036854775807},`, 2) + `{"id":"b","count":5}]`), false},
		"a long ID":                  {stored(`[{"id":"` + strings.Repeat("x", maxID+1) + `","count":3}]`), false},
		"a long instance":            {stored(`[{"id":"a","count":3,"instance":"` + strings.Repeat("x", maxInstance+1) + `"}]`), false},
		"a share without ID":         {stored(`[{"count":3}]`), false},
		"another key":                {func(e *eventsv1.Event) { e.Regarding.UID = "other" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			sh := newShelf(t)
			sh.occur(process(), podOf("pod-a"), 3, at(0))
			before := sh.only()
			row.edit(before)
			before = before.DeepCopy()
			c := process()
			s := sh.occur(c, podOf("pod-b"), 2, at(time.Minute))
			_, name := s.EventName()
			if joined := name == before.Name; joined != row.joined {
				t.Fatalf("counts in %s, beside %s", name, before.Name)
			}
			if diff := cmp.Diff(before, sh.events[before.Name]); !row.joined && diff != "" {
				t.Errorf("it changed an Event that is not its own (-before +after):\n%s", diff)
			}
			if e := sh.events[name]; !row.joined && (e.Series.Count != 2 || !strings.HasSuffix(name, ".1")) {
				t.Errorf("%s with %+v, want the next generation with its own count", name, e.Series)
			}
			if total, pending, size := snapshotOf(c); total.Observed != 2 || total.Recorded != 2 || pending != 0 || size != 1 {
				t.Errorf("%+v, %d pending, %d series, want 2 recorded", total, pending, size)
			}
		})
	}
}

// One conflict costs a look. After the second one in a row the series waits, the longer the more there were, and
// replicas not equally long.
func TestSharedCountsWaitsAfterConflicts(t *testing.T) {
	waits := map[time.Duration]bool{}
	for _, pod := range []string{"pod-a", "pod-b", "pod-c"} {
		c := process()
		r := see(c, podOf(pod), at(0))
		w := write(t, r.Series)
		e := w.Event.DeepCopy()
		e.ResourceVersion = "2"
		r.Series.Settle(w, request.Verdict{Action: request.Stored}, e, at(0))
		see(c, podOf(pod), at(0))
		for n := range 10 {
			now := at(time.Duration(n) * time.Hour)
			w := write(t, r.Series)
			next, _ := r.Series.Settle(w, request.Verdict{Action: request.Resend}, nil, now)
			if n == 0 && next == request.NoWrite || n > 0 && next != request.NoWrite {
				t.Fatalf("after %d conflicts: %v", n+1, next)
			}
			if _, due := r.Series.nextWrite(&intervals); n > 0 {
				wait := due.Sub(monotimeOf(now, epoch))
				if full := timing.ConflictBackoff.After(n); wait < full/2 || wait > 3*full/2 {
					t.Errorf("after %d conflicts it waits %v, want about %v", n+1, wait, full)
				}
				waits[wait] = true
			}
			r.Series.Settle(write(t, r.Series), request.Verdict{Action: request.Stored}, e, now)
		}
	}
	if len(waits) != 27 {
		t.Errorf("%d different waits, want 27", len(waits))
	}
}

// The hash depends on what makes a series, and on nothing else: Kubernetes must not see another Event because this
// package was changed.
func TestHashOf(t *testing.T) {
	base := podOf("pod-a")
	want := hashOf(&base)
	if got := want.name("web", 0); got != "web.5e1f43228d2efd1ed5075f60c785d173.0" {
		t.Errorf("%s", got)
	}
	for name, row := range map[string]struct {
		edit func(k *Key)
		same bool
	}{
		"instance":        {func(k *Key) { k.ReportingInstance = "x" }, true},
		"version":         {func(k *Key) { k.Regarding.Version = "x" }, true},
		"resourceVersion": {func(k *Key) { k.Regarding.ResourceVersion = "x" }, true},
		"type":            {func(k *Key) { k.Type = "x" }, false},
		"action":          {func(k *Key) { k.Action = "x" }, false},
		"reason":          {func(k *Key) { k.Reason = "x" }, false},
		"controller":      {func(k *Key) { k.ReportingController = "x" }, false},
		"group":           {func(k *Key) { k.Regarding.Group = "x" }, false},
		"kind":            {func(k *Key) { k.Regarding.Kind = "x" }, false},
		"namespace":       {func(k *Key) { k.Regarding.Namespace = "x" }, false},
		"name":            {func(k *Key) { k.Regarding.Name = "x" }, false},
		"UID":             {func(k *Key) { k.Regarding.UID = "x" }, false},
		"fieldPath":       {func(k *Key) { k.Regarding.FieldPath = "x" }, false},
		"related":         {func(k *Key) { k.Related.Name = "x" }, false},
		"none related":    {func(k *Key) { k.HasRelated = false }, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := base
			row.edit(&k)
			if same := hashOf(&k) == want; same != row.same {
				t.Errorf("the same: %v, want %v", same, row.same)
			}
		})
	}
}

func FuzzContinuousName(f *testing.F) {
	for _, name := range []string{"web", "", "Web_1", "-", ".", strings.Repeat("a", 300), strings.Repeat("a.", 126)} {
		f.Add(name, 0)
		f.Add(name, 1<<40)
	}
	hash := podHash()
	f.Fuzz(func(t *testing.T, regarding string, generation int) {
		name := hash.name(regarding, max(generation, 0))
		if problems := apivalidation.NameIsDNSSubdomain(name, false); len(problems) > 0 {
			t.Errorf("%q: %v", name, problems)
		}
		if other := hash.name(regarding, max(generation, 0)/2); other == name && generation > 0 {
			t.Errorf("%q twice", name)
		}
	})
}

func FuzzSharesOf(f *testing.F) {
	f.Add(`[{"instance":"a","id":"b","count":3}]`)
	f.Add(`[{"id":"b","count":3},{"id":"b","count":1125899906842624}]`)
	f.Add(`null`)
	f.Add("[" + strings.Repeat(`{"id":"b","count":1},`, maxShares) + `{"id":"b","count":1}]`)
	f.Fuzz(func(t *testing.T, text string) {
		shares, err := SharesOf(map[string]string{Counts: text})
		var sum int64
		if err == nil && (len(shares) == 0 || len(shares) > maxShares) {
			t.Errorf("%d shares", len(shares))
		}
		for _, share := range shares {
			if sum += share.Count; err == nil && (share.Count < 1 || sum < share.Count) {
				t.Errorf("%+v", shares)
			}
		}
	})
}

// version is the resourceVersion that a patch insists on.
func version(w *Write) string {
	if w.Unconditional {
		return ""
	}
	var body struct {
		Metadata struct{ ResourceVersion string }
	}
	_ = json.Unmarshal(w.Patch, &body)
	return body.Metadata.ResourceVersion
}

// Two recorders of one process have a reporting instance each. Each counts in a share of its own, although the second
// finds where the first has left off.
func TestSharesOfTwoInstancesInOneProcess(t *testing.T) {
	sh := newShelf(t)
	c := process()
	sh.occur(c, podOf("pod-a"), 1, at(0))
	later := intervals.Finish
	expire(c, at(later))
	sh.occur(c, podOf("pod-b"), 1, at(later))
	shares, err := SharesOf(sh.only().Annotations)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int64{}
	for _, share := range shares {
		got[share.Instance] = share.Count
	}
	want := map[string]int64{"pod-a": 1, "pod-b": 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("shares (-want +got):\n%s", diff)
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package series

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
)

var refused = answer{Verdict: request.Verdict{Action: request.Drop, Reason: stats.Rejected}}

// answerAll records an occurrence each step until the end. Each write is answered by
// answer; when they were begun is returned.
func answerAll(
	c *Cache, k Key, step, end time.Duration, answer func(now time.Duration) answer,
) (asked []time.Duration) {
	version := 0
	settle := func(s *Series, now time.Duration) {
		for w, ok := begin(c, s); ok; w, ok = begin(c, s) {
			asked = append(asked, now)
			a := answer(now)
			version++
			a.version = fmt.Sprint(version)
			if next, _ := settle(c, s, w, a, at(now)); next == 0 {
				return
			}
		}
	}
	for now := time.Duration(0); now <= end; now += step {
		due, _, _ := expire(c, at(now))
		for _, d := range due {
			settle(seriesOf(d.Item), now)
		}
		if r := see(c, k, at(now)); r.Enqueue != 0 {
			settle(r.Series, now)
		}
	}
	return asked
}

// A loop with an event that is never accepted costs ten requests in its first hour and
// eight in each later one.
//
// Caught: a wait that does not double; one that goes on doubling; refusals that a
// trial forgets.
func TestTrialsOfAHotLoop(t *testing.T) {
	c := newCache(intervals, 4)
	asked := answerAll(c, keyOf("web", warning), time.Second, 3*time.Hour, func(time.Duration) answer { return refused })
	want := []time.Duration{0, 1, 3, 7, 15, 23, 31, 39, 47, 55, 63, 71, 79, 87, 95, 103, 111, 119, 127, 135, 143, 151, 159, 167, 175}
	for i := range want {
		want[i] *= time.Minute
	}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	n := int64(3*60*60 + 1)
	checkCounts(t, c, counts{observed: n, size: 1, dropped: map[stats.Reason]int64{stats.Rejected: n}})
}

// After the refusal has ended, whatever goes on occurring is recorded within ten
// minutes, however long the refusal lasted; nothing later is lost.
//
// Caught: a refused series that is never tried again; a longest wait of more than nine
// minutes; a series that is not itself again once it is accepted.
func TestTrialAfterTheRefusalHasEnded(t *testing.T) {
	for _, step := range []time.Duration{time.Second, time.Minute, 90 * time.Second, 5 * time.Minute} {
		for _, lasted := range []time.Duration{time.Second, 2 * time.Minute, time.Hour, 25 * time.Hour} {
			t.Run(fmt.Sprint(lasted, "/", step), func(t *testing.T) {
				c := newCache(intervals, 4)
				end := lasted + 30*time.Hour
				first := time.Duration(0)
				answerAll(c, keyOf("web", warning), step, end, func(now time.Duration) answer {
					if now < lasted {
						return refused
					}
					if first == 0 {
						first = now
					}
					return answer{Verdict: request.Verdict{Action: request.Stored}}
				})
				if first-lasted > 10*time.Minute {
					t.Errorf("recorded %v after the end of the refusal", first-lasted)
				}
				total, pending, _ := snapshotOf(c)
				if got, want := total.Recorded+pending, 1+int64((end-first)/step); got != want || pending > want/2 {
					t.Errorf("recorded %d and %d pending, want the %d since the first trial that was accepted",
						total.Recorded, pending, want)
				}
			})
		}
	}
}

// The object is there and its patch was refused: the trial is due at once, with what
// comes while it is under way, and says what is recorded and what is tried.
//
// Caught: a trial that waits for the refresh; occurrences that are dropped beside a
// trial; annotations that the refusal takes along.
func TestTrialOfAnExistingObject(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", warning)
	s := recorded(t, c, k, 4, at(0))
	record(c, k, Occurrence{At: at(time.Second), Annotations: map[string]string{"team": "a"}})
	flushAll(c, at(time.Second))
	settle(c, s, write(t, c, s), refused, at(time.Second))
	if r := see(c, k, at(time.Minute)); r.Dropped != stats.Rejected {
		t.Fatalf("%+v within the first minute, want it dropped", r)
	}
	r := see(c, k, at(61*time.Second))
	if r.Dropped != stats.None || r.Enqueue.Op() != request.Patch {
		t.Fatalf("%+v after a minute, want a trial", r)
	}
	w := write(t, c, s)
	if r := see(c, k, at(62*time.Second)); r.Dropped != stats.None || r.Enqueue != 0 {
		t.Errorf("%+v beside the trial, want it unwritten", r)
	}
	if w.Count != 5 || w.annotations["team"] != "a" {
		t.Errorf("count %d with %v, want the four recorded, the trial, and the annotation", w.Count, w.annotations)
	}
	settle(c, s, w, answer{Verdict: request.Verdict{Action: request.Stored}, version: "2"}, at(63*time.Second))
	if at, ok := s.writeAt(&intervals); !ok || at.IsZero() {
		t.Errorf("the next write at %v, want an ordinary deadline", at)
	}
	checkCounts(t, c, counts{observed: 8, recorded: 5, pending: 1, size: 1,
		dropped: map[stats.Reason]int64{stats.Rejected: 2}})
}

// A trial that is refused takes along what came beside it, and the wait doubles.
func TestTrialRefused(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", warning)
	s := see(c, k, at(0)).Series
	settle(c, s, write(t, c, s), refused, at(0))
	see(c, k, at(time.Minute))
	w := write(t, c, s)
	see(c, k, at(time.Minute))
	next, dropped := settle(c, s, w, answer{Verdict: request.Verdict{Action: request.Drop, Reason: stats.NamespaceGone}}, at(time.Minute))
	if next != 0 || len(dropped) != 1 || dropped[0].Occurrences != 2 || dropped[0].Reason != stats.NamespaceGone {
		t.Errorf("next %v, dropped %+v, want both under the new reason", next, dropped)
	}
	if r := see(c, k, at(3*time.Minute-1)); r.Dropped != stats.NamespaceGone {
		t.Errorf("%+v, want it dropped for two minutes", r)
	}
	if r := see(c, k, at(3*time.Minute)); r.Enqueue.Op() != request.Create {
		t.Errorf("%+v, want the second trial", r)
	}
	checkCounts(t, c, counts{observed: 5, pending: 1, size: 1, dropped: map[stats.Reason]int64{
		stats.Rejected: 1, stats.NamespaceGone: 3,
	}})
}

// A trial whose answer is no answer is sent again like any write.
func TestTrialIsRetried(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", warning)
	s := recorded(t, c, k, 4, at(0))
	see(c, k, at(0))
	flushAll(c, at(0))
	settle(c, s, write(t, c, s), refused, at(0))
	see(c, k, at(time.Minute))
	if next, _ := settle(c, s, write(t, c, s), answer{Verdict: request.Verdict{Action: request.Retry}}, at(time.Minute)); next.Op() != request.Patch {
		t.Errorf("next %v, want the trial again", next)
	}
}

// The first occurrence that the server gets to know of is when its Event begins.
func TestTrialBeginsTheEvent(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", warning)
	s := see(c, k, at(0)).Series
	settle(c, s, write(t, c, s), refused, at(0))
	see(c, k, at(5*time.Minute))
	if e := write(t, c, s).Event; !e.EventTime.Time.Equal(at(5*time.Minute)) || e.Series != nil {
		t.Errorf("it began at %v with %v", e.EventTime, e.Series)
	}
}

// The server may have more of a refused Event than is recorded, from an attempt whose
// answer was lost. The trial is another Event, as a count must never go down.
//
// Caught: a trial that patches the old Event; a new one that begins with a wait of a
// minute; the old one's slot that is not dropped back.
func TestTrialAfterAnUnconfirmedWriteIsAnotherEvent(t *testing.T) {
	c := newCache(intervals, 1)
	k := keyOf("web", warning)
	s := recorded(t, c, k, 2, at(0))
	see(c, k, at(0))
	see(c, k, at(0))
	flushAll(c, at(0))
	settle(c, s, write(t, c, s), answer{Verdict: request.Verdict{Action: request.Retry, Ambiguous: true}}, at(0))
	settle(c, s, write(t, c, s), refused, at(0))
	if r := see(c, k, at(time.Minute-1)); r.Dropped != stats.Rejected {
		t.Fatalf("%+v, want it dropped for a minute", r)
	}
	c.budget.max = 2 // the newcomer holds a slot until the old one has left
	r := see(c, k, at(time.Minute))
	if r.Enqueue.Op() != request.Create || ownName(r.Series) == ownName(s) || !s.Gone() {
		t.Fatalf("%+v, want another Event", r)
	}
	w := write(t, c, r.Series)
	if w.Count != 1 {
		t.Errorf("count %d, want 1", w.Count)
	}
	settle(c, r.Series, w, refused, at(time.Minute))
	if r := see(c, k, at(3*time.Minute-1)); r.Dropped != stats.Rejected {
		t.Errorf("%+v, want the wait to have doubled", r)
	}
	checkCounts(t, c, counts{observed: 7, recorded: 2, unconfirmed: 2, size: 1,
		dropped: map[stats.Reason]int64{stats.Rejected: 5}})
}

// Caught: a refusal that counts from a time that is still to come.
func TestTrialOutlivesAClockThatIsSetBack(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", warning)
	s := see(c, k, at(time.Hour)).Series
	settle(c, s, write(t, c, s), refused, at(time.Hour))
	if r := see(c, k, at(time.Hour-time.Second)); r.Dropped != stats.Rejected {
		t.Errorf("%+v of a caller that read its clock a little earlier, want it dropped", r)
	}
	if r := see(c, k, at(0)); r.Enqueue.Op() != request.Create {
		t.Errorf("%+v once the clock is an hour back, want a trial", r)
	}
}

func TestTrialWaitsNoLongerThanTheRefresh(t *testing.T) {
	iv := intervals
	iv.Refresh = 10 * time.Second
	c := newCache(iv, 4)
	k := keyOf("web", warning)
	s := see(c, k, at(0)).Series
	refuse(c, s, stats.NamespaceGone, at(0))
	if r := see(c, k, at(10*time.Second)); r.Enqueue.Op() != request.Create {
		t.Errorf("%+v, want a trial", r)
	}
}

// Waits do not overflow, and neither do the numbers that they come from.
func TestBackoff(t *testing.T) {
	for times, want := range map[uint8]time.Duration{
		1: time.Minute, 2: 2 * time.Minute, 4: 8 * time.Minute, 5: 8 * time.Minute, 255: 8 * time.Minute,
	} {
		if got := backoff(firstRetry, longestRetry, times); got != want {
			t.Errorf("after %d times %v, want %v", times, got, want)
		}
	}
	if oneMore(0) != 1 || oneMore(254) != 255 || oneMore(255) != 255 {
		t.Error("the number of refusals goes round")
	}
}

// The newest note's series takes in all further notes. Once its refusal has ended, so
// does their loss.
func TestNoteGroupOfARefusedSeriesIsTriedAgain(t *testing.T) {
	c := newCache(intervals, 16)
	r, _ := say(t, c, 1, "a", at(0))
	settle(c, r.Series, write(t, c, r.Series), refused, at(0))
	if r, _ := say(t, c, 1, "b", at(time.Second)); r.Dropped != stats.Rejected {
		t.Fatalf("%+v, want it counted in the refused series", r)
	}
	r, _ = say(t, c, 1, "c", at(time.Minute))
	if r.Enqueue.Op() != request.Create {
		t.Fatalf("%+v, want a trial", r)
	}
	stored(t, c, r.Series, at(time.Minute))
	if r, _ := say(t, c, 1, "d", at(time.Minute)); r.Dropped != stats.None {
		t.Errorf("%+v, want it kept", r)
	}
	checkCounts(t, c, counts{observed: 4, recorded: 1, pending: 1, size: 1,
		dropped: map[stats.Reason]int64{stats.Rejected: 2}})
}

// held makes a series of n occurrences whose write was held at 0.
func held(t *testing.T, c *Cache, k Key, n int) *Series {
	t.Helper()
	var s *Series
	for range n {
		s = see(c, k, at(0)).Series
	}
	if next, _ := settle(c, s, write(t, c, s), answer{Verdict: request.Verdict{Action: request.Retry, Hold: true}}, at(0)); next != 0 {
		t.Fatalf("next %v, want it to wait", next)
	}
	return s
}

// A write that is held comes back by the timer, after two seconds and then after twice
// as long each time, up to a minute; nothing is dropped meanwhile.
//
// Caught: a held series that is due at once; one that occurrences bring forward.
func TestHoldBacksOff(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", warning)
	s := held(t, c, k, 1)
	var tries []time.Duration
	for now := time.Second; now < 5*time.Minute; now += time.Second {
		if r := see(c, k, at(now)); r.Enqueue != 0 || r.Dropped != stats.None {
			t.Fatalf("%+v, want it unwritten", r)
		}
		due, _, next := expire(c, at(now))
		if len(due) == 0 && next.Sub(at(now)) > time.Minute {
			t.Errorf("the timer comes after %v", next.Sub(at(now)))
		}
		for range due {
			tries = append(tries, now/time.Second)
			if next, _ := settle(c, s, write(t, c, s), answer{Verdict: request.Verdict{Action: request.Retry, Hold: true}}, at(now)); next != 0 {
				t.Errorf("next %v, want it to wait", next)
			}
		}
	}
	want := []time.Duration{2, 6, 14, 30, 60, 90, 120, 150, 180, 210, 240, 270}
	if diff := cmp.Diff(want, tries); diff != "" {
		t.Errorf("tries in seconds (-want +got):\n%s", diff)
	}
	checkCounts(t, c, counts{observed: 300, pending: 300, size: 1})
}

// Once it is written, a held series is like any other one.
func TestHoldEndsWithTheWrite(t *testing.T) {
	c := newCache(intervals, 4)
	k := keyOf("web", warning)
	s := held(t, c, k, 4)
	due, _, _ := expire(c, at(2*time.Second))
	if len(due) != 1 || due[0] != (Due{s, request.FailedCreate}) {
		t.Fatalf("due %v", due)
	}
	stored(t, c, s, at(2*time.Second))
	see(c, k, at(3*time.Second))
	if got, _ := s.writeAt(&intervals); got != after(3*time.Second+intervals.Finish) {
		t.Errorf("the next write at %v, want the finish", got.Sub(after(0)))
	}
}

// A fault after a hold is retried by the gate, and a refusal begins its own waits.
func TestHoldThenAnotherAnswer(t *testing.T) {
	for name, row := range map[string]struct {
		answer answer
		next   request.Op
	}{
		"no answer": {answer{Verdict: request.Verdict{Action: request.Retry, Ambiguous: true}}, request.Create},
		"refused":   {refused, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCache(intervals, 4)
			k := keyOf("web", warning)
			s := held(t, c, k, 4)
			expire(c, at(2*time.Second))
			if next, _ := settle(c, s, write(t, c, s), row.answer, at(2*time.Second)); next.Op() != row.next {
				t.Errorf("next %v, want %v", next, row.next)
			}
			if row.next != 0 {
				return
			}
			if r := see(c, k, at(62*time.Second)); r.Enqueue.Op() != request.Create {
				t.Errorf("%+v a minute after the refusal, want a trial", r)
			}
		})
	}
}

// Who waits for it does not wait for the hold: the gate spaces the tries then.
func TestHoldIsIgnoredByAFlush(t *testing.T) {
	c := newCache(intervals, 4)
	s := held(t, c, keyOf("web", warning), 1)
	due, f := flushAll(c, at(time.Second))
	if len(due) != 1 {
		t.Fatalf("due %v", due)
	}
	if next, _ := settle(c, s, write(t, c, s), answer{Verdict: request.Verdict{Action: request.Retry, Hold: true}}, at(time.Second)); next.Op() != request.Create {
		t.Errorf("next %v, want another try while a flush waits", next)
	}
	f.Cancel()
}

// Caught: a held series that is never too old, as it does not wait in the writer.
func TestHoldBecomesTooOld(t *testing.T) {
	c := newCache(intervals, 4)
	s := held(t, c, keyOf("web", warning), 3)
	for now := time.Second; now < intervals.RetryFor; now += time.Second {
		for _, d := range dueOf(expire(c, at(now))) {
			settle(c, seriesOf(d.Item), write(t, c, seriesOf(d.Item)), answer{Verdict: request.Verdict{Action: request.Retry, Hold: true}}, at(now))
		}
	}
	expire(c, at(intervals.RetryFor+time.Minute))
	if !s.Gone() {
		t.Error("it is still tried")
	}
	checkCounts(t, c, counts{observed: 3, dropped: map[stats.Reason]int64{stats.TooOld: 3}})
}

// What is refused by itself is given up when that lasts, in times as well as in time, by a clock that may be set. Then
// it is tried again as any other refused series, and one more refusal is enough.
//
// Caught: times alone; time alone; the age of a refusal that is yet to come; a count that other answers end, or do not.
func TestDeniedSeriesIsGivenUp(t *testing.T) {
	const held, over, retry, forbidden, stored = "held", "over", "retry", "forbidden", "stored"
	verdicts := map[string]request.Verdict{
		held:      {Action: request.Forbidden, Gate: request.Namespace, Hold: true, Reason: stats.Rejected},
		retry:     {Action: request.Retry, Gate: request.Namespace},
		forbidden: {Action: request.Forbidden, Gate: request.Namespace},
		stored:    {Action: request.Stored},
	}
	verdicts[over] = verdicts[held]
	type step struct {
		at     time.Duration
		answer string
	}
	for name, steps := range map[string][]step{
		"many times in 59 seconds":        {{0, held}, {time.Second, held}, {2 * time.Second, held}, {59 * time.Second, held}},
		"twice in an hour":                {{0, held}, {time.Hour, held}},
		"three times in a minute":         {{0, held}, {time.Second, held}, {time.Minute, over}},
		"the clock is set back":           {{0, held}, {-time.Hour, held}, {59*time.Second - time.Hour, held}, {time.Minute - time.Hour, over}},
		"no answer in between":            {{0, held}, {time.Second, retry}, {2 * time.Second, held}, {time.Minute, over}},
		"the namespace is refused":        {{0, held}, {time.Second, held}, {2 * time.Second, forbidden}, {time.Minute, held}, {2 * time.Minute, held}, {3 * time.Minute, over}},
		"it is stored":                    {{0, held}, {time.Second, held}, {2 * time.Second, stored}, {time.Minute, held}, {61 * time.Second, held}, {2 * time.Minute, over}},
		"another try after the last word": {{0, held}, {time.Second, held}, {time.Minute, over}, {2 * time.Minute, over}},
	} {
		t.Run(name, func(t *testing.T) {
			c := newCache(intervals, 4)
			for i, step := range steps {
				now := at(2*time.Hour + step.at) // not before the cache
				s := see(c, keyOf("web", warning), now).Series
				flushAll(c, now)
				_, dropped := settle(c, s, write(t, c, s), answer{Verdict: verdicts[step.answer], version: "1"}, now)
				if given := len(dropped) > 0 && dropped[0].Reason == stats.Rejected; given != (step.answer == over) {
					t.Errorf("step %d: dropped %v, want it %s", i, dropped, step.answer)
				}
			}
		})
	}
}

func dueOf(due []Due, _ []Dropped, _ time.Time) []Due { return due }

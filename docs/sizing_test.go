// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/time/rate"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"

	"github.com/eventseries/eventseries/events"
)

// load is the work of a component: each object fails at the start, and then once in every period.
type load struct {
	objects int
	// perSecond is the limit of the component's client, with bursts of twice as many.
	perSecond int
	period    time.Duration
	// finish is the finish interval. 0 is the default.
	finish time.Duration
}

// demand is the result of a load.
type demand struct {
	firstHour, laterHours int           // writes
	stored                time.Duration // until the first occurrence of each object is stored
	pending               int           // series, when the component ends
}

// formula is the recipe of options.md, in which a failure repeats before its series ends.
func (l load) formula() demand {
	wait := time.Duration(max(0, l.objects-2*l.perSecond)) * time.Second / time.Duration(l.perSecond)
	if wait > 5*time.Minute { // failures repeat meanwhile, and their second occurrences are written, too
		wait += wait / 6
	}
	return demand{
		firstHour:  3 * l.objects,
		laterHours: 2 * l.objects,
		stored:     wait,
		pending:    l.objects,
	}
}

// measured is the result of two hours of a load in virtual time.
type measured struct {
	hours [2]hour
	// pending is the number of series that have something pending after the second hour.
	pending int
}

// hour counts the writes of an hour.
type hour struct {
	creates, patches int
	// late has the time from its first occurrence to its Create for each Event, in ascending order.
	late []time.Duration
}

func (h hour) writes() int { return h.creates + h.patches }

// podOf returns a reference to one of many Pods in 20 namespaces.
func podOf(i int) *corev1.ObjectReference {
	return &corev1.ObjectReference{
		APIVersion: "v1",
		Kind:       "Pod",
		UID:        types.UID(fmt.Sprint(i)),
		Namespace:  fmt.Sprint("ns-", i%20),
		Name:       fmt.Sprint("web-", i),
	}
}

// run records the load for two hours, in virtual time.
func (l load) run(t *testing.T) (m measured) {
	synctest.Test(t, func(t *testing.T) {
		server := &limited{limit: rate.NewLimiter(rate.Limit(l.perSecond), 2*l.perSecond)}
		b, recorder := begin(t, server, events.WithFinishInterval(l.finish))
		fail := func(i int) {
			recorder.Eventf(podOf(i), nil, corev1.EventTypeWarning, "Failed", "Sync", "not ready")
		}
		period := int(l.period.Seconds())
		for second := range 7200 {
			step := period
			if second == 0 {
				step = 1
			}
			for i := second % period; i < l.objects; i += step {
				fail(i)
			}
			time.Sleep(time.Second)
			if second == 3599 {
				m.hours[0] = server.taken()
			}
		}
		m.hours[1] = server.taken()
		server.limit.SetLimit(rate.Inf)
		if err := b.Drain(t.Context()); err != nil {
			t.Error(err)
		}
		m.pending = server.taken().writes()
	})
	return m
}

// limited is a server that answers after 5 ms, behind a client's rate limit.
type limited struct {
	limit *rate.Limiter

	mu   sync.Mutex
	hour hour // since the last call of taken
}

func (s *limited) Create(ctx context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hour.creates++
	s.hour.late = append(s.hour.late, time.Since(e.EventTime.Time))
	return e, nil
}

func (s *limited) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	if err := s.wait(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hour.patches++
	return e, nil
}

// wait lasts until the client's limit lets a request pass, and the server has answered it.
func (s *limited) wait(ctx context.Context) error {
	if err := s.limit.Wait(ctx); err != nil {
		return err
	}
	time.Sleep(5 * time.Millisecond)
	return nil
}

// taken returns the writes since the last call.
func (s *limited) taken() hour {
	s.mu.Lock()
	defer s.mu.Unlock()
	h := s.hour
	slices.Sort(h.late)
	s.hour = hour{}
	return h
}

// checkRow checks that options.md has a row.
func checkRow(t *testing.T, row string) {
	t.Helper()
	if !strings.Contains(read(t, "options.md"), row) {
		t.Errorf("options.md has not the row %s", row)
	}
}

// Two loads in virtual time confirm the formula. The second has the shape of the table's large rows, at a fifth and a
// fiftieth of their objects and limits.
//
// Caught: a refresh after 20 minutes.
func TestSizing(t *testing.T) {
	for _, l := range []load{
		{objects: 1_000, perSecond: 50, period: 5 * time.Minute},
		{objects: 10_000, perSecond: 10, period: 5 * time.Minute},
	} {
		got, want := l.run(t), l.formula()
		late := slices.Concat(got.hours[0].late, got.hours[1].late)
		for _, figure := range []struct {
			name         string
			got, want    float64
			below, above float64 // how far it may be from the formula
		}{
			{"writes in the first hour", float64(got.hours[0].writes()), float64(want.firstHour), 0.3, 0.15},
			{"writes in the second hour", float64(got.hours[1].writes()), float64(want.laterHours), 0.01, 0.01},
			{"seconds until all are stored", slices.Max(late).Seconds(), want.stored.Seconds(), 0.02, 0.1},
			{"series pending at the end", float64(got.pending), float64(want.pending), 0.01, 0},
		} {
			if off := figure.got/figure.want - 1; off < -figure.below || off > figure.above {
				t.Errorf("%+v: %s: %.0f, by the formula %.0f", l, figure.name, figure.got, figure.want)
			}
		}
	}
	const (
		perSeries = 478  // bytes; evidence/benchmarks.md, "Memory"
		perDrain  = 1100 // patches a second; evidence/benchmarks.md, "A real kube-apiserver"
	)
	for _, l := range []load{
		{objects: 1_000, perSecond: 50},
		{objects: 50_000, perSecond: 50},
		{objects: 500_000, perSecond: 500},
	} {
		d := l.formula()
		checkRow(t, fmt.Sprintf("| %s | %d | %.1f | %.1f | %.1f MiB | %v | %v |\n", grouped(l.objects), l.perSecond,
			float64(d.firstHour)/3600, float64(d.laterHours)/3600, float64(l.objects)*perSeries/(1<<20),
			d.stored.Round(time.Second), (time.Duration(d.pending)*time.Second/perDrain).Round(time.Second)))
	}
}

// A failure that repeats every ten minutes is a new Event each time, unless the finish interval is longer. With 50,000
// objects the new Events are more than the client may write. That load is run with a tenth of its objects and of its
// limit, which have the same ratio.
//
// Caught: a finish interval of eleven minutes by default; rows of other figures.
func TestSizingOfRareFailures(t *testing.T) {
	const tenMinutes, twenty = 10 * time.Minute, 20 * time.Minute
	for _, row := range []struct {
		load
		scale            int           // the page has this many times as many objects and writes
		creates, patches int           // in the second hour, on the page
		median, worst    time.Duration // from the first occurrence of an Event to its Create, in that hour
	}{
		{load{1_000, 50, tenMinutes, 0}, 1, 6_000, 0, 0, 0},
		{load{1_000, 50, tenMinutes, twenty}, 1, 0, 2_000, 0, 0},
		{load{5_000, 5, tenMinutes, 0}, 10, 180_000, 0, 12 * time.Minute, 17 * time.Minute},
		{load{5_000, 5, tenMinutes, twenty}, 10, 0, 100_000, 0, 0},
	} {
		got := row.run(t).hours[1]
		median, worst := time.Duration(0), time.Duration(0)
		if n := len(got.late); n > 0 {
			median = got.late[n/2]
			worst = got.late[n-1]
		}
		t.Logf("%+v: %d creates, %d patches, %v, at worst %v", row.load, got.creates, got.patches, median, worst)
		tolerance := 0.04 * float64(row.creates+row.patches)
		for _, f := range []struct {
			name      string
			got, want float64
			tolerance float64
		}{
			{"creates", float64(row.scale * got.creates), float64(row.creates), tolerance},
			{"patches", float64(row.scale * got.patches), float64(row.patches), tolerance},
			{"minutes until half of the Events are stored", median.Minutes(), row.median.Minutes(), 1},
			{"minutes until all of the Events are stored", worst.Minutes(), row.worst.Minutes(), 1},
		} {
			if math.Abs(f.got-f.want) > f.tolerance {
				t.Errorf("%+v: %s: %.1f, on the page %.0f", row.load, f.name, f.got, f.want)
			}
		}
		interval, delay := "6m (default)", "–"
		if row.finish != 0 {
			interval = short(row.finish)
		}
		switch {
		case row.worst > 0:
			delay = fmt.Sprintf("%.0f minutes, at worst %.0f", row.median.Minutes(), row.worst.Minutes())
		case row.creates > 0:
			delay = "none"
		}
		checkRow(t, fmt.Sprintf("| %s | %s | %s | %s | %s |\n", grouped(row.scale*row.objects), interval,
			grouped(row.creates), grouped(row.patches), delay))
	}
}

// grouped returns a number below a million with a comma after the thousands.
func grouped(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// client-go's workqueue waits for up to 16m40s between two retries, as options.md says.
func TestLongestBackoffOfAWorkqueue(t *testing.T) {
	limiter := workqueue.DefaultTypedControllerRateLimiter[string]()
	longest := time.Duration(0)
	for range 50 {
		longest = max(longest, limiter.When("default/web"))
	}
	if want := "up to " + longest.String() + " between"; !strings.Contains(read(t, "options.md"), want) {
		t.Errorf("options.md does not say that the workqueue waits %s two retries", want)
	}
}

// An agent that makes 10,000 different Events a minute needs a client's limit above that number. A larger cache is only
// full later. Each row is run with a tenth of the Events, of the limit and of the cache, which have the same ratios.
//
// Caught: a cache of half the size; rows of other figures.
func TestSizingOfDifferentEvents(t *testing.T) {
	const scale, perMinute = 10, 1_000
	for _, row := range []struct {
		perSecond, maxSeries int
		full                 float64 // minutes until the first drop, on the page; 0 without a drop
		dropped              int     // in the hour, on the page
		delay                float64 // minutes that the oldest pending Event has waited after the hour, on the page
	}{
		{50, 65_536, 9, 355_000, 22},
		{50, 200_000, 29, 220_000, 42},
		{200, 65_536, 0, 0, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := &limited{limit: rate.NewLimiter(rate.Limit(row.perSecond/scale), 2*row.perSecond/scale)}
			b, recorder := begin(t, server, events.WithMaxSeries(row.maxSeries/scale))
			full := 0.0
			for i := range 60 * perMinute {
				recorder.Eventf(podOf(i), nil, corev1.EventTypeWarning, "Failed", "Sync", "not ready")
				if full == 0 && i%100 == 0 && b.Stats().Dropped[events.DropCacheFull] > 0 {
					full = float64(i) / perMinute
				}
				time.Sleep(time.Minute / perMinute)
			}
			s, delay := b.Stats(), 0.0
			if !s.OldestPending.IsZero() {
				delay = time.Since(s.OldestPending).Minutes()
			}
			for _, f := range []struct {
				name                 string
				got, want, tolerance float64
			}{
				{"minutes until the first drop", full, row.full, 0.6},
				{"dropped", float64(scale * s.Dropped[events.DropCacheFull]), float64(row.dropped), 1_000},
				{"minutes of delay", delay, row.delay, 0.6},
			} {
				if math.Abs(f.got-f.want) > f.tolerance {
					t.Errorf("%+v: %s: %.1f, on the page %.0f", row, f.name, f.got, f.want)
				}
			}
			server.limit.SetLimit(rate.Inf)
			if err := b.Drain(t.Context()); err != nil {
				t.Error(err)
			}
		})
		full, delay := "never", "none"
		if row.full > 0 {
			full = fmt.Sprintf("after %.0f minutes", row.full)
			delay = fmt.Sprintf("%.0f minutes", row.delay)
		}
		checkRow(t, fmt.Sprintf("| %d | %s | %s | %s | %s |\n", row.perSecond, grouped(row.maxSeries), full,
			grouped(row.dropped), delay))
	}
}

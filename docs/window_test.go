// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
)

// seats is a server that needs 50 ms for a request, works on so many at a time, and refuses others as priority and
// fairness does. With 0 there are seats for all.
type seats struct {
	n              int32
	taken, refused atomic.Int32
}

func (s *seats) Create(_ context.Context, e *eventsv1.Event) (*eventsv1.Event, error) {
	defer s.taken.Add(-1)
	if taken := s.taken.Add(1); s.n > 0 && taken > s.n {
		s.refused.Add(1)
		return nil, apierrors.NewTooManyRequests("the server is busy", 1)
	}
	time.Sleep(50 * time.Millisecond)
	return e, nil
}

func (s *seats) Patch(ctx context.Context, e *eventsv1.Event, _ []byte) (*eventsv1.Event, error) {
	return s.Create(ctx, e)
}

// look is what a broadcaster says of its window at a time.
type look struct{ limit, inFlight int }

// burst records 20,000 different Events at once, and looks at the window every tick until a time.
func burst(t *testing.T, server *seats, tick, until time.Duration) (looks []look) {
	synctest.Test(t, func(t *testing.T) {
		b := events.NewBroadcaster(server, events.WithLogger(klog.Logger{}))
		recorder := b.Recorder(scheme.Scheme, "example.com/burst")
		for i := range 20_000 {
			pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: fmt.Sprint("ns-", i%20), Name: fmt.Sprint("web-", i)}}
			recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Scheduled", "Schedule", "on node 1")
		}
		if err := b.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(tick / 2)
		for range int(until / tick) {
			s := b.Snapshot(0)
			looks = append(looks, look{s.Window, s.Gates[0].InFlight})
			time.Sleep(tick)
		}
		now, cancel := context.WithCancel(t.Context())
		cancel()
		_ = b.Drain(now) // the rest does not matter
	})
	return looks
}

// The picture is of one run. Which of several requests at the same time is refused differs from run to run, so this
// checks what the picture is there to show.
//
// Caught: a window that never grows; one that stays above what the server takes.
func TestWindowFollowsTheServer(t *testing.T) {
	d := &drawing{width: 780, height: 420, title: "The window while 20,000 Events are written"}
	for i, entry := range []struct{ colour, text string }{{blue, "window: writes that may be under way"}, {orange, "writes under way"}} {
		x := 52 + 300*float64(i)
		d.box(entry.colour, point{x, 10}, point{x + 14, 24})
		d.text(grey, "start", point{x + 22, 22}, entry.text)
	}
	for i, row := range []struct {
		title               string
		seats               int32
		tick, until, second time.Duration
		most, step          int
	}{
		{"A server that answers after 50 ms", 0, 100 * time.Millisecond, 20 * time.Second, 2 * time.Second, 64, 16},
		{"One that also refuses more than two requests at a time", 2, 50 * time.Millisecond, 30 * time.Second, 5 * time.Second, 4, 1},
	} {
		server := &seats{n: row.seats}
		looks := burst(t, server, row.tick, row.until)
		highest, above := 0, 0
		for _, l := range looks {
			if highest = max(highest, l.limit); row.seats > 0 && l.limit > int(row.seats) {
				above++
			}
		}
		if row.seats == 0 && highest != row.most {
			t.Errorf("%s: the window was %d at most, want %d", row.title, highest, row.most)
		}
		if above > len(looks)/20 {
			t.Errorf("%s: the window was above that in %d of %d looks", row.title, above, len(looks))
		}
		c := chart{drawing: d, left: 52, right: 752, top: 66 + 180*float64(i), base: 190 + 180*float64(i), until: row.until, most: row.most}
		c.window(row.title, looks, row.tick, row.second, row.step)
	}
	if *update {
		holds(t, "window.svg", d.String())
	}
}

// window draws what was seen of a window, as steps.
func (c *chart) window(title string, looks []look, tick, second time.Duration, step int) {
	c.text(grey, "start", point{c.left, c.top - 14}, title)
	c.line(stroke(grey, 1), point{c.left, c.top}, point{c.left, c.base}, point{c.right, c.base})
	for at := time.Duration(0); at <= c.until; at += second {
		c.line(stroke(grey, 1), point{c.x(at), c.base}, point{c.x(at), c.base + 5})
		c.text(grey, "middle", point{c.x(at), c.base + 19}, short(at))
	}
	for n := step; n <= c.most; n += step {
		c.line(stroke(grey, 1), point{c.left - 5, c.y(n)}, point{c.left, c.y(n)})
		c.text(grey, "end", point{c.left - 9, c.y(n) + 4}, fmt.Sprint(n))
	}
	var limit, inFlight []point
	for i, l := range looks {
		from, to := c.x(time.Duration(i)*tick), c.x(time.Duration(i+1)*tick)
		limit = append(limit, point{from, c.y(l.limit)}, point{to, c.y(l.limit)})
		inFlight = append(inFlight, point{from, c.y(l.inFlight)}, point{to, c.y(l.inFlight)})
	}
	c.line(stroke(blue, 2), limit...)
	c.line(stroke(orange, 1), inFlight...)
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/e2e/internal/harness"
)

const (
	crashed = "Back-off restarting failed container main in pod web-0"
	micro   = time.Microsecond
)

// TestCorpus makes each writer record Events on the real server, and reads them with two watches.
// The wanted results of the readers follow from the calls of the writers. corpus.sh writes the
// Events into the files of eventview/corpus.
func TestCorpus(t *testing.T) {
	for name, scene := range map[string]struct {
		about  string
		script func(*play)
	}{
		"client-go-record": {
			"client-go's tools/record, so kubelet: a series, one that occurs once, an Event that expires and is made again, a restart.",
			func(p *play) { p.oneByOne((*play).toolsRecord) },
		},
		"client-go-record-combined": {
			"client-go's tools/record: more than ten notes, which it combines.",
			func(p *play) {
				p.read()
				c := p.toolsRecord()
				for i := range 9 {
					note := fmt.Sprintf("volume %d is not ready", i)
					p.occur(c, p.newSeries(time.Second, "FailedMount", note), note, 1)
					p.pass(1500 * time.Millisecond)
				}
				combined := p.newSeries(time.Second, "FailedMount", "(combined from similar events)")
				for i := range 4 {
					p.occur(c, combined, fmt.Sprintf("volume %d is not ready", 10+i), 1)
					p.pass(1500 * time.Millisecond)
				}
				c.stop()
			},
		},
		"client-go-events": {
			"client-go's tools/events, so kube-scheduler: a series, one that occurs once, an Event that expires and is made again, an end, and another Event.",
			func(p *play) { p.bySeries((*play).toolsEvents) },
		},
		"sdk-events": {
			"This SDK, mode v1: the same.",
			func(p *play) { p.bySeries(func(p *play) component { return p.sdk("crashes-1", adapter.ModeEventsV1) }) },
		},
		"sdk-core": {
			"This SDK, mode core: the same.",
			func(p *play) { p.bySeries(func(p *play) component { return p.sdk("crashes-1", adapter.ModeCoreV1) }) },
		},
		"sdk-legacy": {
			"This SDK, mode legacy: as client-go-record.",
			func(p *play) { p.oneByOne(func(p *play) component { return p.sdk("crashes-1", adapter.ModeLegacy) }) },
		},
		"sdk-events-shared-counts": {
			"This SDK, mode v1, with WithSharedCounts: a restart, and two replicas that count in one Event.",
			func(p *play) { p.shared(adapter.ModeEventsV1, adapter.ModeEventsV1) },
		},
		"sdk-core-shared-counts": {
			"This SDK, mode core, with WithSharedCounts: the same.",
			func(p *play) { p.shared(adapter.ModeCoreV1, adapter.ModeCoreV1) },
		},
		"sdk-both-shared-counts": {
			"This SDK with WithSharedCounts: the same, one replica in mode v1, the other in mode core.",
			func(p *play) { p.shared(adapter.ModeEventsV1, adapter.ModeCoreV1) },
		},
		"late": {
			"A reader that begins late: Events of four writers are there, and one has expired that is made again. Then its watch is cut and it lists again.",
			(*play).late,
		},
		"single": {
			"Single Events of other writers: no time at all, seconds, a count below zero with an end before the beginning, microseconds, a count with a last time only.",
			(*play).single,
		},
	} {
		t.Run(name, func(t *testing.T) {
			env := harness.New(t, shared)
			h := perform(t, env, scene.script)
			if h.About = scene.about; *update && !t.Failed() {
				if err := h.Write(filepath.Join("..", "..", "eventview", "corpus", name+".json")); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// oneByOne is for writers that write each occurrence.
func (p *play) oneByOne(start func(*play) component) {
	p.read()
	c := start(p)
	backOff, once := p.newSeries(time.Second, "BackOff", ""), p.newSeries(time.Second, "Unhealthy", "")
	p.pass(250 * time.Millisecond)
	p.occur(c, backOff, crashed, 1)
	p.pass(10 * time.Second)
	p.occur(c, backOff, crashed, 1)
	p.occur(c, once, "Readiness probe failed", 1)
	p.pass(20 * time.Second)
	p.occur(c, backOff, crashed, 1)
	p.expire(backOff)
	p.pass(90 * time.Minute)
	p.occur(c, backOff, crashed, 1)
	p.pass(5 * time.Minute)
	p.occur(c, backOff, crashed, 1)
	c.stop()

	c = start(p)
	backOff = p.newSeries(time.Second, "BackOff", "")
	p.pass(time.Minute)
	p.occur(c, backOff, crashed, 1)
	p.pass(10 * time.Second)
	p.occur(c, backOff, crashed, 1)
	c.stop()
}

// bySeries is for writers of series.
func (p *play) bySeries(start func(*play) component) {
	p.read()
	c := start(p)
	backOff, once := p.newSeries(micro, "BackOff", ""), p.newSeries(micro, "Unhealthy", "")
	p.pass(250 * time.Millisecond)
	p.occur(c, backOff, crashed, 1)
	p.pass(10*time.Second + 125*time.Microsecond)
	p.occur(c, backOff, crashed, 1)
	p.occur(c, once, "Readiness probe failed", 1)
	for range 9 {
		p.pass(5 * time.Minute)
		p.occur(c, backOff, crashed, 100)
	}
	p.expire(backOff)
	for range 4 {
		p.pass(5 * time.Minute)
		p.occur(c, backOff, crashed, 1)
	}
	p.pass(20 * time.Minute) // it is over, at the latest after 12

	backOff = p.newSeries(micro, "BackOff", "")
	p.occur(c, backOff, crashed, 1)
	p.pass(time.Second)
	p.occur(c, backOff, crashed, 1)
	c.stop()
}

// shared is for processes that count in the same Event.
func (p *play) shared(first, second adapter.Mode) {
	p.read()
	backOff := p.newSeries(micro, "BackOff", "")
	start := func(mode adapter.Mode, instance string) component {
		return p.sdk(instance, mode, events.WithSharedCounts())
	}
	c := start(first, "crashes-1")
	p.pass(250 * time.Millisecond)
	p.occur(c, backOff, crashed, 1)
	p.pass(time.Second)
	p.occur(c, backOff, crashed, 2)
	c.stop()

	p.pass(20 * time.Minute)
	a, b := start(first, "crashes-2"), start(second, "crashes-3")
	for range 2 {
		p.pass(time.Minute)
		p.occur(a, backOff, crashed, 1)
		p.pass(time.Minute)
		p.occur(b, backOff, crashed, 2)
	}
	p.expire(backOff) // one of them makes it again, with what it counts
	p.pass(time.Minute)
	p.occur(a, backOff, crashed, 2)
	p.pass(time.Minute)
	p.occur(b, backOff, crashed, 4)
	p.pass(time.Minute)
	a.stop()
	b.stop()
}

// late is a reader that was not there from the beginning, and not always.
func (p *play) late() {
	components := []component{p.toolsRecord(), p.toolsEvents(), p.sdk("crashes-1", adapter.ModeEventsV1), p.sdk("crashes-2", adapter.ModeCoreV1, events.WithSharedCounts())}
	var all []*series
	for i, c := range components {
		unit := micro
		if i == 0 {
			unit = time.Second
		}
		s := p.newSeries(unit, fmt.Sprint("Reason", i), "")
		all = append(all, s)
		p.occur(c, s, "It happened", 1)
		p.pass(time.Second)
		p.occur(c, s, "It happened", 1)
	}
	p.expire(all[0])
	p.pass(5 * time.Minute)
	p.read()
	p.pass(20 * time.Second)
	for i, c := range components {
		p.occur(c, all[i], "It happened", 1)
	}
	p.pass(4 * time.Minute)
	p.sent()

	for i, c := range components {
		p.occur(c, all[i], "It happened", 1)
	}
	once := p.newSeries(time.Second, "Unhealthy", "")
	p.occur(components[0], once, "Readiness probe failed", 1)
	p.pass(3 * time.Minute)
	p.read() // again
	for i, c := range components {
		p.occur(c, all[i], "It happened", 2)
	}
	p.pass(20 * time.Minute)
	for _, c := range components {
		c.stop()
	}
}

// single are Events as others write them.
func (p *play) single() {
	p.read()
	p.pass(2 * time.Minute) // which the server's clock has not seen yet
	now := metav1.Now()
	early := metav1.NewTime(now.Add(-time.Second))
	for i, e := range []corev1.Event{
		{},
		{FirstTimestamp: now, LastTimestamp: now, Count: 1},
		{FirstTimestamp: now, LastTimestamp: early, Count: -5},
		{EventTime: metav1.NewMicroTime(now.Time), Action: "Do", ReportingController: "example.com/other", ReportingInstance: "other-1"},
		{LastTimestamp: now, Count: 7},
	} {
		e.Name, e.Namespace = fmt.Sprint("single-", i), p.env.Namespace
		e.InvolvedObject = corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: e.Namespace, Name: "web-0"}
		e.Type, e.Reason, e.Message = corev1.EventTypeNormal, fmt.Sprint("Single", i), "It happened"
		s := p.newSeries(time.Second, e.Reason, "")
		for range max(e.Count, 1) {
			s.told = append(s.told, occurrence{at: now.UTC()})
		}
		stored, err := p.client("").CoreV1().Events(e.Namespace).Create(p.t.Context(), &e, metav1.CreateOptions{})
		if err != nil {
			p.t.Error(err)
		} else if e.EventTime.IsZero() && e.FirstTimestamp.IsZero() {
			s.told[0].at = stored.CreationTimestamp.UTC() // there is no other time
		}
		p.pass(time.Second)
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
)

// Every test quotes the requirement that it checks. The quotes are from KEP-383 "New Event API"
// (kubernetes/enhancements, README.md), or from "Make Kubernetes Events useful and safe", the
// redesign proposal behind it. The option literal makes the SDK write exactly when they say. By
// default the SDK also writes counts that have doubled, see internal/series.
var literal = tuning.Publishing(-1, 0, 0)

// "1st: create without series. 2nd within threshold: update with series.count. Later: no API call,
// only in-memory count/lastObserved. Every 30 min: heartbeat per active series. Every 6 min: no new
// occurrence, series finished, closing update." The heartbeat keeps the Event from the TTL of an
// hour, kube-apiserver's default. "3 API calls + 1 call/30min per hotloop series, instead of
// 1/iteration."
func TestKEPWritePattern(t *testing.T) {
	inBubble(t, options{literal}, func(r *rig) {
		r.sink.SetTTL(time.Hour)
		const apart, half = 59 * time.Second, 30 * time.Minute
		want := []string{"@0s create web", "@59s patch web count=2 last=@59s"}
		for at := apart + half; at < 4*time.Hour; at += half {
			before := at / apart
			want = append(want, fmt.Sprintf("@%v patch web count=%d last=@%v", at, before+1, before*apart))
		}
		n := 0
		for ; time.Since(r.sink.began) < 4*time.Hour; n++ {
			r.record(1, "web")
			if time.Sleep(apart); n == 0 {
				if e := r.only(); e.Series != nil {
					r.Errorf("series %v of a singleton, want none", e.Series)
				}
			}
		}
		r.checkTimeline(want...)
		r.only()
		time.Sleep(2 * time.Minute)
		last := time.Since(r.sink.began)
		r.record(1, "web")
		n++
		time.Sleep(time.Hour)
		want = append(want, fmt.Sprintf("@%v patch web count=%d last=@%v", 4*time.Hour+apart, n-1, last-2*time.Minute-apart),
			fmt.Sprintf("@%v patch web count=%d last=@%v", last+6*time.Minute, n, last))
		r.checkTimeline(want...)
		if s := r.b.Stats(); s.Series != 0 || s.Recorded != int64(n) {
			r.Errorf("%d series are left, %d recorded of %d", s.Series, s.Recorded, n)
		}
	})
}

// "series of isomorphic events happening not farther away from each other than some defined
// threshold" (KEP-383).
func TestKEPThreshold(t *testing.T) {
	for apart, want := range map[time.Duration]int{6*time.Minute - 1: 1, 6 * time.Minute: 2, time.Hour: 2} {
		inBubble(t, nil, func(r *rig) {
			r.record(1, "web")
			time.Sleep(apart)
			r.record(1, "web")
			r.flush()
			if got := len(r.sink.Events()); got != want {
				r.Errorf("%v apart: %d Events, want %d", apart, got, want)
			}
		})
	}
}

// Doubled counts are written as long as there are few of them. The writes that KEP-383 asks for are
// always made.
func TestKEPNeedsNoPublishing(t *testing.T) {
	inBubble(t, options{tuning.Publishing(0, 3, 24*time.Hour)}, func(r *rig) {
		const pods = 40
		written := func() int { synctest.Wait(); return int(r.sink.Counts().Patches) }
		var got []int
		for _, times := range []int{1, 1, 6} {
			for i := range pods {
				r.record(times, fmt.Sprint("web-", i))
			}
			time.Sleep(30 * time.Second)
			got = append(got, written())
		}
		for range 31 { // a refresh each
			for i := range pods {
				r.record(1, fmt.Sprint("web-", i))
			}
			time.Sleep(time.Minute)
		}
		got = append(got, written())
		time.Sleep(10 * time.Minute)
		got = append(got, written())
		if want := []int{0, pods, pods + 3, 2*pods + 3, 3*pods + 3}; !slices.Equal(got, want) {
			r.Errorf("patches %v, want %v", got, want)
		}
	})
}

// "Isomorphic = same <Regarding, Action, Reason, ReportingController, ReportingInstance, Related>"
// (KEP-383), and the type, which client-go adds. "No high-cardinality data in the tuple": a write
// to the object or a bump of its API version is not another object. "note: Possibly discarded when
// an Event series is being deduplicated" (redesign).
func TestKEPIsomorphicTuple(t *testing.T) {
	type tuple struct {
		regarding, related         runtime.Object
		kind, reason, action       string
		controller, instance, note string
	}
	newer := newPod("web")
	newer.ResourceVersion, newer.TypeMeta = "2", metav1.TypeMeta{Kind: "Pod", APIVersion: "v2"}
	otherUID := newPod("web")
	otherUID.UID = "2"
	for name, row := range map[string]struct {
		events int
		change func(*tuple)
	}{
		"regarding":           {2, func(o *tuple) { o.regarding = newPod("other") }},
		"regarding UID":       {2, func(o *tuple) { o.regarding = otherUID }},
		"regarding kind":      {2, func(o *tuple) { o.regarding = &corev1.Service{ObjectMeta: newPod("web").ObjectMeta} }},
		"regarding namespace": {2, func(o *tuple) { o.regarding = fixture.Pod("other", "web") }},
		"related":             {2, func(o *tuple) { o.related = newPod("other") }},
		"no related":          {2, func(o *tuple) { o.related = nil }},
		"type":                {2, func(o *tuple) { o.kind = "Warning" }},
		"reason":              {2, func(o *tuple) { o.reason = "Killed" }},
		"action":              {2, func(o *tuple) { o.action = "Stop" }},
		"controller":          {2, func(o *tuple) { o.controller = "example.com/other" }},
		"instance":            {2, func(o *tuple) { o.instance = "other" }},
		"long instance":       {2, func(o *tuple) { o.instance = long(200) + "b" }},
		"versions":            {1, func(o *tuple) { o.regarding = newer }},
		"note":                {1, func(o *tuple) { o.note = "other" }},
	} {
		subtest(t, name, nil, func(r *rig) {
			emit := func(o tuple) {
				r.b.Recorder(scheme.Scheme, o.controller).WithReportingInstance(o.instance).
					Eventf(o.regarding, o.related, o.kind, o.reason, o.action, o.note)
			}
			pod := newPod("web")
			pod.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
			base := tuple{pod, newPod("peer"), "Normal", "Killing", "Kill", controller, long(200) + "a", "note"}
			other := base
			row.change(&other)
			emit(base)
			emit(other)
			emit(base)
			r.flush()
			all := r.sink.Events()
			if len(all) != row.events {
				r.Errorf("%d Events, want %d", len(all), row.events)
			}
			if e := all[0]; e.Note != "note" || e.Regarding.ResourceVersion != "1" || e.Regarding.APIVersion != "v1" {
				r.Errorf("%q about %v: want the first occurrence's", e.Note, e.Regarding)
			}
		})
	}
}

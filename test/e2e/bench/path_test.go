// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/adapter"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/legacy"
)

// ways are the public ways to record, and the options that every occurrence passes. A peer is the contender that the
// way takes the place of.
var ways = []struct {
	name, peer string
	config     config
}{
	{"events", floor, config{}},
	{"adapter, events.k8s.io/v1", toolsEvents, config{path: newAdapter(adapter.ModeEventsV1)}},
	{"adapter, core/v1", toolsRecord, config{path: newAdapter(adapter.ModeCoreV1)}},
	{"legacy", toolsRecord, config{path: newLegacy}},
	{"legacy.AsLegacy", toolsRecord, config{path: then(asLegacy)}},
	{"an event watcher", toolsEvents, config{watching: true}},
	{"NotesDistinct(10)", "", with(events.WithNotePolicy(events.NotesDistinct(10)))},
	{"NotesLatest", "", with(events.WithNotePolicy(events.NotesLatest))},
	{"WithSharedCounts", "", with(events.WithSharedCounts())},
	{"WithMaxSeriesPerObject", "", with(events.WithMaxSeriesPerObject(10))},
	{"WithLabels", "", with(events.WithLabels(map[string]string{
		"example.com/team": "storage", "app.kubernetes.io/name": "csi",
	}))},
	{"unselected by SetSelector", "", config{path: then(selectOther)}},
	{"the Prometheus collector", "", config{path: then(collect)}},
}

// BenchmarkPath repeats an event and then records others for the first time, in every way.
func BenchmarkPath(b *testing.B) {
	each(b, func(b *testing.B, impl string) {
		for _, way := range ways {
			if impl != sdk && impl != way.peer {
				continue
			}
			b.Run("way="+slug(way.name), func(b *testing.B) {
				c, known, pods := start(b, impl, way.config), newPod(-1), newPods(size(10_000))
				defer c.close()
				c.repeat(b, 1, func(int) { c.fail(known) })
				first := c.measure(func(idle *idler) { c.do(idle, len(pods), func(i int) { c.fail(pods[i]) }) })
				b.ReportMetric(float64(first.cpu)/float64(len(pods)), "cpu-ns/first")
			})
		}
	})
}

func with(options ...events.Option) config { return config{options: options} }

// then changes the recorder of a broadcaster of the SDK.
func then(change path) path {
	return func(c *contender, config config) error {
		if err := newSDK(c, config); err != nil {
			return err
		}
		return change(c, config)
	}
}

// newAdapter pins the API. Its client is never used: the sink is that of all contenders.
func newAdapter(api adapter.Mode) path {
	return func(c *contender, _ config) error {
		client, err := kubernetes.NewForConfig(&rest.Config{Host: "https://unused.invalid"})
		if err != nil {
			return err
		}
		a := adapter.New(context.Background(), client, adapter.WithMode(api),
			adapter.WithSink(func(events.Sink) events.Sink { return newSink{c.sink} }))
		c.recorder = a.Recorder(controller)
		return c.run(a)
	}
}

// newLegacy is called through client-go's adapter for the new signature, as tools/record is.
func newLegacy(c *contender, _ config) error {
	b := legacy.NewBroadcaster()
	b.StartRecordingToSink(oldSink{c.sink})
	c.stop, c.background = b.Shutdown, true
	c.recorder = record.NewEventRecorderAdapter(b.Recorder(scheme.Scheme, corev1.EventSource{Component: controller}))
	return nil
}

// asLegacy is called as newLegacy is.
func asLegacy(c *contender, _ config) error {
	c.recorder = record.NewEventRecorderAdapter(legacy.AsLegacy(c.recorder))
	return nil
}

func selectOther(c *contender, _ config) error {
	return c.broadcaster.SetSelector("type!=" + corev1.EventTypeWarning)
}

func collect(c *contender, _ config) error {
	return prometheus.NewRegistry().Register(eventsprom.NewCollector(c.broadcaster))
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package eventsprom_test

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
	eventsprom "github.com/eventseries/eventseries/contrib/prometheus"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/legacy"
)

const controller = "example.com/test"

var pod = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}

// source is a broadcaster of any package.
type source interface {
	Stats() events.Stats
	Drain(context.Context) error
	Flush(context.Context) error
}

// subject is a source with a way to record and to start.
type subject struct {
	source
	collector *eventsprom.Collector
	eventf    func(eventtype, reason string)
	start     func() error
}

// subjects has a function for each kind of source, which returns a source with a new server.
var subjects = map[string]func(client *eventstest.Clientset) subject{
	"adapter.Adapter": func(client *eventstest.Clientset) subject {
		a := adapter.New(context.Background(), client, events.WithLogger(klog.Logger{}))
		recorder := a.Recorder(controller)
		return subject{a, eventsprom.NewCollector(a), func(eventtype, reason string) {
			recorder.Eventf(pod, nil, eventtype, reason, "Test", "a note")
		}, func() error { return a.Start(context.Background()) }}
	},
	"events.Broadcaster": func(*eventstest.Clientset) subject {
		b := events.NewBroadcaster(eventstest.NewSink(), events.WithLogger(klog.Logger{}))
		recorder := b.Recorder(scheme.Scheme, controller)
		return subject{b, eventsprom.NewCollector(b), func(eventtype, reason string) {
			recorder.Eventf(pod, nil, eventtype, reason, "Test", "a note")
		}, func() error { return b.Start(context.Background()) }}
	},
	"legacy.Broadcaster": func(client *eventstest.Clientset) subject {
		b := legacy.NewBroadcaster(events.WithLogger(klog.Logger{}),
			legacy.WithCorrelatorOptions(record.CorrelatorOptions{BurstSize: 1 << 20}))
		recorder := b.Recorder(scheme.Scheme, corev1.EventSource{Component: controller})
		return subject{b, eventsprom.NewCollector(b), func(eventtype, reason string) {
			recorder.Eventf(pod, eventtype, reason, "a note")
		}, func() error {
			b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
			return nil
		}}
	},
}

// values has the metrics of one scrape: for each name the sum, and the sums for each value of one
// label.
type values map[string]float64

// scrape returns all metrics. The value of a histogram is its count.
func scrape(t testing.TB, gatherer prometheus.Gatherer) values {
	t.Helper()
	families, err := gatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	all := values{}
	for _, family := range families {
		for _, metric := range family.Metric {
			value := metric.GetCounter().GetValue() + metric.GetGauge().GetValue() +
				float64(metric.GetHistogram().GetSampleCount())
			name := strings.TrimPrefix(family.GetName(), "eventseries_")
			all[name] += value
			for _, label := range metric.Label {
				all[name+" "+label.GetName()+"="+label.GetValue()] += value
			}
		}
	}
	return all
}

// of returns the values with these names, without those that are 0.
func (v values) of(names ...string) values {
	some := maps.Clone(v)
	maps.DeleteFunc(some, func(name string, value float64) bool {
		return value == 0 || !slices.Contains(names, strings.Fields(name)[0])
	})
	return some
}

// register returns a registry that checks a collector strictly.
func register(t testing.TB, collectors ...prometheus.Collector) *prometheus.Registry {
	t.Helper()
	registry := prometheus.NewPedanticRegistry()
	for _, collector := range collectors {
		if err := registry.Register(collector); err != nil {
			t.Fatal(err)
		}
	}
	return registry
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

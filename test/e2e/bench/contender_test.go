// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/scheme"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/events"
)

// controller is the reporting controller of all contenders.
const controller = "example.com/bench"

// contender is one way to record Events, ready for calls.
type contender struct {
	recorder clientevents.EventRecorder
	sink     *sink
	lines    atomic.Int64 // that its log watcher has written, or its event watcher has seen
	// background reports whether a call only hands the event over, to queues that may overflow. Such a contender gets
	// pauses where losses are not the point.
	background  bool
	broadcaster *events.Broadcaster // of the SDK by itself
	flush       func()              // writes what is unwritten; nil if the contender offers nothing
	stop        func()              // ends what runs in the background
	goroutines  int                 // that there were before
}

// config is what a benchmark wants of every contender alike.
type config struct {
	latency           time.Duration // of each write
	series            int           // that must fit in memory; 0 for the default
	logging, watching bool          // log every event as text; hand every event to a watcher
	idle              bool          // do not start the SDK, so that nothing is written
	options           []events.Option
	path              path // of the SDK's recorder; nil for the broadcaster's own
}

// path makes the SDK's recorder.
type path func(*contender, config) error

var setUps = map[string]path{
	sdk: newSDK, toolsEvents: newToolsEvents, toolsRecord: newToolsRecord, floor: newFloor, empty: newEmpty,
}

// start sets a contender up. The caller must close it.
func start(b *testing.B, impl string, config config) *contender {
	b.Helper()
	klog.SetLogger(logr.Discard()) // the peers are not charged for a line about each event that they lose
	c := &contender{sink: &sink{latency: config.latency}, stop: func() {}, goroutines: runtime.NumGoroutine()}
	setUp := setUps[impl]
	if impl == sdk && config.path != nil {
		setUp = config.path
	}
	if err := setUp(c, config); err != nil {
		b.Fatal(err)
	}
	c.background = c.background || config.watching || config.logging
	return c
}

// close stops the contender. Pending occurrences are lost. It waits for the goroutines that
// tools/events and tools/record leave behind.
func (c *contender) close() {
	c.sink.closed.Store(true)
	c.stop()
	for end := time.Now().Add(5 * time.Second); runtime.NumGoroutine() > c.goroutines && time.Now().Before(end); {
		time.Sleep(look)
	}
}

// newSDK is a broadcaster with the defaults, but for the bound on series where a benchmark has more of them.
func newSDK(c *contender, config config) error {
	c.broadcaster = events.NewBroadcaster(newSink{c.sink}, append(config.options, events.WithMaxSeries(config.series))...)
	if config.logging {
		if _, err := c.broadcaster.StartLogging(c.logger()); err != nil {
			return err
		}
	}
	if config.watching {
		if _, err := c.broadcaster.StartEventWatcher(func(kruntime.Object) { c.lines.Add(1) }); err != nil {
			return err
		}
	}
	c.recorder = c.broadcaster.Recorder(scheme.Scheme, controller)
	if config.idle {
		return nil
	}
	return c.run(c.broadcaster)
}

// run starts a broadcaster or an adapter of the SDK.
func (c *contender) run(r interface {
	Start(context.Context) error
	Flush(context.Context) error
	Drain(context.Context) error
}) error {
	c.flush = func() { _ = r.Flush(context.Background()) } // it cannot end early
	c.stop = func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = r.Drain(ctx) // the error has what is lost
	}
	return r.Start(context.Background())
}

func newToolsEvents(c *contender, config config) error {
	ctx, cancel := context.WithCancel(context.Background())
	b := clientevents.NewBroadcaster(newSink{c.sink})
	c.background = true
	c.stop = func() {
		cancel()
		b.Shutdown()
	}
	if config.logging {
		if _, err := b.StartLogging(c.logger()); err != nil {
			return err
		}
	}
	if config.watching {
		if _, err := b.StartEventWatcher(func(kruntime.Object) { c.lines.Add(1) }); err != nil {
			return err
		}
	}
	c.recorder = b.NewRecorder(scheme.Scheme, controller)
	return b.StartRecordingToSinkWithContext(ctx)
}

// newToolsRecord is called through client-go's own adapter for the new signature.
func newToolsRecord(c *contender, config config) error {
	ctx := context.Background()
	if config.logging {
		ctx = klog.NewContext(ctx, c.logger()) // the way to give it a logger
	}
	b := record.NewBroadcaster(record.WithContext(ctx))
	c.background, c.stop = true, b.Shutdown
	if config.logging {
		b.StartStructuredLogging(0)
	}
	b.StartRecordingToSink(oldSink{c.sink})
	c.recorder = record.NewEventRecorderAdapter(b.NewRecorder(scheme.Scheme, corev1.EventSource{Component: controller}))
	return nil
}

// logger writes text as klog does, to nowhere, and counts the lines.
func (c *contender) logger() klog.Logger {
	return textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(lineCounter{&c.lines})))
}

type lineCounter struct{ n *atomic.Int64 }

// Write is called once a line.
func (l lineCounter) Write(line []byte) (int, error) {
	l.n.Add(1)
	return len(line), nil
}

// newPod is a pod as an informer hands it out: without its kind.
func newPod(i int) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace:       fmt.Sprintf("team-%d", i%100),
		Name:            fmt.Sprintf("web-7d4b9c6f5d-%05x", i),
		UID:             types.UID(fmt.Sprintf("6f1c2e0a-9a51-4c8e-b7b4-%012x", i)),
		ResourceVersion: fmt.Sprint(1000000 + i),
	}}
}

func newPods(n int) []*corev1.Pod {
	pods := make([]*corev1.Pod, n)
	for i := range pods {
		pods[i] = newPod(i)
	}
	return pods
}

// fail is what a scheduler says of a pod, without anything to format.
func (c *contender) fail(pod *corev1.Pod) {
	c.recorder.Eventf(pod, nil, corev1.EventTypeWarning, "FailedScheduling", "Scheduling",
		"0 of 5000 nodes are available: 5000 Insufficient memory. Preemption is not helpful for scheduling.")
}

// failWith is the same with something to format.
func (c *contender) failWith(pod *corev1.Pod, attempt int, node *nodeName) {
	c.recorder.Eventf(pod, nil, corev1.EventTypeWarning, "FailedScheduling", "Scheduling",
		"attempt %d: %d of %d nodes are available, nominated %v: Insufficient memory", attempt, 0, 5000, node)
}

// nodeName counts how often it is formatted.
type nodeName struct {
	name      string
	formatted atomic.Int64
}

func (n *nodeName) String() string {
	n.formatted.Add(1)
	return n.name
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package contender

import (
	"fmt"
	"io"
	"slices"
	"sync/atomic"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// Contender is one way to record Events, ready for calls.
type Contender struct {
	Recorder clientevents.EventRecorder
	Sink     *Sink        // what it writes to
	Lines    atomic.Int64 // what its log watcher has written, if there is one

	// Background says that a call only hands the event over, to queues that may
	// overflow. Such a contender is given pauses where losses are not the point.
	Background bool

	Broadcaster *events.Broadcaster  // of the SDK by itself
	Registry    *prometheus.Registry // with its collector, if there is one

	finish, stop func()
	series       func() int
}

// Config is what a scenario wants of every contender alike.
type Config struct {
	Latency time.Duration // of each write
	Series  int           // how many series must fit in memory; 0 for the default
	Logging bool          // log every event, as text

	Watching bool                           // hand every event to a watcher, which counts it as a line
	Idle     bool                           // the SDK is not started, so that nothing is written
	Options  []events.Option                // of the SDK
	Make     func(*Contender, Config) error // makes the SDK's recorder in another way
	Then     func(*Contender) error         // changes the SDK's recorder
}

// component is the reporting controller of all contenders.
const component = "example.com/bench"

var makers = map[string]func(*Contender, Config) error{
	report.SDK: newSDK, report.ToolsEvents: newToolsEvents, report.ToolsRecord: newToolsRecord,
	report.Floor: newFloor, report.Empty: newEmpty,
}

// Names lists the contenders in the order in which they are shown.
func Names() []string {
	return []string{report.SDK, report.ToolsEvents, report.ToolsRecord, report.Floor, report.Empty}
}

// New sets a contender up. It is called once in a process: it silences klog.
func New(name string, c Config) (*Contender, error) {
	if !slices.Contains(Names(), name) {
		return nil, fmt.Errorf("no contender %q, want one of %v", name, Names())
	}
	klog.SetLogger(logr.Discard())
	nothing := func() {}
	one := &Contender{
		Sink: &Sink{latency: c.Latency}, finish: nothing, stop: nothing, series: func() int { return 0 },
	}
	setUp := makers[name]
	if name == report.SDK && c.Make != nil {
		setUp = c.Make
	}
	err := setUp(one, c)
	if err == nil && name == report.SDK && c.Then != nil {
		err = c.Then(one)
	}
	if err != nil {
		return nil, fmt.Errorf("contender %s: %w", name, err)
	}
	one.Background = one.Background || c.Watching
	return one, nil
}

// Finish does what the contender offers so that everything is written.
func (c *Contender) Finish() { c.finish() }

// Stop ends what runs in the background. What is not written then is lost.
func (c *Contender) Stop() { c.stop() }

// Series is how many series the contender says are open. Peers do not tell.
func (c *Contender) Series() int { return c.series() }

// logger writes text as klog does, to nowhere, and counts the lines.
func (c *Contender) logger() klog.Logger {
	return textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(lineCounter{&c.Lines})))
}

type lineCounter struct{ n *atomic.Int64 }

var _ io.Writer = lineCounter{}

// Write is called once a line.
func (l lineCounter) Write(line []byte) (int, error) {
	l.n.Add(1)
	return len(line), nil
}

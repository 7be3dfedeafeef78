// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package clientgo_test

import (
	"testing"

	"k8s.io/klog/v2"
)

// situation is a way in which a test leaves a recorder behind. What it leaks ends with the cleanup of the test.
type situation struct {
	of, name string
	leave    func(t *testing.T, k kit)
}

var situations = []situation{
	{"events.NewBroadcaster", "never started", func(t *testing.T, k kit) {
		k.events(t, answering())
	}},
	{"events.NewBroadcaster", "logging, which is stopped", func(t *testing.T, k kit) {
		stop, err := k.events(t, answering()).StartLogging(klog.Background().V(10))
		if err != nil {
			t.Fatal(err)
		}
		stop()
	}},
	{"events.NewBroadcaster", "started; its context ends", func(t *testing.T, k kit) {
		_, cancel := k.startedEvents(t, answering())
		cancel()
	}},
	{"events.NewBroadcaster", "started; Shutdown", func(t *testing.T, k kit) {
		broadcaster, _ := k.startedEvents(t, answering())
		broadcaster.Shutdown()
	}},
	{"events.NewBroadcaster", "started; a write is being retried; Shutdown", func(t *testing.T, k kit) {
		server := unreachable()
		broadcaster, _ := k.startedEvents(t, server)
		record(newShape(broadcaster), 1)
		<-server.asked
		broadcaster.Shutdown()
	}},
	{"events.NewBroadcaster", "started; its context ends; Shutdown", func(t *testing.T, k kit) {
		broadcaster, cancel := k.startedEvents(t, answering())
		cancel()
		broadcaster.Shutdown()
	}},
	{"NewEventBroadcasterAdapter", "never started", func(t *testing.T, k kit) {
		k.adapter(t, answering())
	}},
	{"NewEventBroadcasterAdapter", "started; its stop channel is closed", func(t *testing.T, k kit) {
		_, stop := k.startedAdapter(t, answering())
		stop()
	}},
	{"NewEventBroadcasterAdapter", "started; Shutdown", func(t *testing.T, k kit) {
		broadcaster, _ := k.startedAdapter(t, answering())
		broadcaster.Shutdown()
	}},
	{"NewEventBroadcasterAdapter", "started; its stop channel is closed; Shutdown", func(t *testing.T, k kit) {
		broadcaster, stop := k.startedAdapter(t, answering())
		stop()
		broadcaster.Shutdown()
	}},
	{"record.NewBroadcaster", "never started", func(t *testing.T, k kit) {
		k.record(t)
	}},
	{"record.NewBroadcaster", "started; what StartRecordingToSink returned is stopped", func(t *testing.T, k kit) {
		_, watch := k.startedRecord(t, answering())
		watch.Stop()
	}},
	{"record.NewBroadcaster", "started; Shutdown", func(t *testing.T, k kit) {
		broadcaster, _ := k.startedRecord(t, answering())
		broadcaster.Shutdown()
	}},
	{"record.NewBroadcaster", "started; the server does not answer a write; Shutdown", func(t *testing.T, k kit) {
		server := silent(t)
		broadcaster, _ := k.startedRecord(t, server)
		record(oldShape(broadcaster), 1)
		<-server.asked
		broadcaster.Shutdown()
	}},
	{"NewFakeRecorder", "room for 2; a goroutine records 3; the test reads none", func(t *testing.T, k kit) {
		recorder := k.fake(t)
		go record(recorder, 3)
	}},
}

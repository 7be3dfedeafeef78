// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package contender

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/test/bench/internal/report"
)

// Every recorder writes an event for each of five pods and something for their
// repeats, logs every call, and ends.
//
// Caught: tools/record given no logger, which logged nowhere; a floor whose key
// had no name, which counted one series; a sink that counted patches as creates.
func TestContenders(t *testing.T) {
	for _, tt := range []struct {
		name            string
		creates, series int
		patches         bool
		lines           int64
		background      bool
	}{
		{report.SDK, 5, 5, true, 10, false},
		{report.ToolsEvents, 5, 0, true, 10, true},
		{report.ToolsRecord, 5, 0, true, 10, true},
		{report.Floor, 0, 5, false, 0, false},
		{report.Empty, 0, 0, false, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, err := New(tt.name, Config{Logging: true, Latency: time.Second})
				if err != nil {
					t.Fatal(err)
				}
				for range 2 {
					recordFive(c)
					time.Sleep(time.Minute) // for those who work in the background
				}
				c.Finish()
				series := c.Series()
				c.Stop()
				time.Sleep(time.Minute)
				if got := c.Sink.Creates(); got != int64(tt.creates) {
					t.Errorf("%d creates, want %d", got, tt.creates)
				}
				if got := c.Sink.Writes() > c.Sink.Creates(); got != tt.patches {
					t.Errorf("patches: %v, want %v", got, tt.patches)
				}
				if got := c.Lines.Load(); got != tt.lines {
					t.Errorf("%d lines logged, want %d", got, tt.lines)
				}
				if series != tt.series || c.Background != tt.background {
					t.Errorf("%d series, in background %v, want %d, %v", series, c.Background, tt.series, tt.background)
				}
			})
		})
	}
}

func recordFive(c *Contender) {
	for i := range 5 {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: fmt.Sprintf("web-%d", i)}}
		c.Recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Pulled", "Pulling", "the image is %s", "present")
	}
}

// The floor tells apart what a series key tells apart, and nothing else.
//
// Caught: a key without related, without uid; a kind that was not looked up.
func TestFloorKey(t *testing.T) {
	c, err := New(report.Floor, Config{})
	if err != nil {
		t.Fatal(err)
	}
	pod := func(name, uid, version string) *corev1.Pod {
		return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(uid), ResourceVersion: version}}
	}
	r := c.Recorder
	r.Eventf(pod("a", "1", "1"), nil, "Normal", "R", "A", "note")
	r.Eventf(pod("a", "1", "2"), nil, "Normal", "R", "A", "another note")
	if c.Series() != 1 {
		t.Fatalf("%d series, want 1", c.Series())
	}
	r.Eventf(pod("a", "2", "1"), nil, "Normal", "R", "A", "note")
	r.Eventf(pod("b", "1", "1"), nil, "Normal", "R", "A", "note")
	r.Eventf(pod("a", "1", "1"), pod("b", "1", "1"), "Normal", "R", "A", "note")
	r.Eventf(pod("a", "1", "1"), nil, "Warning", "R", "A", "note")
	r.Eventf(pod("a", "1", "1"), nil, "Normal", "S", "A", "note")
	r.Eventf(pod("a", "1", "1"), nil, "Normal", "R", "B", "note")
	service := &corev1.Service{}
	service.Name, service.UID = "a", "1"
	r.Eventf(service, nil, "Normal", "R", "A", "note")
	if c.Series() != 8 {
		t.Errorf("%d series, want 8", c.Series())
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter_test

import (
	"flag"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/adapter"
)

// The same call logs what either broadcaster records, and no more once stopped.
func TestStartStructuredLogging(t *testing.T) {
	for _, mode := range []adapter.API{adapter.EventsV1, adapter.Legacy} {
		t.Run(string(mode), func(t *testing.T) {
			out := captureKlog(t, "3")
			synctest.Test(t, func(t *testing.T) {
				a := adapter.New(t.Context(), newCluster(), adapter.WithMode(mode))
				stop := a.StartStructuredLogging(3)
				if err := a.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				r := a.NewRecorder(controller)
				pod := &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web"}
				r.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "seen")
				synctest.Wait()
				stop()
				r.Eventf(pod, nil, corev1.EventTypeNormal, "Scaled", "Scale", "unseen")
				a.Shutdown()
			})
			klog.Flush()
			if log := out.String(); strings.Count(log, `"seen"`) != 1 || strings.Contains(log, "unseen") {
				t.Errorf("logged %q, want the first event once", log)
			}
		})
	}
}

// Both broadcasters log with the adapter's logger.
//
// Caught: klog's global logger for series.
func TestStructuredLoggingUsesTheAdaptersLogger(t *testing.T) {
	for _, mode := range bothModes {
		t.Run(string(mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				log, logged := withLog()
				a, rec := start(t, newCluster(), adapter.WithMode(mode), logged)
				defer a.StartStructuredLogging(0)()
				emit(rec, 1, "shop", "web")
				synctest.Wait()
				log.CheckOnce(t, "Event occurred")
			})
		})
	}
}

// captureKlog returns what klog writes at a verbosity until the test ends.
func captureKlog(t *testing.T, verbosity string) *buffer {
	t.Helper()
	t.Cleanup(klog.CaptureState().Restore)
	flags := flag.NewFlagSet("klog", flag.PanicOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "alsologtostderr": "false", "v": verbosity} {
		if err := flags.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	out := &buffer{}
	klog.SetOutput(out)
	return out
}

// buffer is a strings.Builder for several goroutines.
type buffer struct {
	mu  sync.Mutex // guards out
	out strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.out.String()
}

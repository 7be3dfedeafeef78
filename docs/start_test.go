// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// run works until ctx ends, and then writes what is pending.
func run(ctx context.Context, a *adapter.Adapter) error {
	if err := a.Start(ctx); err != nil {
		return err
	}
	defer a.Shutdown()
	greet(ctx, a.Recorder("example.com/hello"))
	return nil
}

// greet says hello every second.
func greet(ctx context.Context, recorder events.EventRecorder) {
	for n := 1; ctx.Err() == nil; n++ {
		recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello number %d", n)
		select {
		case <-ctx.Done():
		case <-time.After(time.Second):
		}
	}
}

func TestGreet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer stop()
		recorder := eventstest.NewRecorder(t, eventstest.Strict())
		greet(ctx, recorder)

		want := eventstest.Want{Type: "Normal", Reason: "Greeted", Regarding: pod, Count: 3}
		if err := recorder.Check(want); err != nil {
			t.Error(err)
		}
	})
}

// What is pending at the end is written, so kubectl shows the page's count and note after a quarter of an hour.
//
// Caught: no Shutdown.
func TestRunWritesWhatIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 15*time.Minute-time.Millisecond)
		defer stop()
		client := eventstest.NewClientset()
		if err := run(ctx, adapter.New(ctx, client)); err != nil {
			t.Fatal(err)
		}
		want := eventstest.Only{{Reason: "Greeted", Regarding: pod, Note: "hello number 1", Count: 900}}
		if err := eventstest.Check(client, want); err != nil {
			t.Error(err)
		}
	})
}

// The program and the test on the page have the functions of this file. The tests of the repository build both.
func TestStartShowsWhatIsTested(t *testing.T) {
	page, source := read(t, "start.md"), read(t, "start_test.go")
	for _, name := range []string{"run", "greet", "TestGreet"} {
		function := regexp.MustCompile(`(?ms)^func ` + name + `\(.*?^}$`).FindString(source)
		if function == "" || !strings.Contains(page, function) {
			t.Errorf("start.md has another %s than is tested:\n%s", name, function)
		}
	}
}

// Caught: RBAC without patch.
func TestStartGrantsWhatIsWritten(t *testing.T) {
	_, manifest, _ := strings.Cut(read(t, "start.md"), "```yaml\n")
	manifest, _, _ = strings.Cut(manifest, "```")
	client := eventstest.NewClientset()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if err := run(ctx, adapter.New(ctx, client)); err != nil {
			t.Error(err)
		}
	})
	eventstest.VerifyRBAC(t, fstest.MapFS{"rbac.yaml": {Data: []byte(manifest)}},
		eventstest.BoundTo("default", "hello"), eventstest.Needs(client.Written()...),
		eventstest.Needs(eventstest.Access{Group: "", Namespace: "default"}))
}

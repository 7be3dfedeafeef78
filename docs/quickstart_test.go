// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/sinks"
)

var pod = &corev1.ObjectReference{APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web"}

// run works until ctx ends, and then writes what is pending.
func run(ctx context.Context, a *adapter.Adapter) error {
	if err := a.Start(ctx); err != nil {
		return err
	}
	defer a.Shutdown()
	greet(ctx, a.NewRecorder("example.com/hello"))
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
		recorder := eventstest.NewRecorder(t, events.WithStrict())
		greet(ctx, recorder)

		want := eventstest.Want{Type: "Normal", Reason: "Greeted", Regarding: pod, Count: 3}
		if err := recorder.Check(want); err != nil {
			t.Error(err)
		}
	})
}

func TestRunWritesWhatIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 2500*time.Millisecond)
		defer stop()
		client := eventstest.NewClientset()
		if err := run(ctx, adapter.New(ctx, client)); err != nil {
			t.Fatal(err)
		}
		want := eventstest.Only{{Reason: "Greeted", Regarding: pod, Count: 3}}
		if err := eventstest.Check(client, want); err != nil {
			t.Error(err)
		}
	})
}

// What kubectl shows of the page's program, after a quarter of an hour. That the program is this file's is seen below.
func TestQuickstartShowsWhatKubectlPrints(t *testing.T) {
	client := eventstest.NewClientset()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 15*time.Minute-time.Millisecond)
		defer stop()
		if err := run(ctx, adapter.New(ctx, client)); err != nil {
			t.Fatal(err)
		}
	})
	prints(t, "quickstart.md", "testdata/kubectl-quickstart.txt", client.Events())
}

// The program on the page is one of the functions that are tested here, and a main that the root's tests build.
//
// Caught: no Shutdown on the page.
func TestQuickstartShowsWhatIsTested(t *testing.T) {
	page, source := read(t, "quickstart.md"), read(t, "quickstart_test.go")
	_, program, _ := strings.Cut(page, "```go\npackage main\n")
	program, _, _ = strings.Cut(program, "\n```")
	for _, name := range []string{"run", "greet"} {
		function := regexp.MustCompile(`(?ms)^func ` + name + `\(.*?^}$`).FindString(source)
		if function == "" || !strings.Contains(program, function) {
			t.Errorf("quickstart.md has another %s than is tested:\n%s", name, function)
		}
	}
}

// Caught: RBAC without patch.
func TestQuickstartGrantsWhatIsWritten(t *testing.T) {
	_, manifest, _ := strings.Cut(read(t, "quickstart.md"), "```yaml\n")
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

// Without the adapter: for components that know their cluster.
func ExampleNewBroadcaster() {
	ctx, client := context.Background(), eventstest.NewClientset()

	broadcaster := events.NewBroadcaster(sinks.EventsV1(client.EventsV1()))
	if err := broadcaster.Start(ctx); err != nil {
		fmt.Println(err)
	}
	defer broadcaster.Shutdown()
	recorder := broadcaster.NewRecorder(scheme.Scheme, "example.com/hello")

	recorder.Eventf(pod, nil, corev1.EventTypeNormal, "Greeted", "Greet", "hello number %d", 1)
	if err := broadcaster.Flush(ctx); err != nil {
		fmt.Println(err)
	}
	fmt.Println(eventstest.SeriesOf(client.Events()...)[0])
	// Output: Normal Greeted (Greet) Pod default/web x1: "hello number 1"
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/internal/testkit/tuning"
	"github.com/eventseries/eventseries/sinks"
)

// The occurrences of a series that is drained: those that it is created with, which is what the SDK does when they are
// all there before its first write, and those that it has at the end.
const (
	opened = 2
	final  = 5
)

// writers is how many goroutines the bare client has, and how many writes at a time the SDK.
const writers = 8

// BenchmarkServer writes to a real kube-apiserver and etcd, which run on the same machine and take
// most of its time. It creates Events as fast as Eventf takes them, until the last one is answered;
// and it drains series. Events that the server has afterwards count as delivered. No client has a
// rate limit of its own.
func BenchmarkServer(b *testing.B) {
	if testing.Short() {
		b.Skip("-short: no control plane")
	}
	plane := &envtest.Environment{}
	config, err := plane.Start() // as an administrator, who has no priority or fairness
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := plane.Stop(); err != nil {
			b.Error(err)
		}
	}()
	config.QPS = -1
	const creates, patches = 3_000, 10_000
	measure(b.Context(), b, newTrial(b, config, creates), bare, bareCreates) // warms the server up
	for impl, do := range map[string]writing{
		bare: bareCreates, sdk: sdkCreates, toolsEvents: toolsEventsCreates, toolsRecord: toolsRecordCreates,
	} {
		b.Run("impl="+slug(impl)+"/write=create", func(b *testing.B) {
			for b.Loop() {
				measure(b.Context(), b, newTrial(b, config, creates), impl, do)
			}
		})
	}
	for impl, do := range map[string]writing{bare: barePatches, sdk: sdkDrain} {
		b.Run("impl="+slug(impl)+"/write=drain", func(b *testing.B) {
			for b.Loop() {
				t := newTrial(b, config, patches)
				t.count = final
				measure(b.Context(), b, t, impl, do)
			}
		})
	}
}

// writing prepares what is measured, which returns when the last write was answered.
type writing func(ctx context.Context, t *trial) (run func() (end time.Time, err error), err error)

func measure(ctx context.Context, b *testing.B, t *trial, impl string, do writing) {
	b.Helper()
	ctx, cancel := context.WithCancel(logr.NewContext(ctx, logr.Discard())) // spares the peers a line for each loss
	defer cancel()
	run, err := do(ctx, t)
	if err != nil {
		b.Fatal(err)
	}
	t.taken.Store(0)
	cpu, began := cpuTime(), time.Now()
	end, err := run()
	if err != nil {
		b.Fatal(err)
	}
	cpu = cpuTime() - cpu
	delivered := t.delivered(ctx, b)
	if impl != toolsEvents && impl != toolsRecord && delivered != len(t.pods) {
		b.Errorf("%s delivered %d of %d", impl, delivered, len(t.pods))
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(delivered)/end.Sub(began).Seconds(), "writes/s")
	b.ReportMetric(100*float64(delivered)/float64(len(t.pods)), "%delivered")
	b.ReportMetric(float64(cpu.Microseconds())/float64(delivered), "cpu-µs/write")
}

// trial is a contender's turn, in namespaces and with a connection of its own.
type trial struct {
	client     kubernetes.Interface
	namespaces []string
	pods       []*corev1.Pod // what the Events are about, one each
	count      int           // that every Event has at the end

	next  http.RoundTripper
	taken atomic.Int64 // requests that succeeded
	last  atomic.Int64 // when the last one did, in Unix nanoseconds
}

var trials atomic.Int64

func newTrial(b *testing.B, config *rest.Config, size int) *trial {
	b.Helper()
	t := &trial{count: 1}
	own := rest.CopyConfig(config)
	own.Dial = (&net.Dialer{}).DialContext // equal configurations share connections
	own.Wrap(func(next http.RoundTripper) http.RoundTripper {
		t.next = next
		return t
	})
	var err error
	if t.client, err = kubernetes.NewForConfig(own); err != nil {
		b.Fatal(err)
	}
	n := trials.Add(1)
	for i := range 4 { // of a single namespace the SDK keeps some writes back
		name := fmt.Sprintf("trial-%d-%d", n, i)
		namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
		if _, err := t.client.CoreV1().Namespaces().Create(b.Context(), namespace, metav1.CreateOptions{}); err != nil {
			b.Fatal(err)
		}
		t.namespaces = append(t.namespaces, name)
	}
	t.pods = newPods(size)
	for i, pod := range t.pods {
		pod.Namespace = t.namespaces[i%len(t.namespaces)]
	}
	return t
}

// RoundTrip counts what the server took.
func (t *trial) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.next.RoundTrip(r)
	if err == nil && response.StatusCode < http.StatusMultipleChoices {
		t.taken.Add(1)
		t.last.Store(time.Now().UnixNano())
	}
	return response, err
}

// patience is how long nothing must arrive of a recorder that cannot say when it is done. It is longer than the
// back-off of client-go's recorders after a failure, 10 to 12.5 seconds.
const patience = 15 * time.Second

// quiet returns when the server has taken one write for each pod, or nothing more for long. It returns the time of the
// last one.
func (t *trial) quiet() (last time.Time, err error) {
	seen, since := int64(-1), time.Now()
	for seen < int64(len(t.pods)) && time.Since(since) < patience {
		if taken := t.taken.Load(); taken > seen {
			seen, since = taken, time.Now()
		}
		time.Sleep(20 * time.Millisecond)
	}
	return time.Unix(0, t.last.Load()), nil
}

// delivered lists the namespaces and returns about how many pods there is an Event with the final count.
func (t *trial) delivered(ctx context.Context, b *testing.B) int {
	b.Helper()
	pods := make(map[string]bool, len(t.pods))
	for _, namespace := range t.namespaces {
		for options := (metav1.ListOptions{Limit: 500}); ; {
			page, err := t.client.EventsV1().Events(namespace).List(ctx, options)
			if err != nil {
				b.Fatal(err)
			}
			for i := range page.Items {
				if e := &page.Items[i]; eventview.FromEventsV1(e).Count == int64(t.count) {
					pods[e.Regarding.Name] = true
				}
			}
			if options.Continue = page.Continue; options.Continue == "" {
				break
			}
		}
	}
	return len(pods)
}

// record calls a recorder once about each pod.
func (t *trial) record(recorder clientevents.EventRecorder) {
	c := contender{recorder: recorder}
	for _, pod := range t.pods {
		c.fail(pod)
	}
}

// broadcaster is the SDK's.
func (t *trial) broadcaster(options ...events.Option) *events.Broadcaster {
	return events.NewBroadcaster(sinks.EventsV1(t.client.EventsV1()), append(options, tuning.MaxInFlight(writers))...)
}

// sdkCreates records, then drains.
func sdkCreates(ctx context.Context, t *trial) (func() (time.Time, error), error) {
	b := t.broadcaster()
	return func() (time.Time, error) {
		t.record(b.Recorder(scheme.Scheme, controller))
		err := b.Drain(ctx)
		return time.Now(), err
	}, b.Start(ctx)
}

// sdkDrain makes series with counts that are not written. The drain alone is measured.
func sdkDrain(ctx context.Context, t *trial) (func() (time.Time, error), error) {
	b := t.broadcaster(tuning.Publishing(-1, 0, 0))
	recorder := b.Recorder(scheme.Scheme, controller)
	for range opened {
		t.record(recorder)
	}
	if err := b.Start(ctx); err != nil {
		return nil, err
	}
	if err := b.Flush(ctx); err != nil {
		return nil, err
	}
	for range final - opened {
		t.record(recorder)
	}
	return func() (time.Time, error) {
		err := b.Drain(ctx)
		return time.Now(), err
	}, nil
}

// toolsEventsCreates is client-go's recorder of events.k8s.io/v1 as its documentation sets it up.
func toolsEventsCreates(ctx context.Context, t *trial) (func() (time.Time, error), error) {
	b := clientevents.NewBroadcaster(&clientevents.EventSinkImpl{Interface: t.client.EventsV1()})
	context.AfterFunc(ctx, b.Shutdown)
	return func() (time.Time, error) {
		t.record(b.NewRecorder(scheme.Scheme, controller).WithLogger(logr.Discard()))
		return t.quiet()
	}, b.StartRecordingToSinkWithContext(ctx)
}

// toolsRecordCreates is client-go's recorder of core/v1, which has one writer and no option for more.
func toolsRecordCreates(ctx context.Context, t *trial) (func() (time.Time, error), error) {
	b := record.NewBroadcaster(record.WithContext(ctx))
	context.AfterFunc(ctx, b.Shutdown)
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: t.client.CoreV1().Events("")})
	return func() (time.Time, error) {
		source := corev1.EventSource{Component: controller}
		t.record(record.NewEventRecorderAdapter(b.NewRecorder(scheme.Scheme, source).WithLogger(logr.Discard())))
		return t.quiet()
	}, nil
}

// spread calls do for each pod, from as many goroutines as there are writers, and stops at the first error.
func (t *trial) spread(do func(i int) error) (end time.Time, err error) {
	var workers errgroup.Group
	var next atomic.Int64
	for range writers {
		workers.Go(func() error {
			for i := next.Add(1) - 1; i < int64(len(t.pods)); i = next.Add(1) - 1 {
				if err := do(int(i)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	err = workers.Wait()
	return time.Now(), err
}

// bareCreates is the floor of creates: the typed client, which knows what to write, asks nothing and keeps nothing.
func bareCreates(ctx context.Context, t *trial) (func() (time.Time, error), error) {
	return func() (time.Time, error) {
		return t.spread(func(i int) error {
			_, err := t.create(ctx, i, nil)
			return err
		})
	}, nil
}

// barePatches is the floor of a drain.
func barePatches(ctx context.Context, t *trial) (func() (time.Time, error), error) {
	stored := make([]*eventsv1.Event, len(t.pods))
	_, err := t.spread(func(i int) (err error) {
		stored[i], err = t.create(ctx, i, &eventsv1.EventSeries{Count: opened, LastObservedTime: metav1.NowMicro()})
		return err
	})
	return func() (time.Time, error) {
		return t.spread(func(i int) error {
			patch := fmt.Appendf(nil, `{"metadata":{"resourceVersion":%q},"series":{"count":%d,"lastObservedTime":%q}}`,
				stored[i].ResourceVersion, final, time.Now().UTC().Format(metav1.RFC3339Micro))
			_, err := t.client.EventsV1().Events(stored[i].Namespace).Patch(ctx, stored[i].Name,
				types.StrategicMergePatchType, patch, metav1.PatchOptions{})
			return err
		})
	}, err
}

// create creates what a recorder makes of a call about a pod.
func (t *trial) create(ctx context.Context, i int, series *eventsv1.EventSeries) (*eventsv1.Event, error) {
	pod, now := t.pods[i], time.Now()
	return t.client.EventsV1().Events(pod.Namespace).Create(ctx, &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: pod.Namespace, Name: fmt.Sprintf("%s.%016x", pod.Name, now.UnixNano())},
		EventTime:  metav1.NewMicroTime(now), Series: series,
		ReportingController: controller, ReportingInstance: controller + "-0",
		Type: corev1.EventTypeWarning, Reason: "FailedScheduling", Action: "Scheduling",
		Note: "0 of 5000 nodes are available: 5000 Insufficient memory. Preemption is not helpful for scheduling.",
		Regarding: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID,
			ResourceVersion: pod.ResourceVersion,
		},
	}, metav1.CreateOptions{})
}

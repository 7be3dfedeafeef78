// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package readme

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"text/tabwriter"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/duration"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/adapter"
)

const (
	controller = "my-controller"

	// every is the time between two checks by the controller, and hour is how long the controller
	// runs.
	every = 10 * time.Second
	hour  = time.Hour
	// expiry is the time of the check that finds the certificate expired.
	expiry = 39*time.Minute + 50*time.Second
	// look is how long after the end of the hour somebody looks at the Events: a quarter of an
	// hour. The additional five seconds keep each age away from the moment at which kubectl prints
	// the next minute.
	look = 15*time.Minute + 5*time.Second
	// settle is the time allowed for a write that client-go's Shutdown has left in flight.
	settle = 2 * time.Second
)

// Record records the hour that "Before and after" in the README describes, with one kind of
// recorder. It records Events about pod and writes them to client. A call takes an hour.
type Record func(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) error

// Hour calls record in a testing/synctest bubble, with a client that newClient returns. It returns
// the Events that are stored a quarter of an hour after the end of the hour, and the time at which
// it has read them.
func Hour(
	t *testing.T, newClient func() kubernetes.Interface, record Record, pod *corev1.Pod,
) (stored []corev1.Event, now time.Time) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		client := newClient()
		if err := record(ctx, client, pod); err != nil {
			t.Fatal(err)
		}
		time.Sleep(settle)
		stop()
		time.Sleep(look - settle)
		list, err := client.CoreV1().Events(pod.Namespace).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		stored = list.Items
		now = time.Now()
	})
	return stored, now
}

// RecordWithToolsRecord is a Record that uses client-go's tools/record.
func RecordWithToolsRecord(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) error {
	broadcaster := record.NewBroadcaster(record.WithContext(ctx))
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: controller})
	check(record.NewEventRecorderAdapter(recorder), pod)
	broadcaster.Shutdown()
	return nil
}

// RecordWithToolsEvents is a Record that uses client-go's tools/events.
func RecordWithToolsEvents(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) error {
	broadcaster := clientevents.NewBroadcaster(&clientevents.EventSinkImpl{Interface: client.EventsV1()})
	if err := broadcaster.StartRecordingToSinkWithContext(ctx); err != nil {
		return err
	}
	check(broadcaster.NewRecorder(scheme.Scheme, controller), pod)
	broadcaster.Shutdown()
	return nil
}

// RecordWithSDK is a Record that uses an adapter of the SDK.
func RecordWithSDK(ctx context.Context, client kubernetes.Interface, pod *corev1.Pod) error {
	a := adapter.New(ctx, client)
	if err := a.Start(ctx); err != nil {
		return err
	}
	check(a.Recorder(controller), pod)
	a.Shutdown()
	return nil
}

// check runs a controller that checks a database again and again. Each check fails. The controller
// records the failure and writes it into the status of pod, which changes the resourceVersion of
// pod.
func check(recorder clientevents.EventRecorder, pod *corev1.Pod) {
	pod = pod.DeepCopy()
	for at := time.Duration(0); at < hour; at += every {
		pod.ResourceVersion = strconv.Itoa(int(at / every))
		recorder.Eventf(pod, nil, corev1.EventTypeWarning, "CheckFailed", "Check", "no answer from the database")
		if at == expiry {
			// client-go names Events by object and nanosecond, and in a bubble no time passes while code runs.
			time.Sleep(time.Millisecond)
			recorder.Eventf(pod, nil, corev1.EventTypeWarning, "CertificateExpired", "Check",
				"the certificate of the database has expired")
		}
		time.Sleep(every)
	}
}

// Describe prints the Events as kubectl describe does.
func Describe(all []corev1.Event, now time.Time) string {
	slices.SortStableFunc(all, func(a, b corev1.Event) int {
		return cmp.Or(a.LastTimestamp.Time.Compare(b.LastTimestamp.Time), strings.Compare(a.Name, b.Name))
	})
	age := func(t time.Time) string { return duration.HumanDuration(now.Sub(t)) }
	text := &strings.Builder{}
	fmt.Fprintln(text, "Events:")
	table := tabwriter.NewWriter(text, 0, 8, 2, ' ', 0)
	fmt.Fprintln(table, "  Type\tReason\tAge\tFrom\tMessage")
	fmt.Fprintln(table, "  ----\t------\t----\t----\t-------")
	for i := range all {
		event := &all[i]
		first := event.EventTime.Time
		if first.IsZero() {
			first = event.FirstTimestamp.Time
		}
		shown := age(first)
		if event.Series != nil {
			shown = fmt.Sprintf("%s (x%d over %s)", age(event.Series.LastObservedTime.Time), event.Series.Count, shown)
		} else if event.Count > 1 {
			shown = fmt.Sprintf("%s (x%d over %s)", age(event.LastTimestamp.Time), event.Count, shown)
		}
		from := cmp.Or(event.Source.Component, event.ReportingController)
		fmt.Fprintf(table, "  %s\t%s\t%s\t%s\t%s\n", event.Type, event.Reason, shown, from, event.Message)
	}
	_ = table.Flush()
	return text.String()
}

// Described returns the output of kubectl describe that a page shows: all console blocks that begin
// with "Events:".
func Described(page string) (blocks []string) {
	for _, match := range described.FindAllStringSubmatch(page, -1) {
		blocks = append(blocks, match[1])
	}
	return blocks
}

var described = regexp.MustCompile("(?s)```console\n(Events:\n.*?)```\n")

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/sinks"
	"github.com/eventseries/eventseries/test/sim/apiserver"
)

// rig is a server with one component, whose calls the test answers itself.
type rig struct {
	*apiserver.Server
	t      *testing.T
	client kubernetes.Interface
	v1     events.Sink
	core   events.Sink
}

const component = "controller"

// inBubble runs test against a new server, in a bubble that ends when every request has.
func inBubble(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := apiserver.New(time.Now)
		test(t, newRig(t, s, component))
		for _, left := range s.Waiting() {
			left.Answer()
		}
	})
}

func newRig(t *testing.T, s *apiserver.Server, component string) *rig {
	client := s.Client(component)
	return &rig{s, t, client, sinks.EventsV1(client.EventsV1()), sinks.CoreV1(client.CoreV1())}
}

// send starts a call and waits until its request has arrived.
func (r *rig) send(call func(context.Context) error) (*apiserver.Request, <-chan error) {
	r.t.Helper()
	return r.sendIn(r.t.Context(), call)
}

func (r *rig) sendIn(ctx context.Context, call func(context.Context) error) (*apiserver.Request, <-chan error) {
	r.t.Helper()
	before := len(r.Waiting())
	result := make(chan error, 1)
	go func() { result <- call(ctx) }()
	synctest.Wait()
	var last *apiserver.Request
	waiting := r.Waiting()
	if len(waiting) != before+1 {
		r.t.Fatalf("%d requests wait after a call, before it %d", len(waiting), before)
	}
	for _, q := range waiting {
		if last == nil || !q.ArrivedAt().Before(last.ArrivedAt()) && !q.GaveUp() {
			last = q
		}
	}
	return last, result
}

// do ends the request of call with end and returns what the client makes of it.
func (r *rig) do(call func(context.Context) error, end func(*apiserver.Request)) error {
	r.t.Helper()
	request, result := r.send(call)
	end(request)
	return <-result
}

func (r *rig) must(call func(context.Context) error) {
	r.t.Helper()
	if err := r.do(call, (*apiserver.Request).Answer); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) checkViolations(want ...string) {
	r.t.Helper()
	got := r.Violations()
	if len(got) != len(want) {
		r.t.Fatalf("violations %q, want %d", got, len(want))
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			r.t.Errorf("violation %q, want %q", got[i], want[i])
		}
	}
}

func (r *rig) object() apiserver.Object {
	r.t.Helper()
	all := r.Objects()
	if len(all) != 1 {
		r.t.Fatalf("%d objects, want 1: %+v", len(all), all)
	}
	return all[0]
}

var moment = metav1.NewMicroTime(time.Date(2026, 11, 20, 11, 25, 19, 80374000, time.UTC))

func event(name string) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta:          metav1.ObjectMeta{Namespace: "shop", Name: name},
		EventTime:           moment,
		ReportingController: "example.com/controller",
		ReportingInstance:   "controller-1",
		Action:              "Killing",
		Reason:              "Killed",
		Type:                corev1.EventTypeNormal,
		Note:                "stopping",
		Regarding:           corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web"},
	}
}

// counted returns e as a series of n occurrences.
func counted(e *eventsv1.Event, n int32) *eventsv1.Event {
	e.Series = &eventsv1.EventSeries{Count: n, LastObservedTime: moment}
	return e
}

func create(sink events.Sink, e *eventsv1.Event) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := sink.Create(ctx, e)
		return err
	}
}

// patch sets the count of an event. Version is what it must be stored as, "" for whatever.
func patch(sink events.Sink, name string, n int32, version string) func(context.Context) error {
	body := fmt.Sprintf(`{"metadata":{"resourceVersion":%q},"series":{"count":%d,"lastObservedTime":%q}}`,
		version, n, moment.Format(metav1.RFC3339Micro))
	if version == "" {
		body = fmt.Sprintf(`{"series":{"count":%d,"lastObservedTime":%q}}`, n, moment.Format(metav1.RFC3339Micro))
	}
	return func(ctx context.Context) error {
		_, err := sink.Patch(ctx, counted(event(name), n), []byte(body))
		return err
	}
}

// oldStyle is an event as client-go's record makes it.
func oldStyle(name string) *corev1.Event {
	return &corev1.Event{
		ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Count: 1, Type: corev1.EventTypeNormal,
		InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: "web"},
		Reason:         "Killed", Message: "stopping", Source: corev1.EventSource{Component: "controller"},
	}
}

func (r *rig) createOld(name string) func(context.Context) error {
	return func(ctx context.Context) error {
		return r.client.CoreV1().RESTClient().Post().Namespace("shop").Resource("events").
			Body(oldStyle(name)).MaxRetries(0).Do(ctx).Error()
	}
}

func (r *rig) patchOld(name string, count int) func(context.Context) error {
	return func(ctx context.Context) error {
		return r.client.CoreV1().RESTClient().Patch(types.StrategicMergePatchType).Namespace("shop").Resource("events").
			Name(name).Body(fmt.Appendf(nil, `{"count":%d}`, count)).MaxRetries(0).Do(ctx).Error()
	}
}

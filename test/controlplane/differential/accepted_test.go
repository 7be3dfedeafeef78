// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"
	clocktesting "k8s.io/utils/clock/testing"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/sinks"
)

// call is what a component may pass.
type call struct {
	controller, instance               string
	object                             runtime.Object
	related                            runtime.Object
	eventType, reason, action          string
	note, arg, key, value, anotherNote string
	at                                 time.Time
	policy                             events.NotePolicy
}

// policies are those of which a mode chooses one.
var policies = []events.NotePolicy{
	events.NotesLatest,
	events.NotesFirst,
	events.NotesDistinct(1),
	events.NotesDistinct(2),
}

// FuzzAccepted is invariant I7 with the server's own code: what passes a Recorder is accepted through both APIs, in
// JSON and in protobuf, when it is created and when the series grows, also when the API changes between two writes.
//
// Caught: a note with an ellipsis over the limit; an instance that is no UTF-8; an annotation with any key; a series of
// one; a namespace that is not looked at; through core/v1, an Event without its instance and a patch with its count in
// quotes.
func FuzzAccepted(f *testing.F) {
	for mode := range uint8(6) {
		f.Add("example.com/test", "replica-0", "default", "web", "Pod", "u1", "Normal", "Killing", "Kill",
			"stopping %s", "web", "example.com/key", "value", int64(1795251837123456789), mode|mode<<4)
		f.Add("my controller", "", "", "Node_1", "Node", "", "Warning", "", "é", "\xff", "\xe2\x82", "a b",
			strings.Repeat("v", 300), int64(1), mode|1<<7)
		f.Add(strings.Repeat("a.", 200)+"/x", strings.Repeat("\xff", 200), "kube-system", strings.Repeat("é.", 200),
			"\xff", "\xff", "Normal", strings.Repeat("x", 127)+"é", "", strings.Repeat("x", 1023)+"\xe2", "",
			"K/a", "\x00", int64(-1<<62), mode|3<<4)
		f.Add("a..b/c d", "r", "no namespace", "web", "Pod", "", "Normal", "R", "A", "n", "", "k", "v", int64(2), mode)
		f.Add("example.com/test", "replica-0", "", "node", "Node", "", "Warning", "R", "", "n %s", "x", "a/b", "other", int64(3),
			mode|2<<4)
	}
	f.Fuzz(func(t *testing.T,
		controller, instance, namespace, name, kind, uid, eventType, reason, action, note, arg, key, value string,
		nanos int64, mode uint8,
	) {
		ref := &corev1.ObjectReference{
			Kind: kind, APIVersion: value, Namespace: namespace, Name: name, UID: "u", FieldPath: note,
			ResourceVersion: uid,
		}
		c := &call{
			controller: controller, instance: instance, object: ref, eventType: eventType, reason: reason,
			action: action, note: note, arg: arg, anotherNote: value, key: key, value: value,
			related: &corev1.ObjectReference{Kind: action, Namespace: reason, Name: key, APIVersion: name},
			at:      time.Unix(0, nanos), policy: policies[int(mode>>4)%len(policies)],
		}
		if mode >= 128 { // else few inputs get past them
			ref.Namespace, c.eventType = "default", corev1.EventTypeWarning
			u := &unstructured.Unstructured{Object: map[string]any{"kind": kind, "apiVersion": uid}}
			u.SetName(name)
			u.SetNamespace("default")
			c.object, c.related = u, &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: kind, Namespace: key}}
		}
		checkAccepted(t, c, mode%16)
	})
}

func checkAccepted(t *testing.T, c *call, mode uint8) {
	t.Helper()
	s := newServer()
	clock := clocktesting.NewFakeClock(c.at)
	b := events.NewBroadcaster(s.sink(t, mode), events.WithLogger(klog.Logger{}), events.WithClock(clock),
		events.WithReportingInstance(c.instance), events.WithNotePolicy(c.policy))
	if err := b.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	defer b.Shutdown()
	rec := b.Recorder(scheme, c.controller)
	emit := func(note string, annotations map[string]string, args ...any) {
		rec.AnnotatedEventf(c.object, c.related, annotations, c.eventType, c.reason, c.action, note, args...)
	}
	emit(c.note, map[string]string{c.key: c.value}, c.arg)
	fixture.Flush(t, b)
	emit(c.anotherNote, map[string]string{c.value: c.note, c.reason: c.arg})
	rec.Event(c.object, c.related, c.eventType, c.reason, c.action, c.arg)
	fixture.Flush(t, b)
	emit(c.note, map[string]string{c.key: c.note})
	fixture.Flush(t, b)
	for _, err := range s.refused {
		t.Errorf("I7: refused by the server: %v\ncall %+v", err, c)
	}
	if got := b.Stats(); got.Recorded+got.Dropped[events.DropInvalid] != 4 {
		t.Errorf("recorded %d, invalid %d of 4: %+v\ncall %+v", got.Recorded, got.Dropped[events.DropInvalid], got, c)
	}
	if got, want := s.count(), b.Stats().Recorded; got != want {
		t.Errorf("%d on the server, %d recorded\ncall %+v", got, want, c)
	}
}

// count sums up what the stored Events stand for.
func (s *server) count() (n int64) {
	for _, event := range s.events {
		if n++; event.Series != nil {
			n += int64(event.Series.Count) - 1
		}
	}
	return n
}

// sink writes through one API in one encoding, or through all four in turn.
func (s *server) sink(t *testing.T, mode uint8) events.Sink {
	t.Helper()
	var all []events.Sink
	for _, encoding := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
		config := &rest.Config{
			Host: "http://server", QPS: -1, ContentConfig: rest.ContentConfig{ContentType: encoding},
		}
		client := &http.Client{Transport: s}
		eventsClient, err := typedeventsv1.NewForConfigAndClient(config, client)
		if err != nil {
			t.Fatal(err)
		}
		coreClient, err := typedcorev1.NewForConfigAndClient(config, client)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, sinks.EventsV1(eventsClient), sinks.CoreV1(coreClient))
	}
	if int(mode) < len(all) {
		return all[mode]
	}
	r := &rotating{sinks: all}
	r.next.Store(int64(mode))
	return r
}

// rotating is the adapter at its worst: another API for each write.
type rotating struct {
	sinks []events.Sink
	next  atomic.Int64
}

func (r *rotating) pick() events.Sink { return r.sinks[r.next.Add(1)%int64(len(r.sinks))] }

func (r *rotating) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	return r.pick().Create(ctx, event)
}

func (r *rotating) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	return r.pick().Patch(ctx, event, patch)
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package differential

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/legacy"
)

// FuzzLegacy: of an object in a namespace that exists, or in none, the server refuses nothing but keys of annotations,
// which client-go does not look at either, and what it takes is what is recorded. Caught: an eventTime, which makes an
// Event new-style; the bare name of the object; the Event of a node in kube-system.
func FuzzLegacy(f *testing.F) {
	for protobuf := range 2 {
		f.Add("kubelet", "node-1", "default", "web", "Pod", "Warning", "BackOff", "Restart", "restarting %s", "web",
			"example.com/key", "value", protobuf == 1)
		f.Add("", "", "", "..", "", "Normal", "", "", strings.Repeat("x", 5000), "\xff", "no key", "\xff", protobuf == 1)
		f.Add("kubelet", "node-1", "", "node-1", "Node", "Normal", "NodeReady", "", "ready %s", "x", "a/b", "v", protobuf == 1)
		f.Add("a b", "\xff", "\xff", "a/b", "\xff", "Normal", "\xff", "\xff", "\xff", "", "", "", protobuf == 1)
	}
	f.Fuzz(func(t *testing.T,
		component, host, namespace, name, kind, eventType, reason, action, message, arg, key, value string, protobuf bool,
	) {
		if len(validation.IsDNS1123Label(namespace)) > 0 {
			namespace = ""
		}
		s := newServer()
		b := legacy.NewBroadcaster(events.WithLogger(klog.Logger{}), events.WithDrainTimeout(20*time.Second))
		defer b.Shutdown()
		b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: s.coreEvents(t, protobuf)})
		rec := legacy.FromLegacy(b.Recorder(scheme, corev1.EventSource{Component: component, Host: host}))
		ref := &corev1.ObjectReference{Kind: kind, Namespace: namespace, Name: name, UID: "u", FieldPath: message}
		for i := range 3 {
			rec.Eventf(ref, ref, eventType, reason, action, message, arg)
			rec.AnnotatedEventf(ref, nil, map[string]string{key: value}, eventType, reason, action, message+value, i)
		}
		fixture.Flush(t, b)
		for _, err := range s.refused {
			checkAnnotations(t, err)
		}
		got := b.Stats()
		if sum := got.Recorded + got.Dropped[events.DropInvalid] + got.Dropped[events.DropRejected]; sum != got.Observed {
			t.Errorf("%d of %d accounted for: %+v", sum, got.Observed, got)
		}
		if n := s.total(); n < got.Recorded || n > got.Recorded && len(s.refused) == 0 {
			t.Errorf("%d on the server, %d recorded", n, got.Recorded)
		}
	})
}

// checkAnnotations lets pass what follows from annotations that the server does not take: the refusal of the Event, and
// of a patch to the Event that therefore is not there.
func checkAnnotations(t *testing.T, err error) {
	t.Helper()
	var status *apierrors.StatusError
	if apierrors.IsNotFound(err) {
		return
	}
	if !errors.As(err, &status) || !apierrors.IsInvalid(err) {
		t.Errorf("%v is no 422", err)
		return
	}
	for _, cause := range status.ErrStatus.Details.Causes {
		if cause.Field != "metadata.annotations" {
			t.Errorf("%s is refused: %v", cause.Field, err)
		}
	}
}

// total sums up the counts of core/v1.
func (s *server) total() (n int64) {
	for _, event := range s.events {
		n += int64(event.Count)
	}
	return n
}

func (s *server) coreEvents(t *testing.T, protobuf bool) typedcorev1.EventInterface {
	t.Helper()
	config := &rest.Config{Host: "http://server", QPS: -1}
	if protobuf {
		config.ContentType = runtime.ContentTypeProtobuf
	}
	client, err := typedcorev1.NewForConfigAndClient(config, &http.Client{Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	return client.Events("")
}

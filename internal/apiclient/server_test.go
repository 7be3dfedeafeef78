// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// sink is what both of them are.
type sink interface {
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error)
}

// server answers every request alike.
type server struct {
	*apiserver.Server
	config *rest.Config // of the sinks, by default with JSON
}

// serve returns a server that answers with handler, and by default with an Event of version 42.
func serve(handler http.HandlerFunc) *server {
	if handler == nil {
		handler = apiserver.Text(http.StatusOK, runtime.ContentTypeJSON,
			`{"metadata":{"namespace":"default","name":"web.1","uid":"the-uid","resourceVersion":"42"}}`)
	}
	s := &server{Server: apiserver.New()}
	s.Answer("/", handler)
	s.config = s.Config()
	s.config.ContentType = runtime.ContentTypeJSON
	return s
}

// last returns the last request.
func (s *server) last() apiserver.Request {
	all := s.Requests()
	return all[len(all)-1]
}

// body decodes the last request.
func (s *server) body(t *testing.T) (body map[string]any) {
	t.Helper()
	if err := json.Unmarshal(s.last().Body, &body); err != nil {
		t.Errorf("%s: %v", s.last().Body, err)
	}
	return body
}

// sinks are both over the server.
func (s *server) sinks(t *testing.T) map[string]sink {
	t.Helper()
	client, err := kubernetes.NewForConfig(s.config)
	if err != nil {
		t.Fatal(err)
	}
	return sinksOver(client)
}

// sinksOver are both over client.
func sinksOver(client kubernetes.Interface) map[string]sink {
	return map[string]sink{
		"EventsV1": apiclient.NewEventsV1(client.EventsV1()),
		"CoreV1":   apiclient.NewCoreV1(apiclient.NewCoreEvents(client.CoreV1())),
	}
}

var epoch = time.Date(2026, 11, 20, 12, 0, 0, 123456000, time.UTC)

// event has everything that a series puts on the wire.
func event(count int32) *eventsv1.Event {
	e := &eventsv1.Event{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "default", Name: "web.1", Annotations: map[string]string{"team": "a"},
		},
		EventTime:           metav1.NewMicroTime(epoch),
		ReportingController: "example.com/test", ReportingInstance: "test-1",
		Action: "Pulling", Reason: "BackOff", Note: "no luck", Type: "Warning",
		Regarding: corev1.ObjectReference{
			APIVersion: "v1", Kind: "Pod", Namespace: "default", Name: "web", UID: "u1", ResourceVersion: "7",
		},
		Related: &corev1.ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "default", Name: "web"},
	}
	if count > 1 {
		e.Series = &eventsv1.EventSeries{Count: count, LastObservedTime: metav1.NewMicroTime(epoch.Add(time.Minute))}
	}
	return e
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package legacy

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// apiServer returns a server and a client of it, which sends contentType. A nil answer is the server's own.
func apiServer(
	t *testing.T, contentType string, answer http.HandlerFunc,
) (*typedcorev1.CoreV1Client, *apiserver.Server) {
	t.Helper()
	server := apiserver.New()
	server.Answer("/", answer)
	config := server.Config()
	config.ContentType = contentType
	client, err := typedcorev1.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client, server
}

func anEvent() *corev1.Event {
	return &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Name: "a.17", Namespace: "default", Annotations: map[string]string{"k": "v"}},
		InvolvedObject: *pod("a"), Reason: "Started", Message: "m", Type: "Normal", Count: 1,
		FirstTimestamp: metav1.Unix(1, 0), LastTimestamp: metav1.Unix(2, 0),
	}
}

func newTestClient(t *testing.T, sink record.EventSink) apiclient.CoreWriter {
	t.Helper()
	got, err := apiclient.NewCoreWriter(sink)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The requests are client-go's, byte by byte, in every encoding that the client's configuration names.
func TestRequestShape(t *testing.T) {
	for _, contentType := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		t.Run(contentType, func(t *testing.T) {
			client, server := apiServer(t, contentType, nil)
			sink := &typedcorev1.EventSinkImpl{Interface: client.Events("")}
			ours := newTestClient(t, sink)
			patch := []byte(`{"count":2}`)
			if _, err := sink.Create(anEvent()); err != nil {
				t.Fatal(err)
			}
			if _, err := sink.Patch(anEvent(), patch); err != nil {
				t.Fatal(err)
			}
			server.Expire("default", "a.17")
			stored, err := ours.Create(t.Context(), anEvent())
			if err != nil || stored.Name != "a.17" || stored.ResourceVersion == "" {
				t.Errorf("create = %+v, %v, want the server's event", stored, err)
			}
			if _, err := ours.Patch(t.Context(), anEvent(), patch); err != nil {
				t.Fatal(err)
			}
			requests := server.Requests()
			if diff := cmp.Diff(requests[:2], requests[2:]); diff != "" {
				t.Errorf("(-client-go +ours):\n%s", diff)
			}
		})
	}
}

// Protobuf costs less than JSON, and is what client-go's typed clients send.
//
// Caught: a body in JSON for a configuration that names no encoding.
func TestProtobufIsTheDefault(t *testing.T) {
	client, server := apiServer(t, "", nil)
	if _, err := newTestClient(t, &typedcorev1.EventSinkImpl{Interface: client.Events("")}).
		Create(t.Context(), anEvent()); err != nil {
		t.Fatal(err)
	}
	if got := server.Requests()[0].Header.Get("Content-Type"); got != "application/vnd.kubernetes.protobuf" {
		t.Errorf("Content-Type %q, want protobuf", got)
	}
}

// client-go hides up to ten retries of a POST that is told to come back.
func TestOneCallIsOneRequest(t *testing.T) {
	client, server := apiServer(t, "application/json",
		apiserver.Text(http.StatusTooManyRequests, "text/plain", "overloaded", "Retry-After", "1"))
	_, err := newTestClient(t, &typedcorev1.EventSinkImpl{Interface: client.Events("")}).Create(t.Context(), anEvent())
	want := request.Verdict{Action: request.Retry, Gate: request.Shared, Wait: time.Second}
	if got := request.Classify(request.Request{}, err); got != want {
		t.Errorf("verdict on %v is %+v, want %+v", err, got, want)
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}

func TestRequestEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	gone := make(chan struct{})
	client, _ := apiServer(t, "application/json", func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
		close(gone)
	})
	_, err := newTestClient(t, &typedcorev1.EventSinkImpl{Interface: client.Events("")}).Create(ctx, anEvent())
	if !errors.Is(err, context.Canceled) {
		t.Errorf("create = %v, want the end of its context", err)
	}
	<-gone
}

// What cannot be sent will never be, and must not be tried for ever.
func TestWhatCannotBeSentIsRejected(t *testing.T) {
	client, server := apiServer(t, "application/json", nil)
	limited := newTestClient(t, &typedcorev1.EventSinkImpl{Interface: client.Events("other")})
	anywhere := newTestClient(t, &typedcorev1.EventSinkImpl{Interface: client.Events("")})
	slash := anEvent()
	slash.Name, slash.Namespace = "a/b", "a/b"
	want := request.Verdict{Action: request.Drop, Reason: stats.Rejected, Unanswered: true}
	for name, send := range map[string]func() (*corev1.Event, error){
		"other namespace":   func() (*corev1.Event, error) { return limited.Create(t.Context(), anEvent()) },
		"slash in a create": func() (*corev1.Event, error) { return anywhere.Create(t.Context(), slash) },
		"slash in a patch":  func() (*corev1.Event, error) { return anywhere.Patch(t.Context(), slash, nil) },
	} {
		if _, err := send(); request.Classify(request.Request{Op: request.Create}, err) != want {
			t.Errorf("%s: the verdict on %v is not %+v", name, err, want)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d requests, want none", n)
	}
}

func TestFakesAndForeignSinksAreCalled(t *testing.T) {
	client := fake.NewSimpleClientset()
	for name, sink := range map[string]record.EventSink{
		"fake clientset": &typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")},
		"foreign sink":   &server{},
	} {
		t.Run(name, func(t *testing.T) {
			got := newTestClient(t, sink)
			if _, err := got.Create(t.Context(), anEvent()); err != nil {
				t.Error(err)
			}
			stored, err := got.Patch(t.Context(), anEvent(), []byte(`{"count":2}`))
			if err != nil || stored.Count != 2 {
				t.Errorf("patch = %+v, %v, want count 2", stored, err)
			}
		})
	}
}

// withClient is a typed client that says it has a REST client.
type withClient struct {
	typedcorev1.EventInterface
	client rest.Interface
}

func (w withClient) GetClient() rest.Interface { return w.client }

func (w withClient) GetNamespace() string { return "" }

func TestAbsentRESTClient(t *testing.T) {
	for name, client := range map[string]rest.Interface{"nil": nil, "nil pointer": (*rest.RESTClient)(nil)} {
		events := withClient{fake.NewSimpleClientset().CoreV1().Events(""), client}
		got := newTestClient(t, &typedcorev1.EventSinkImpl{Interface: events})
		if _, err := got.Create(t.Context(), anEvent()); err != nil {
			t.Errorf("%s: create = %v, want the typed method to be called", name, err)
		}
	}
}

// The whole way, over HTTP.
func TestBroadcasterOverHTTP(t *testing.T) {
	client, server := apiServer(t, "application/json", nil)
	b, recorder := recordTo(&typedcorev1.EventSinkImpl{Interface: client.Events("")})
	for range 3 {
		recorder.Event(pod("a"), "Normal", "Started", "m")
	}
	if err := b.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range server.Requests() {
		got = append(got, r.Method+" "+r.Header.Get("Content-Type"))
	}
	want := []string{
		"POST application/json",
		"PATCH application/strategic-merge-patch+json",
		"PATCH application/strategic-merge-patch+json",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/record"

	"github.com/eventseries/eventseries/internal/apiclient"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

const seriesPatch = `{"metadata":{"resourceVersion":"7","annotations":{"team":"b"}},` +
	`"series":{"count":5,"lastObservedTime":"2026-11-20T12:01:00.123456Z"}}`

// calls are the two methods of a sink.
var calls = map[string]func(context.Context, sink) (*eventsv1.Event, error){
	"create": func(ctx context.Context, s sink) (*eventsv1.Event, error) { return s.Create(ctx, event(1)) },
	"patch": func(ctx context.Context, s sink) (*eventsv1.Event, error) {
		return s.Patch(ctx, event(5), []byte(seriesPatch))
	},
}

// eachCall runs test for both methods of both sinks.
func eachCall(t *testing.T, s *server, test func(*testing.T, func(context.Context) (*eventsv1.Event, error))) {
	for name, sink := range s.sinks(t) {
		for call, do := range calls {
			t.Run(name+"/"+call, func(t *testing.T) {
				test(t, func(ctx context.Context) (*eventsv1.Event, error) { return do(ctx, sink) })
			})
		}
	}
}

// The default encoding is protobuf, as in client-go's typed clients. An encoding that the
// configuration names is used instead. A patch is JSON with either.
func TestEncoding(t *testing.T) {
	const json, protobuf = runtime.ContentTypeJSON, runtime.ContentTypeProtobuf
	for _, row := range []struct{ configured, sent, accepted string }{
		{"", protobuf, protobuf + "," + json},
		{json, json, json + ", */*"},
		{protobuf, protobuf, protobuf + ", */*"},
	} {
		s := serve(nil)
		s.config.ContentType = row.configured
		for name, sink := range s.sinks(t) {
			if _, err := sink.Create(t.Context(), event(5)); err != nil {
				t.Fatal(err)
			}
			created := s.last()
			if _, err := sink.Patch(t.Context(), event(5), []byte(seriesPatch)); err != nil {
				t.Fatal(err)
			}
			patched := s.last()
			if created.Header.Get("Content-Type") != row.sent ||
				patched.Header.Get("Content-Type") != string(types.StrategicMergePatchType) {
				t.Errorf("%s, configured %q: sent %q and %q",
					name, row.configured, created.Header["Content-Type"], patched.Header["Content-Type"])
			}
			for _, request := range []apiserver.Request{created, patched} {
				if accepted := request.Header.Get("Accept"); accepted != row.accepted {
					t.Errorf("%s, configured %q: accepts %q, want %q", name, row.configured, accepted, row.accepted)
				}
			}
			if what := decoded(t, created.Body); what != "BackOff" {
				t.Errorf("%s, configured %q: the body has the reason %q", name, row.configured, what)
			}
		}
	}
}

// decoded returns the reason of an Event of either API in either encoding.
func decoded(t *testing.T, body []byte) string {
	t.Helper()
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	switch e := object.(type) {
	case *corev1.Event:
		return e.Reason
	case *eventsv1.Event:
		return e.Reason
	}
	return ""
}

// client-go would repeat each of these requests up to ten times by itself, and hide the first
// answer.
func TestOneRequestACall(t *testing.T) {
	for _, row := range []struct {
		code       int
		retryAfter string
		wait       int
	}{{429, "7", 7}, {503, "5", 5}, {503, "", 0}, {500, "1", 1}, {504, "", 0}} {
		t.Run(fmt.Sprintf("%d after %s", row.code, row.retryAfter), func(t *testing.T) {
			s := serve(apiserver.Text(row.code, "text/plain", "no", "Retry-After", row.retryAfter))
			eachCall(t, s, func(t *testing.T, call func(context.Context) (*eventsv1.Event, error)) {
				before := len(s.Requests())
				_, err := call(t.Context())
				if n := len(s.Requests()) - before; n != 1 {
					t.Errorf("%d requests, want 1", n)
				}
				var status apierrors.APIStatus
				if !errors.As(err, &status) || int(status.Status().Code) != row.code {
					t.Fatalf("%v, want the answer of the server", err)
				}
				if got, _ := apierrors.SuggestsClientDelay(err); got != row.wait {
					t.Errorf("Retry-After %d, want %d", got, row.wait)
				}
			})
		})
	}
}

// The client's rate limiter stays in force.
func TestRateLimiterIsAsked(t *testing.T) {
	s := serve(nil)
	s.config.QPS = 0
	limiter := &countingLimiter{}
	s.config.RateLimiter = limiter
	eachCall(t, s, func(t *testing.T, call func(context.Context) (*eventsv1.Event, error)) {
		before := limiter.waits
		if _, err := call(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := limiter.waits - before; n != 1 {
			t.Errorf("%d waits for the rate limiter, want 1", n)
		}
	})
}

type countingLimiter struct{ waits int }

func (l *countingLimiter) TryAccept() bool            { return true }
func (l *countingLimiter) Accept()                    {}
func (l *countingLimiter) Stop()                      {}
func (l *countingLimiter) QPS() float32               { return 1 }
func (l *countingLimiter) Wait(context.Context) error { l.waits++; return nil }

// A 2xx whose body is not the Event that was sent is an error, so that the write is tried again.
func TestAnswerThatIsAnotherObject(t *testing.T) {
	for name, body := range map[string]string{
		"Status":        `{"kind":"Status","apiVersion":"v1","status":"Success"}`,
		"another kind":  `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"web.1","resourceVersion":"42"}}`,
		"another name":  `{"metadata":{"name":"web.2","resourceVersion":"42"}}`,
		"nothing of it": `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(apiserver.Text(http.StatusOK, runtime.ContentTypeJSON, body))
			eachCall(t, s, func(t *testing.T, do func(context.Context) (*eventsv1.Event, error)) {
				_, err := do(t.Context())
				var construction *rest.RequestConstructionError
				var status apierrors.APIStatus
				if err == nil || errors.As(err, &construction) || errors.As(err, &status) {
					t.Errorf("%v, want an error that says nothing about the write", err)
				}
			})
		})
	}
}

func TestPatchGainsCountAndTime(t *testing.T) {
	s := serve(nil)
	bodies := map[string]map[string]any{}
	for name, sink := range s.sinks(t) {
		if _, err := sink.Patch(t.Context(), event(5), []byte(seriesPatch)); err != nil {
			t.Fatal(err)
		}
		bodies[name] = s.body(t)
	}
	want := map[string]any{
		"metadata": map[string]any{"resourceVersion": "7", "annotations": map[string]any{"team": "b"}},
		"series":   map[string]any{"count": 5.0, "lastObservedTime": "2026-11-20T12:01:00.123456Z"},
	}
	if diff := cmp.Diff(want, bodies["EventsV1"]); diff != "" {
		t.Errorf("through events.k8s.io/v1 (-want +got):\n%s", diff)
	}
	want["count"], want["lastTimestamp"] = 5.0, "2026-11-20T12:01:00Z"
	if diff := cmp.Diff(want, bodies["CoreV1"]); diff != "" {
		t.Errorf("through core/v1 (-want +got):\n%s", diff)
	}
}

// Readers of core/v1 sort by lastTimestamp, and show the count and the source. Caught: a new Event
// without these fields.
func TestCreateGainsCountAndTimes(t *testing.T) {
	s := serve(nil)
	if _, err := s.sinks(t)["CoreV1"].Create(t.Context(), event(1)); err != nil {
		t.Fatal(err)
	}
	got := map[string]any{}
	for _, field := range []string{"count", "firstTimestamp", "lastTimestamp", "source"} {
		got[field] = s.body(t)[field]
	}
	const created = "2026-11-20T12:00:00Z"
	want := map[string]any{
		"count": 1.0, "firstTimestamp": created, "lastTimestamp": created, "source": map[string]any{"component": "example.com/test"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A patch of an Event without a series is passed on unchanged.
func TestPatchWithoutSeries(t *testing.T) {
	if got := corePatch(t, event(1), `{"metadata":{}}`); got != `{"metadata":{}}` {
		t.Error(got)
	}
}

// corePatch returns the patch that is sent through core/v1.
func corePatch(t *testing.T, e *eventsv1.Event, patch string) string {
	t.Helper()
	s := serve(nil)
	if _, err := s.sinks(t)["CoreV1"].Patch(t.Context(), e, []byte(patch)); err != nil {
		t.Fatal(err)
	}
	return string(s.last().Body)
}

func TestPatchThatIsNone(t *testing.T) {
	for _, data := range []string{"", "[]", "{"} {
		_, err := sinksOver(fake.NewClientset())["CoreV1"].Patch(t.Context(), event(5), []byte(data))
		var construction *rest.RequestConstructionError
		if !errors.As(err, &construction) {
			t.Errorf("patch %q: %v", data, err)
		}
	}
}

// lookingSink is a foreign sink that looks at the Event of a patch.
type lookingSink struct {
	record.EventSink
	patched *corev1.Event
}

func (s *lookingSink) Patch(e *corev1.Event, _ []byte) (*corev1.Event, error) {
	s.patched = e
	return e, nil
}

func TestPatchThroughAForeignSink(t *testing.T) {
	foreign := &lookingSink{}
	writer, err := apiclient.NewCoreWriter(foreign)
	if err != nil {
		t.Fatal(err)
	}
	sink := apiclient.NewCoreV1(writer)
	if _, err := sink.Patch(t.Context(), event(5), []byte(seriesPatch)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(apiclient.ToCore(event(5)), foreign.patched); diff != "" {
		t.Errorf("the sink got (-want +got):\n%s", diff)
	}
	var unsendable *rest.RequestConstructionError
	if _, err := sink.Patch(t.Context(), event(5), []byte("null")); !errors.As(err, &unsendable) {
		t.Errorf("a patch of null: %v, want a RequestConstructionError", err)
	}
}

// fixedWriter gives the same answer to every write.
type fixedWriter struct {
	stored *corev1.Event
	err    error
}

func (w fixedWriter) Create(context.Context, *corev1.Event) (*corev1.Event, error) {
	return w.stored, w.err
}

func (w fixedWriter) Patch(context.Context, *corev1.Event, []byte) (*corev1.Event, error) {
	return w.stored, w.err
}

// A sink of the caller may return an object together with an error, as client-go's clients do, and
// nil after a success.
func TestCoreV1Answers(t *testing.T) {
	object, failure := apiclient.ToCore(event(5)), errors.New("no")
	for name, row := range map[string]struct {
		answer fixedWriter
		stored bool
	}{
		"stored":               {fixedWriter{object, nil}, true},
		"stored, not told":     {fixedWriter{nil, nil}, false},
		"failed":               {fixedWriter{nil, failure}, false},
		"failed, and an Event": {fixedWriter{object, failure}, false},
	} {
		for call, do := range calls {
			stored, err := do(t.Context(), apiclient.NewCoreV1(row.answer))
			if !errors.Is(err, row.answer.err) || (stored != nil) != row.stored {
				t.Errorf("%s: %s = %v, %v, want an Event: %v, and the error %v", name, call, stored, err, row.stored, row.answer.err)
			}
		}
	}
}

// sink has the methods that EventsV1 and CoreV1 have in common.
type sink interface {
	Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error)
	Patch(ctx context.Context, event *eventsv1.Event, data []byte) (*eventsv1.Event, error)
}

// server gives the same answer to every request.
type server struct {
	*apiserver.Server
	// config is the configuration of the sinks' client. Its default encoding is JSON.
	config *rest.Config
}

// serve returns a server that answers with handler, or with an Event of version 42 if handler is
// nil.
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

// body returns the decoded body of the last request.
func (s *server) body(t *testing.T) (body map[string]any) {
	t.Helper()
	if err := json.Unmarshal(s.last().Body, &body); err != nil {
		t.Errorf("%s: %v", s.last().Body, err)
	}
	return body
}

// sinks returns both sinks over the server.
func (s *server) sinks(t *testing.T) map[string]sink {
	t.Helper()
	client, err := kubernetes.NewForConfig(s.config)
	if err != nil {
		t.Fatal(err)
	}
	return sinksOver(client)
}

// sinksOver returns both sinks over client.
func sinksOver(client kubernetes.Interface) map[string]sink {
	return map[string]sink{
		"EventsV1": apiclient.NewEventsV1(client.EventsV1()),
		"CoreV1":   apiclient.NewCoreV1(apiclient.NewCoreEvents(client.CoreV1())),
	}
}

var epoch = time.Date(2026, 11, 20, 12, 0, 0, 123456000, time.UTC)

// event returns an Event with every field that a series sends.
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

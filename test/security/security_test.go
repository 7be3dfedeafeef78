// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package security

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/klog/v2"
	"k8s.io/klog/v2/textlogger"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/rules"
	"github.com/eventseries/eventseries/legacy"
	"github.com/eventseries/eventseries/sinks"
)

// recording is a recorder whose log lines and Events go to a transcript.
type recording struct {
	clientevents.EventRecorder
	flush func(context.Context) error
	end   func()
}

func (r recording) eventf(regarding, related runtime.Object, kind, reason, note string) {
	r.Eventf(regarding, related, kind, reason, "Act", note)
}

// shapes has the ways to record. Each has all outputs of an event.
var shapes = map[string]func(*testing.T, kubernetes.Interface, *transcript) recording{
	"adapter": func(t *testing.T, client kubernetes.Interface, out *transcript) recording {
		return adapted(t, client, out, adapter.Auto)
	},
	"adapter through core/v1": func(t *testing.T, client kubernetes.Interface, out *transcript) recording {
		return adapted(t, client, out, adapter.CoreV1)
	},
	"every sink": everySink,
	"legacy":     recordedAsBefore,
}

func adapted(t *testing.T, client kubernetes.Interface, out *transcript, mode adapter.API) recording {
	a := adapter.New(t.Context(), client, events.WithLogger(out.logger()), adapter.WithMode(mode),
		told(out), events.WithNotes(events.NotesLatest))
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	recorder := a.NewRecorder("example.com/controller")
	return recording{recorder, a.Flush, a.Shutdown}
}

// told returns an option that writes to out all that a drop handler receives.
func told(out *transcript) events.Option {
	return events.WithDropHandler(func(d events.Drop) { fmt.Fprintf(out, "dropped %q\n", fmt.Sprintf("%+v", d)) })
}

func everySink(t *testing.T, client kubernetes.Interface, out *transcript) recording {
	sink := sinks.Tee(sinks.EventsV1(client.EventsV1()), sinks.CoreV1(client.CoreV1()), sinks.JSONLines(out),
		sinks.Log(out.logger().V(10)))
	b := events.NewBroadcaster(sink, events.WithLogger(out.logger()), told(out))
	if _, err := b.StartLogging(out.logger()); err != nil {
		t.Fatal(err)
	}
	if _, err := b.StartEventWatcher(func(e runtime.Object) { _ = json.NewEncoder(out).Encode(e) }); err != nil {
		t.Fatal(err)
	}
	if err := b.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	recorder := b.NewRecorder(scheme.Scheme, "example.com/controller")
	return recording{recorder, b.Flush, b.Shutdown}
}

func recordedAsBefore(_ *testing.T, client kubernetes.Interface, out *transcript) recording {
	b := legacy.NewBroadcaster(events.WithLogger(out.logger()), told(out))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	b.StartStructuredLogging(10)
	recorder := b.NewEventsRecorder(scheme.Scheme, corev1.EventSource{Component: "controller"})
	return recording{recorder, b.Flush, b.Shutdown}
}

const marker = "s3cr3t-0f-th3-0bj3ct"

// objects have the marker in every field that is not part of an ObjectReference.
func objects() []runtime.Object {
	meta := metav1.ObjectMeta{
		Namespace: "default", Name: "web", UID: "uid-of-web", ResourceVersion: "41", GenerateName: marker,
		Labels: map[string]string{marker: marker}, Annotations: map[string]string{marker: marker},
		Finalizers: []string{marker}, OwnerReferences: []metav1.OwnerReference{{Name: marker, UID: marker}},
		ManagedFields: []metav1.ManagedFieldsEntry{{Manager: marker, FieldsV1: &metav1.FieldsV1{Raw: []byte(marker)}}},
		SelfLink:      marker,
	}
	custom := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "example.com/v1", "kind": "Vault", "spec": map[string]any{"token": marker},
		"metadata": map[string]any{"namespace": "default", "name": "web", "uid": "uid-of-web",
			"annotations": map[string]any{marker: marker}, "labels": map[string]any{marker: marker}},
	}}
	return []runtime.Object{
		custom,
		&corev1.Secret{ObjectMeta: meta, Data: map[string][]byte{marker: []byte(marker)}, Type: marker},
		&corev1.ConfigMap{ObjectMeta: meta, Data: map[string]string{marker: marker}},
		&corev1.Pod{
			ObjectMeta: meta, Status: corev1.PodStatus{Message: marker, PodIP: marker},
			Spec: corev1.PodSpec{NodeName: marker, Containers: []corev1.Container{{
				Name: marker, Args: []string{marker}, Env: []corev1.EnvVar{{Name: marker, Value: marker}},
			}}},
		},
	}
}

// excuses returns a hook with the server's answers in their order. No log line about one of them may contain the object.
func excuses() eventstest.Hook {
	all := []error{
		errors.New("no route to host"), refusal(500, "InternalError"), nil, refusal(422, "Invalid"), nil,
		refusal(404, "NotFound"), errors.New("no route to host"), refusal(403, "Forbidden"), nil,
		refusal(429, "TooManyRequests"), nil, refusal(409, "Conflict"),
	}
	var n atomic.Int64
	return func(_ context.Context, r eventstest.Request) error {
		if r.Resource != "events" {
			return nil
		}
		return all[n.Add(1)%int64(len(all))]
	}
}

func refusal(code int32, reason metav1.StatusReason) error {
	return rules.Refusal(code, reason, "oh")
}

// Only the reference of an object leaves the process. The rest is in no request, no sink, no log line at -v=10 and no drop,
// whether the event is stored, refused or invalid.
//
// Caught: a line of the log with the regarding object; a reference with the object's labels; an error of an invalid
// event that quotes the object.
func TestOnlyTheReferenceLeaves(t *testing.T) {
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, out := apiserver.New(), &transcript{}
				server.Fail(excuses())
				r := shape(t, server.Client(), out)
				for range 4 {
					for i, object := range objects() {
						r.eventf(object, objects()[0], "Normal", fmt.Sprint("Reason", i), "the note")
						r.eventf(objects()[0], object, "Warning", fmt.Sprint("Related", i), "the note")
						r.eventf(object, nil, "Odd", "Reason", "the note")
					}
				}
				_ = r.flush(t.Context())
				r.end()
				checkNoMarker(t, sent(server)+out.String())
			})
		})
	}
}

func checkNoMarker(t *testing.T, all string) {
	t.Helper()
	for _, want := range []string{"uid-of-web", "the note", "dropped"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q did not leave: the test sees nothing", want)
		}
	}
	encoded := base64.StdEncoding.EncodeToString([]byte(marker))
	for _, bad := range []string{marker, encoded} {
		if i := strings.Index(all, bad); i >= 0 {
			t.Errorf("the object itself left, in\n…%q…", all[max(0, i-200):min(len(all), i+200)])
		}
	}
}

// The adapter sends the two requests that a Role has to allow, and requests that every client may send.
//
// Caught: a Get of an Event before its patch.
func TestRequestsNeedNoOtherRights(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := apiserver.New()
		server.Fail(excuses())
		r := adapted(t, server.Client(), &transcript{}, adapter.Auto)
		for range 20 {
			r.eventf(objects()[0], nil, "Normal", "Reason", "the note")
			r.eventf(named("web"), nil, "Normal", "Reason", "the note")
			_ = r.flush(t.Context())
		}
		r.end()
		allowed := regexp.MustCompile(`^(GET /apis(/events\.k8s\.io/v1)?` +
			`|POST /apis/\S*/selfsubject(access)?reviews` +
			`|(POST|PATCH) /(apis/events\.k8s\.io|api)/v1/namespaces/default/events(/web\.\w+)?)(\?|$)`)
		for _, request := range server.Requests() {
			if !allowed.MatchString(request.String()) {
				t.Errorf("a request that needs another right: %s", request)
			}
		}
		if n := len(server.Requests()); n < 10 {
			t.Errorf("%d requests: the test sees nothing", n)
		}
	})
}

const forged = `E0101 00:00:00.000000       1 main.go:1] "All is lost"`

// The name of an object or the text of a note cannot add lines to the component's log. Names of Roles may have newlines.
//
// Caught: klog.ObjectRef, whose name klog prints as it is; a text of several lines with a carriage return.
func TestLogCannotBeForged(t *testing.T) {
	line := regexp.MustCompile(`(?m)(^|[\r\x1b\x{2028}])` + regexp.QuoteMeta(forged))
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, out := apiserver.New(), &transcript{}
				var n atomic.Int64
				server.Fail(func(context.Context, eventstest.Request) error {
					if n.Add(1)%2 == 0 {
						return rules.Refusal(422, "Invalid", "a\n\r"+forged)
					}
					return nil
				})
				r := shape(t, server.Client(), out)
				for i, separator := range []string{"\n", "\n\r", "\n\x1b", "\u2028"} {
					text := "a" + separator + forged
					object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
						Namespace: "default", Name: text, UID: types.UID(text), ResourceVersion: text,
					}}
					r.eventf(object, object, "Normal", "Reason", text)
					r.eventf(object, object, "Normal", text, text)
					r.eventf(object, nil, text, "Reason", fmt.Sprint(text, i))
				}
				_ = r.flush(t.Context())
				r.end()
				if !strings.Contains(out.String(), "All is lost") {
					t.Error("nothing is logged: the test sees nothing")
				}
				if i := line.FindStringIndex(out.String()); i != nil {
					t.Errorf("a line is forged: %q", out.String()[max(0, i[0]-200):i[1]])
				}
			})
		})
	}
}

func named(name string) *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, UID: types.UID(name)}}
}

// sent returns all that has reached the server.
func sent(server *apiserver.Server) string {
	var all strings.Builder
	for _, r := range server.Requests() {
		fmt.Fprintf(&all, "%s %v %s\n", r, r.Header, r.Body)
	}
	return all.String()
}

// transcript has what left the SDK through one output. It is safe for concurrent use.
type transcript struct {
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func (s *transcript) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *transcript) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// logger returns a logger that writes everything into s, as at -v=10.
func (s *transcript) logger() klog.Logger {
	return textlogger.NewLogger(textlogger.NewConfig(textlogger.Output(s), textlogger.Verbosity(10)))
}

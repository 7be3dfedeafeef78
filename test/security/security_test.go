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
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
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
	"github.com/eventseries/eventseries/internal/testkit/fixture"
	"github.com/eventseries/eventseries/internal/testkit/heap"
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

// record records through a shape, in a bubble, until its end. It returns what the server was sent and what the process wrote.
func (shape shape) record(t *testing.T, answers eventstest.Hook, record func(recording)) (requests []apiserver.Request, output string) {
	synctest.Test(t, func(t *testing.T) {
		server, out := apiserver.New(), &transcript{}
		server.Fail(answers)
		r := shape(t, server.Client(), out)
		record(r)
		_ = r.flush(t.Context())
		r.end()
		requests, output = server.Requests(), out.String()
	})
	return requests, output
}

type shape func(*testing.T, kubernetes.Interface, *transcript) recording

// shapes has the ways to record. Each has all outputs of an event.
var shapes = map[string]shape{"adapter": adapted, "every sink": everySink, "legacy": recordedAsBefore}

func adapted(t *testing.T, client kubernetes.Interface, out *transcript) recording {
	a := adapter.New(t.Context(), client, events.WithLogger(out.logger()), told(out),
		events.WithNotePolicy(events.NotesLatest))
	if err := a.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return recording{a.Recorder("example.com/controller"), a.Flush, a.Shutdown}
}

// told returns an option that writes to out all that a drop handler receives.
func told(out *transcript) events.Option {
	return events.WithDropHandler(func(d events.Drop) { fmt.Fprintf(out, "dropped %q\n", fmt.Sprintf("%+v", d)) })
}

func everySink(t *testing.T, client kubernetes.Interface, out *transcript) recording {
	sink := sinks.Tee(sinks.EventsV1(client.EventsV1()), sinks.CoreV1(client.CoreV1()), sinks.JSONLines(out))
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
	return recording{b.Recorder(scheme.Scheme, "example.com/controller"), b.Flush, b.Shutdown}
}

func recordedAsBefore(_ *testing.T, client kubernetes.Interface, out *transcript) recording {
	b := legacy.NewBroadcaster(events.WithLogger(out.logger()), told(out))
	b.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: client.CoreV1().Events("")})
	b.StartStructuredLogging(10)
	recorder := legacy.FromLegacy(b.Recorder(scheme.Scheme, corev1.EventSource{Component: "controller"}))
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

// refusal is a Status.
func refusal(code int32, reason metav1.StatusReason, message string) error {
	return rules.Refusal(code, reason, message)
}

// excuses returns a hook with the server's answers in their order. No log line about one of them may contain the object.
func excuses() eventstest.Hook {
	all := []error{
		errors.New("no route to host"), refusal(500, "InternalError", "oh"), nil, refusal(422, "Invalid", "oh"), nil,
		refusal(404, "NotFound", "oh"), errors.New("no route to host"), refusal(403, "Forbidden", "oh"), nil,
		refusal(429, "TooManyRequests", "oh"), nil, refusal(409, "Conflict", "oh"),
	}
	var n atomic.Int64
	return func(_ context.Context, r eventstest.Request) error {
		if r.Resource != "events" {
			return nil
		}
		return all[n.Add(1)%int64(len(all))]
	}
}

// Only the reference of an object leaves the process. The rest is in no request, no sink, no log line at -v=10 and no drop,
// whether the event is stored, refused or invalid.
//
// Caught: a line of the log with the regarding object; a reference with the object's labels; an error of an invalid
// event that quotes the object.
func TestOnlyTheReferenceLeaves(t *testing.T) {
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			requests, output := shape.record(t, excuses(), func(r recording) {
				for range 4 {
					for i, object := range objects() {
						r.eventf(object, objects()[0], "Normal", fmt.Sprint("Reason", i), "the note")
						r.eventf(objects()[0], object, "Warning", fmt.Sprint("Related", i), "the note")
						r.eventf(object, nil, "Odd", "Reason", "the note")
					}
				}
			})
			all := sent(requests) + output
			for _, want := range []string{"uid-of-web", "the note", "dropped"} {
				if !strings.Contains(all, want) {
					t.Errorf("%q did not leave: the test sees nothing", want)
				}
			}
			for _, bad := range []string{marker, base64.StdEncoding.EncodeToString([]byte(marker))} {
				if i := strings.Index(all, bad); i >= 0 {
					t.Errorf("the object itself left, in\n…%q…", all[max(0, i-200):min(len(all), i+200)])
				}
			}
		})
	}
}

// The adapter sends the two requests that a Role has to allow, and requests that every client may send.
//
// Caught: a Get of an Event before its patch.
func TestRequestsNeedNoOtherRights(t *testing.T) {
	requests, _ := shape(adapted).record(t, excuses(), func(r recording) {
		for i := range 40 {
			r.eventf(fixture.Pod("default", fmt.Sprint("web-", i/2)), nil, "Normal", "Reason", "the note")
			_ = r.flush(context.Background())
		}
	})
	allowed := regexp.MustCompile(`^(GET /apis(/events\.k8s\.io/v1)?|POST /apis/\S*/selfsubject(access)?reviews` +
		`|(POST|PATCH) /(apis/events\.k8s\.io|api)/v1/namespaces/default/events(/web-\d+\.\w+)?)(\?|$)`)
	for _, request := range requests {
		if !allowed.MatchString(request.String()) {
			t.Errorf("a request that needs another right: %s", request)
		}
	}
	if len(requests) < 10 {
		t.Errorf("%d requests: the test sees nothing", len(requests))
	}
}

const forged = `E0101 00:00:00.000000       1 main.go:1] "All is lost"`

// The name of an object or the text of a note cannot add lines to the component's log. Names of Roles may have newlines.
//
// Caught: klog.ObjectRef, whose name klog prints as it is; a text of several lines with a carriage return.
func TestLogCannotBeForged(t *testing.T) {
	line := regexp.MustCompile(`(?m)(^|[\r\x1b\x{2028}])` + regexp.QuoteMeta(forged))
	for name, shape := range shapes {
		t.Run(name, func(t *testing.T) {
			var n atomic.Int64
			_, log := shape.record(t, func(context.Context, eventstest.Request) error {
				if n.Add(1)%2 == 0 {
					return refusal(422, "Invalid", "a\n\r"+forged)
				}
				return nil
			}, func(r recording) {
				for i, separator := range []string{"\n", "\n\r", "\n\x1b", "\u2028"} {
					text := "a" + separator + forged
					object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{
						Namespace: "default", Name: text, UID: types.UID(text), ResourceVersion: text,
					}}
					r.eventf(object, object, "Normal", "Reason", text)
					r.eventf(object, object, "Normal", text, text)
					r.eventf(object, nil, text, "Reason", fmt.Sprint(text, i))
				}
			})
			if !strings.Contains(log, "All is lost") {
				t.Error("nothing is logged: the test sees nothing")
			}
			if i := line.FindStringIndex(log); i != nil {
				t.Errorf("a line is forged: %q", log[max(0, i[0]-200):i[1]])
			}
		})
	}
}

// sent returns all that is in requests.
func sent(requests []apiserver.Request) string {
	var all strings.Builder
	for _, r := range requests {
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

// hostile has harmful answers of an API server, or of a proxy in front of it.
var hostile = map[string]http.HandlerFunc{
	"pages of refusal": apiserver.Refuse(refusal(http.StatusInternalServerError, "InternalError", long)),
	"pages of no":      apiserver.Refuse(refusal(http.StatusForbidden, "Forbidden", long)),
	"pages of text":    apiserver.Text(http.StatusBadGateway, "text/html", long),
	"a login page":     apiserver.Text(http.StatusOK, "text/html", "<html>"+long),
	"half a body":      apiserver.Text(http.StatusCreated, "application/json", `{"metadata": {"name": "`),
	"another status each time": func(w http.ResponseWriter, r *http.Request) {
		apiserver.Refuse(refusal(400+int32(counter.Add(1)%200), "Whatever", long[:1000]))(w, r)
	},
	"later, in a year": apiserver.Text(http.StatusTooManyRequests, "application/json", `{"kind": "Status", "apiVersion": "v1",
		"status": "Failure", "code": 429, "reason": "TooManyRequests", "details": {"retryAfterSeconds": 31536000}}`),
	"never": apiserver.Hang,
	"go elsewhere, for ever": func(w http.ResponseWriter, r *http.Request) {
		target := fmt.Sprintf("/api/v1/namespaces/default/events?n=%d", counter.Add(1))
		http.Redirect(w, r, target, http.StatusTemporaryRedirect)
	},
}

var long = strings.Repeat("x", 1<<16)

var counter atomic.Int64

// setWrites makes handler answer the writes of Events; nil restores the server's own answers.
func setWrites(server *apiserver.Server, handler http.HandlerFunc) {
	server.Answer("/api/v1/namespaces/", handler)
	server.Answer("/apis/events.k8s.io/v1/namespaces/", handler)
}

// written returns how many requests about Events have arrived.
func written(server *apiserver.Server) (n int) {
	for _, r := range server.Requests() {
		if strings.Contains(r.URI, "/namespaces/") {
			n++
		}
	}
	return n
}

// During half an hour of any answers, recording continues, Stats add up, and the log and the number of requests are bounded.
// After that, everything that was not refused for good is written within minutes.
//
// Caught: text of the server in the log at any length; a Retry-After without an upper bound.
func TestHostileServer(t *testing.T) {
	for name, answer := range hostile {
		fixture.InBubble(t, name, func(t *testing.T) {
			server, out := apiserver.New(), &transcript{}
			setWrites(server, answer)
			config := server.Config()
			config.QPS, config.Burst = 50, 100
			client := kubernetes.NewForConfigOrDie(config)
			a := adapter.New(t.Context(), client, events.WithLogger(out.logger().V(-10)))
			if err := a.Start(t.Context()); err != nil {
				t.Fatal(err)
			}
			const minutes, pods = 30, 20
			recorder := a.Recorder("example.com/controller")
			for range minutes {
				for i := range pods {
					pod := fixture.Pod("default", fmt.Sprint("pod-", i))
					recorder.Eventf(pod, nil, "Warning", "BackOff", "Restart", "back-off")
				}
				time.Sleep(time.Minute)
			}
			if n := written(server); n > 100*minutes {
				t.Errorf("%d requests in %d minutes for %d series", n, minutes, pods)
			}
			if n := len(out.String()); n > minutes*20<<10 {
				t.Errorf("%d bytes of log in %d minutes", n, minutes)
			}
			setWrites(server, nil)
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
			defer cancel()
			if err := a.Flush(ctx); err != nil {
				t.Errorf("the server is itself again, and yet: %v", err)
			}
			s := a.Stats()
			fixture.CheckConserved(t, s)
			if s.Observed != minutes*pods || s.Pending != 0 {
				t.Errorf("%d observed, want %d, and none pending: %+v", s.Observed, minutes*pods, s)
			}
			a.Shutdown()
		})
	}
}

// A series keeps almost nothing of the server's answer to a write.
//
// Caught: a resourceVersion of any length, which every series would keep and send with each patch.
func TestAnswersAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := apiserver.New()
		setWrites(server, apiserver.Text(http.StatusCreated, "application/json",
			fmt.Sprintf(`{"metadata": {"selfLink": %q, "resourceVersion": %q}}`, long, long)))
		a := adapter.New(t.Context(), server.Client(), adapter.WithMode(adapter.ModeEventsV1))
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		recorder := a.Recorder("example.com/controller")
		const pods = 30
		before := heap.Live()
		for range 2 {
			for i := range pods {
				recorder.Eventf(fixture.Pod("default", fmt.Sprint("pod-", i)), nil, "Normal", "Reason", "Act", "note")
			}
			if err := a.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if s := a.Stats(); s.Recorded != 2*pods || s.Series != pods {
			t.Errorf("%+v, want %d series of two", s, pods)
		}
		if grown := heap.Live() - before; grown > pods*int64(len(long))/2 {
			t.Errorf("%d bytes of the heap are of answers", grown)
		}
		if sent := len(sent(server.Requests())); sent > pods*10_000 {
			t.Errorf("%d bytes were sent: answers were sent back", sent)
		}
		a.Shutdown()
	})
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	typedeventsv1 "k8s.io/client-go/kubernetes/typed/events/v1"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
)

var (
	eventResource = eventsv1.Resource("events")
	errReason     = errors.New("because")
)

// The verdicts that several rows of the tables have.
var (
	settled     = Verdict{Action: Stored}
	exists      = Verdict{Action: Stored, Exists: true}
	unsupported = Verdict{Action: Unsupported, Gate: Server, Wait: timing.UnsupportedPause}
	missing     = Verdict{Action: Drop, Reason: stats.NamespaceGone}
	rejected    = Verdict{Action: Drop, Reason: stats.Rejected}
	filtered    = Verdict{Action: Drop, Reason: stats.Filtered, Unanswered: true}
	timedOut    = Verdict{Action: Retry, Gate: Namespace, Ambiguous: true, Unanswered: true}
	unreachable = Verdict{Action: Retry, Gate: Server, Unanswered: true}
	untrusted   = Verdict{Action: Retry, Gate: Server, Ambiguous: true, Unanswered: true}
	cutOff      = Verdict{Action: Retry, Gate: Shared, Ambiguous: true, Unanswered: true}
	unsendable  = Verdict{Action: Drop, Reason: stats.Rejected, Unanswered: true}
	ofProxy     = Verdict{Action: Retry, Gate: Namespace, Ambiguous: true}
	limited     = Verdict{Action: Retry, Wait: timing.LimiterPause, Unanswered: true}
)

func retryIn(scope Scope, wait time.Duration, ambiguous bool) Verdict {
	return Verdict{Action: Retry, Gate: scope, Wait: wait, Ambiguous: ambiguous}
}

func withCause(err *apierrors.StatusError, cause metav1.CauseType) *apierrors.StatusError {
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: cause}}
	return err
}

// denied answers as the API server does if a webhook has denied the request with the given code.
func denied(code int32, reason metav1.StatusReason) http.HandlerFunc {
	return statusAnswer(&apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Details: &metav1.StatusDetails{RetryAfterSeconds: 7},
		Message: `admission webhook "tenant.example.com" denied the request: not today`,
	}})
}

func invalid() *apierrors.StatusError {
	return apierrors.NewInvalid(schema.GroupKind{Group: "events.k8s.io", Kind: "Event"}, "web.1",
		field.ErrorList{field.Required(field.NewPath("action"), "")})
}

// statusRows has answers of an API server, or of a proxy in front of it, in the order of the cases
// of classifyStatus.
var statusRows = []struct {
	name   string
	ask    asking
	answer http.HandlerFunc
	want   Verdict
}{
	// client-go fills in the details of a 404 from the request, so that a missing API looks like an
	// expired Event.
	{"group not served", patch, textAnswer(404, "404 page not found"), unsupported},
	{"version not served", patch, statusAnswer(apierrors.NewGenericServerResponse(
		404, "patch", schema.GroupResource{}, "", "", 0, false)), unsupported},
	{"group not served by 1.38", patch, statusOf(404, metav1.StatusReasonNotFound), unsupported},
	{"404 without details", create, statusOf(404, metav1.StatusReasonNotFound), unsupported},
	{"namespace terminating", create, statusAnswer(withCause(
		apierrors.NewForbidden(eventResource, "web.1", errReason), corev1.NamespaceTerminatingCause)), missing},
	{"namespace missing", create, statusAnswer(
		apierrors.NewNotFound(corev1.Resource("namespaces"), "default")), missing},
	{"event expired", patch, statusAnswer(apierrors.NewNotFound(eventResource, "web.1")), Verdict{Action: Recreate}},
	{"event exists", create, statusAnswer(apierrors.NewAlreadyExists(eventResource, "web.1")), exists},
	{"event written by another", patch, statusAnswer(
		apierrors.NewConflict(eventResource, "web.1", errReason)), Verdict{Action: Resend}},
	{"RBAC", create, statusAnswer(apierrors.NewForbidden(eventResource, "", errReason)),
		Verdict{Action: Forbidden, Gate: Namespace}},
	{"403 with another cause", create, statusAnswer(withCause(
		apierrors.NewForbidden(eventResource, "", errReason), "Other")), Verdict{Action: Forbidden, Gate: Namespace}},
	{"403 without details", create, statusOf(403, metav1.StatusReasonForbidden),
		Verdict{Action: Forbidden, Gate: Namespace}},
	{"unauthorized", create, statusAnswer(apierrors.NewUnauthorized("")), retryIn(Server, 0, false)},
	{"408", create, statusOf(408, ""), timedOut},
	{"425", create, statusOf(425, ""), retryIn(Namespace, 0, false)},
	{"429 of priority and fairness", create, textAnswer(429, "Too many requests", "Retry-After", "7"),
		retryIn(Shared, 7*time.Second, false)},
	{"429 of EventRateLimit", create, statusAnswer(apierrors.NewTooManyRequestsError("")),
		retryIn(Shared, 0, false)},
	{"500", create, statusAnswer(apierrors.NewInternalError(errReason)), retryIn(Namespace, 0, true)},
	{"500 of etcd", create, statusAnswer(apierrors.NewServerTimeout(eventResource, "create", 2)),
		retryIn(Namespace, 2*time.Second, true)},
	{"502 of a proxy", create, textAnswer(502, "<html>"), retryIn(Namespace, 0, true)},
	{"503", create, statusAnswer(apierrors.NewServiceUnavailable("")), retryIn(Shared, 0, true)},
	{"429 of a broken proxy", create, textAnswer(429, "", "Retry-After", "31536000"),
		retryIn(Shared, timing.LongestRetryAfter, false)},
	{"503 while starting", create, textAnswer(503, "", "Retry-After", "5"), retryIn(Shared, 5*time.Second, true)},
	{"504", create, statusAnswer(apierrors.NewTimeoutError("", 0)), retryIn(Shared, 0, true)},
	{"400", create, statusAnswer(apierrors.NewBadRequest("")), rejected},
	{"405", create, statusAnswer(apierrors.NewMethodNotSupported(eventResource, "create")), rejected},
	{"413", create, statusAnswer(apierrors.NewRequestEntityTooLargeError("")), rejected},
	{"422", create, statusAnswer(invalid()), rejected},
	// A webhook or a policy chooses its code, which therefore says nothing about the server.
	{"webhook denies with 401", create, denied(401, metav1.StatusReasonUnauthorized), rejected},
	{"webhook denies with 403", create, denied(403, metav1.StatusReasonForbidden),
		Verdict{Action: Forbidden, Gate: Namespace}},
	{"webhook denies with 404", create, denied(404, ""), rejected},
	{"webhook denies with 408", create, denied(408, ""), retryIn(Namespace, 7*time.Second, false)},
	{"webhook denies with 409", create, denied(409, metav1.StatusReasonAlreadyExists), rejected},
	{"webhook denies with 429", create, denied(429, metav1.StatusReasonTooManyRequests),
		retryIn(Namespace, 7*time.Second, false)},
	{"webhook denies with 503", create, denied(503, ""), retryIn(Namespace, 7*time.Second, false)},
	{"policy denies with 401", create, statusAnswer(&apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: 401, Reason: metav1.StatusReasonUnauthorized,
		Message: `events "web.1" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no`,
	}}), rejected},
	{"a namespace that is called so", create, statusAnswer(apierrors.NewUnauthorized("denied the request")),
		retryIn(Server, 0, false)},
	// Refusals by a proxy. Without a distinction a 409 would be taken for a stored Event, and a 403
	// for a refusal by RBAC.
	{"400 of a proxy", create, textAnswer(400, "<html>"), ofProxy},
	{"402 of a proxy", create, textAnswer(402, "<html>"), ofProxy},
	{"403 of a proxy", create, textAnswer(403, "RBAC: access denied"), ofProxy},
	{"405 of a proxy", patch, textAnswer(405, "<html>"), ofProxy},
	{"406 of a proxy", create, textAnswer(406, "<html>"), ofProxy},
	{"407 of a proxy", create, textAnswer(407, "<html>"), ofProxy},
	{"409 of a proxy to a Create", create, textAnswer(409, "<html>"), ofProxy},
	{"409 of a proxy to a Patch", patch, textAnswer(409, "<html>"), ofProxy},
	{"410 of a proxy", create, textAnswer(410, "<html>"), ofProxy},
	{"411 of a proxy", create, textAnswer(411, "<html>"), ofProxy},
	{"412 of a proxy", create, textAnswer(412, "<html>"), ofProxy},
	{"413 of a proxy", create, textAnswer(413, "<html>"), ofProxy},
	{"415 of a proxy", create, textAnswer(415, "<html>"), ofProxy},
	{"417 of a proxy", create, textAnswer(417, "<html>"), ofProxy},
	{"418 of a proxy", create, textAnswer(418, "<html>"), ofProxy},
	{"421 of a proxy", create, textAnswer(421, "<html>"), ofProxy},
	{"422 of a proxy", create, textAnswer(422, "<html>"), ofProxy},
	{"426 of a proxy", create, textAnswer(426, "<html>"), ofProxy},
	{"451 of a proxy", create, textAnswer(451, "<html>"), ofProxy},
	{"499 of a proxy", create, textAnswer(499, ""), ofProxy},
	{"a proxy that says when", create, textAnswer(451, "<html>", "Retry-After", "7"),
		retryIn(Namespace, 7*time.Second, true)},
	{"401 of a proxy", create, textAnswer(401, "<html>"), retryIn(Server, 0, false)},
	{"408 of a proxy", create, textAnswer(408, "<html>"), timedOut},
	{"404 of Kubernetes 1.38", create, statusAnswer(apierrors.NewGenericServerResponse(
		404, "", schema.GroupResource{}, "", "404 page not found", 0, false)), unsupported},
	{"3xx that is no redirect", create, textAnswer(300, ""), retryIn(Namespace, 0, true)},
}

func TestClassifyStatus(t *testing.T) {
	for _, row := range statusRows {
		t.Run(row.name, func(t *testing.T) { checkVerdict(t, answerTo(t, row.ask, row.answer), row.want) })
	}
}

// checkVerdict checks the verdict on err. It also checks that err has the same verdict if it is
// wrapped, as sinks that decorate others do.
func checkVerdict(t *testing.T, err error, want Verdict) {
	t.Helper()
	wrapped := errors.Join(errors.New("elsewhere"), fmt.Errorf("sink: %w", err))
	for how, err := range map[string]error{"bare": err, "wrapped": wrapped} {
		if diff := cmp.Diff(want, Classify(Request{}, err)); diff != "" {
			t.Errorf("%s: verdict on %T %v (-want +got):\n%s", how, err, err, diff)
		}
	}
}

// transportRows has errors that are no answer of an API server.
var transportRows = []struct {
	name string
	err  func(t *testing.T) error
	want Verdict
}{
	{"connection refused", refusedConnection, unreachable},
	{"connection reset", func(t *testing.T) error { return brokenConnection(t, 0) }, cutOff},
	{"connection closed", func(t *testing.T) error { return brokenConnection(t, -1) }, NoAnswer},
	{"bad record", fixed(&net.OpError{Op: "local error", Err: errReason}), untrusted},
	{"a read that takes too long", fixed(&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}), timedOut},
	{"a write that takes too long", fixed(&net.OpError{Op: "write", Err: os.ErrDeadlineExceeded}), timedOut},
	{"reset on Windows", fixed(&net.OpError{Op: "read", Err: syscall.Errno(10054)}), cutOff},
	{"broken pipe", fixed(&net.OpError{Op: "write", Err: syscall.EPIPE}), cutOff},
	{"no such host", dialing(&net.DNSError{Err: "no such host", IsNotFound: true}), unreachable},
	{"no route to host", dialing(syscall.EHOSTUNREACH), unreachable},
	{"no credentials", func(t *testing.T) error {
		return answerOf(t, create, &rest.Config{Host: "http://kubernetes", ExecProvider: &clientcmdapi.ExecConfig{
			Command: "no-such-plugin", APIVersion: "client.authentication.k8s.io/v1",
			InteractiveMode: clientcmdapi.NeverExecInteractiveMode,
		}})
	}, unreachable},
	{"unknown proxy", fixed(&net.OpError{Op: "proxyconnect", Err: &net.OpError{Op: "dial", Err: &net.DNSError{}}}),
		unreachable},
	{"wrapped timeout", fixed(&url.Error{Err: fmt.Errorf("transport: %w", os.ErrDeadlineExceeded)}), timedOut},
	{"nobody accepts", dialing(syscall.ETIMEDOUT), timedOut},
	{"unknown authority", untrusting(&rest.Config{}), untrusted},
	{"wrong host name", untrusting(&rest.Config{TLSClientConfig: rest.TLSClientConfig{ServerName: "other"}}), untrusted},
	{"client certificate wanted", withoutCertificate, untrusted},
	{"server without TLS", plainServer, untrusted},
	{"deadline of the context", func(t *testing.T) error { return tooSlow(t, byContext) }, timedOut},
	{"timeout of the client", func(t *testing.T) error { return tooSlow(t, byClient) }, timedOut},
	{"context cancelled", fixed(context.Canceled), NoAnswer},
	{"EOF", fixed(io.EOF), NoAnswer},
	{"anything", fixed(errReason), NoAnswer},
	{"rate limiter of the client", throttled, limited},
	{"cannot be built", fixed(&rest.RequestConstructionError{Err: errReason}), unsendable},
	{"filtered", fixed(ErrFiltered), filtered},
	{"a Status of another type", fixed(&foreignStatus{metav1.Status{
		Code: 429, Details: &metav1.StatusDetails{RetryAfterSeconds: 4},
	}}), retryIn(Shared, 4*time.Second, false)},
	{"known", fixed(&Answer{Verdict: missing, Err: apierrors.NewBadRequest("")}), missing},
}

func TestClassifyTransport(t *testing.T) {
	for _, row := range transportRows {
		t.Run(row.name, func(t *testing.T) { checkVerdict(t, row.err(t), row.want) })
	}
}

func fixed(err error) func(*testing.T) error { return func(*testing.T) error { return err } }

// dialing returns the error of a request whose connection cannot be made, because of err.
func dialing(err error) func(*testing.T) error {
	return func(t *testing.T) error {
		return answerOf(t, create, &rest.Config{Host: "http://kubernetes",
			Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Net: "tcp", Err: err}
			},
		})
	}
}

// untrusting returns the error of a request to a server whose certificate the client does not
// trust.
func untrusting(config *rest.Config) func(*testing.T) error {
	return func(t *testing.T) error {
		config.Host = tlsServer(t, func(*httptest.Server) {}).URL
		return answerOf(t, create, config)
	}
}

// withoutCertificate returns the error of a request to a server that demands a client certificate.
func withoutCertificate(t *testing.T) error {
	server := tlsServer(t, func(s *httptest.Server) { s.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert} })
	return answerOf(t, create, &rest.Config{Host: server.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}})
}

// plainServer returns the error of an HTTPS request to a server that does not speak TLS.
func plainServer(t *testing.T) error {
	l := listen(t)
	defer l.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if conn, err := l.Accept(); err == nil {
			_, _ = conn.Read(make([]byte, 4096))
			_, _ = io.WriteString(conn, "220 smtp.example.com ESMTP\r\n")
			conn.Close()
		}
	}()
	defer func() { <-done }()
	return answerOf(t, create, &rest.Config{Host: "https://" + l.Addr().String()})
}

func TestAnswerUnwraps(t *testing.T) {
	err := fmt.Errorf("sink: %w", &Answer{Err: apierrors.NewBadRequest("why")})
	if !apierrors.IsBadRequest(err) {
		t.Errorf("%v hides the answer", err)
	}
	if got, want := err.Error(), "sink: why"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// classified is an error that counts how often Classify looks at it.
type classified struct {
	error
	times *int
}

func (c classified) Unwrap() error { return c.error }

// As counts the calls for one type of error, for which no other code asks.
func (c classified) As(target any) bool {
	if _, ok := target.(**rest.RequestConstructionError); ok {
		*c.times++
	}
	return false
}

func TestClassifyOnce(t *testing.T) {
	if v, err := ClassifyOnce(nil); v != settled || err != nil {
		t.Errorf("%+v and %v, want that it is stored", v, err)
	}
	times := 0
	answer := apierrors.NewAlreadyExists(eventResource, "web.1")
	v, err := ClassifyOnce(fmt.Errorf("sink: %w", classified{answer, &times}))
	if v != exists {
		t.Errorf("%+v, want %+v", v, exists)
	}
	if v, err = ClassifyOnce(err); v != exists || !apierrors.IsAlreadyExists(err) {
		t.Errorf("again: %+v and %v, want the same", v, err)
	}
	// The kept verdict is on any request, so the verdict on one request can still differ.
	if got, want := Classify(Request{Shared: true}, fmt.Errorf("again: %w", err)), (Verdict{Action: Resend}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if times != 1 {
		t.Errorf("an answer is classified %d times, want once", times)
	}
}

// foreignStatus is an error with a Status that is no StatusError of apimachinery.
type foreignStatus struct{ status metav1.Status }

func (s *foreignStatus) Error() string         { return s.status.Message }
func (s *foreignStatus) Status() metav1.Status { return s.status }

// broken is an error whose methods panic.
type broken struct{}

func (broken) Error() string         { panic("Error") }
func (broken) Status() metav1.Status { panic("Status") }

// An error whose methods panic, such as a typed nil, must not end the component.
func TestClassifyNeverPanics(t *testing.T) {
	for _, err := range []error{
		(*apierrors.StatusError)(nil), (*Answer)(nil), (*net.OpError)(nil), (*foreignStatus)(nil), broken{},
	} {
		t.Run(fmt.Sprintf("%T", err), func(t *testing.T) {
			if got := Classify(Request{}, err); got != NoAnswer {
				t.Errorf("verdict %+v, want %+v", got, NoAnswer)
			}
		})
	}
}

// The verdict on some answers depends on the request. Without that the series would send the same
// request at once, again and again.
func TestClassifyByRequest(t *testing.T) {
	expired := apierrors.NewNotFound(eventResource, "web.1")
	conflict := apierrors.NewConflict(eventResource, "web.1", errors.New("changed"))
	alreadyExists := apierrors.NewAlreadyExists(eventResource, "web.1")
	spaced := retryIn(Namespace, 0, false)
	for name, test := range map[string]struct {
		request Request
		err     error
		want    Verdict
	}{
		"no error":                         {Request{}, nil, settled},
		"a patch of an Event that expired": {Request{Op: Patch}, expired, Verdict{Action: Recreate}},
		"a create of one":                  {Request{Op: Create}, expired, spaced},
		"a conflict":                       {Request{Op: Patch}, conflict, Verdict{Action: Resend}},
		"a conflict without a version":     {Request{Op: Patch, Unconditional: true}, conflict, spaced},
		"a conflict with a create":         {Request{Op: Create}, conflict, spaced},
		"the version was read": {
			Request{Op: Patch, Unconditional: true, ReadVersion: true}, nil, Verdict{Action: Stored, Unanswered: true},
		},
		"an earlier attempt":                {Request{Op: Create}, alreadyExists, exists},
		"one that may be another process's": {Request{Op: Create, Shared: true}, alreadyExists, Verdict{Action: Resend}},
		"somebody else's one":               {Request{Op: Create, Recreates: true}, alreadyExists, Verdict{Action: Retry, Gate: Namespace, Wait: time.Second, Exists: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Classify(test.request, test.err)); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// fuzzErrors returns the errors that FuzzClassify classifies, with the given texts and numbers in
// them.
func fuzzErrors(code int32, reason, kind, name, cause string, wait int32, message string) []error {
	status := &apierrors.StatusError{ErrStatus: metav1.Status{
		Code: code, Reason: metav1.StatusReason(reason), Message: message,
		Details: &metav1.StatusDetails{
			Kind: kind, Name: name, RetryAfterSeconds: wait,
			Causes: []metav1.StatusCause{{Type: metav1.CauseType(cause)}},
		},
	}}
	bare := &apierrors.StatusError{ErrStatus: metav1.Status{Code: code, Reason: metav1.StatusReason(reason)}}
	return []error{
		status, bare, errors.New(message), syscall.Errno(code), &net.OpError{Op: kind, Err: errors.New(name)},
		&net.DNSError{Err: message, IsTimeout: wait > 0}, &Answer{Verdict: missing, Err: status},
		(*apierrors.StatusError)(nil), broken{}, tls.RecordHeaderError{Msg: message},
		ErrFiltered, io.EOF, context.DeadlineExceeded, &rest.RequestConstructionError{Err: bare}, errNil{},
	}
}

// errNil is an error that wraps nil.
type errNil struct{}

func (errNil) Error() string { return "nothing inside" }
func (errNil) Unwrap() error { return nil }

// wrappers are functions that wrap an error without a change of its meaning.
var wrappers = []func(err error) error{
	func(err error) error { return fmt.Errorf("writing: %w", err) },
	func(err error) error { return errors.Join(err) },
	func(err error) error { return errors.Join(nil, errors.New("while at it"), err) },
	func(err error) error { return fmt.Errorf("%w: %w", errNil{}, err) },
	func(err error) error { return &url.Error{Op: "Post", URL: "https://192.0.2.1/", Err: err} },
	func(err error) error { return &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err} },
}

// FuzzClassify checks that every error has a verdict on which the writer can act, and that wrapping
// the error does not change the verdict.
func FuzzClassify(f *testing.F) {
	f.Add(int32(404), "NotFound", "events", "web.1", "UnexpectedServerResponse", int32(0), "")
	f.Add(int32(429), "TooManyRequests", "", "", "", int32(1<<31-1), "slow down")
	f.Add(int32(500), "ServerTimeout", "dial", "", "", int32(-1), "rate limiter")
	f.Add(int32(503), "ServerTimeout", "dial", "namespaces", "", int32(-1), "")
	f.Add(int32(111), "", "", "", "", int32(1), "client rate limiter Wait returned an error: x")
	f.Fuzz(func(t *testing.T, code int32, reason, kind, name, cause string, wait int32, message string) {
		for _, err := range fuzzErrors(code, reason, kind, name, cause, wait, message) {
			v := Classify(Request{}, err)
			checkValid(t, v)
			if v == settled && code != 409 {
				t.Errorf("%+v for %v", v, err)
			}
			for i, outer := range wrappers {
				for j, inner := range wrappers {
					if got := Classify(Request{}, outer(inner(err))); got != v {
						t.Errorf("wrappers %d and %d make %+v of %+v\nerror %#v", i, j, got, v, err)
					}
				}
			}
		}
	})
}

func checkValid(t *testing.T, v Verdict) {
	t.Helper()
	if v.Action == Skip || v.Action > Drop || v.Gate > Shared || v.Wait < 0 {
		t.Errorf("%+v is no verdict", v)
	}
	if (v.Action == Drop) != (v.Reason != stats.None) {
		t.Errorf("%+v: a drop has a reason and nothing else does", v)
	}
}

// The errors in the tables are made by client-go. Most tests of this file send a request to a real
// server on the loopback interface, with the functions below.

// statusAnswer answers with err's Status, as the API server does.
func statusAnswer(err *apierrors.StatusError) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		status := err.Status()
		status.Kind, status.APIVersion = "Status", "v1"
		if details := status.Details; details != nil && details.RetryAfterSeconds > 0 {
			w.Header().Set("Retry-After", strconv.Itoa(int(details.RetryAfterSeconds)))
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(int(status.Code))
		_ = json.NewEncoder(w).Encode(status)
	}
}

// statusOf answers with a Status that has only a code and a reason.
func statusOf(code int, reason metav1.StatusReason) http.HandlerFunc {
	return statusAnswer(&apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: int32(code), Reason: reason,
	}})
}

// textAnswer answers with text, as a proxy does, or an API server that does not serve the API.
func textAnswer(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// asking sends one request through client, and returns the error.
type asking func(ctx context.Context, client rest.Interface) error

func create(ctx context.Context, client rest.Interface) error {
	return client.Post().Namespace("default").Resource("events").Body(&eventsv1.Event{}).MaxRetries(0).Do(ctx).Error()
}

func patch(ctx context.Context, client rest.Interface) error {
	return client.Patch(types.StrategicMergePatchType).Namespace("default").Resource("events").Name("web.1").
		Body([]byte(`{}`)).MaxRetries(0).Do(ctx).Error()
}

// answerTo returns the error that client-go makes of the answer of handler.
func answerTo(t *testing.T, ask asking, handler http.HandlerFunc) error {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	return answerOf(t, ask, &rest.Config{Host: server.URL})
}

func answerOf(t *testing.T, ask asking, config *rest.Config) error {
	t.Helper()
	config.QPS = -1
	if config.Timeout == 0 {
		config.Timeout = 10 * time.Second
	}
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	client, err := typedeventsv1.NewForConfigAndClient(config, transport)
	if err != nil {
		t.Fatal(err)
	}
	err = ask(t.Context(), client.RESTClient())
	if err == nil {
		t.Fatal("the request succeeded")
	}
	return err
}

// refusedConnection returns the error of a request to a port on which nobody listens any more.
func refusedConnection(t *testing.T) error {
	t.Helper()
	l := listen(t)
	l.Close()
	return answerOf(t, create, &rest.Config{Host: "http://" + l.Addr().String()})
}

// brokenConnection returns the error of a request to a server that reads the request and closes the
// connection. If linger is 0, the client gets a connection reset, otherwise an end of file.
func brokenConnection(t *testing.T, linger int) error {
	t.Helper()
	l := listen(t)
	defer l.Close()
	hungUp := make(chan error, 1)
	go func() {
		conn, err := l.Accept()
		if err == nil {
			_, err = conn.Read(make([]byte, 64<<10))
			_ = conn.(*net.TCPConn).SetLinger(linger)
			conn.Close()
		}
		hungUp <- err
	}()
	err := answerOf(t, create, &rest.Config{Host: "http://" + l.Addr().String()})
	if failed := <-hungUp; failed != nil {
		t.Fatal(failed)
	}
	return err
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// tlsServer starts a TLS server that does not log failed handshakes.
func tlsServer(t *testing.T, configure func(*httptest.Server)) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(textAnswer(http.StatusOK, ""))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	configure(server)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

// throttled returns the error of a request of a client whose rate limiter lets no request pass
// before the deadline.
func throttled(t *testing.T) error {
	t.Helper()
	server := httptest.NewServer(textAnswer(http.StatusOK, "{}", "Content-Type", "application/json"))
	defer server.Close()
	config := &rest.Config{Host: server.URL, QPS: 0.001, Burst: 1}
	transport, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	defer transport.CloseIdleConnections()
	client, err := typedeventsv1.NewForConfigAndClient(config, transport)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	// This request takes the only token of the rate limiter.
	_ = create(ctx, client.RESTClient())
	return create(ctx, client.RESTClient())
}

// tooSlow returns the error of a request to a server that never answers. impatient sets a deadline.
func tooSlow(t *testing.T, impatient func(*rest.Config) asking) error {
	t.Helper()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer server.Close()
	defer close(release)
	config := &rest.Config{Host: server.URL}
	return answerOf(t, impatient(config), config)
}

func byContext(*rest.Config) asking {
	return func(ctx context.Context, client rest.Interface) error {
		ctx, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
		defer cancel()
		return create(ctx, client)
	}
}

func byClient(config *rest.Config) asking {
	config.Timeout = 20 * time.Millisecond
	return create
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/internal/eventconv"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// The resources that are served. The resource "" stands for discovery.
const (
	eventsResource = "events"
	accessReviews  = "selfsubjectaccessreviews"
	selfReviews    = "selfsubjectreviews"
)

// Errors of a failing connection.
var (
	errRefused error = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	errReset   error = &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	errClosed  error = io.EOF
)

// request is a request that waits at the server. One of answer, lose, mask, fail, cut and vanish ends it.
type request struct {
	component, verb, group, resource, namespace, name string

	// event is the event to create.
	event *corev1.Event
	// count is the count of the event after this write, or 0 if the write has none. With shared
	// counts it is the count of the sender's share.
	count int32
	// share is the ID of the sender's share, or empty without shared counts.
	share string
	// legacy is true for an event of the old style, which has no eventTime.
	legacy bool
	// conditional is true for a write with a resourceVersion.
	conditional   bool
	lastTimestamp time.Time
	review        *authorizationv1.ResourceAttributes
	// stored is the entry of the event, or nil if the event is unknown.
	stored *entry
	// line describes the request without generated names and times.
	line string

	server    *server
	asked     *http.Request
	body      []byte
	arrivedAt time.Time
	sequence  int
	// answered has room for one answer.
	answered chan answer
	// turn is closed when a client that gave up may continue.
	turn chan struct{}

	// noticed and plan are used by the driver only.
	noticed bool
	plan    *plannedAnswer

	// server.mu guards gaveUp and outcome. outcome is empty while the request waits.
	gaveUp  bool
	outcome string
}

// newRequest reads a request. It returns an error as for a broken connection if the body cannot be
// read.
func newRequest(s *server, component string, asked *http.Request) (*request, error) {
	r := &request{
		server: s, component: component, verb: verbs[asked.Method], asked: asked, arrivedAt: time.Now(),
		answered: make(chan answer, 1), turn: make(chan struct{}),
	}
	r.route(strings.Split(strings.Trim(asked.URL.Path, "/"), "/"))
	if asked.Body != nil {
		var err error
		if r.body, err = io.ReadAll(asked.Body); err != nil {
			return nil, err
		}
		r.decode()
		return r, asked.Body.Close()
	}
	return r, nil
}

var verbs = map[string]string{http.MethodGet: "get", http.MethodPost: "create", http.MethodPatch: "patch"}

// route reads the path.
func (r *request) route(path []string) {
	if path[0] == "api" {
		path = append([]string{"apis", corev1.GroupName}, path[1:]...)
	}
	if len(path) < 3 {
		return
	}
	r.group, path = path[1], path[3:]
	if len(path) > 1 && path[0] == "namespaces" {
		r.namespace, path = path[1], path[2:]
	}
	path = append(path, "", "")
	r.resource, r.name = path[0], path[1]
}

// isKnown reports whether a component may send such a request.
func (r *request) isKnown() bool {
	switch r.resource {
	case eventsResource:
		return r.verb == "create" || r.verb == "patch"
	case accessReviews, selfReviews:
		return r.verb == "create"
	default:
		return r.resource == "" && r.group == eventsv1.GroupName && r.verb == "get"
	}
}

// decode reads the fields of the body that the driver needs. The server checks whether the whole
// body is valid.
func (r *request) decode() {
	switch {
	case r.resource == accessReviews:
		var review authorizationv1.SelfSubjectAccessReview
		_ = json.Unmarshal(r.body, &review)
		if r.review = review.Spec.ResourceAttributes; r.review != nil {
			r.namespace = r.review.Namespace
		}
	case r.resource == eventsResource:
		e := &corev1.Event{}
		if r.group == corev1.GroupName {
			_ = json.Unmarshal(r.body, e)
		} else {
			var event eventsv1.Event
			_ = json.Unmarshal(r.body, &event)
			e = eventconv.ToCore(&event)
		}
		r.lastTimestamp, r.conditional = e.LastTimestamp.Time, e.ResourceVersion != ""
		if r.verb == "create" {
			r.event, r.name, r.count, r.legacy = e, e.Name, countOf(e), e.EventTime.IsZero()
		} else if r.count, r.legacy = e.Count, r.group == corev1.GroupName && e.Series == nil; e.Series != nil {
			r.count = e.Series.Count
		}
		r.takeShare(e.Annotations)
	}
}

// countOf returns the number of occurrences that an event stands for.
func countOf(event *corev1.Event) int32 {
	if event.Series != nil {
		return event.Series.Count
	}
	return max(event.Count, 1)
}

func (r *request) key() recordKey {
	if r.share != "" {
		return recordKey{types.NamespacedName{Namespace: r.namespace}, r.share}
	}
	return recordKey{r.eventName(), ""}
}

func (r *request) eventName() types.NamespacedName {
	return types.NamespacedName{Namespace: r.namespace, Name: r.name}
}

func (r *request) via() schema.GroupVersion {
	return schema.GroupVersion{Group: r.group, Version: "v1"}
}

func (r *request) request() eventstest.Request {
	return eventstest.Request{Verb: r.verb, Group: r.group, Resource: r.resource, Namespace: r.namespace}
}

// String describes the request. It contains no generated name and no time.
func (r *request) String() string { return r.line }

// compare orders requests. Generated names are in the order of their series, and requests for one name in the order of
// arrival.
func (r *request) compare(other *request) int {
	return cmp.Or(
		cmp.Compare(r.line, other.line), cmp.Compare(r.name, other.name), cmp.Compare(r.sequence, other.sequence))
}

// abandoned reports whether the client has stopped waiting. The request may still take effect.
func (r *request) abandoned() bool {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	return r.gaveUp
}

// about returns the event of the request as it was created, and nil if it is unknown.
func (r *request) about() *corev1.Event {
	if r.stored == nil {
		return nil
	}
	return r.stored.event
}

// answer is the answer that the client gets. It is a response, or err if there is no response.
type answer struct {
	// code is the code of the response, or 0 if the server was not reached.
	code     int
	response *http.Response
	err      error
	// applied is the stored event after the write, or nil if the write had no effect.
	applied *corev1.Event
	// gone is true if the event is not stored.
	gone bool
	// page is true for the page of a proxy.
	page bool
}

// exchange returns the answer of handler to the request.
func (r *request) exchange(handler http.Handler) answer {
	// The context of the client may have ended.
	asked := r.asked.Clone(context.Background())
	asked.Body = io.NopCloser(bytes.NewReader(r.body))
	response, err := apiserver.Exchange(handler, asked)
	if err != nil {
		return answer{err: err}
	}
	return answer{code: response.StatusCode, response: response}
}

// String returns the code or the transport's error, and "" if there is neither.
func (a answer) String() string {
	switch {
	case a.err != nil:
		return a.err.Error()
	case a.code == 0:
		return ""
	case a.page:
		return strconv.Itoa(a.code) + " page"
	default:
		return strconv.Itoa(a.code)
	}
}

// isSuccess reports whether the code is 2xx.
func (a answer) isSuccess() bool { return a.err == nil && a.code/100 == 2 }

// isDuplicate reports whether the answer says that the object already exists.
func (a answer) isDuplicate() bool { return a.err == nil && !a.page && a.code == http.StatusConflict }

// answer lets the server handle the request now. The client gets the answer if it is still waiting.
func (r *request) answer() { r.end("", func(s *server) answer { return s.handle(r) }) }

// lose lets the server handle the request. The client gets the transport error err in place of the answer.
func (r *request) lose(err error) {
	r.end("lost ", func(s *server) answer { return answer{applied: s.handle(r).applied, err: err} })
}

// mask lets the server handle the request. The client gets failure f in place of the answer, as from a proxy with a short
// timeout.
func (r *request) mask(f Failure) {
	r.end("masked ", func(s *server) answer {
		handled, masked := s.handle(r), r.failed(f)
		masked.applied = handled.applied
		return masked
	})
}

// fail ends the request with failure f before it takes effect. If f does not apply to such a request, the request is
// answered.
func (r *request) fail(f Failure) {
	r.end("", func(s *server) answer {
		if !f.fits(r) {
			return s.handle(r)
		}
		return r.failed(f)
	})
}

// contradict answers to a create that the event exists, and to a patch that there is no event. A
// server with a stale cache answers so, or a server on which somebody creates and deletes the event
// all the time.
//
// A create has no effect, unless the sender would take the answer as a proof that its own create
// was stored. In that case it is stored, as if a proxy had sent the create twice. Package legacy is
// exempt, because it believes both answers, as client-go does.
func (r *request) contradict() {
	r.end("", func(s *server) answer {
		if r.resource != eventsResource || r.stored == nil || r.legacy {
			return s.handle(r)
		}
		resource := schema.GroupResource{Group: r.group, Resource: eventsResource}
		if r.verb == "patch" {
			a := r.exchange(apiserver.Refuse(apierrors.NewNotFound(resource, r.name)))
			a.gone = true
			return a
		}
		var handled answer
		if r.provesItself() {
			handled = s.handle(r)
			if !handled.isSuccess() {
				return handled
			}
		}
		a := r.exchange(apiserver.Refuse(apierrors.NewAlreadyExists(resource, r.name)))
		a.applied = handled.applied
		return a
	})
}

// cut ends the request with the transport error err before it reaches the server.
func (r *request) cut(err error) { r.end("broken ", func(*server) answer { return answer{err: err} }) }

// vanish ends a request that its client has given up, without any effect.
func (r *request) vanish() { r.end("vanished", func(*server) answer { return answer{} }) }

// end removes the request from the waiting ones and delivers the answer of decide.
func (r *request) end(how string, decide func(*server) answer) {
	s := r.server
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.Index(s.waiting, r)
	s.waiting = slices.Delete(s.waiting, i, i+1)
	a := decide(s)
	r.outcome = how + a.String()
	if r.gaveUp {
		r.outcome = "late " + r.outcome
	}
	s.record(r, a)
	r.answered <- a
}

// giveUp is called when the context of the client has ended. An answer that has already arrived is
// delivered nevertheless.
func (r *request) giveUp(cause error) (*http.Response, error) {
	r.server.mu.Lock()
	select {
	case a := <-r.answered:
		r.server.mu.Unlock()
		return a.response, a.err
	default:
	}
	r.gaveUp = true
	r.server.leaving = append(r.server.leaving, r)
	r.server.signal()
	r.server.mu.Unlock()
	<-r.turn
	return nil, cause
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/discovery"
)

const serviceAccount = "system:serviceaccount:operators:controller"

var yes, no = reviewed(true, false, ""), reviewed(false, false, "")

// reviewed returns a handler that answers an access review as an API server does:
// with the question and its status.
func reviewed(allowed, denied bool, evaluationError string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		review, _, err := question(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		review.Status = authorizationv1.SubjectAccessReviewStatus{
			Allowed: allowed, Denied: denied, EvaluationError: evaluationError,
		}
		reply(w, review)
	}
}

// question decodes an access review, in whichever encoding, and returns the encoded one as well.
func question(r *http.Request) (*authorizationv1.SelfSubjectAccessReview, []byte, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, nil, err
	}
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	return object.(*authorizationv1.SelfSubjectAccessReview), body, nil
}

func reply(w http.ResponseWriter, object any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	_ = json.NewEncoder(w).Encode(object)
}

// A reviewer is an API server that answers reviews only.
type reviewer struct {
	t       *testing.T
	answers map[string]http.HandlerFunc // by "verb group"; the rest is yes
	self    http.HandlerFunc            // who am I; nil says the service account

	mu        sync.Mutex // guards questions
	questions []string
}

func (s *reviewer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method + " " + r.URL.Path {
	case "POST /apis/authentication.k8s.io/v1/selfsubjectreviews":
		s.note("who am I")
		if s.self != nil {
			s.self(w, r)
			return
		}
		review := &authenticationv1.SelfSubjectReview{TypeMeta: metav1.TypeMeta{
			APIVersion: "authentication.k8s.io/v1", Kind: "SelfSubjectReview",
		}}
		review.Status.UserInfo.Username = serviceAccount
		reply(w, review)
	case "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews":
		s.review(w, r)
	default:
		s.t.Errorf("unexpected request %s %s", r.Method, r.URL)
	}
}

func (s *reviewer) review(w http.ResponseWriter, r *http.Request) {
	review, body, err := question(r)
	if err != nil {
		s.t.Error(err)
		return
	}
	if got := r.Header.Get("Content-Type"); got != apiruntime.ContentTypeProtobuf {
		s.t.Errorf("the question is sent as %q, want %q", got, apiruntime.ContentTypeProtobuf)
	}
	a := review.Spec.ResourceAttributes
	s.note(fmt.Sprintf("%s %s.%s.%s in %s", a.Verb, a.Resource, a.Version, a.Group, a.Namespace))
	handler, ok := s.answers[a.Verb+" "+a.Group]
	if !ok {
		handler = yes
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	handler(w, r)
}

func (s *reviewer) note(question string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.questions = append(s.questions, question)
}

// TestAccess has one row per way in which the reviews can come out.
func TestAccess(t *testing.T) {
	const unknown, allowed, denied = discovery.PermissionUnknown, discovery.Allowed, discovery.Denied
	forbidden := status(403, metav1.StatusReasonForbidden, "")
	unavailable := answer(503, "text/plain", "starting", "Retry-After", "1")
	tests := []struct {
		name         string
		namespace    string
		answers      map[string]http.HandlerFunc
		events, core discovery.Permission
		is           func(error) bool
		says         string
		spared       []string // questions
	}{
		{"all", "shop", nil, allowed, allowed, nil, "", nil},
		{"events only", "shop", handlers{"create ": no, "patch ": no}, allowed, denied, nil, "", noPatch("")},
		{"core only", "shop", handlers{"create events.k8s.io": no, "patch events.k8s.io": no},
			denied, allowed, nil, "", noPatch(v1)},
		{"create only", "shop", handlers{"patch events.k8s.io": no, "patch ": no}, denied, denied, nil, "", nil},
		{"patch only", "shop", handlers{"create events.k8s.io": no, "create ": no}, denied, denied, nil, "", noPatch(v1, "")},
		{"a review forbidden", "shop", handlers{"create events.k8s.io": forbidden},
			unknown, allowed, apierrors.IsForbidden, "system:basic-user", nil},
		{"a review forbidden beside a no", "shop", handlers{"create ": forbidden, "patch ": no},
			allowed, denied, apierrors.IsForbidden, "1 access reviews", nil},
		{"Retry-After", "shop", handlers{"patch events.k8s.io": unavailable},
			unknown, allowed, apierrors.IsServiceUnavailable, "ask again later", nil},
		{"no opinion", "shop", handlers{"create ": reviewed(false, false, "webhook timed out")},
			allowed, unknown, isAny, "webhook timed out", nil},
		{"yes in spite of a failed authorizer", "shop", handlers{"create ": reviewed(true, false, "webhook")},
			allowed, allowed, nil, "", nil},
		{"no in spite of a failed authorizer", "shop", handlers{"create ": reviewed(false, true, "webhook")},
			allowed, denied, nil, "", noPatch("")},
		{"a 2xx about something else", "shop", handlers{"create ": answer(200, "application/json",
			`{"kind":"Status","apiVersion":"v1","status":"Success"}`)},
			allowed, unknown, isAny, "answered with a *v1.Status", nil},
		{"a sign-in page", "shop", handlers{"create ": answer(200, "text/html", "<html>")},
			allowed, unknown, isAny, "", nil},
		{"everywhere", "", nil, allowed, allowed, nil, "", nil},
		{"not everywhere", "", handlers{"create events.k8s.io": no, "patch ": no}, unknown, unknown, nil, "", nil},
		{"denied everywhere", "", handlers{"create ": reviewed(false, true, "")}, allowed, unknown, nil, "", nil},
		{"no opinion everywhere", "", handlers{"create ": reviewed(false, false, "webhook timed out")},
			allowed, unknown, isAny, "webhook timed out", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := &reviewer{t: t, answers: tt.answers}
			client, _ := newClient(t, server.ServeHTTP)
			got, err := discovery.NewProber(client).Access(t.Context(), tt.namespace)
			want := discovery.Access{Namespace: tt.namespace, EventsV1: tt.events, CoreV1: tt.core}
			questions := []string{
				"create events.v1.events.k8s.io in " + tt.namespace, "patch events.v1.events.k8s.io in " + tt.namespace,
				"create events.v1. in " + tt.namespace, "patch events.v1. in " + tt.namespace,
			}
			questions = slices.DeleteFunc(questions, func(question string) bool {
				return slices.Contains(tt.spared, question)
			})
			if want.EventsV1 != allowed || want.CoreV1 != allowed {
				want.User = serviceAccount
				questions = append(questions, "who am I")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Access() (-want +got):\n%s", diff)
			}
			checkError(t, err, tt.is, tt.says)
			if diff := cmp.Diff(questions, server.questions); diff != "" {
				t.Errorf("questions (-want +got):\n%s", diff)
			}
		})
	}
}

const v1 = "events.k8s.io"

// noPatch are the questions about patch that a no to create in group spares.
func noPatch(groups ...string) (questions []string) {
	for _, group := range groups {
		questions = append(questions, "patch events.v1."+group+" in shop")
	}
	return questions
}

// Permission asks about one group and nobody's name.
func TestPermission(t *testing.T) {
	tests := map[string]struct {
		answers   handlers
		want      discovery.Permission
		is        func(error) bool
		questions []string
	}{
		"allowed":   {nil, discovery.Allowed, nil, []string{"create events.v1.events.k8s.io in shop", "patch events.v1.events.k8s.io in shop"}},
		"no create": {handlers{"create " + v1: no}, discovery.Denied, nil, []string{"create events.v1.events.k8s.io in shop"}},
		"no patch": {handlers{"patch " + v1: no}, discovery.Denied, nil,
			[]string{"create events.v1.events.k8s.io in shop", "patch events.v1.events.k8s.io in shop"}},
		"no answer": {handlers{"create " + v1: answer(503, "text/plain", "starting")}, discovery.PermissionUnknown,
			apierrors.IsServiceUnavailable,
			[]string{"create events.v1.events.k8s.io in shop", "patch events.v1.events.k8s.io in shop"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			server := &reviewer{t: t, answers: tt.answers}
			client, _ := newClient(t, server.ServeHTTP)
			got, err := discovery.NewProber(client).Permission(t.Context(), "shop", v1)
			if got != tt.want {
				t.Errorf("Permission() = %v, want %v", got, tt.want)
			}
			checkError(t, err, tt.is, "")
			if diff := cmp.Diff(tt.questions, server.questions); diff != "" {
				t.Errorf("questions (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUser(t *testing.T) {
	server := &reviewer{t: t}
	client, _ := newClient(t, server.ServeHTTP)
	if got, err := discovery.NewProber(client).User(t.Context()); got != serviceAccount || err != nil {
		t.Errorf("User() = %q, %v, want %q", got, err, serviceAccount)
	}
	server.self = answer(404, "text/plain", "404 page not found\n")
	got, err := discovery.NewProber(client).User(t.Context())
	checkError(t, err, apierrors.IsNotFound, "cannot tell who the client is, ask again later")
	if got != "" {
		t.Errorf("User() = %q, want none", got)
	}
}

type handlers = map[string]http.HandlerFunc

// TestAccessWithoutIdentity: servers before 1.28 do not tell it, and that must not
// spoil the answer.
func TestAccessWithoutIdentity(t *testing.T) {
	server := &reviewer{
		t: t, answers: handlers{"patch ": no}, self: answer(404, "text/plain", "404 page not found\n"),
	}
	client, _ := newClient(t, server.ServeHTTP)
	got, err := discovery.NewProber(client).Access(t.Context(), "shop")
	want := discovery.Access{Namespace: "shop", EventsV1: discovery.Allowed, CoreV1: discovery.Denied}
	if got != want || err != nil {
		t.Errorf("Access() = %+v, %v, want %+v", got, err, want)
	}
}

// TestAccessFailure: a server that is down makes one line, not four.
func TestAccessFailure(t *testing.T) {
	client, requests := newClient(t, answer(503, "text/plain", "starting", "Retry-After", "1"))
	got, err := discovery.NewProber(client).Access(t.Context(), "shop")
	if want := (discovery.Access{Namespace: "shop"}); got != want {
		t.Errorf("Access() = %+v, want %+v", got, want)
	}
	checkError(t, err, apierrors.IsServiceUnavailable, `4 access reviews in namespace "shop"`)
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q, want one line", err)
	}
	if got := requests.Load(); got != 5 {
		t.Errorf("%d requests, want 5: no review may be retried behind the caller's back", got)
	}
}

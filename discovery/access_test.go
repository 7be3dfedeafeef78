// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package discovery_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/eventseries/eventseries/discovery"
	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

const (
	reviewPath   = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
	identityPath = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
)

var yes, no = reviewed(true, false, ""), reviewed(false, false, "")

// reviewed returns a handler that answers an access review as an API server does: it repeats the
// question and adds the status.
func reviewed(allowed, denied bool, evaluationError string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		review := question(body)
		review.Status = authorizationv1.SubjectAccessReviewStatus{
			Allowed: allowed, Denied: denied, EvaluationError: evaluationError,
		}
		apiserver.Object(http.StatusCreated, review)(w, r)
	}
}

// question decodes an access review from JSON or protobuf.
func question(body []byte) *authorizationv1.SelfSubjectAccessReview {
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, nil)
	if err != nil {
		panic(err)
	}
	return object.(*authorizationv1.SelfSubjectAccessReview)
}

type handlers = map[string]http.HandlerFunc

// newReviewer returns a server that answers access reviews. answers has an answer for each "verb
// group"; a question without one is allowed.
func newReviewer(answers handlers) *apiserver.Server {
	s := apiserver.New()
	s.Answer("POST "+reviewPath, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		asked := question(body).Spec.ResourceAttributes
		if handler, ok := answers[asked.Verb+" "+asked.Group]; ok {
			handler(w, r)
			return
		}
		yes(w, r)
	})
	return s
}

// questions returns the questions that s was asked, and fails t if s got any other request.
func questions(t *testing.T, s *apiserver.Server) (all []string) {
	t.Helper()
	for _, r := range s.Requests() {
		switch r.String() {
		case "POST " + identityPath:
			all = append(all, "who am I")
		case "POST " + reviewPath:
			if got := r.Header.Get("Content-Type"); got != apiruntime.ContentTypeProtobuf {
				t.Errorf("the question is sent as %q, want %q", got, apiruntime.ContentTypeProtobuf)
			}
			a := question(r.Body).Spec.ResourceAttributes
			all = append(all, fmt.Sprintf("%s %s.%s.%s in %s", a.Verb, a.Resource, a.Version, a.Group, a.Namespace))
		default:
			t.Errorf("unexpected request %s", r)
		}
	}
	return all
}

// TestAccess has a row for each combination of answers to the reviews.
func TestAccess(t *testing.T) {
	const unknown, allowed, denied = discovery.PermissionUnknown, discovery.Allowed, discovery.Denied
	forbidden := status(403, metav1.StatusReasonForbidden, "")
	unavailable := apiserver.Text(503, "text/plain", "starting", "Retry-After", "1")
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
		{"patch only", "shop", handlers{"create events.k8s.io": no, "create ": no}, denied, denied, nil, "", noPatch(v1, "")},
		{"a review forbidden", "shop", handlers{"create events.k8s.io": forbidden},
			unknown, allowed, apierrors.IsForbidden, "system:basic-user", noPatch(v1)},
		{"Retry-After", "shop", handlers{"patch events.k8s.io": unavailable},
			unknown, allowed, apierrors.IsServiceUnavailable, "ask again later", nil},
		{"no opinion", "shop", handlers{"create ": reviewed(false, false, "webhook timed out")},
			allowed, unknown, isAny, "webhook timed out", noPatch("")},
		{"yes in spite of a failed authorizer", "shop", handlers{"create ": reviewed(true, false, "webhook")},
			allowed, allowed, nil, "", nil},
		{"no in spite of a failed authorizer", "shop", handlers{"create ": reviewed(false, true, "webhook")},
			allowed, denied, nil, "", noPatch("")},
		{"a 2xx about something else", "shop", handlers{"create ": apiserver.Text(200, "application/json",
			`{"kind":"Status","apiVersion":"v1","status":"Success"}`)},
			allowed, unknown, isAny, "does not repeat the question", noPatch("")},
		{"everywhere", "", nil, allowed, allowed, nil, "", nil},
		{"not everywhere", "", handlers{"create events.k8s.io": no, "patch ": no}, unknown, unknown, nil, "",
			noPatch(v1)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := newReviewer(tt.answers)
			got, err := discovery.NewProber(server.Client()).Access(t.Context(), tt.namespace)
			want := discovery.Access{Namespace: tt.namespace, EventsV1: tt.events, CoreV1: tt.core}
			expected := []string{
				"create events.v1.events.k8s.io in " + tt.namespace, "patch events.v1.events.k8s.io in " + tt.namespace,
				"create events.v1. in " + tt.namespace, "patch events.v1. in " + tt.namespace,
			}
			expected = slices.DeleteFunc(expected, func(question string) bool {
				return slices.Contains(tt.spared, strings.TrimSuffix(question, " in "+tt.namespace))
			})
			if want.EventsV1 != allowed || want.CoreV1 != allowed {
				want.User = apiserver.User
				expected = append(expected, "who am I")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("Access() (-want +got):\n%s", diff)
			}
			checkError(t, err, tt.is, tt.says)
			if diff := cmp.Diff(expected, questions(t, server)); diff != "" {
				t.Errorf("questions (-want +got):\n%s", diff)
			}
		})
	}
}

const v1 = "events.k8s.io"

// noPatch returns the questions about patch that a Prober does not ask if it may not create in the
// groups.
func noPatch(groups ...string) (questions []string) {
	for _, group := range groups {
		questions = append(questions, "patch events.v1."+group)
	}
	return questions
}

// A Prober asks for the name of the user until it has an answer, and then never again. Concurrent
// callers may each ask.
func TestTheIdentityIsAskedForOnce(t *testing.T) {
	server := newReviewer(handlers{"create " + v1: no})
	prober := discovery.NewProber(server.Client())
	names := make(chan string)
	const callers = 8
	askAll := func() (asked int, got []string) {
		before := len(identities(t, server))
		for range callers {
			go func() {
				access, _ := prober.Access(t.Context(), "shop")
				names <- access.User
			}()
		}
		for range callers {
			got = append(got, <-names)
		}
		return len(identities(t, server)) - before, slices.Compact(got)
	}
	server.Answer("POST "+identityPath, http.NotFound)
	if asked, got := askAll(); asked != callers || !slices.Equal(got, []string{""}) {
		t.Errorf("%q after %d questions without an answer, want one each", got, asked)
	}
	// Otherwise, a name of megabytes would be kept and logged.
	long := &authenticationv1.SelfSubjectReview{}
	long.Status.UserInfo.Username = strings.Repeat("j", 1025)
	server.Answer("POST "+identityPath, apiserver.Object(http.StatusCreated, long))
	if _, got := askAll(); !slices.Equal(got, []string{""}) {
		t.Errorf("a user of 1025 bytes is %.20q", got)
	}
	server.Answer("POST "+identityPath, nil)
	for _, most := range []int{callers, 0} {
		if asked, got := askAll(); asked > most || !slices.Equal(got, []string{apiserver.User}) {
			t.Errorf("%q after %d questions, want at most %d", got, asked, most)
		}
	}
}

// identities returns the number of requests for the name of the user.
func identities(t *testing.T, s *apiserver.Server) []string {
	return slices.DeleteFunc(questions(t, s), func(question string) bool { return question != "who am I" })
}

// Every request takes a token of the rate limiter that limits the writes.
//
// Caught: requests of the discovery client, or reviews, that bypass the rate limiter.
func TestRequestsMeetTheLimiter(t *testing.T) {
	client := apiserver.New().Config()
	client.QPS, client.Burst = 1000, 1000
	prober := discovery.NewProber(kubernetes.NewForConfigOrDie(client))
	for name, ask := range map[string]func(context.Context) error{
		"Probe":  func(ctx context.Context) error { _, err := prober.Probe(ctx); return err },
		"Access": func(ctx context.Context) error { _, err := prober.Access(ctx, "default"); return err },
	} {
		info := &request.Info{}
		if ask(request.WithInfo(t.Context(), info)) != nil || info.Limiter.None() {
			t.Errorf("%s has failed, or does not say which limiter it meets", name)
		}
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"errors"
	"net/http"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// Failure is a failure of a server, or of a proxy in front of it, that does not depend on the
// request. It is an index of failures.
type Failure int

// The failures that the code names.
const (
	// priorityAndFairness has the Retry-After that the driver sets.
	priorityAndFairness Failure = 2
	eventRateLimit      Failure = 3
	internalError       Failure = 4
	gatewayTimeout      Failure = 9
	policy              Failure = 12
)

// failures are the answers of kube-apiserver v1.36 and of common proxies, with the details that matter to a client.
var failures = []struct {
	name   string
	answer http.HandlerFunc
	// ambiguous is true if the request may have taken effect.
	ambiguous bool
	// events is true if only requests for events fail in this way, and reviews and discovery do
	// not.
	events bool
}{
	{"401", apiserver.Refuse(apierrors.NewUnauthorized("Unauthorized")), false, false},
	{"408", page(http.StatusRequestTimeout), true, false},
	{"429 APF", apiserver.Text(http.StatusTooManyRequests, "text/plain; charset=utf-8",
		"Too many requests, please try again later.\n"), false, false},
	// EventRateLimit limits events of core/v1 only.
	{"429 EventRateLimit", apiserver.Refuse(apierrors.NewTooManyRequestsError(
		"[limit reached on type Namespace for key default]")), false, true},
	{"500", apiserver.Refuse(apierrors.NewInternalError(errors.New("etcdserver: request timed out"))), true, false},
	{"500 etcd", apiserver.Refuse(apierrors.NewServerTimeout(corev1.Resource(eventsResource), "create", 2)), true, true},
	{"502", page(http.StatusBadGateway), true, false},
	{"503 proxy", page(http.StatusServiceUnavailable), true, false},
	{"503 starting", apiserver.Refuse(starting()), false, false},
	{"504", apiserver.Refuse(apierrors.NewTimeoutError(
		"request did not complete within requested timeout - context deadline exceeded", 0)), true, false},
	{"403 webhook", apiserver.Refuse(webhook(http.StatusForbidden, metav1.StatusReasonForbidden)), false, true},
	// The API server uses this code if a webhook gives none (apiserver:
	// admission/plugin/webhook/errors).
	{"400 webhook", apiserver.Refuse(webhook(http.StatusBadRequest, "")), false, true},
	{"422 policy", apiserver.Refuse(deniedByPolicy()), false, true},
	// The page of a proxy does not mean that the server refuses the request. It does not show
	// whether the server got it.
	{"400 page", page(http.StatusBadRequest), true, false},
	{"403 page", page(http.StatusForbidden), true, true},
	{"405 page", page(http.StatusMethodNotAllowed), true, false},
	{"409 page", page(http.StatusConflict), true, false},
	{"413 page", page(http.StatusRequestEntityTooLarge), true, false},
	{"422 page", page(http.StatusUnprocessableEntity), true, false},
	{"499 page", page(499), true, false}, // nginx: the client has gone
}

func (f Failure) String() string { return failures[f].name }

// fits reports whether f can be the answer to r.
func (f Failure) fits(r *request) bool {
	return r.resource == eventsResource && (f != eventRateLimit || r.group == corev1.GroupName) || !failures[f].events
}

// failed returns the answer with which f fails r.
func (r *request) failed(f Failure) answer {
	a := r.exchange(failures[f].answer)
	if f == priorityAndFairness && r.server.retryAfter > 0 {
		a.response.Header.Set("Retry-After", strconv.Itoa(r.server.retryAfter))
	}
	a.page = a.response.Header.Get("Content-Type") == pageType
	return a
}

const pageType = "text/html"

// page returns the handler of a proxy that answers with a page.
func page(code int) http.HandlerFunc {
	title := strconv.Itoa(code) + " " + http.StatusText(code)
	return apiserver.Text(code, pageType, "<html>\n<head><title>"+title+"</title></head>\n"+
		"<body>\n<center><h1>"+title+"</h1></center>\n</body>\n</html>\n")
}

// starting returns the error of a server that has not installed all of its paths yet.
func starting() error {
	err := apierrors.NewServiceUnavailable(
		"the request has been made before all known HTTP paths have been installed, please try again")
	err.ErrStatus.Details = &metav1.StatusDetails{RetryAfterSeconds: 5}
	return err
}

// webhook returns the error of a webhook that refuses a request. It has no details.
func webhook(code int32, reason metav1.StatusReason) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason,
		Message: `admission webhook "events.example.com" denied the request: not today`,
	}}
}

// deniedByPolicy returns the error of a policy that refuses a request: a Forbidden with the code
// and reason of the policy.
func deniedByPolicy() error {
	const because = "ValidatingAdmissionPolicy 'events.example.com' with binding 'all' denied request: not today"
	err := apierrors.NewForbidden(corev1.Resource(eventsResource), "", errors.New(because))
	err.ErrStatus.Code, err.ErrStatus.Reason = http.StatusUnprocessableEntity, metav1.StatusReasonInvalid
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Message: because}}
	return err
}

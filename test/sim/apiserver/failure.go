// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver

import (
	"errors"
	"net/http"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Failure is a way in which a server, or a proxy in front of it, fails a request for reasons that are not in the
// request.
type Failure uint8

// The failures.
const (
	Unauthorized        Failure = iota // 401: the token has expired
	RequestTimeout                     // 408 of a load balancer
	PriorityAndFairness                // 429 in plain text, with the delay of SetRetryAfter
	EventRateLimit                     // 429 without a delay; for events of core/v1 only
	InternalError                      // 500 without a delay
	EtcdDown                           // 500 ServerTimeout, come back in 2 s
	BadGateway                         // 502 of a proxy, in HTML
	ProxyUnavailable                   // 503 of a proxy, in HTML
	Starting                           // 503 with a delay of 5 s
	GatewayTimeout                     // 504 of the server
	Webhook                            // 403 of an admission webhook
	WebhookBadRequest                  // 400 of an admission webhook that names no code
	Policy                             // 422 of a ValidatingAdmissionPolicy
	TooLarge                           // 413 of a proxy
	failures
)

// Failures returns all of them.
func Failures() []Failure {
	all := make([]Failure, failures)
	for i := range all {
		all[i] = Failure(i)
	}
	return all
}

// String returns a short name.
func (f Failure) String() string { return failureAnswers[f].name }

// IsFinal reports whether the failure is about the event, so that a retry will not succeed.
func (f Failure) IsFinal() bool {
	switch f {
	case WebhookBadRequest, Policy, TooLarge:
		return true
	default:
		return false
	}
}

// IsAmbiguous reports whether a request that fails like this may have taken effect.
func (f Failure) IsAmbiguous() bool {
	switch f {
	case RequestTimeout, InternalError, EtcdDown, BadGateway, ProxyUnavailable, GatewayTimeout:
		return true
	default:
		return false
	}
}

// Fits reports whether f can be the answer to r. EventRateLimit applies to events of core/v1 only, and admission to
// events, not to reviews and discovery.
func (f Failure) Fits(r *Request) bool {
	switch f {
	case EventRateLimit:
		return r.resource == events && r.group == corev1.GroupName
	case EtcdDown, Webhook, WebhookBadRequest, Policy, TooLarge:
		return r.resource == events
	default:
		return true
	}
}

// answer returns the failure as the client gets it. Seconds is the delay that an overloaded server names.
func (f Failure) answer(a *query, seconds int) answer {
	answered := failureAnswers[f].answer(a)
	if f == PriorityAndFairness {
		answered.retryAfter = seconds
	}
	return answered
}

// failureAnswers are the answers of kube-apiserver v1.36 and of common proxies, with the details that matter to a
// client.
var failureAnswers = [failures]struct {
	name   string
	answer func(*query) answer
}{
	Unauthorized: {"401", fixed(apierrors.NewUnauthorized("Unauthorized"))},
	RequestTimeout: {"408", page(http.StatusRequestTimeout,
		"<html><body><h1>408 Request Time-out</h1>\nYour browser didn't send a complete request in time.\n</body>\n")},
	PriorityAndFairness: {"429 APF", words(http.StatusTooManyRequests, "Too many requests, please try again later.\n")},
	EventRateLimit: {"429 EventRateLimit", fixed(apierrors.NewTooManyRequestsError(
		"[limit reached on type Namespace for key default]"))},
	InternalError: {"500", fixed(apierrors.NewInternalError(errors.New("etcdserver: request timed out")))},
	EtcdDown: {"500 etcd", func(a *query) answer {
		return refusal(apierrors.NewServerTimeout(a.via().WithResource(events).GroupResource(), a.verb, 2))
	}},
	BadGateway: {"502", page(http.StatusBadGateway, proxyPage("502 Bad Gateway"))},
	ProxyUnavailable: {"503 proxy", page(http.StatusServiceUnavailable,
		proxyPage("503 Service Temporarily Unavailable"))},
	Starting: {"503 starting", fixed(starting())},
	GatewayTimeout: {"504", fixed(apierrors.NewTimeoutError(
		"request did not complete within requested timeout - context deadline exceeded", 0))},
	Webhook: {"403 webhook", fixed(denied(http.StatusForbidden, metav1.StatusReasonForbidden))},
	// A webhook that gives no code gets this one (apiserver: admission/plugin/webhook/errors).
	WebhookBadRequest: {"400 webhook", fixed(denied(http.StatusBadRequest, ""))},
	Policy:            {"422 policy", policy},
	TooLarge:          {"413", page(http.StatusRequestEntityTooLarge, proxyPage("413 Request Entity Too Large"))},
}

func fixed(err error) func(*query) answer { return func(*query) answer { return refusal(err) } }

func page(code int, html string) func(*query) answer {
	return func(*query) answer { return text(code, "text/html", html) }
}

func words(code int, body string) func(*query) answer {
	return func(*query) answer { return text(code, "text/plain; charset=utf-8", body) }
}

func proxyPage(title string) string {
	return "<html>\n<head><title>" + title + "</title></head>\n" +
		"<body>\n<center><h1>" + title + "</h1></center>\n</body>\n</html>\n"
}

// starting is the answer of a server that has not installed all of its paths.
func starting() error {
	err := apierrors.NewServiceUnavailable(
		"the request has been made before all known HTTP paths have been installed, please try again")
	err.ErrStatus.Details = &metav1.StatusDetails{RetryAfterSeconds: 5}
	return err
}

// denied is the refusal of a webhook. It has no details.
func denied(code int32, reason metav1.StatusReason) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason,
		Message: `admission webhook "events.example.com" denied the request: not today`,
	}}
}

// policy is a Forbidden with the code and reason that a policy sets.
func policy(a *query) answer {
	const because = "ValidatingAdmissionPolicy 'events.example.com' with binding 'all' denied request: not today"
	err := apierrors.NewForbidden(a.via().WithResource(events).GroupResource(), a.name, errors.New(because))
	err.ErrStatus.Code, err.ErrStatus.Reason = http.StatusUnprocessableEntity, metav1.StatusReasonInvalid
	err.ErrStatus.Details.Causes = []metav1.StatusCause{{Message: because}}
	return refusal(err)
}

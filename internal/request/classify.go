// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package request

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/internal/timing"
	"github.com/eventseries/eventseries/internal/usercode"
)

// NoAnswer is the verdict on a request whose fate is unknown.
var NoAnswer = Verdict{
	Action:     Retry,
	Gate:       Namespace,
	Ambiguous:  true,
	Unanswered: true,
}

// RefusedByLimiter is the verdict on a write that the client's own rate limiter has refused. No request was sent, so
// nothing is known about the server.
var RefusedByLimiter = Verdict{
	Action:     Retry,
	Wait:       timing.LimiterPause,
	Unanswered: true,
}

// Classify returns what the answer err to r means. It follows wrapped errors
// and never panics, whatever errors a sink returns.
func Classify(r Request, err error) Verdict {
	return r.adjust(classify(err))
}

// ClassifyOnce returns what the answer err means to any request, and err with this verdict. It is
// for a sink that passes answers on.
func ClassifyOnce(err error) (Verdict, error) {
	v := classify(err)
	if err == nil {
		return v, nil
	}
	return v, &Answer{v, err}
}

// adjust returns the verdict for answers that depend on the request. Some of
// them would repeat at once and without end, so the next attempt is delayed: an
// expired Event in answer to a Create, and a conflict with a request that has no
// resourceVersion.
func (r Request) adjust(v Verdict) Verdict {
	create := r.Op == Create
	switch {
	case v.Action == Recreate && create, v.Action == Resend && (create || r.Unconditional):
		return Verdict{Action: Retry, Gate: Namespace}
	case v.Exists && r.Shared:
		return Verdict{Action: Resend}
	case v.Action == Stored && r.ReadVersion:
		// The patch that follows may open the gate.
		v.Unanswered = true
	case v.Exists && r.Recreates:
		return Verdict{
			Action: Retry,
			Gate:   Namespace,
			Wait:   timing.ExistsPause,
			Exists: true,
		}
	}
	return v
}

// classify returns the verdict for answers to any request.
func classify(err error) Verdict {
	// A success comes first, because the rest allocates.
	if err == nil {
		return Verdict{Action: Stored}
	}
	v := NoAnswer
	// An error of the sink may panic, such as a typed nil.
	_ = usercode.Call(func() { v = classifyError(err) })
	return v
}

func classifyError(err error) (v Verdict) {
	var (
		known        *Answer
		construction *rest.RequestConstructionError
		status       apierrors.APIStatus
	)
	switch {
	case errors.As(err, &known):
		return known.Verdict
	case errors.Is(err, ErrFiltered):
		return Verdict{
			Action:     Drop,
			Reason:     stats.Filtered,
			Unanswered: true,
		}
	case errors.As(err, &construction):
		v = drop(stats.Rejected)
		v.Unanswered = true // nothing was sent
		return v
	case errors.As(err, &status):
		seconds, _ := apierrors.SuggestsClientDelay(err)
		asked := time.Duration(max(seconds, 0)) * time.Second
		return classifyStatus(status.Status(), min(asked, timing.LongestRetryAfter))
	default:
		return classifyTransport(err)
	}
}

// retry returns the verdict on an answer after which the write has certainly not been applied, and is
// sent again after wait at the earliest.
func retry(gate Scope, wait time.Duration) Verdict {
	return Verdict{
		Action: Retry,
		Gate:   gate,
		Wait:   wait,
	}
}

// classifyStatus returns the verdict on an answer of the server that asks to come
// back after wait. Causes come before codes: client-go fills the details of a
// text/plain 404 from the request, so that "no such API" differs from "no such
// event" in its cause alone.
func classifyStatus(answer metav1.Status, wait time.Duration) Verdict {
	switch code := int(answer.Code); {
	case isDenial(answer):
		return classifyDenial(code, wait)
	case code == http.StatusNotFound:
		return classifyNotFound(answer)
	case isForeign(answer):
		return Verdict{
			Action:    Retry,
			Gate:      Namespace,
			Wait:      wait,
			Ambiguous: true,
		}
	case code == http.StatusForbidden && hasCause(answer, corev1.NamespaceTerminatingCause):
		return drop(stats.NamespaceGone)
	case code == http.StatusConflict && answer.Reason == metav1.StatusReasonAlreadyExists:
		// It is ours: names are unique, or the series looks.
		return Verdict{Action: Stored, Exists: true}
	case code == http.StatusConflict:
		return Verdict{Action: Resend}
	case code == http.StatusForbidden:
		return Verdict{Action: Forbidden, Gate: Namespace}
	case code == http.StatusUnauthorized:
		return retry(Server, wait)
	case code == http.StatusTooManyRequests:
		return retry(Shared, wait)
	case code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		return Verdict{
			Action:    Retry,
			Gate:      Shared,
			Wait:      wait,
			Ambiguous: true,
		}
	case code == http.StatusTooEarly:
		return retry(Namespace, wait)
	case code == http.StatusRequestTimeout:
		v := NoAnswer
		v.Wait = wait
		return v
	case code >= 400 && code < 500, code == 0:
		// 0 is not of a server, and client-go's recorders give it up, too.
		return drop(stats.Rejected)
	default:
		return Verdict{
			Action:    Retry,
			Gate:      Namespace,
			Wait:      wait,
			Ambiguous: true,
		}
	}
}

// Foreign reports whether err is a refusal that the API server did not make, but a proxy or
// a firewall before it. Such an answer refuses nothing.
func Foreign(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && isForeign(status.Status())
}

// isForeign is Foreign of a Status. The API server makes a Status of each refusal of a
// request for Events (apiserver pkg/endpoints/handlers/responsewriters), so client-go had to
// make this one of a page. The exceptions have a meaning without a Status, too:
//
//   - 404: no such path, by pkg/util/notfoundhandler until Kubernetes 1.37.
//   - 429: priority and fairness, and the limits on requests in flight.
//   - 401 and 408: credentials, and a time-out, whoever says so.
func isForeign(answer metav1.Status) bool {
	switch answer.Code {
	case http.StatusNotFound, http.StatusTooManyRequests, http.StatusUnauthorized, http.StatusRequestTimeout:
		return false
	default:
		return answer.Code >= 400 && answer.Code < 500 && hasCause(answer, metav1.CauseTypeUnexpectedServerResponse)
	}
}

// isDenial reports whether the answer is a denial by an admission webhook or
// policy, which chooses code, reason and details itself. The API server puts a
// text before its message (apiserver pkg/admission/plugin/webhook/errors and
// plugin/policy/validating) that no name of an object can contain.
func isDenial(answer metav1.Status) bool {
	text := answer.Message
	return strings.HasPrefix(text, "admission webhook \"") && strings.Contains(text, "denied the request") ||
		strings.Contains(text, "ValidatingAdmissionPolicy '") && strings.Contains(text, "denied request")
}

// classifyDenial returns the verdict on a code that a webhook chose. Such a code
// says nothing about the server, RBAC or what is stored.
func classifyDenial(code int, wait time.Duration) Verdict {
	switch {
	case code == http.StatusForbidden:
		return Verdict{Action: Forbidden, Gate: Namespace}
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return Verdict{
			Action: Retry,
			Gate:   Namespace,
			Wait:   wait,
		}
	default:
		return drop(stats.Rejected)
	}
}

// classifyNotFound distinguishes the four meanings of 404: the event expired, the
// namespace is missing, the version or the group is not served.
func classifyNotFound(answer metav1.Status) Verdict {
	details := answer.Details
	switch {
	case hasCause(answer, metav1.CauseTypeUnexpectedServerResponse),
		details == nil, details.Kind == "" && details.Name == "":
		return Verdict{
			Action: Unsupported,
			Gate:   Server,
			Wait:   timing.UnsupportedPause,
		}
	case details.Kind == "namespaces":
		return drop(stats.NamespaceGone)
	default:
		return Verdict{Action: Recreate}
	}
}

// classifyTransport returns the verdict on an error that is no Status. Whether
// the write was applied is unknown, unless the connection was refused or nothing
// was sent.
func classifyTransport(err error) Verdict {
	// Sprint survives an error that panics.
	if strings.Contains(fmt.Sprint(err), "client rate limiter Wait returned an error") {
		// client-go has no type for it (rest/request.go, tryThrottleWithInfo).
		return RefusedByLimiter
	}
	v := NoAnswer
	switch {
	case anyInChain(err, isCredentials), errors.Is(err, syscall.ECONNREFUSED), failedIn(err, "dial") && !isTimeout(err):
		v.Gate = Server
		v.Ambiguous = false
	case isTLS(err):
		v.Gate = Server
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		// Windows has other numbers, which package syscall does not match with these.
		failedIn(err, "read", "write") && !isTimeout(err):
		v.Gate = Shared
	}
	return v
}

// failedIn reports whether err is about one of the operations of package net. A
// failed dial covers DNS, a missing route and a refused connection.
func failedIn(err error, operations ...string) bool {
	return anyInChain(err, func(op *net.OpError) bool { return slices.Contains(operations, op.Op) })
}

// anyInChain reports whether ok holds for an error of type T in the tree of err. The
// outermost one is not enough: a "proxyconnect" holds the "dial" that failed, and
// a [url.Error] says that it is no timeout when its cause is wrapped.
func anyInChain[T error](err error, ok func(T) bool) bool {
	if e, is := err.(T); is && ok(e) {
		return true
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return anyInChain(e.Unwrap(), ok)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), func(err error) bool { return anyInChain(err, ok) })
	default:
		return false
	}
}

// isCredentials reports whether the plugin for credentials failed, before anything was
// sent. client-go has no type for it (plugin/pkg/client/auth/exec/exec.go, RoundTrip).
func isCredentials(err *url.Error) bool {
	return strings.HasPrefix(fmt.Sprint(err.Err), "getting credentials: ")
}

// isTLS reports whether the TLS handshake failed. An alert of the other end, such
// as "certificate required", has no type but an operation.
func isTLS(err error) bool {
	var (
		header tls.RecordHeaderError
		verify *tls.CertificateVerificationError
	)
	return errors.As(err, &header) || errors.As(err, &verify) || failedIn(err, "remote error", "local error")
}

func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || anyInChain(err, net.Error.Timeout)
}

func hasCause(answer metav1.Status, cause metav1.CauseType) bool {
	return answer.Details != nil && slices.ContainsFunc(answer.Details.Causes, func(c metav1.StatusCause) bool {
		return c.Type == cause
	})
}

func drop(reason stats.Reason) Verdict { return Verdict{Action: Drop, Reason: reason} }

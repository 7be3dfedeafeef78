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

// NoAnswer is the verdict on a request without an answer. It is unknown whether the request was
// applied.
var NoAnswer = Verdict{
	Action:     Retry,
	Gate:       Namespace,
	Ambiguous:  true,
	Unanswered: true,
}

// RefusedByLimiter is the verdict on a write that the client's own rate limiter has refused. No
// request was sent, so this is no evidence about the server.
var RefusedByLimiter = Verdict{
	Action:     Retry,
	Wait:       timing.LimiterPause,
	Unanswered: true,
}

// Classify returns the verdict on err, the answer to r. A nil err means success. Classify finds
// wrapped errors. It never panics, even if a method of err does.
func Classify(r Request, err error) Verdict {
	return r.adjust(classify(err))
}

// ClassifyOnce returns the verdict on err, whatever the request was. It also wraps err in an
// [Answer] with that verdict, so that later calls of Classify need not examine err again. It is
// meant for sinks that return the answers of another sink.
func ClassifyOnce(err error) (Verdict, error) {
	v := classify(err)
	if err == nil {
		return v, nil
	}
	return v, &Answer{v, err}
}

// adjust returns the verdict on an answer to r. v is the verdict of classify, which does not know
// r.
//
// In two cases the series would repeat the same request at once and without end: if the answer to a
// Create says that the Event does not exist, and if the answer to a request without a
// resourceVersion is a conflict. adjust changes these verdicts to Retry, because a Retry waits.
func (r Request) adjust(v Verdict) Verdict {
	create := r.Op == Create
	switch {
	case v.Action == Recreate && create, v.Action == Resend && (create || r.Unconditional):
		return Verdict{Action: Retry, Gate: Namespace}
	case v.Exists && r.Shared:
		// The Event must be read, because another process may have created it.
		return Verdict{Action: Resend}
	case v.Action == Stored && r.ReadVersion:
		// An empty patch writes nothing, so it does not prove that the server accepts writes. The
		// answer to the next patch may open the gate.
		v.Unanswered = true
	case v.Exists && r.Recreates:
		// The Event does not count this occurrence yet, so a Patch follows.
		return Verdict{
			Action: Retry,
			Gate:   Namespace,
			Wait:   timing.ExistsPause,
			Exists: true,
		}
	}
	return v
}

// classify returns the verdict on err, whatever the request was.
func classify(err error) Verdict {
	// Return early on success, because the code below allocates.
	if err == nil {
		return Verdict{Action: Stored}
	}
	v := NoAnswer
	// A method of the error may panic, for example if it is a typed nil. Then v stays NoAnswer.
	_ = usercode.Call(func() { v = classifyError(err) })
	return v
}

// classifyError returns the verdict on err, which is not nil. It panics if a method of err does.
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
		// Nothing was sent, so the server did not answer.
		v = drop(stats.Rejected)
		v.Unanswered = true
		return v
	case errors.As(err, &status):
		seconds, _ := apierrors.SuggestsClientDelay(err)
		asked := time.Duration(max(seconds, 0)) * time.Second
		return classifyStatus(status.Status(), min(asked, timing.LongestRetryAfter))
	default:
		return classifyTransport(err)
	}
}

// retry returns the verdict on an answer that proves that the write was not applied. The write is
// sent again after at least the given wait.
func retry(gate Scope, wait time.Duration) Verdict {
	return Verdict{
		Action: Retry,
		Gate:   gate,
		Wait:   wait,
	}
}

// classifyStatus returns the verdict on a Status. wait is the Retry-After of the answer, or 0 if it
// has none.
//
// classifyStatus looks at the causes of the Status before the code, because client-go fills in the
// details of a text/plain 404 from the request. So only the causes distinguish a 404 for a missing
// API from a 404 for a missing Event.
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
		// Names are unique, so an earlier attempt has stored the Event. If the name is not unique,
		// adjust changes the verdict.
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
		// No server answers with the code 0. client-go's recorders also drop the Event in this
		// case.
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

// Foreign reports whether err is the answer of a proxy or a firewall in front of the API server.
// Such an answer does not show that the API server refuses the Event.
func Foreign(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status) && isForeign(status.Status())
}

// isForeign is Foreign for a Status. If the API server itself refuses a request for Events, it
// answers with a Status (apiserver pkg/endpoints/handlers/responsewriters). A proxy answers with a
// page, which client-go turns into a Status with the cause UnexpectedServerResponse. Four codes
// never count as foreign, because they have the same meaning without a Status:
//
//   - 404: the path does not exist. Until Kubernetes 1.37 the API server answers so itself
//     (pkg/util/notfoundhandler).
//   - 429: the API server itself has too many requests (priority and fairness, and the limits on
//     requests in flight).
//   - 401 and 408: the credentials are refused, or the request took too long. It does not matter who
//     says so.
func isForeign(answer metav1.Status) bool {
	switch answer.Code {
	case http.StatusNotFound, http.StatusTooManyRequests, http.StatusUnauthorized, http.StatusRequestTimeout:
		return false
	default:
		return answer.Code >= 400 && answer.Code < 500 && hasCause(answer, metav1.CauseTypeUnexpectedServerResponse)
	}
}

// isDenial reports whether an admission webhook or an admission policy has denied the request. The
// webhook or the policy chooses the code, the reason and the details. So a denial can be recognized
// only by the text that the API server puts in front of the message (apiserver
// pkg/admission/plugin/webhook/errors and plugin/policy/validating). The name of an object cannot
// contain that text.
func isDenial(answer metav1.Status) bool {
	text := answer.Message
	return strings.HasPrefix(text, "admission webhook \"") && strings.Contains(text, "denied the request") ||
		strings.Contains(text, "ValidatingAdmissionPolicy '") && strings.Contains(text, "denied request")
}

// classifyDenial returns the verdict on a denial by a webhook or a policy, which has chosen the
// code. So the code does not have its usual meaning, and is no evidence about the server, RBAC or
// the stored Event.
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

// classifyNotFound returns the verdict on a 404. It can mean that the Event has expired, that the
// namespace does not exist, or that the server does not serve the version or the group of the API.
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

// classifyTransport returns the verdict on an error that is not a Status. The write may have been
// applied, unless the connection was refused or nothing was sent.
func classifyTransport(err error) Verdict {
	// Sprint recovers if the method of the error panics. client-go has no type for this error
	// (rest/request.go, tryThrottleWithInfo).
	if strings.Contains(fmt.Sprint(err), "client rate limiter Wait returned an error") {
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
		// On Windows these errors have other numbers, so errors.Is does not match them with the
		// constants.
		failedIn(err, "read", "write") && !isTimeout(err):
		v.Gate = Shared
	}
	return v
}

// failedIn reports whether one of the given operations of package net has failed. A failed "dial"
// may be due to DNS, to a missing route, or to a refused connection.
func failedIn(err error, operations ...string) bool {
	return anyInChain(err, func(op *net.OpError) bool { return slices.Contains(operations, op.Op) })
}

// anyInChain reports whether the tree of err contains an error of type T that the function match
// accepts.
//
// Unlike errors.As, it examines all errors of that type, rather than only the outermost one. This
// is necessary for a "proxyconnect" error, because its cause is the "dial" error that it wraps. It
// is also necessary for a [url.Error], which reports a timeout only if it wraps the timeout
// directly, without another error in between.
func anyInChain[T error](err error, match func(T) bool) bool {
	if e, is := err.(T); is && match(e) {
		return true
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return anyInChain(e.Unwrap(), match)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), func(err error) bool { return anyInChain(err, match) })
	default:
		return false
	}
}

// isCredentials reports whether the credential plugin has failed, so that nothing was sent.
// client-go has no type for this error (plugin/pkg/client/auth/exec/exec.go, RoundTrip).
func isCredentials(err *url.Error) bool {
	return strings.HasPrefix(fmt.Sprint(err.Err), "getting credentials: ")
}

// isTLS reports whether the TLS handshake has failed. An alert from the other side, such as
// "certificate required", has no type of its own, so isTLS checks the operation.
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

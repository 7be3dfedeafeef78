// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package writer

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/internal/stats"
)

// Action says what to do with an item after its write was answered.
type Action uint8

// The actions.
const (
	Skip        Action = iota // nothing was sent
	Settle                    // the server has what was sent
	Recreate                  // the object expired: create it anew with the full count
	Resend                    // somebody else wrote the object: look at it and patch again
	Retry                     // no proper answer: try again behind the gate
	Unsupported               // this API is not served: as Retry, slowly; an adapter looks elsewhere
	Forbidden                 // RBAC refuses: as Retry; an adapter asks what is allowed
	Drop                      // never going to be accepted
)

// Scope is what a bad answer says something about, and what is backed off from.
type Scope uint8

// The scopes.
const (
	Open      Scope = iota // the answer closes nothing
	Server                 // the API server
	Namespace              // every write in the item's namespace
	Shared                 // as Namespace; and of the server, once different namespaces hear it in a row
	Creates                // creates in the item's namespace; patches still pass
)

// Verdict is what one answer means. It is a value, so that the retry policy
// can be tested as a table without a server.
type Verdict struct {
	Action    Action
	Reason    stats.Reason // for Drop
	Gate      Scope
	Wait      time.Duration // at least this long, in the server's words; 0: no word
	Ambiguous bool          // the write may have been applied all the same
	// Hold says that a Retry is about this item and perhaps no other: the others of
	// its namespace go first, and it is tried again by a back-off of its own.
	Hold bool
	// Unanswered says that the server said nothing, so that no gate opens.
	Unanswered bool
}

// Intervals that the server does not name itself.
const (
	// unsupportedWait spaces tries of an API that is not served: only an
	// upgrade of the server changes the answer.
	unsupportedWait = 30 * time.Second
	// terminatingWait spaces creates in a terminating namespace. The refusal is
	// final until the namespace is gone, which takes a minute or more.
	terminatingWait = time.Minute
	// throttledPause is how long a worker rests when the client's own rate
	// limiter refused: with a write deadline near it refuses at once.
	throttledPause = 250 * time.Millisecond
	// longestAsked is how long the server's own word is believed. kube-apiserver
	// says 32 s at most (facts: priority and fairness); a proxy that says a year
	// must not hold events until they are too old.
	longestAsked = 5 * time.Minute
)

// ErrFiltered is what a sink answers to an event it does not want.
var ErrFiltered = errors.New("events: filtered out by the sink")

// Override carries a verdict that its maker knows better than the error tells:
// the adapter has asked the server what a Forbidden means.
type Override struct {
	Verdict Verdict
	Err     error
}

func (o *Override) Error() string { return o.Err.Error() }

// Unwrap returns the answer that was judged.
func (o *Override) Unwrap() error { return o.Err }

// unknown is the verdict on what tells nothing at all.
var unknown = Verdict{Action: Retry, Gate: Namespace, Ambiguous: true, Unanswered: true}

// Classify tells what the answer err to a Create or Patch means. It follows
// wrapped errors and never panics, whatever a sink's errors are: a typed nil is
// an answer that tells nothing.
func Classify(err error) (v Verdict) {
	defer func() {
		if recover() != nil {
			v = unknown
		}
	}()
	var (
		override     *Override
		construction *rest.RequestConstructionError
		status       apierrors.APIStatus
	)
	switch {
	case err == nil:
		return Verdict{Action: Settle}
	case errors.As(err, &override):
		return override.Verdict
	case errors.Is(err, ErrFiltered):
		return Verdict{Action: Drop, Reason: stats.Filtered, Unanswered: true}
	case errors.As(err, &construction):
		v = drop(stats.Rejected)
		v.Unanswered = true // nothing was sent
		return v
	case errors.As(err, &status):
		seconds, _ := apierrors.SuggestsClientDelay(err)
		return classifyStatus(status.Status(), min(time.Duration(max(seconds, 0))*time.Second, longestAsked))
	default:
		return classifyTransport(err)
	}
}

// classifyStatus judges the server's own answer; wait is its word on when to
// come back. Causes come before codes: client-go fills the details of a
// text/plain 404 from the request, so that "no such API" looks like "no such
// event" but for its cause.
func classifyStatus(answer metav1.Status, wait time.Duration) Verdict {
	switch code := int(answer.Code); {
	case isDenial(answer):
		return classifyDenial(code, wait)
	case code == http.StatusNotFound:
		return classifyNotFound(answer)
	case code == http.StatusForbidden && hasCause(answer, corev1.NamespaceTerminatingCause):
		v := drop(stats.NamespaceGone)
		v.Gate, v.Wait = Creates, terminatingWait
		return v
	case code == http.StatusConflict && answer.Reason == metav1.StatusReasonAlreadyExists:
		return Verdict{Action: Settle} // our own earlier attempt: names are unique
	case code == http.StatusConflict:
		return Verdict{Action: Resend}
	case code == http.StatusForbidden:
		return Verdict{Action: Forbidden, Gate: Namespace}
	case code == http.StatusUnauthorized:
		return Verdict{Action: Retry, Gate: Server, Wait: wait}
	case code == http.StatusTooManyRequests && wait > 0:
		return Verdict{Action: Retry, Gate: Shared, Wait: wait}
	case code == http.StatusServiceUnavailable, code == http.StatusGatewayTimeout:
		return Verdict{Action: Retry, Gate: Shared, Wait: wait, Ambiguous: true}
	case code == http.StatusTooManyRequests, code == http.StatusTooEarly:
		return Verdict{Action: Retry, Gate: Namespace, Wait: wait}
	case code == http.StatusRequestTimeout:
		v := unknown
		v.Wait = wait
		return v
	case code >= 400 && code < 500:
		return drop(stats.Rejected)
	default:
		return Verdict{Action: Retry, Gate: Namespace, Wait: wait, Ambiguous: true}
	}
}

// isDenial tells whether an admission webhook or policy has spoken, which chooses
// code, reason and details itself. Its words come after a text that the API server
// sets (apiserver pkg/admission/plugin/webhook/errors and plugin/policy/validating),
// and that no name of an object can contain.
func isDenial(answer metav1.Status) bool {
	text := answer.Message
	return strings.HasPrefix(text, "admission webhook \"") && strings.Contains(text, "denied the request") ||
		strings.Contains(text, "ValidatingAdmissionPolicy '") && strings.Contains(text, "denied request")
}

// classifyDenial judges the code that a tenant's webhook chose: it never speaks for
// the server, for RBAC or for what is stored.
func classifyDenial(code int, wait time.Duration) Verdict {
	switch {
	case code == http.StatusForbidden:
		return Verdict{Action: Forbidden, Gate: Namespace}
	case code == http.StatusTooManyRequests, code == http.StatusRequestTimeout, code >= 500:
		return Verdict{Action: Retry, Gate: Namespace, Wait: wait}
	default:
		return drop(stats.Rejected)
	}
}

// classifyNotFound tells the four meanings of 404 apart (event expired,
// namespace missing, version not served, group not served).
func classifyNotFound(answer metav1.Status) Verdict {
	details := answer.Details
	switch {
	case hasCause(answer, metav1.CauseTypeUnexpectedServerResponse),
		details == nil, details.Kind == "" && details.Name == "":
		return Verdict{Action: Unsupported, Gate: Server, Wait: unsupportedWait}
	case details.Kind == "namespaces":
		return drop(stats.NamespaceGone)
	default:
		return Verdict{Action: Recreate}
	}
}

// classifyTransport judges what is not a Status: nobody knows whether the write
// was applied, unless the connection was refused or nothing was sent.
func classifyTransport(err error) Verdict {
	// Sprint survives an error that panics.
	if strings.Contains(fmt.Sprint(err), "client rate limiter Wait returned an error") {
		// client-go has no type for it (rest/request.go, tryThrottleWithInfo).
		return Verdict{Action: Retry, Wait: throttledPause, Unanswered: true}
	}
	v := unknown
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), failedIn(err, "dial") && !isTimeout(err):
		v.Gate, v.Ambiguous = Server, false
	case isTLS(err):
		v.Gate = Server
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE),
		// Windows has other numbers, which package syscall does not match with these.
		failedIn(err, "read", "write") && !isTimeout(err):
		v.Gate = Shared
	}
	return v
}

// failedIn tells whether err is about one of the operations of package net. A
// failed dial means that no connection came about, be it that the name does not
// resolve or that there is no route.
func failedIn(err error, operations ...string) bool {
	return some(err, func(op *net.OpError) bool { return slices.Contains(operations, op.Op) })
}

// some tells whether ok holds for an error of type T in the tree of err. The
// outermost one is not enough: a "proxyconnect" holds the "dial" that failed, and
// a [url.Error] says that it is no timeout when its cause is wrapped.
func some[T error](err error, ok func(T) bool) bool {
	if e, is := err.(T); is && ok(e) {
		return true
	}
	switch e := err.(type) {
	case interface{ Unwrap() error }:
		return some(e.Unwrap(), ok)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(e.Unwrap(), func(err error) bool { return some(err, ok) })
	default:
		return false
	}
}

// isTLS tells whether the two ends do not trust each other. An alert of the
// other end, such as "certificate required", has no type but an operation.
func isTLS(err error) bool {
	var (
		header tls.RecordHeaderError
		verify *tls.CertificateVerificationError
	)
	return errors.As(err, &header) || errors.As(err, &verify) || failedIn(err, "remote error", "local error")
}

func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || some(err, net.Error.Timeout)
}

func hasCause(answer metav1.Status, cause metav1.CauseType) bool {
	if answer.Details == nil {
		return false
	}
	for _, c := range answer.Details.Causes {
		if c.Type == cause {
			return true
		}
	}
	return false
}

func drop(reason stats.Reason) Verdict { return Verdict{Action: Drop, Reason: reason} }

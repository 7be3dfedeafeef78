// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package events_test

import (
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/events/eventstest"
)

// status is an answer that client-go has no constructor for.
func status(code int32, reason metav1.StatusReason, details *metav1.StatusDetails) error {
	return &apierrors.StatusError{ErrStatus: metav1.Status{
		Status: metav1.StatusFailure, Code: code, Reason: reason, Message: string(reason), Details: details,
	}}
}

func dial(err error) error {
	return &url.Error{Op: "Post", URL: "https://example.com", Err: err}
}

// answerRow is one row of the table of answers, end to end: what the server answers to one request, and all requests
// that come of it.
type answerRow struct {
	name    string
	err     error
	lose    bool // the write takes effect all the same
	patch   bool // it is answered to the second occurrence
	log     string
	dropped map[events.DropReason]int64
	wait    time.Duration // at least this long until the next request
}

const (
	created = "create pod/web Killing\n"
	look    = "patch pod/web Killing\n" // asks for the resourceVersion
	patched = "patch pod/web Killing count=2\n"
)

func retried(reason string) string { return "create pod/web Killing: " + reason + "\n" + created }

func dropsOf(reason events.DropReason) map[events.DropReason]int64 {
	return map[events.DropReason]int64{reason: 1}
}

var (
	serverError = apierrors.NewGenericServerResponse(502, "post", eventsResource, "", "bad gateway", 0, true)
	unserved    = status(404, metav1.StatusReasonNotFound, &metav1.StatusDetails{
		Group: "events.k8s.io", Kind: "events", Name: "web",
		Causes: []metav1.StatusCause{{Type: metav1.CauseTypeUnexpectedServerResponse}},
	})
	limiter = errors.New("client rate limiter Wait returned an error: context deadline exceeded")
)

var answerRows = []answerRow{
	{name: "stored", log: created},
	{name: "stored, answer lost", err: errTimeout, lose: true, log: lostCreate},

	{name: "group not served", err: unserved, log: retried("NotFound"), wait: 15 * time.Second},
	{name: "version not served", err: errNotServed(), log: retried("NotFound"), wait: 15 * time.Second},

	{
		name: "namespace terminating", err: errTerminating(), log: "create pod/web Killing: Forbidden\n",
		dropped: dropsOf(events.NamespaceGone),
	},
	{
		name: "namespace missing", err: errNoNamespace, log: "create pod/web Killing: NotFound\n",
		dropped: dropsOf(events.NamespaceGone),
	},

	{
		name: "expired", err: apierrors.NewNotFound(eventsResource, "web"), patch: true,
		log: created + "patch pod/web Killing count=2: NotFound\ncreate pod/web Killing count=2: AlreadyExists\n",
	},
	{name: "no such event, to a create", err: apierrors.NewNotFound(eventsResource, "web"), log: retried("NotFound")},
	{
		name: "conflict", err: errConflict, patch: true,
		log: created + "patch pod/web Killing count=2: Conflict\n" + look + patched,
	},
	{name: "conflict with a create", err: errConflict, log: retried("Conflict")},

	{name: "RBAC", err: errForbidden, log: retried("Forbidden")},
	{name: "401", err: apierrors.NewUnauthorized("who"), log: retried("Unauthorized")},
	{name: "408", err: status(408, metav1.StatusReasonTimeout, nil), log: retried("Timeout")},
	{name: "425", err: status(http.StatusTooEarly, "TooEarly", nil), log: retried("TooEarly")},
	{name: "429", err: errRateLimited, log: retried("TooManyRequests")},
	{
		name: "429 with Retry-After", err: apierrors.NewTooManyRequests("APF", 7), log: retried("TooManyRequests"),
		wait: 7 * time.Second,
	},
	{name: "500", err: errInternal, log: retried("InternalError")},
	{
		name: "500 with Retry-After", err: apierrors.NewServerTimeout(eventsResource, "create", 2),
		log: retried("ServerTimeout"), wait: 2 * time.Second,
	},
	{name: "502", err: serverError, log: retried("InternalError")},
	{name: "503", err: errUnavailable, log: retried("ServiceUnavailable")},
	{name: "504", err: apierrors.NewTimeoutError("etcd", 0), log: retried("Timeout")},

	{name: "wrapped", err: fmt.Errorf("proxy: %w", errUnavailable), log: retried("ServiceUnavailable")},
	{name: "refused", err: dial(syscall.ECONNREFUSED), log: retried(dial(syscall.ECONNREFUSED).Error())},
	{name: "reset", err: dial(syscall.ECONNRESET), log: retried(dial(syscall.ECONNRESET).Error())},
	{name: "TLS", err: dial(x509.UnknownAuthorityError{}), log: retried(dial(x509.UnknownAuthorityError{}).Error())},
	{name: "timeout", err: errTimeout, log: retried("context deadline exceeded")},
	{name: "anything", err: errors.New("what"), log: retried("what")},
	{name: "client rate limiter", err: limiter, log: retried(limiter.Error())},

	{name: "400", err: apierrors.NewBadRequest("no"), log: rejected("BadRequest"), dropped: dropsOf(events.Rejected)},
	{
		name: "405", err: apierrors.NewMethodNotSupported(eventsResource, "create"), log: rejected("MethodNotAllowed"),
		dropped: dropsOf(events.Rejected),
	},
	{
		name: "413", err: apierrors.NewRequestEntityTooLargeError("no"), log: rejected("RequestEntityTooLarge"),
		dropped: dropsOf(events.Rejected),
	},
	{name: "422", err: errInvalid, log: rejected("Invalid"), dropped: dropsOf(events.Rejected)},
	{
		name: "422 to a patch", err: errInvalid, patch: true,
		log: created + "patch pod/web Killing count=2: Invalid\n", dropped: dropsOf(events.Rejected),
	},
	{
		name: "request construction", err: &rest.RequestConstructionError{Err: errors.New("no")},
		log:     rejected((&rest.RequestConstructionError{Err: errors.New("no")}).Error()),
		dropped: dropsOf(events.Rejected),
	},
	{
		name: "filtered", err: fmt.Errorf("sink: %w", events.ErrFiltered),
		log: rejected("sink: " + events.ErrFiltered.Error()), dropped: dropsOf(events.Filtered),
	},

	{
		name: "patch lost", err: errTimeout, patch: true, lose: true,
		// It is repeated with the old resourceVersion and conflicts with itself.
		log: created + "patch pod/web Killing count=2: context deadline exceeded (applied)\n" +
			"patch pod/web Killing count=2: Conflict\n" + look + patched,
	},
	{
		name: "503 to a patch", err: errUnavailable, patch: true,
		log: created + "patch pod/web Killing count=2: ServiceUnavailable\n" + patched,
	},
	{
		name: "RBAC without patch", err: errForbidden, patch: true,
		log: created + "patch pod/web Killing count=2: Forbidden\n" + patched,
	},
}

const lostCreate = "create pod/web Killing: context deadline exceeded (applied)\n" +
	"create pod/web Killing: AlreadyExists\n"

func rejected(reason string) string { return "create pod/web Killing: " + reason + "\n" }

func TestEveryAnswer(t *testing.T) {
	for _, row := range answerRows {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := newTimeline()
				b, rec := start(t, sink)
				total := int64(1)
				if row.patch {
					record(rec, 1, "web")
					flush(t, b)
					total++
				}
				if row.err != nil {
					script := sink.FailNext
					if row.lose {
						script = sink.LoseNext
					}
					script(1, row.err)
				}
				record(rec, 1, "web")
				time.Sleep(10 * time.Minute)
				checkLog(t, sink.Sink, row.log)
				checkDropped(t, b, row.dropped)
				var dropped int64
				for _, n := range row.dropped {
					dropped += n
				}
				if s := b.Stats(); s.Recorded != total-dropped {
					t.Errorf("recorded %d, want %d", s.Recorded, total-dropped)
				}
				if calls := sink.calls(); row.wait > 0 && calls[1]-calls[0] < row.wait {
					t.Errorf("the next request came after %v, want at least %v", calls[1]-calls[0], row.wait)
				}
			})
		})
	}
}

// Answers that no API server gives, but a proxy or a sink of one's own may, are backed off from like any fault: "no
// such event" to a Create, and a conflict with what has no resourceVersion.
func TestOddAnswersAreBackedOff(t *testing.T) {
	for name, row := range map[string]answerRow{
		"no such event, to a create": {err: apierrors.NewNotFound(eventsResource, "web")},
		"conflict with a create":     {err: errConflict},
		"conflict with any patch":    {err: errConflict, patch: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sink := eventstest.NewSink()
				b, rec := start(t, sink)
				if row.patch {
					record(rec, 1, "web")
					flush(t, b)
				}
				sink.FailNext(1000, row.err)
				record(rec, 1, "web")
				time.Sleep(10 * time.Minute)
				if n := len(sink.Calls()); n < 5 || n > 100 {
					t.Errorf("%d requests in ten minutes", n)
				}
				sink.Heal()
				flush(t, b)
				checkDropped(t, b, nil)
			})
		})
	}
}

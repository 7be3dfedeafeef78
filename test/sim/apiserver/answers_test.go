// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package apiserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/google/go-cmp/cmp"

	"github.com/eventseries/eventseries/internal/request"
	"github.com/eventseries/eventseries/internal/stats"
	"github.com/eventseries/eventseries/test/sim/apiserver"
)

type (
	call    = func(context.Context) error
	pending = apiserver.Request
	verdict = request.Verdict
)

// expectation is what client-go and the SDK make of an answer.
type expectation struct {
	is   func(error) bool
	want verdict
}

func (x expectation) check(t *testing.T, err error) {
	t.Helper()
	if !x.is(err) {
		t.Errorf("%T %v is not of the kind wanted", err, err)
	}
	if diff := cmp.Diff(x.want, request.Classify(request.Request{}, err)); diff != "" {
		t.Errorf("verdict on %v (-want +got):\n%s", err, diff)
	}
}

func succeeds(err error) bool { return err == nil }

// hasCause also wants the kind that details name.
func hasCause(is func(error) bool, cause metav1.CauseType, kind string) func(error) bool {
	return func(err error) bool {
		var status apierrors.APIStatus
		return is(err) && errors.As(err, &status) && status.Status().Details.Kind == kind &&
			(cause == "" && len(status.Status().Details.Causes) == 0 || apierrors.HasStatusCause(err, cause))
	}
}

func retry(gate request.Scope, wait time.Duration, ambiguous bool) verdict {
	return verdict{Action: request.Retry, Gate: gate, Wait: wait, Ambiguous: ambiguous}
}

func dropped(reason stats.Reason) verdict { return verdict{Action: request.Drop, Reason: reason} }

var (
	settled     = verdict{Action: request.Stored}
	exists      = verdict{Action: request.Stored, Exists: true}
	forbidden   = verdict{Action: request.Forbidden, Gate: request.Namespace}
	unsupported = verdict{Action: request.Unsupported, Gate: request.Server, Wait: 30 * time.Second}
	rejected    = dropped(stats.Rejected)
	gone        = dropped(stats.NamespaceGone)
	timedOut    = verdict{Action: request.Retry, Gate: request.Namespace, Ambiguous: true, Unanswered: true}
)

// What the state of the server answers. The event web.1 is there, last written as version 2.
//
// Caught: RBAC asked after the API, the namespace looked at on a patch, details left out of a 404, a patch that ignores
// its resource version.
func TestAnswers(t *testing.T) {
	for name, row := range map[string]struct {
		prepare func(r *rig)
		call    func(r *rig) call
		expectation
	}{
		"created":         {nil, func(r *rig) call { return create(r.v1, event("web.2")) }, expectation{succeeds, settled}},
		"created in core": {nil, func(r *rig) call { return create(r.core, event("web.2")) }, expectation{succeeds, settled}},
		"patched":         {nil, func(r *rig) call { return patch(r.v1, "web.1", 3, "2") }, expectation{succeeds, settled}},
		"patched in core": {nil, func(r *rig) call { return patch(r.core, "web.1", 3, "2") }, expectation{succeeds, settled}},
		"exists": {nil, func(r *rig) call { return create(r.v1, event("web.1")) },
			expectation{apierrors.IsAlreadyExists, exists}},
		"exists through the other group": {nil, func(r *rig) call { return create(r.core, event("web.1")) },
			expectation{apierrors.IsAlreadyExists, exists}},
		"stale": {nil, func(r *rig) call { return patch(r.v1, "web.1", 3, "1") },
			expectation{apierrors.IsConflict, verdict{Action: request.Resend}}},
		"expired": {func(*rig) { time.Sleep(time.Hour) }, func(r *rig) call { return patch(r.v1, "web.1", 3, "") },
			expectation{hasCause(apierrors.IsNotFound, "", "events"), verdict{Action: request.Recreate}}},
		"RBAC, create": {func(r *rig) { r.Forbid(component, "", v1, "create") },
			func(r *rig) call { return create(r.v1, event("web.2")) },
			expectation{hasCause(apierrors.IsForbidden, "", "events"), forbidden}},
		"RBAC, patch": {func(r *rig) { r.Forbid(component, "shop", v1, "patch") },
			func(r *rig) call { return patch(r.v1, "web.1", 3, "") },
			expectation{hasCause(apierrors.IsForbidden, "", "events"), forbidden}},
		"RBAC comes before everything": {func(r *rig) {
			r.Forbid(component, "shop", v1, "create")
			r.SetServed(false)
			r.Namespace("shop", apiserver.Missing)
		}, func(r *rig) call { return create(r.v1, event("web.2")) },
			expectation{hasCause(apierrors.IsForbidden, "", "events"), forbidden}},
		"group not served": {func(r *rig) { r.SetServed(false) },
			func(r *rig) call { return create(r.v1, event("web.2")) },
			expectation{hasCause(apierrors.IsNotFound, metav1.CauseTypeUnexpectedServerResponse, "events"), unsupported}},
		"group not served, on patch": {func(r *rig) { r.SetServed(false) },
			func(r *rig) call { return patch(r.v1, "web.1", 3, "") },
			expectation{hasCause(apierrors.IsNotFound, metav1.CauseTypeUnexpectedServerResponse, "events"), unsupported}},
		"version not served": {func(r *rig) { r.SetOld() },
			func(r *rig) call { return patch(r.v1, "web.1", 3, "") },
			expectation{hasCause(apierrors.IsNotFound, "", ""), unsupported}},
		"core is always served": {func(r *rig) { r.SetServed(false) },
			func(r *rig) call { return create(r.core, event("web.2")) }, expectation{succeeds, settled}},
		"served again": {func(r *rig) { r.SetOld(); r.SetServed(true) },
			func(r *rig) call { return create(r.v1, event("web.2")) }, expectation{succeeds, settled}},
		"namespace terminates, create": {func(r *rig) { r.Namespace("shop", apiserver.Terminating) },
			func(r *rig) call { return create(r.v1, event("web.2")) },
			expectation{hasCause(apierrors.IsForbidden, corev1.NamespaceTerminatingCause, "events"), gone}},
		"namespace terminates, patch": {func(r *rig) { r.Namespace("shop", apiserver.Terminating) },
			func(r *rig) call { return patch(r.v1, "web.1", 3, "") }, expectation{succeeds, settled}},
		"namespace missing, create": {func(r *rig) { r.Namespace("shop", apiserver.Missing) },
			func(r *rig) call { return create(r.v1, event("web.2")) },
			expectation{hasCause(apierrors.IsNotFound, "", "namespaces"), gone}},
		"namespace missing, patch": {func(r *rig) { r.Namespace("shop", apiserver.Missing) },
			func(r *rig) call { return patch(r.v1, "web.1", 3, "") },
			expectation{hasCause(apierrors.IsNotFound, "", "events"), verdict{Action: request.Recreate}}},
		"namespace is back": {func(r *rig) { r.Namespace("shop", apiserver.Missing); r.Namespace("shop", apiserver.Active) },
			func(r *rig) call { return create(r.v1, event("web.1")) }, expectation{succeeds, settled}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.must(create(r.v1, event("web.1")))
				r.must(patch(r.v1, "web.1", 2, "1"))
				if row.prepare != nil {
					row.prepare(r)
				}
				row.check(t, r.do(row.call(r), (*pending).Answer))
				r.checkViolations()
			})
		})
	}
}

// The shapes of failures. Caught: a delay that is not in the header, a 429 of EventRateLimit with details.
func TestFailures(t *testing.T) {
	rows := map[apiserver.Failure]expectation{
		apiserver.Unauthorized:        {apierrors.IsUnauthorized, retry(request.Server, 0, false)},
		apiserver.RequestTimeout:      {code(408), timedOut},
		apiserver.PriorityAndFairness: {apierrors.IsTooManyRequests, retry(request.Shared, 7*time.Second, false)},
		apiserver.EventRateLimit:      {apierrors.IsTooManyRequests, retry(request.Shared, 0, false)},
		apiserver.InternalError:       {apierrors.IsInternalError, retry(request.Namespace, 0, true)},
		apiserver.EtcdDown:            {apierrors.IsServerTimeout, retry(request.Namespace, 2*time.Second, true)},
		apiserver.BadGateway:          {code(502), retry(request.Namespace, 0, true)},
		apiserver.ProxyUnavailable:    {apierrors.IsServiceUnavailable, retry(request.Shared, 0, true)},
		apiserver.Starting:            {apierrors.IsServiceUnavailable, retry(request.Shared, 5*time.Second, true)},
		apiserver.GatewayTimeout:      {apierrors.IsTimeout, retry(request.Shared, 0, true)},
		apiserver.Webhook:             {apierrors.IsForbidden, forbidden},
		apiserver.WebhookBadRequest:   {code(400), rejected},
		apiserver.Policy:              {apierrors.IsInvalid, rejected},
		apiserver.TooLarge:            {code(413), rejected},
	}
	for _, f := range apiserver.Failures() {
		x := rows[f]
		t.Run(f.String(), func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				r.SetRetryAfter(7)
				x.check(t, r.do(create(r.core, event("web.1")), func(q *pending) { q.Fail(f) }))
				if n := len(r.Objects()); n != 0 {
					t.Errorf("%d objects stored by a request that failed", n)
				}
				if x.want.Ambiguous != f.IsAmbiguous() && f != apiserver.Starting {
					t.Errorf("ambiguous: %v, and the SDK thinks %v", f.IsAmbiguous(), x.want.Ambiguous)
				}
				if (x.want == rejected) != f.IsFinal() {
					t.Errorf("final: %v, verdict %v", f.IsFinal(), x.want)
				}
				r.checkViolations() // a scripted refusal is not the SDK's fault
			})
		})
	}
}

// A delay is said in the header: only that is seen by what does not decode a Status.
func TestDelayIsInTheHeader(t *testing.T) {
	for f, want := range map[apiserver.Failure]string{
		apiserver.EtcdDown: "2", apiserver.Starting: "5", apiserver.PriorityAndFairness: "1",
		apiserver.EventRateLimit: "", apiserver.GatewayTimeout: "", apiserver.ProxyUnavailable: "",
	} {
		inBubble(t, func(t *testing.T, r *rig) {
			err := r.do(func(ctx context.Context) error {
				body, err := json.Marshal(oldStyle("web.1"))
				if err != nil {
					return err
				}
				asked, err := http.NewRequestWithContext(ctx, http.MethodPost,
					"http://apiserver/api/v1/namespaces/shop/events", bytes.NewReader(body))
				if err != nil {
					return err
				}
				asked.Header.Set("Content-Type", "application/json")
				answered, err := r.client.CoreV1().RESTClient().(*rest.RESTClient).Client.Do(asked)
				if err != nil {
					return err
				}
				if got := answered.Header.Get("Retry-After"); got != want {
					t.Errorf("%v: Retry-After %q, want %q", f, got, want)
				}
				return answered.Body.Close()
			}, func(q *pending) { q.Fail(f) })
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func code(want int32) func(error) bool {
	return func(err error) bool {
		var status apierrors.APIStatus
		return errors.As(err, &status) && status.Status().Code == want
	}
}

// What does not concern a request does not stop it. Caught: EventRateLimit on events.k8s.io/v1.
func TestFailureThatDoesNotFit(t *testing.T) {
	inBubble(t, func(t *testing.T, r *rig) {
		err := r.do(create(r.v1, event("web.1")), func(q *pending) { q.Fail(apiserver.EventRateLimit) })
		if err != nil || len(r.Objects()) != 1 {
			t.Errorf("EventRateLimit looked at events.k8s.io/v1: %v", err)
		}
		for _, f := range apiserver.Failures() {
			switch f {
			case apiserver.EtcdDown, apiserver.Webhook, apiserver.WebhookBadRequest, apiserver.Policy, apiserver.TooLarge:
				if err := r.do(probe(prober(r)), func(q *pending) { q.Fail(f) }); err != nil {
					t.Errorf("%v looked at discovery: %v", f, err)
				}
			}
		}
	})
}

// What the transport says. Caught: a lost answer that was not applied, a broken connection that was.
func TestTransportErrors(t *testing.T) {
	for name, row := range map[string]struct {
		end    func(*pending)
		stored int
		is     error
		want   verdict
	}{
		"refused": {func(q *pending) { q.Break(apiserver.ErrRefused) }, 0, apiserver.ErrRefused,
			verdict{Action: request.Retry, Gate: request.Server, Unanswered: true}},
		"reset": {func(q *pending) { q.Break(apiserver.ErrReset) }, 0, apiserver.ErrReset,
			verdict{Action: request.Retry, Gate: request.Shared, Ambiguous: true, Unanswered: true}},
		"reset after the write": {func(q *pending) { q.Lose(apiserver.ErrReset) }, 1, apiserver.ErrReset,
			verdict{Action: request.Retry, Gate: request.Shared, Ambiguous: true, Unanswered: true}},
		"closed after the write": {func(q *pending) { q.Lose(apiserver.ErrClosed) }, 1, apiserver.ErrClosed,
			verdict{Action: request.Retry, Gate: request.Namespace, Ambiguous: true, Unanswered: true}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, r *rig) {
				err := r.do(create(r.v1, event("web.1")), row.end)
				expectation{func(err error) bool { return errors.Is(err, row.is) }, row.want}.check(t, err)
				if n := len(r.Objects()); n != row.stored {
					t.Errorf("%d objects stored, want %d", n, row.stored)
				}
				err = r.do(create(r.v1, event("web.1")), (*pending).Answer)
				if apierrors.IsAlreadyExists(err) != (row.stored == 1) {
					t.Errorf("the same again = %v", err)
				}
			})
		})
	}
}

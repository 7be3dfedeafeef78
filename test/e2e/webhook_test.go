// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/test/e2e/internal/harness"
	"github.com/eventseries/eventseries/test/e2e/internal/webhook"
)

// answer is what a client sees of a refusal.
type answer struct {
	Code       int
	Reason     metav1.StatusReason
	Details    bool
	RetryAfter string
}

// The answers of the API server when a webhook does not let an Event pass. A webhook that denies a
// request chooses the whole Status itself. So its answer may look like an answer about the server:
// a 401, a 404 of a group that is not served, a 429 or a 503.
func TestWebhookAnswers(t *testing.T) {
	const timeout = time.Second
	env := harness.New(t, shared)
	env.Allow(env.Namespace, harness.EventsV1)
	server := webhook.Start(webhook.Allow)
	t.Cleanup(server.Close)
	env.Webhook(server, timeout, env.Namespace)
	for name, tt := range map[string]struct {
		answer webhook.Answer
		want   answer
	}{
		"hangs":           {webhook.Hang, answer{500, "InternalError", true, ""}},
		"fails":           {webhook.Fail, answer{500, "InternalError", true, ""}},
		"denies":          {webhook.Deny(metav1.Status{}), answer{400, "", false, ""}},
		"denies with 401": {webhook.Deny(metav1.Status{Code: 401}), answer{401, "", false, ""}},
		"denies with 403": {webhook.Deny(metav1.Status{Code: 403}), answer{403, "", false, ""}},
		"denies with 404": {webhook.Deny(metav1.Status{Code: 404}), answer{404, "", false, ""}},
		"denies with 409": {webhook.Deny(metav1.Status{Code: 409, Reason: "AlreadyExists"}), answer{409, "AlreadyExists", false, ""}},
		"denies with 422": {webhook.Deny(metav1.Status{Code: 422, Reason: "Invalid"}), answer{422, "Invalid", false, ""}},
		"denies with 429": {
			webhook.Deny(metav1.Status{Code: 429, Details: &metav1.StatusDetails{RetryAfterSeconds: 7}}),
			answer{429, "", true, "7"},
		},
		"denies with 503": {webhook.Deny(metav1.Status{Code: 503}), answer{503, "", false, ""}},
	} {
		t.Run(name, func(t *testing.T) {
			server.Set(tt.answer)
			got := create(t, env)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// create has the user create an Event, and returns the answer as it came over the network.
func create(t *testing.T, env *harness.Env) answer {
	t.Helper()
	event := harness.NewEvent(env.Namespace, fmt.Sprintf("event-%d", time.Now().UnixNano()))
	event.APIVersion, event.Kind = "events.k8s.io/v1", "Event"
	body, err := json.Marshal(event)
	if err != nil {
		t.Fatal(err)
	}
	url := env.Config.Host + "/apis/events.k8s.io/v1/namespaces/" + env.Namespace + "/events"
	began := time.Now()
	res, err := (&http.Client{Transport: env.Wire}).Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d after %.1fs, Retry-After %q: %s", res.StatusCode, time.Since(began).Seconds(), res.Header["Retry-After"], text)
	var status metav1.Status
	if err := json.Unmarshal(text, &status); err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, status.Reason, status.Details != nil, res.Header.Get("Retry-After")}
}

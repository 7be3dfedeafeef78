// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/eventseries/eventseries"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// The limits are the SDK's unless the configuration has some.
func TestNewForConfigLimits(t *testing.T) {
	slow := flowcontrol.NewTokenBucketRateLimiter(2, 3)
	for name, row := range map[string]struct {
		config rest.Config
		want   float32 // requests a second; 0: unlimited
	}{
		"none":         {rest.Config{}, 50},
		"QPS":          {rest.Config{QPS: 7}, 7},
		"no limit":     {rest.Config{QPS: -1}, 0},
		"burst":        {rest.Config{Burst: 9}, 50},
		"rate limiter": {rest.Config{RateLimiter: slow}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			before := row.config
			client, _, err := newClient(&row.config)
			if err != nil {
				t.Fatal(err)
			}
			var got float32
			if limiter := client.CoreV1().RESTClient().GetRateLimiter(); limiter != nil {
				got = limiter.QPS()
			}
			if got != row.want {
				t.Errorf("%v requests a second, want %v", got, row.want)
			}
			if diff := cmp.Diff(before.String(), row.config.String()); diff != "" || row.config.QPS != before.QPS {
				t.Errorf("the caller's configuration was changed (-before +after):\n%s", diff)
			}
		})
	}
}

// Its requests are protobuf, and name the SDK.
func TestNewForConfigRequests(t *testing.T) {
	server := apiserver.New()
	a, err := NewForConfig(t.Context(), server.Config())
	if err != nil {
		t.Fatal(err)
	}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: "web", UID: "1"}}
	a.NewRecorder("example.com/test").Eventf(pod, nil, corev1.EventTypeNormal, "Started", "Start", "")
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s := a.Stats(); s.Recorded != 1 {
		t.Errorf("%d recorded, want 1", s.Recorded)
	}
	requests := server.Requests()
	last := requests[len(requests)-1]
	if got := last.Header.Get("User-Agent"); !strings.HasSuffix(got, " eventseries/"+eventseries.Version()) {
		t.Errorf("User-Agent %q", got)
	}
	if got := last.Header.Get("Content-Type"); got != "application/vnd.kubernetes.protobuf" {
		t.Errorf("Content-Type %q", got)
	}
}

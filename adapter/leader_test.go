// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/fixture"
)

// Without a namespace the Lease is where the pod is; two locks of one process are two candidates.
func TestLeaderElectionLock(t *testing.T) {
	inPod := filepath.Join(t.TempDir(), "namespace")
	if err := os.WriteFile(inPod, []byte("shop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	identities := map[string]bool{}
	for name, row := range map[string]struct {
		config                      *rest.Config
		namespace, name, file, want string // want is the Lease, or in the error
	}{
		"in a pod":              {&rest.Config{}, "", "lease", inPod, "shop/lease"},
		"given in a pod":        {&rest.Config{}, "other", "lease", inPod, "other/lease"},
		"given outside of pods": {&rest.Config{}, "other", "lease", "none", "other/lease"},
		"no configuration":      {nil, "other", "lease", "none", "the rest.Config is nil"},
		"no name":               {&rest.Config{}, "other", "", "none", "needs the name of the Lease"},
		"outside of pods":       {&rest.Config{}, "", "lease", "none", "outside of a pod the Lease needs a namespace"},
		"no client":             {&rest.Config{Host: "://"}, "other", "lease", "none", "cannot make a client for the Le"},
	} {
		t.Run(name, func(t *testing.T) {
			lease := types.NamespacedName{Namespace: row.namespace, Name: row.name}
			lock, err := leaderElectionLock(row.config, nil, lease, row.file)
			if err != nil {
				if lock != nil || !strings.Contains(err.Error(), row.want) {
					t.Errorf("%v, %v, want %q", lock, err, row.want)
				}
				return
			}
			if got := lock.Describe(); got != row.want {
				t.Errorf("the Lease is %s, want %s", got, row.want)
			}
			if got := lock.Identity(); identities[got] || !strings.HasPrefix(got, host+"_") {
				t.Errorf("identity %q, want another one after %s_", got, host)
			}
			identities[lock.Identity()] = true
			lock.RecordEvent("became leader") // a recorder is optional
		})
	}
}

func TestLeaderElectionLockConfig(t *testing.T) {
	byDefault := rest.DefaultKubernetesUserAgent() + "/leader-election"
	for name, row := range map[string]struct {
		config rest.Config
		want   string
	}{
		"defaults":      {rest.Config{}, "5s " + byDefault},
		"long timeout":  {rest.Config{Timeout: time.Minute}, "5s " + byDefault},
		"short timeout": {rest.Config{Timeout: time.Second}, "1s " + byDefault},
		"User-Agent":    {rest.Config{UserAgent: "shop/1"}, "5s shop/1/leader-election"},
		"rate limiter":  {rest.Config{RateLimiter: flowcontrol.NewFakeNeverRateLimiter()}, "5s " + byDefault},
	} {
		before := row.config.String()
		config := leaseConfig(&row.config)
		if got := fmt.Sprint(config.Timeout, " ", config.UserAgent); got != row.want || config.RateLimiter != nil {
			t.Errorf("%s: %s, limited: %v; want %s", name, got, config.RateLimiter != nil, row.want)
		}
		if row.config.String() != before {
			t.Errorf("%s: the caller's configuration was changed: %v", name, &row.config)
		}
	}
}

// What leader election reports are series with an action each, through events.k8s.io alone.
func TestLeaderElectionLockRecords(t *testing.T) {
	server := apiserver.New()
	a := New(t.Context(), server.Client())
	lock, err := LeaderElectionLock(server.Config(), a.NewRecorder("example.com/shop"),
		types.NamespacedName{Namespace: "default", Name: "lease"})
	if err != nil {
		t.Fatal(err)
	}
	lock.LockConfig.Identity = "100%d"
	if err := lock.Create(t.Context(), resourcelock.LeaderElectionRecord{}); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"became leader", "stopped leading", "was asked"} {
		lock.RecordEvent(what)
	}
	fixture.Flush(t, a)
	var got []string
	for _, e := range server.Events() {
		got = append(got, fmt.Sprint(e.Reason, " ", e.Action, " ", e.Note, " ", e.Regarding.Kind, " ", e.Regarding.Name))
	}
	slices.Sort(got)
	want := []string{
		"LeaderElection BecomeLeader 100%d became leader Lease lease",
		"LeaderElection LeaderElection 100%d was asked Lease lease",
		"LeaderElection StopLeading 100%d stopped leading Lease lease",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Events (-want +got):\n%s", diff)
	}
	for _, r := range server.Requests() {
		if strings.HasPrefix(r.URI, "/api/v1/") {
			t.Errorf("a request to core/v1: %s", r)
		}
	}
}

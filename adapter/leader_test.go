// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	clientevents "k8s.io/client-go/tools/events"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/util/flowcontrol"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

var testLease = types.NamespacedName{Namespace: "default", Name: "lease"}

// Without a namespace the Lease is where the pod is.
func TestLeaderElectionLockNamespace(t *testing.T) {
	inPod := filepath.Join(t.TempDir(), "namespace")
	if err := os.WriteFile(inPod, []byte("shop\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct{ namespace, file, want string }{
		"in a pod":              {"", inPod, "shop/lease"},
		"given in a pod":        {"other", inPod, "other/lease"},
		"given outside of pods": {"other", "none", "other/lease"},
	} {
		t.Run(name, func(t *testing.T) {
			lease := types.NamespacedName{Namespace: row.namespace, Name: "lease"}
			lock, err := leaderElectionLock(&rest.Config{}, nil, lease, row.file)
			if err != nil {
				t.Fatal(err)
			}
			if got := lock.Describe(); got != row.want {
				t.Errorf("the Lease is %s, want %s", got, row.want)
			}
		})
	}
}

func TestLeaderElectionLockRefuses(t *testing.T) {
	for want, row := range map[string]struct {
		config *rest.Config
		lease  types.NamespacedName
	}{
		"the rest.Config is nil":                       {nil, testLease},
		"needs the name of the Lease":                  {&rest.Config{}, types.NamespacedName{Namespace: "default"}},
		"outside of a pod the Lease needs a namespace": {&rest.Config{}, types.NamespacedName{Name: "lease"}},
		"cannot make a client for the Le":              {&rest.Config{Host: "://"}, testLease},
	} {
		lock, err := leaderElectionLock(row.config, nil, row.lease, "none")
		if lock != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", lock, err, want)
		}
	}
}

// Two locks of one process are two candidates.
func TestLeaderElectionLockIdentity(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	var identities [2]string
	for i := range identities {
		identities[i] = newLock(t, &rest.Config{}, nil).Identity()
		if !strings.HasPrefix(identities[i], host+"_") {
			t.Errorf("identity %q, want %s_ before it", identities[i], host)
		}
	}
	if identities[0] == identities[1] {
		t.Errorf("two locks have the identity %q", identities[0])
	}
}

func TestLeaderElectionLockConfig(t *testing.T) {
	type client struct {
		Timeout time.Duration
		Agent   string
		Limited bool
	}
	byDefault := rest.DefaultKubernetesUserAgent()
	for name, row := range map[string]struct {
		config rest.Config
		want   client
	}{
		"defaults":      {rest.Config{}, client{5 * time.Second, byDefault + "/leader-election", false}},
		"long timeout":  {rest.Config{Timeout: time.Minute}, client{5 * time.Second, byDefault + "/leader-election", false}},
		"short timeout": {rest.Config{Timeout: time.Second}, client{time.Second, byDefault + "/leader-election", false}},
		"User-Agent":    {rest.Config{UserAgent: "shop/1"}, client{5 * time.Second, "shop/1/leader-election", false}},
		"rate limiter of the component": {
			rest.Config{RateLimiter: flowcontrol.NewFakeNeverRateLimiter()},
			client{5 * time.Second, byDefault + "/leader-election", false},
		},
	} {
		t.Run(name, func(t *testing.T) {
			before := row.config
			config := leaseConfig(&row.config)
			got := client{config.Timeout, config.UserAgent, config.RateLimiter != nil}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("the client (-want +got):\n%s", diff)
			}
			if row.config.UserAgent != before.UserAgent || row.config.Timeout != before.Timeout ||
				row.config.RateLimiter != before.RateLimiter {
				t.Errorf("the caller's configuration was changed: %v", &row.config)
			}
		})
	}
}

// The lock's own client sends the requests about the Lease, and gives up in time.
func TestLeaderElectionLockGivesUpInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := apiserver.New()
		server.Answer("GET /apis/coordination.k8s.io/v1/namespaces/default/leases/lease", apiserver.Hang)
		lock := newLock(t, server.Config(), nil)
		begin := time.Now()
		if _, _, err := lock.Get(t.Context()); err == nil {
			t.Error("a server that hangs has a Lease")
		}
		if waited := time.Since(begin); waited != 5*time.Second {
			t.Errorf("waited %v, want 5s", waited)
		}
		requests := server.Requests()
		if got := requests[0].Header.Get("User-Agent"); !strings.HasSuffix(got, "/leader-election") {
			t.Errorf("User-Agent %q", got)
		}
	})
}

// What leader election reports are series with an action each, through events.k8s.io alone.
func TestLeaderElectionLockRecords(t *testing.T) {
	server := apiserver.New()
	a := New(t.Context(), server.Client())
	lock := newLock(t, server.Config(), a.NewRecorder("example.com/shop"))
	lock.LockConfig.Identity = "100%d"
	if err := lock.Create(t.Context(), resourcelock.LeaderElectionRecord{}); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"became leader", "stopped leading", "became leader", "was asked"} {
		lock.RecordEvent(what)
	}
	if err := a.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	type event struct {
		Reason, Action, Note, Controller, About string
		Count                                   int64
	}
	got := map[event]bool{}
	for _, e := range server.Events() {
		count := int64(1)
		if e.Series != nil {
			count = int64(e.Series.Count)
		}
		about := e.Regarding.Kind + " " + e.Regarding.Namespace + "/" + e.Regarding.Name
		got[event{e.Reason, e.Action, e.Note, e.ReportingController, about, count}] = true
	}
	const controller, lease = "example.com/shop", "Lease default/lease"
	want := map[event]bool{
		{"LeaderElection", "BecomeLeader", "100%d became leader", controller, lease, 2}:  true,
		{"LeaderElection", "StopLeading", "100%d stopped leading", controller, lease, 1}: true,
		{"LeaderElection", "LeaderElection", "100%d was asked", controller, lease, 1}:    true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Events (-want +got):\n%s", diff)
	}
	for _, r := range server.Requests() {
		if r.Method != http.MethodGet && strings.HasPrefix(r.URI, "/api/v1/") {
			t.Errorf("a request to core/v1: %s", r)
		}
	}
}

// A recorder is optional, as for client-go's lock.
func TestLeaderElectionLockWithoutRecorder(t *testing.T) {
	lock := newLock(t, apiserver.New().Config(), nil)
	if err := lock.Create(t.Context(), resourcelock.LeaderElectionRecord{}); err != nil {
		t.Fatal(err)
	}
	lock.RecordEvent("became leader")
}

func newLock(t *testing.T, config *rest.Config, recorder clientevents.EventRecorder) *resourcelock.LeaseLock {
	t.Helper()
	lock, err := LeaderElectionLock(config, recorder, testLease)
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

var _ resourcelock.EventRecorder = electionRecorder{&events.Recorder{}}

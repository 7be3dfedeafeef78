// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"testing"
	"time"
)

// Caught: a first back-off of five minutes.
func TestServerKilled(t *testing.T) {
	s := open(t, scenario{title: "kube-apiserver killed (-9) and restarted, 3 times", quick: true})
	outages := []time.Duration{time.Second, 5 * time.Second, 20 * time.Second}
	if testing.Short() {
		outages = outages[:1]
	}
	for _, outage := range outages {
		s.Run(3 * time.Second)
		s.must(s.plane.KillServer())
		s.Run(outage)
		s.must(s.plane.StartServer())
		s.recovers()
	}
	s.Run(3 * time.Second)
	s.settle()
}

// The server's requests to etcd hang, and may be carried out when it goes on, long
// after the SDK has given up on their answers.
//
// Caught: a Create tried again with a newer count, for which a 409 says nothing; a 500
// that is final.
func TestEtcdStopped(t *testing.T) {
	s := open(t, scenario{title: "etcd stopped (SIGSTOP) for 70 s"})
	s.Run(3 * time.Second)
	s.must(s.plane.StopEtcd())
	s.Run(70 * time.Second)
	s.must(s.plane.ContinueEtcd())
	s.recovers()
	s.Run(3 * time.Second)
	s.settle()
}

// Events expire faster than they are refreshed. An Event that is created again has its full count.
// The observer checks that, because it checks that counts never go down.
//
// Caught: an Event that is created again with the count of the unwritten occurrences only.
func TestEventsExpire(t *testing.T) {
	s := open(t, scenario{title: "event TTL of 10 s, default intervals", flags: []string{"--event-ttl=10s"}})
	for range 4 {
		s.Run(12 * time.Second)
		s.recovers()
	}
	s.settle()
	n := s.observer.Recreated()
	if t.Logf("%d Events made anew", n); n == 0 {
		t.Error("no Event was made anew, nothing was tested")
	}
}

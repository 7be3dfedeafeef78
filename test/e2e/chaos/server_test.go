// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package chaos

import (
	"testing"
	"time"

	"github.com/eventseries/eventseries/events"
)

// Caught: a first back-off of five minutes.
func TestServerKilled(t *testing.T) {
	s := open(t, plot{title: "kube-apiserver killed (-9) and restarted, 3 times", quick: true})
	outages := []time.Duration{5 * time.Second, time.Second, 20 * time.Second}
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
	s := open(t, plot{title: "etcd stopped (SIGSTOP) for 70 s"})
	s.Run(3 * time.Second)
	s.must(s.plane.StopEtcd())
	s.Run(70 * time.Second)
	s.must(s.plane.ContinueEtcd())
	s.recovers()
	s.Run(3 * time.Second)
	s.settle()
}

// A component ends while etcd hangs; etcd goes on afterwards, and the server with
// what it was asked before.
//
// Caught: a drop that forgets that its write was sent.
func TestDrainWithoutStorage(t *testing.T) {
	s := open(t, plot{
		title: "drained while etcd is stopped, which then goes on",
		drops: []events.DropReason{events.Abandoned},
	})
	s.Run(3 * time.Second)
	s.must(s.plane.StopEtcd())
	s.Run(3 * time.Second)
	s.abandon()
	s.must(s.plane.ContinueEtcd())
	s.account()
}

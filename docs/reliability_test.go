// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"fmt"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/eventseries/eventseries/events"
)

// The timelines of reliability.md.
//
// Caught: a refused series that is first tried again after five minutes; a doubled count that is written 20 seconds
// after the last write.
func TestReliabilityShowsItsClaims(t *testing.T) {
	var out strings.Builder
	for _, scenario := range []struct {
		title string
		run   func(*testing.T, *strings.Builder)
	}{
		{"an outage of 30 minutes", outage},
		{"a webhook that refuses for ten minutes", refusal},
		{"an answer that is lost", lostAnswer},
		{"a kill", kill},
		{"a shutdown while the server hangs", hangingShutdown},
	} {
		fmt.Fprintf(&out, "# %s\n", scenario.title)
		synctest.Test(t, func(t *testing.T) { scenario.run(t, &out) })
		out.WriteByte('\n')
	}
	holdShown(t, "reliability.txt", out.String())
}

// account writes a line with the numbers of a broadcaster.
func account(out *strings.Builder, s *server, stats events.Stats, remark string) {
	var dropped int64
	for _, n := range stats.Dropped {
		dropped += n
	}
	fmt.Fprintf(out, "%7s   %8d   %8d   %7d   %7d   %s\n", short(time.Since(s.began)),
		stats.Observed, stats.Recorded, stats.Pending, dropped, remark)
}

const accountHeading = "  after   observed   recorded   pending   dropped\n"

// outage is a server that nobody reaches from the first minute to the 31st. Until then a component records the same
// failure every ten seconds, and another one once during the outage.
func outage(t *testing.T, out *strings.Builder) {
	s := newServer()
	b, recorder := begin(t, s)
	out.WriteString(accountHeading)
	for second := 0; second < 31*60; second += 10 {
		switch second {
		case 60:
			account(out, s, b.Stats(), "nobody reaches the server")
			s.FailNext(-1, &net.OpError{
				Op:  "dial",
				Net: "tcp",
				Err: syscall.ECONNREFUSED,
			})
		case 600:
			recorder.Eventf(object("Pod", "db"), nil, "Warning", "Failed", "Pull", "the registry is away")
		}
		recorder.Eventf(object("Pod", "web"), nil, "Warning", "BackOff", "Restart", "the container crashed")
		time.Sleep(10 * time.Second)
	}
	account(out, s, b.Stats(), "the server is back")
	s.Heal()
	time.Sleep(time.Minute)
	account(out, s, b.Stats(), "a minute later")
	out.WriteString("\n" + s.stored())
	b.Shutdown()
}

// refusal is a server that does not accept an Event for ten minutes. A component records it every ten seconds.
func refusal(t *testing.T, out *strings.Builder) {
	s := newServer()
	s.FailNext(-1, apierrors.NewInvalid(schema.GroupKind{Kind: "Event"}, "web", nil))
	b, recorder := begin(t, s)
	for second := 0; second < 17*60; second += 10 {
		if second == 600 {
			s.Heal()
		}
		recorder.Eventf(object("Pod", "web"), nil, "Warning", "BackOff", "Restart", "the container crashed")
		time.Sleep(10 * time.Second)
	}
	out.WriteString(s.timeline())
	b.Shutdown()
	out.WriteString("\n" + accountHeading)
	account(out, s, b.Stats(), "after Shutdown")
}

// lostAnswer is a server that stores an Event, and whose answer does not arrive.
func lostAnswer(t *testing.T, out *strings.Builder) {
	s := newServer()
	s.LoseNext(1, apierrors.NewTimeoutError("no answer", 0))
	b, recorder := begin(t, s)
	recorder.Eventf(object("Pod", "web"), nil, "Warning", "BackOff", "Restart", "the container crashed")
	time.Sleep(time.Minute)
	b.Shutdown()
	out.WriteString(s.Log() + "\n" + s.stored())
}

// kill looks at the server when a component is killed, 20 seconds after its first occurrence. It records the same
// failure every second, and another one a second before the end.
func kill(t *testing.T, out *strings.Builder) {
	s := newServer()
	b, recorder := begin(t, s)
	for second := range 20 {
		if second == 19 {
			recorder.Eventf(object("Pod", "db"), nil, "Warning", "Failed", "Pull", "the registry is away")
		}
		recorder.Eventf(object("Pod", "web"), nil, "Warning", "BackOff", "Restart", "the container crashed")
		time.Sleep(time.Second)
	}
	fmt.Fprintf(out, "observed: %d\n\n%s", b.Stats().Observed, s.stored())
	b.Shutdown()
}

// hangingShutdown is a component that ends while the server does not answer.
func hangingShutdown(t *testing.T, out *strings.Builder) {
	s := newServer()
	s.Hold()
	b, recorder := begin(t, s)
	for range 3 {
		recorder.Eventf(object("Pod", "web"), nil, "Warning", "BackOff", "Restart", "the container crashed")
	}
	time.Sleep(time.Second)
	b.Shutdown()
	fmt.Fprintf(out, "Shutdown returned after %v\n", short(time.Since(s.began)-time.Second))
	out.WriteString(accountHeading)
	account(out, s, b.Stats(), "after Shutdown")
}

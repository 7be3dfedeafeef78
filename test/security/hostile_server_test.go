// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package security

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/kubernetes"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/heap"
	"github.com/eventseries/eventseries/internal/testkit/rules"
)

// hostile has harmful answers of an API server, or of a proxy in front of it.
var hostile = map[string]http.HandlerFunc{
	"pages of refusal": apiserver.Refuse(rules.Refusal(http.StatusInternalServerError, "InternalError", long)),
	"pages of no":      apiserver.Refuse(rules.Refusal(http.StatusForbidden, "Forbidden", long)),
	"pages of text":    apiserver.Text(http.StatusBadGateway, "text/html", long),
	"a login page":     apiserver.Text(http.StatusOK, "text/html", "<html>"+long),
	"half a body":      apiserver.Text(http.StatusCreated, "application/json", `{"metadata": {"name": "`),
	"another status each time": func(w http.ResponseWriter, r *http.Request) {
		apiserver.Refuse(rules.Refusal(400+int32(counter.Add(1)%200), "Whatever", long[:1000]))(w, r)
	},
	"later, in a year": apiserver.Text(http.StatusTooManyRequests, "application/json", `{"kind": "Status", "apiVersion": "v1",
		"status": "Failure", "code": 429, "reason": "TooManyRequests", "details": {"retryAfterSeconds": 31536000}}`),
	"never": apiserver.Hang,
	"go elsewhere, for ever": func(w http.ResponseWriter, r *http.Request) {
		target := fmt.Sprintf("/api/v1/namespaces/default/events?n=%d", counter.Add(1))
		http.Redirect(w, r, target, http.StatusTemporaryRedirect)
	},
}

var long = strings.Repeat("x", 1<<16)

var counter atomic.Int64

// setWrites makes handler answer the writes of Events; nil restores the server's own answers.
func setWrites(server *apiserver.Server, handler http.HandlerFunc) {
	server.Answer("/api/v1/namespaces/", handler)
	server.Answer("/apis/events.k8s.io/v1/namespaces/", handler)
}

// written returns how many requests about Events have arrived.
func written(server *apiserver.Server) (n int) {
	for _, r := range server.Requests() {
		if strings.Contains(r.URI, "/namespaces/") {
			n++
		}
	}
	return n
}

// During half an hour of any answers, recording continues, Stats add up, and the log and the number of requests are bounded.
// After that, everything that was not refused for good is written within minutes.
//
// Caught: text of the server in the log at any length; a Retry-After without an upper bound.
func TestHostileServer(t *testing.T) {
	for name, answer := range hostile {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, out := apiserver.New(), &transcript{}
				setWrites(server, answer)
				config := server.Config()
				config.QPS, config.Burst = 50, 100
				client := kubernetes.NewForConfigOrDie(config)
				a := adapter.New(t.Context(), client, events.WithLogger(out.logger().V(-10)))
				if err := a.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				const minutes, pods = 30, 20
				recorder := a.NewRecorder("example.com/controller")
				for range minutes {
					for i := range pods {
						pod := named(fmt.Sprint("pod-", i))
						recorder.Eventf(pod, nil, "Warning", "BackOff", "Restart", "back-off")
					}
					time.Sleep(time.Minute)
				}
				if n := written(server); n > 100*minutes {
					t.Errorf("%d requests in %d minutes for %d series", n, minutes, pods)
				}
				if n := len(out.String()); n > minutes*20<<10 {
					t.Errorf("%d bytes of log in %d minutes", n, minutes)
				}
				setWrites(server, nil)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				if err := a.Flush(ctx); err != nil {
					t.Errorf("the server is itself again, and yet: %v", err)
				}
				checkAccounts(t, a.Stats(), minutes*pods)
				a.Shutdown()
			})
		})
	}
}

func checkAccounts(t *testing.T, s events.Stats, observed int64) {
	t.Helper()
	sum := s.Recorded + s.Pending
	for _, n := range s.Dropped {
		sum += n
	}
	if s.Observed != observed || sum != observed || s.Pending != 0 {
		t.Errorf("%d are accounted for of the %d that were recorded: %+v", sum, observed, s)
	}
}

// A series keeps almost nothing of the server's answer to a write.
//
// Caught: a resourceVersion of any length, which every series would keep and send with each patch.
func TestAnswersAreNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := apiserver.New()
		setWrites(server, apiserver.Text(http.StatusCreated, "application/json",
			fmt.Sprintf(`{"metadata": {"selfLink": %q, "resourceVersion": %q}}`, long, long)))
		a := adapter.New(t.Context(), server.Client(), adapter.WithMode(adapter.EventsV1))
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		recorder := a.NewRecorder("example.com/controller")
		const pods = 30
		before := heap.Live()
		for range 2 {
			for i := range pods {
				recorder.Eventf(named(fmt.Sprint("pod-", i)), nil, "Normal", "Reason", "Act", "note")
			}
			if err := a.Flush(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if s := a.Stats(); s.Recorded != 2*pods || s.Series != pods {
			t.Errorf("%+v, want %d series of two", s, pods)
		}
		if grown := heap.Live() - before; grown > pods*int64(len(long))/2 {
			t.Errorf("%d bytes of the heap are of answers", grown)
		}
		if sent := len(sent(server)); sent > pods*10_000 {
			t.Errorf("%d bytes were sent: answers were sent back", sent)
		}
		a.Shutdown()
	})
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package security

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventseries/eventseries/adapter"
	"github.com/eventseries/eventseries/events"
)

// hostile has harmful answers of an API server, or of a proxy in front of it.
var hostile = map[string]func(n int, r *http.Request) (*http.Response, error){
	"pages of refusal": func(_ int, r *http.Request) (*http.Response, error) {
		return refused(r, http.StatusInternalServerError, "InternalError", long), nil
	},
	"pages of no": func(_ int, r *http.Request) (*http.Response, error) {
		return refused(r, http.StatusForbidden, "Forbidden", long), nil
	},
	"pages of text": func(_ int, r *http.Request) (*http.Response, error) {
		answer := respond(r, http.StatusBadGateway, long)
		answer.Header.Set("Content-Type", "text/html")
		return answer, nil
	},
	"a login page": func(_ int, r *http.Request) (*http.Response, error) {
		answer := respond(r, http.StatusOK, "<html>"+long)
		answer.Header.Set("Content-Type", "text/html")
		return answer, nil
	},
	"half a body": func(_ int, r *http.Request) (*http.Response, error) {
		return respond(r, http.StatusCreated, `{"metadata": {"name": "`), nil
	},
	"another status each time": func(n int, r *http.Request) (*http.Response, error) {
		return refused(r, 400+n%200, "Whatever", long[:1000]), nil
	},
	"later, in a year": func(_ int, r *http.Request) (*http.Response, error) {
		return respond(r, http.StatusTooManyRequests, `{"kind": "Status", "apiVersion": "v1", "status": "Failure",
			"code": 429, "reason": "TooManyRequests", "details": {"retryAfterSeconds": 31536000}}`), nil
	},
	"never": func(_ int, r *http.Request) (*http.Response, error) {
		<-r.Context().Done()
		return nil, r.Context().Err()
	},
	"go elsewhere, for ever": func(n int, r *http.Request) (*http.Response, error) {
		answer := respond(r, http.StatusTemporaryRedirect, "")
		answer.Header.Set("Location", fmt.Sprintf("https://apiserver/api/v1/namespaces/default/events?n=%d", n))
		return answer, nil
	},
}

var long = strings.Repeat("x", 1<<16)

// During half an hour of any answers, recording continues, Stats add up, and the log and the number of requests are bounded.
// After that, everything that was not refused for good is written within minutes.
//
// Caught: text of the server in the log at any length; a Retry-After without an upper bound.
func TestHostileServer(t *testing.T) {
	for name, answer := range hostile {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var well atomic.Bool
				out, tap := &transcript{}, &wiretap{}
				tap.answer = func(n int, r *http.Request) (*http.Response, error) {
					if well.Load() {
						return stored(n, r)
					}
					return answer(n, r)
				}
				a := adapter.New(t.Context(), tap.client(t), events.WithLogger(out.logger().V(-10)))
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
				if n := tap.written(); n > 100*minutes {
					t.Errorf("%d requests in %d minutes for %d series", n, minutes, pods)
				}
				if n := len(out.String()); n > minutes*20<<10 {
					t.Errorf("%d bytes of log in %d minutes", n, minutes)
				}
				well.Store(true)
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
		tap := &wiretap{answer: func(_ int, r *http.Request) (*http.Response, error) {
			body := fmt.Sprintf(`{"metadata": {"selfLink": %q, "resourceVersion": %q}}`, long, long)
			return respond(r, http.StatusCreated, body), nil
		}}
		a := adapter.New(t.Context(), tap.client(t), adapter.WithMode(adapter.EventsV1))
		if err := a.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		recorder := a.NewRecorder("example.com/controller")
		const pods = 30
		before := heap()
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
		if grown := heap() - before; grown > pods*int64(len(long))/2 {
			t.Errorf("%d bytes of the heap are of answers", grown)
		}
		if sent := len(tap.sent.String()); sent > pods*10_000 {
			t.Errorf("%d bytes were sent: answers were sent back", sent)
		}
		a.Shutdown()
	})
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

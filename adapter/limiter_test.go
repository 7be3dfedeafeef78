// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/klog/v2"

	"github.com/eventseries/eventseries/events"
	"github.com/eventseries/eventseries/internal/testkit/apiserver"
	"github.com/eventseries/eventseries/internal/testkit/testlog"
)

// slowly is a server that answers after a while.
type slowly struct {
	http.RoundTripper
	after time.Duration
}

func (s slowly) RoundTrip(r *http.Request) (*http.Response, error) {
	time.Sleep(s.after)
	return s.RoundTripper.RoundTrip(r)
}

// The client of NewForConfig has no limit at the end: nothing is lost that the server can take in the five seconds of
// Shutdown. Under another client it writes what that may send, and a loss names the client's rate, and an object.
//
// Caught: a limit that stays, also for a request that waits for it when the end comes; advice about RBAC, which refused nothing.
func TestShutdown(t *testing.T) {
	const repeats = 3
	for name, row := range map[string]struct {
		series int
		own    bool
		lost   bool
	}{
		"10,000 series":            {10_000, true, false},
		"under a client of others": {2000, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server, log := apiserver.New(), &testlog.Log{}
				config := server.Config()
				config.Transport = slowly{config.Transport, 5 * time.Millisecond}
				config.QPS, config.Burst = 50, 100
				opts := []Option{events.WithLogger(klog.New(log))}
				var a *Adapter
				if row.own {
					var err error
					if a, err = NewForConfig(t.Context(), config, opts...); err != nil {
						t.Fatal(err)
					}
				} else {
					a = New(t.Context(), kubernetes.NewForConfigOrDie(config), opts...)
				}
				if err := a.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				recorder := a.NewRecorder("example.com/test")
				record := func() {
					for i := range row.series {
						pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
							Namespace: "shop", Name: fmt.Sprint("web-", i), UID: types.UID(fmt.Sprint(i)),
						}}
						recorder.Eventf(pod, nil, "Normal", "Pulled", "Pull", "")
					}
				}
				record()
				time.Sleep(5 * time.Minute)
				for range repeats {
					record()
				}
				time.Sleep(time.Second)
				a.Shutdown()
				s := a.Stats()
				if lost := s.Dropped[events.Abandoned] > 0; lost != row.lost || s.Creates != int64(row.series) {
					t.Errorf("%d creates, want %d; a loss: %v, want %v", s.Creates, row.series, lost, row.lost)
				}
				if !row.lost {
					return
				}
				line := log.CheckOnce(t, "Events were lost at shutdown")
				if !strings.Contains(line, "such as those of Pod shop/web-") || !strings.Contains(line, "the client allows 50 requests a second") {
					t.Errorf("the line does not name an object and the client's rate: %s", line)
				}
			})
		})
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package adapter

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/internal/testkit/apiserver"
)

// Writes wait for seconds in a client that may send one request a second. That is nothing about their namespaces, and a
// Warning waits for no more than those of the four workers, and one of another class whose turn it is.
//
// Caught: writes that wait in the limiter and are taken for slow, so that more and more wait there.
func TestSlowLimiterKeepsTheOrder(t *testing.T) {
	for _, mode := range []API{EventsV1, CoreV1, Legacy} {
		t.Run(string(mode), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := apiserver.New()
				config := server.Config()
				config.QPS, config.Burst = 1, 1
				a, err := NewForConfig(t.Context(), config, WithMode(mode))
				if err != nil {
					t.Fatal(err)
				}
				if err := a.Start(t.Context()); err != nil {
					t.Fatal(err)
				}
				recorder := a.NewRecorder("example.com/test")
				record := func(i int, eventtype string) {
					pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
						Namespace: fmt.Sprint("ns-", i%10), Name: fmt.Sprint("web-", i), UID: types.UID(fmt.Sprint(i)),
					}}
					recorder.Eventf(pod, nil, eventtype, eventtype, "Test", "")
				}
				for i := range 100 {
					record(i, corev1.EventTypeNormal)
				}
				time.Sleep(30 * time.Second)
				before := len(server.Events())
				record(100, corev1.EventTypeWarning)
				isWarning := func(e eventsv1.Event) bool { return e.Type == corev1.EventTypeWarning }
				if err := server.Await(t.Context(), func() bool { return slices.ContainsFunc(server.Events(), isWarning) }); err != nil {
					t.Fatal(err)
				}
				if n := len(server.Events()) - before; n > 6 {
					t.Errorf("a Warning is write %d", n)
				}
				a.Shutdown()
			})
		})
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/eventseries/eventseries/events/eventstest"
)

var update = flag.Bool("update", false, "rewrite testdata/tickets.txt, which docs/incidents.md shows")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A registry refuses the pulls of ten pods, while the program is stopped and started again. There
// is one ticket. Docs/incidents.md shows the output.
//
// Caught: a checkpoint that is not restored, which opened a second ticket.
func TestOneTicket(t *testing.T) {
	var out strings.Builder
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset()
		file := filepath.Join(t.TempDir(), "incidents.checkpoint")
		create(t, client, "Deployment", "web", "Normal", "ScalingReplicaSet", "Scaled up replica set web-7d4b9c6f5x from 0 to 10")
		suffixes := strings.Fields("x2xqz p9k4d 8rvqk bq7tn zl5wd m4x9c hj2vs t6nfp kd8gx w5zrb")
		for part := range 2 {
			ctx, stop := context.WithCancel(t.Context())
			ended := make(chan error)
			go func() { ended <- run(ctx, client, file, printer{&out}) }()
			for i := range 5 {
				time.Sleep(20 * time.Second)
				create(t, client, "Pod", "web-7d4b9c6f5x-"+suffixes[5*part+i], "Warning", "Failed", fmt.Sprintf("Failed to pull image \"registry.example.com/web:1.4\": "+
					"unexpected status from HEAD request to https://registry.example.com/v2/web/%d: 429 Too Many Requests", i))
			}
			time.Sleep(15 * time.Minute * time.Duration(part))
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	})
	if *update {
		if err := os.WriteFile("testdata/tickets.txt", []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/tickets.txt")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("testdata/tickets.txt (go test -update accepts it; -file +test):\n%s", diff)
	}
}

// create stores an Event of now, as the kubelet writes it.
func create(t *testing.T, client *eventstest.Clientset, kind, name, eventtype, reason, note string) {
	t.Helper()
	now := metav1.Now()
	event := &corev1.Event{
		ObjectMeta:     metav1.ObjectMeta{Namespace: "shop", Name: fmt.Sprintf("%s.%x", name, now.UnixNano())},
		Type:           eventtype,
		Reason:         reason,
		Message:        note,
		Source:         corev1.EventSource{Component: "kubelet", Host: "node-1"},
		InvolvedObject: corev1.ObjectReference{Kind: kind, Namespace: "shop", Name: name},
		FirstTimestamp: now,
		LastTimestamp:  now,
		Count:          1,
	}
	if _, err := client.CoreV1().Events("shop").Create(t.Context(), event, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

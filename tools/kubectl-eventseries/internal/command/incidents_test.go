// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/cluster"
	"github.com/eventseries/eventseries/tools/kubectl-eventseries/internal/table"
)

// refused are the failed pulls of pods, since a time before now.
func refused(pods int, since time.Duration) (events []eventview.Event) {
	for i := range pods {
		name := fmt.Sprintf("web-7d4b9c6f5x-%05d", i)
		at := now.Add(time.Duration(i)*time.Second - since)
		note := fmt.Sprintf(`Failed to pull image "web:%d": unexpected status from HEAD request to https://reg.example.com/v2: 429 Too Many Requests`, i)
		events = append(events, eventview.Event{
			Namespace:  "shop",
			Name:       fmt.Sprintf("%s.%x", name, at.UnixNano()),
			Type:       corev1.EventTypeWarning,
			Reason:     "Failed",
			Note:       note,
			NewestNote: note,
			Controller: "kubelet",
			Regarding:  corev1.ObjectReference{Kind: "Pod", Namespace: "shop", Name: name},
			Count:      1,
			First:      at,
			Last:       at,
		})
	}
	return events
}

// Caught: Events in the order of their names, which gave another first object.
func TestIncidents(t *testing.T) {
	all := append(refused(36, 7*time.Minute), shop()...)
	all[0], all[9] = all[9], all[0]
	for name, format := range map[string]string{"incidents": "", "incidents-wide": "wide", "incidents-json": "json"} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			r := &reading{IOStreams: genericiooptions.IOStreams{Out: &b}, print: table.Options{Format: format}}
			if err := r.printIncidents(r.newIncidentTable(), trackerOf(all, now).Incidents(), now); err != nil {
				t.Fatal(err)
			}
			golden(t, "testdata/"+name+".txt", b.String())
		})
	}
}

// A digest begins with the incidents that are not over, as far as half of its bytes allow.
func TestDigestBeginsWithIncidents(t *testing.T) {
	all := append(refused(36, 7*time.Minute), shop()...)
	text, err := (&reading{print: table.Options{Format: "text"}}).digestOf(all, 4096, now)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/digest-incidents.txt", string(text))
	for size := range 1200 {
		lines := incidentLines(all, size, now)
		if len(lines) > size+len("and 2 more incidents\n") {
			t.Fatalf("%d bytes in %d", len(lines), size)
		}
	}
}

// A watch shows when an incident opens and ends, although no Event arrives then.
func TestWatchOfIncidents(t *testing.T) {
	var b bytes.Buffer
	synctest.Test(t, func(t *testing.T) {
		client := eventstest.NewClientset()
		ctx, cancel := context.WithCancel(t.Context())
		r := &reading{IOStreams: genericiooptions.IOStreams{Out: &b, ErrOut: io.Discard}}
		c := &cluster.Client{Interface: client, Namespace: "shop", Stderr: io.Discard}
		ended := make(chan error)
		go func() {
			ended <- r.watchIncidents(ctx, c, &cluster.Query{Namespace: "shop"}, nil, trackerOf(nil, time.Now()), r.newIncidentTable())
		}()
		time.Sleep(time.Minute)
		for _, e := range refused(3, 0) {
			at := metav1.NewTime(time.Now())
			event := &corev1.Event{
				ObjectMeta:     metav1.ObjectMeta{Namespace: e.Namespace, Name: e.Name},
				Type:           e.Type,
				Reason:         e.Reason,
				Message:        e.Note,
				Source:         corev1.EventSource{Component: e.Controller},
				InvolvedObject: e.Regarding,
				FirstTimestamp: at,
				LastTimestamp:  at,
				Count:          1,
			}
			if _, err := client.CoreV1().Events("shop").Create(ctx, event, metav1.CreateOptions{}); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Second)
		}
		time.Sleep(20 * time.Minute)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	var states []string
	for line := range strings.Lines(b.String()) {
		states = append(states, strings.Join(strings.Fields(line)[:5], " "))
	}
	want := []string{"STATE SINCE LAST SEEN OBJECTS", "open 60s 58s 3 Failed", "over 10m 10m 3 Failed"}
	if diff := cmp.Diff(want, states); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Tickets opens a ticket for each incident of a cluster, and closes it when the incident is over.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eventseries/eventseries/eventview"
	"github.com/eventseries/eventseries/eventview/incident"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	rules := clientcmd.NewDefaultClientConfigLoadingRules() // $KUBECONFIG, ~/.kube/config, or the pod's own
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, nil).ClientConfig()
	if err != nil {
		log.Fatal(err)
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		log.Fatal(err)
	}
	if err := run(ctx, client, "incidents.checkpoint", printer{os.Stdout}); err != nil {
		log.Fatal(err)
	}
}

// desk is the ticket system. The ID of an incident is the key of its ticket, so that a call that is
// repeated after a crash changes nothing.
type desk interface {
	Open(i incident.Incident) error
	Update(i incident.Incident) error
	Close(i incident.Incident) error
}

// run keeps the tickets up to date until ctx ends.
func run(ctx context.Context, client kubernetes.Interface, file string, tickets desk) error {
	tracker := incident.New()
	if err := restore(file, tracker); err != nil {
		return err
	}
	if err := list(ctx, client, tracker); err != nil {
		return err
	}
	events := make(chan eventview.Event)
	go watch(ctx, client, events)
	ticker := time.NewTicker(5 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case event := <-events:
			tracker.Observe(&event)
		case now := <-ticker.C:
			if err := report(tracker.Tick(now), tickets); err != nil {
				return err
			}
			if err := save(file, tracker); err != nil {
				return err
			}
		}
	}
}

// list passes the stored Events to the tracker, in the order in which they began.
func list(ctx context.Context, client kubernetes.Interface, tracker *incident.Tracker) error {
	stored, err := client.EventsV1().Events("").List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	var events []eventview.Event
	for i := range stored.Items {
		events = append(events, eventview.FromEventsV1(&stored.Items[i]))
	}
	slices.SortFunc(events, incident.Compare)
	for i := range events {
		tracker.Observe(&events[i])
	}
	return nil
}

// watch sends the changes of Events until ctx ends. It begins with the stored Events, which the
// tracker knows already.
func watch(ctx context.Context, client kubernetes.Interface, events chan<- eventview.Event) {
	for change, err := range eventview.Watch(ctx, client.EventsV1().Events(""), metav1.ListOptions{}, nil) {
		switch {
		case err != nil:
			log.Print(err) // Watch tries again after a pause
		case !change.Deleted:
			select {
			case events <- change.Event:
			case <-ctx.Done():
			}
		}
	}
}

// report tells the ticket system what has changed.
func report(changed []incident.Incident, tickets desk) error {
	for _, i := range changed {
		call := tickets.Update
		switch i.State {
		case incident.Open:
			call = tickets.Open
		case incident.Over:
			call = tickets.Close
		}
		if err := call(i); err != nil {
			return err
		}
	}
	return nil
}

// restore sets the tracker to the checkpoint, if there is one.
func restore(file string, tracker *incident.Tracker) error {
	checkpoint, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return tracker.UnmarshalBinary(checkpoint)
}

// save replaces the checkpoint. A process that is killed meanwhile leaves the old one.
func save(file string, tracker *incident.Tracker) error {
	checkpoint, err := tracker.MarshalBinary()
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", checkpoint, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// printer is a ticket system that prints.
type printer struct{ out io.Writer }

func (p printer) Open(i incident.Incident) error {
	began := i.First.UTC().Format(time.TimeOnly)
	_, err := fmt.Fprintf(p.out, "open %s: %s since %s, first %v\n  %s\n", i.ID, i.Reason, began, i.FirstObject, i.Note)
	for _, text := range i.Before {
		fmt.Fprintf(p.out, "  shortly before: %s\n", text)
	}
	return err
}

func (p printer) Update(i incident.Incident) error {
	_, err := fmt.Fprintf(p.out, "update %s: %d objects\n", i.ID, i.Objects)
	return err
}

func (p printer) Close(i incident.Incident) error {
	last := i.Last.UTC().Format(time.TimeOnly)
	_, err := fmt.Fprintf(p.out, "close %s: %d objects, last at %s\n", i.ID, i.Objects, last)
	return err
}

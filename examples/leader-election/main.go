// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Leader-election runs client-go's leader election with a lock whose Events
// go through the SDK, and hands over cleanly on SIGTERM.
//
//	go run ./examples/leader-election                      two terms against an in-memory API
//	go run ./examples/leader-election -kubeconfig ~/.kube/config   until SIGTERM on a cluster
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/eventseries/eventseries/events/eventstest"
	"github.com/eventseries/eventseries/eventview"
)

func main() {
	if err := mainErr(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func mainErr(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("leader-election", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "the cluster to use; without it an API in memory is used")
	namespace := flags.String("namespace", "default", "where the Lease is")
	identity := flags.String("identity", "", "this candidate's name (default: host name)")
	terms := flags.Int("terms", 0, "how often to lead, then exit; 0: until SIGTERM (in memory: 2)")
	term := flags.Duration("term", 3*time.Second, "how long to lead each time, with -terms")
	if err := flags.Parse(args); err != nil {
		return err
	}
	config, client, err := connect(*kubeconfig)
	if err != nil {
		return err
	}
	if *kubeconfig == "" && *terms == 0 {
		*terms = 2
	}
	host, _ := os.Hostname()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := &candidate{
		config:       config,
		client:       client,
		namespace:    *namespace,
		identity:     cmp.Or(*identity, host, "candidate"),
		terms:        *terms,
		term:         *term,
		drainTimeout: 5 * time.Second,
		say:          func(format string, args ...any) { fmt.Fprintf(out, format+"\n", args...) },
	}
	if err := c.run(ctx); err != nil {
		return err
	}
	return printEvents(client, *namespace, out)
}

// connect returns a cluster's configuration and a client, or no configuration and an API in memory.
func connect(kubeconfig string) (*rest.Config, kubernetes.Interface, error) {
	if kubeconfig == "" {
		return nil, eventstest.NewClientset(), nil
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, nil, fmt.Errorf("leader-election: cannot read -kubeconfig: %w", err)
	}
	client, err := kubernetes.NewForConfig(config)
	return config, client, err
}

// printEvents shows what the API server has about the lease.
func printEvents(client kubernetes.Interface, namespace string, out io.Writer) error {
	list, err := client.EventsV1().Events(namespace).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("leader-election: handed over, but cannot list the Events: %w", err)
	}
	for i := range list.Items {
		if e := eventview.FromEventsV1(&list.Items[i]); e.Reason == "LeaderElection" {
			fmt.Fprintf(out, "%s %s/%s  x%d  %s\n", e.Reason, e.Regarding.Kind, e.Regarding.Name, e.Count, e.Note)
		}
	}
	return nil
}

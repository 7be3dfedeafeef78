// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"

	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/cluster"
	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/count"
	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/script"
)

// result is what one run has shown.
type result struct {
	Version        string // of Kubernetes
	Minutes, Nodes int
	Rows           []count.Row
	Stored         []string // what has an Event
	Recorded       []string // what was recorded
	Bytes          int      // of all Events
	Usage          []usage
	Describe       string // what kubectl shows for a pod
}

// usage is what a component needed. The kubelets are one.
type usage struct {
	Component string
	cluster.Usage
}

// Totals are the rows of the components.
func (r *result) Totals() []count.Row { return count.Totals(r.Rows) }

// shown fills in what kubectl shows while the cluster runs.
func (r *result) shown(ctx context.Context, c *cluster.Cluster) (err error) {
	namespace := "--namespace=" + script.Namespace
	description, err := c.Kubectl(ctx, "", "describe", "pod", script.Pod, namespace)
	if err != nil {
		return err
	}
	if _, events, found := strings.Cut(description, "\nEvents:"); found {
		r.Describe = warnings(events)
	}
	return nil
}

// warnings returns the headings of the Events that kubectl describes, and the lines of the Warnings.
func warnings(events string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(events)) {
		if line = strings.TrimSpace(line); !strings.HasPrefix(line, "Normal ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// counted fills in the counts after the components have ended.
func (r *result) counted(ctx context.Context, c *cluster.Cluster) error {
	occurrences, err := logged(c)
	if err != nil {
		return err
	}
	log, err := os.Open(c.AuditLog())
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	writes, err := count.Writes(log)
	if err != nil {
		return fmt.Errorf("%s: %w", c.AuditLog(), err)
	}
	stored, err := events(ctx, c)
	if err != nil {
		return err
	}
	for _, event := range stored {
		r.Bytes += event.Bytes
	}
	r.Rows, r.Usage = count.Table(occurrences, writes, stored), used(c)
	r.Recorded = count.Distinct(occurrences, func(o count.Occurrence) count.Subject { return o.Subject })
	r.Stored = count.Distinct(stored, func(s count.Stored) count.Subject { return s.Subject })
	return nil
}

// logged returns what the components recorded.
func logged(c *cluster.Cluster) (all []count.Occurrence, err error) {
	read := func(process, component string) error {
		log, err := os.Open(c.Log(process))
		if err != nil {
			return err
		}
		defer func() { _ = log.Close() }()
		occurrences, err := count.Occurrences(log, component)
		all = append(all, occurrences...)
		return err
	}
	for i := range c.Nodes {
		if err := read(cluster.Node(i), count.Kubelet); err != nil {
			return nil, err
		}
	}
	if c.Alone {
		return all, nil
	}
	if err := read(cluster.Manager, count.Manager); err != nil {
		return nil, err
	}
	err = read(cluster.Scheduler, count.Scheduler)
	return all, err
}

// events returns what is stored of the components. kube-apiserver, too, records now and then.
func events(ctx context.Context, c *cluster.Cluster) (all []count.Stored, err error) {
	list := func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return c.Client.CoreV1().Events(metav1.NamespaceAll).List(ctx, options)
	}
	err = pager.New(list).EachListItem(ctx, metav1.ListOptions{}, func(object runtime.Object) error {
		if event := count.OfEvent(object.(*corev1.Event)); event.Component != "" {
			all = append(all, event)
		}
		return nil
	})
	return all, err
}

// used returns what the components needed, the kubelets as one.
func used(c *cluster.Cluster) []usage {
	all := []usage{{Component: count.Kubelet}, {Component: count.Manager}, {Component: count.Scheduler}}
	for name, needed := range c.Usage() {
		i := max(0, slices.IndexFunc(all, func(u usage) bool { return u.Component == name }))
		all[i].CPU += needed.CPU
		all[i].MaxRSS += needed.MaxRSS
		all[i].Starts += needed.Starts
	}
	return slices.DeleteFunc(all, func(u usage) bool { return u.Starts == 0 })
}

// save keeps the result, and load finds it again.
func (r *result) save(file string) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

func load(file string) (*result, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("%w; both runs must have been made", err)
	}
	r := &result{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	return r, nil
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package script

import (
	"context"
	"embed"
	"fmt"
	"strings"
	"syscall"
	"text/template"
	"time"

	"github.com/eventseries/eventseries/test/e2e/kubernetes/internal/cluster"
)

// Pod is crash-looping and has the same name in every run.
const (
	Namespace = "work"
	Pod       = "crash-0"
)

//go:embed *.yaml.tmpl
var files embed.FS

var objects = template.Must(template.ParseFS(files, "*.tmpl"))

// Step is one thing that happens.
type Step struct {
	At  float64 // as a share of the script's length
	Say string
	do  func(context.Context, *cluster.Cluster) error
}

// Script is what happens, in order.
type Script []Step

// Kubelet is the script of a kubelet that is alone.
var Kubelet = Script{
	{0.00, "pods are created: crash loops, images that cannot be pulled, probes that fail", apply("pods.yaml.tmpl")},
}

// Whole is the script of a whole cluster.
var Whole = Script{
	{0.00, "everything is created: Deployments, StatefulSets, DaemonSets, Jobs, CronJobs, an HPA, a quota", apply("objects.yaml.tmpl")},
	{0.15, "a Deployment rolls", kubectl("rollout restart deployment/web")},
	{0.25, "two nodes freeze", signals(syscall.SIGSTOP, 1, 2)},
	{0.30, "a Deployment rolls to an image that cannot be pulled", kubectl("set image deployment/web app=missing.invalid/web:2")},
	{0.42, "... and back", kubectl("rollout undo deployment/web")},
	{0.50, "the nodes come back", signals(syscall.SIGCONT, 1, 2)},
	{0.55, "urgent pods preempt others", kubectl("scale deployment/urgent --replicas=2")},
	{0.60, "a node runs out of memory and evicts", signals(syscall.SIGUSR1, 0)},
	{0.72, "the node has memory again", signals(syscall.SIGUSR1, 0)},
	{0.76, "the controller manager loses its lease, ends, starts and wins it back", takeLease},
	{0.84, "the scheduler is replaced", terminate(cluster.Scheduler)},
	{0.90, "a Deployment is scaled down and up", kubectl("scale deployment/web --replicas=0")},
	{0.93, "...", kubectl("scale deployment/web --replicas=10")},
}

// Run runs the script in a cluster. It returns after the length.
func (s Script) Run(ctx context.Context, c *cluster.Cluster, length time.Duration, say func(string, ...any)) error {
	begin := time.Now()
	for _, step := range s {
		if err := wait(ctx, c, begin.Add(time.Duration(step.At*float64(length)))); err != nil {
			return err
		}
		say("%v: %s", time.Since(begin).Round(time.Second), step.Say)
		if err := step.do(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", step.Say, err)
		}
	}
	return wait(ctx, c, begin.Add(length))
}

// wait returns when it is time, or with an error when a component has failed.
func wait(ctx context.Context, c *cluster.Cluster, until time.Time) error {
	for time.Now().Before(until) {
		if err := c.Failure(); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(min(time.Second, time.Until(until))):
		}
	}
	return nil
}

// manifest returns what is created on so many nodes.
func manifest(name string, nodes int) (string, error) {
	var text strings.Builder
	err := objects.ExecuteTemplate(&text, name, map[string]int{"Nodes": nodes, "Twice": 2 * nodes, "Half": (nodes + 1) / 2})
	return text.String(), err
}

func apply(name string) func(context.Context, *cluster.Cluster) error {
	return func(ctx context.Context, c *cluster.Cluster) error {
		text, err := manifest(name, c.Nodes)
		if err != nil {
			return err
		}
		_, err = c.Kubectl(ctx, text, "apply", "-f", "-")
		return err
	}
}

func kubectl(arguments string) func(context.Context, *cluster.Cluster) error {
	return func(ctx context.Context, c *cluster.Cluster) error {
		_, err := c.Kubectl(ctx, "", append(strings.Fields(arguments), "--namespace="+Namespace)...)
		return err
	}
}

// signals sends a signal to the kubelets of nodes.
func signals(signal syscall.Signal, nodes ...int) func(context.Context, *cluster.Cluster) error {
	return func(_ context.Context, c *cluster.Cluster) error {
		for _, node := range nodes {
			if err := c.Signal(cluster.Node(node), signal); err != nil {
				return err
			}
		}
		return nil
	}
}

// terminate ends a component, which is started again.
func terminate(component string) func(context.Context, *cluster.Cluster) error {
	return func(_ context.Context, c *cluster.Cluster) error { return c.Signal(component, syscall.SIGTERM) }
}

// takeLease makes another process the leader, which never renews its lease.
func takeLease(ctx context.Context, c *cluster.Cluster) error {
	const patch = `{"spec":{"holderIdentity":"another","leaseDurationSeconds":8,"acquireTime":%[1]q,"renewTime":%[1]q}}`
	now := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z07:00")
	_, err := c.Kubectl(ctx, "", "patch", "lease", cluster.Manager, "--namespace=kube-system", "--type=merge",
		"--patch="+fmt.Sprintf(patch, now))
	return err
}

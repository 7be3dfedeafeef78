// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"cmp"
	"fmt"
	"time"
)

// Config says which cluster, for how long, and whether the day is a bad one.
type Config struct {
	Nodes, PodsPerNode int
	Span               time.Duration
	Seed               uint64
	Bad                bool

	// These are the defaults if they are zero.
	Containers    int // of a pod: ContainersPerPod
	SchedulerRate int // pods a second: SchedulerRate
	QPS           int // of the client of the scheduler and of each controller, with twice the burst: see Components

	first, end int // of the components that record, see Of
}

// Of is the same cluster, in which only the components from first up to the one before end record.
func (c Config) Of(first, end int) Config {
	c.first, c.end = first, end
	return c
}

// Recording returns the first component that records, and the end of those that do.
func (c Config) Recording() (first, end int) {
	if c.end == 0 {
		return 0, c.Nodes + others
	}
	return c.first, c.end
}

// Pods is how many pods the cluster runs.
func (c Config) Pods() int { return c.Nodes * c.PodsPerNode }

func (c Config) containers() int { return cmp.Or(c.Containers, ContainersPerPod) }

// Deployments is how many there are: all pods but those of jobs belong to one.
func (c Config) Deployments() int { return max(1, c.Pods()/PodsPerDeployment) }

// RegistryDown says whether images can not be pulled.
func (c Config) RegistryDown(at time.Duration) bool {
	return c.Bad && at >= c.share(RegistryFrom) && at < c.share(RegistryTo)
}

// TroubleFrom is when a bad day becomes one.
func (c Config) TroubleFrom() time.Duration { return c.share(RegistryFrom) }

// Cut says whether a component cannot reach the API server: the kubelets of one zone, for a while of a bad day. They
// live on, and have as much to say as before.
func (c Config) Cut(component int, at time.Duration) bool {
	return c.Bad && c.inLostZone(component) && at >= c.share(ZoneFrom) && at < c.share(ZoneTo)
}

func (c Config) inLostZone(component int) bool { return component < c.Nodes && component%Zones == 0 }

func (c Config) share(of float64) time.Duration { return time.Duration(of * float64(c.Span)) }

// The components that are no kubelet, counted on from the last of these.
const (
	Scheduler = iota
	DeploymentController
	ReplicaSetController
	JobController
	CronJobController
	Autoscaler
	NodeLifecycle
	TaintEviction
	others
)

// SchedulerName is the name of the component that is Scheduler.
const SchedulerName = "default-scheduler"

var otherNames = [others]string{
	SchedulerName, "deployment-controller", "replicaset-controller", "job-controller", "cronjob-controller",
	"horizontal-pod-autoscaler", "node-controller", "taint-eviction-controller",
}

// Component is what has a broadcaster of its own.
type Component struct {
	Name, Host string
	QPS, Burst int // of its API client
}

// Components are the kubelets, one a node, and what runs once, with the limits of their default configurations, unless
// QPS is set.
func (c Config) Components() []Component {
	all := make([]Component, 0, c.Nodes+others)
	for n := range c.Nodes { // eventRecordQPS and eventBurst of KubeletConfiguration
		all = append(all, Component{Name: "kubelet", Host: nodeName(n), QPS: 50, Burst: 100})
	}
	for i, name := range otherNames {
		one := Component{Name: name, Host: "control-plane", QPS: ControllerRate, Burst: 30}
		if i == Scheduler {
			one.QPS, one.Burst = 50, 100 // clientConnection of KubeSchedulerConfiguration
		}
		if c.QPS > 0 {
			one.QPS, one.Burst = c.QPS, 2*c.QPS
		}
		all = append(all, one)
	}
	return all
}

func nodeName(n int) string { return fmt.Sprintf("node-%05d", n) }

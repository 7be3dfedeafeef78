// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"strconv"
	"time"
)

// Emission is one call of a recorder.
type Emission struct {
	At        time.Duration // since the beginning
	Component int           // of Config.Components
	Regarding Object
	What
	Note string
}

// What has the type, the reason and the action of an event, but not its object.
type What struct{ Type, Reason, Action string }

// Object is what an event is about, as the component knows it.
type Object struct {
	APIVersion, Kind, Namespace, Name, UID string
	ResourceVersion                        string // changes with each write of the object's status
	FieldPath                              string
}

// Events of Kubernetes. The components that use client-go's old API give no action; these are ours.
var (
	scheduled        = What{"Normal", "Scheduled", "Binding"}
	failedScheduling = What{"Warning", "FailedScheduling", "Scheduling"}
	pulling          = What{"Normal", "Pulling", "Pulling"}
	pulled           = What{"Normal", "Pulled", "Pulling"}
	failedPull       = What{"Warning", "Failed", "Pulling"}
	backOffPull      = What{"Normal", "BackOff", "Pulling"}
	failedStart      = What{"Warning", "Failed", "Starting"}
	created          = What{"Normal", "Created", "Creating"}
	started          = What{"Normal", "Started", "Starting"}
	killing          = What{"Normal", "Killing", "Killing"}
	unhealthy        = What{"Warning", "Unhealthy", "Probing"}
	backOffRestart   = What{"Warning", "BackOff", "Restarting"}
	scaling          = What{"Normal", "ScalingReplicaSet", "Scaling"}
	podCreated       = What{"Normal", "SuccessfulCreate", "Creating"}
	podDeleted       = What{"Normal", "SuccessfulDelete", "Deleting"}
	jobCompleted     = What{"Normal", "Completed", "Completing"}
	sawCompletedJob  = What{"Normal", "SawCompletedJob", "Observing"}
	rescaled         = What{"Normal", "SuccessfulRescale", "Scaling"}
	noMetric         = What{"Warning", "FailedGetResourceMetric", "Scaling"}
	noReplicas       = What{"Warning", "FailedComputeMetricsReplicas", "Scaling"}
	nodeNotReady     = What{"Warning", "NodeNotReady", "Monitoring"}
	nodeReady        = What{"Normal", "NodeReady", "Reporting"}
	evicting         = What{"Normal", "TaintManagerEviction", "Evicting"}
)

// pod is one that something happens to.
type pod struct {
	app, id    uint32
	node       int
	containers int
	version    int // of its status
	job        bool
}

func (p *pod) name() string {
	if p.job {
		return fmt.Sprintf("job-%05d-%08x", p.app, p.id)
	}
	return fmt.Sprintf("app-%05d-%08x", p.app, p.id)
}

func (c *Cluster) podObject(p *pod) Object {
	return Object{
		APIVersion: "v1", Kind: "Pod", Namespace: c.namespace(p.app), Name: p.name(), UID: uid('a', p.id),
		ResourceVersion: strconv.Itoa(int(p.id)*64 + p.version),
	}
}

func (c *Cluster) container(p *pod, n int) Object {
	o := c.podObject(p)
	o.FieldPath = containerPaths[n]
	return o
}

var containerPaths = [ContainersPerPod]string{"spec.containers{main}", "spec.containers{proxy}"}

func (c *Cluster) owner(api, kind string, app uint32) Object {
	return Object{
		APIVersion: api, Kind: kind, Namespace: c.namespace(app), Name: fmt.Sprintf("app-%05d", app),
		UID:             uid(kind[0], app),
		ResourceVersion: strconv.FormatInt(int64(c.now/time.Second), 10), // an owner's status counts its pods
	}
}

func (c *Cluster) deployment(app uint32) Object { return c.owner("apps/v1", "Deployment", app) }
func (c *Cluster) replicaSet(app uint32) Object { return c.owner("apps/v1", "ReplicaSet", app) }
func (c *Cluster) cronJob(app uint32) Object    { return c.owner("batch/v1", "CronJob", app) }

// job is a new object each time.
func (c *Cluster) job(app, run uint32) Object {
	o := c.owner("batch/v1", "Job", app)
	o.Name, o.UID = fmt.Sprintf("%s-%d", o.Name, run), uid('j', run)
	return o
}

func (c *Cluster) autoscaler(app uint32) Object {
	return c.owner("autoscaling/v2", "HorizontalPodAutoscaler", app)
}

func nodeObject(n int) Object {
	return Object{APIVersion: "v1", Kind: "Node", Name: nodeName(n), UID: nodeName(n)}
}

func (c *Cluster) namespace(app uint32) string {
	return fmt.Sprintf("team-%04d", int(app)%max(1, c.Nodes/NodesPerNamespace))
}

func uid(kind byte, id uint32) string { return fmt.Sprintf("%08x-%04x-4000-8000-%012x", id, kind, id) }

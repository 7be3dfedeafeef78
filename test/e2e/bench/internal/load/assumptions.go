// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package load

import "time"

// The behaviour of Kubernetes. The file names are from kubernetes v1.36.3.
const (
	// ProbePeriod is a probe's default periodSeconds. Each failure is an event (pkg/kubelet/prober/prober.go).
	ProbePeriod = 10 * time.Second
	// FailureThreshold is a probe's default: then the pod's status is written, and its resourceVersion changes.
	FailureThreshold = 3
	// BackOffBase and BackOffMax bound kubelet's back-off of images and crashing containers (pkg/kubelet/kubelet.go).
	BackOffBase, BackOffMax = 10 * time.Second, 300 * time.Second
	// ImageSync is when a pod whose image cannot be pulled is looked at again, backOffPeriod (pkg/kubelet/kubelet.go).
	ImageSync = 10 * time.Second
	// CrashSync is when a pod in crash-loop back-off is looked at again at the latest: syncFrequency's default.
	CrashSync = time.Minute
	// SyncJitter stretches both by up to a half (pkg/kubelet/pod_workers.go).
	SyncJitter = 0.5
	// SchedulerRate is how many pods a second the scheduler looks at in a cluster of this size: the order of magnitude
	// that SIG Scalability's tests of 5,000 nodes ask of pod start-up (100 pods a second).
	SchedulerRate = 100
	// ControllerRate is how many requests a second one controller makes: kube-controller-manager's default
	// --kube-api-qps (pkg/controller/apis/config/v1alpha1/defaults.go).
	ControllerRate = 20
	// AutoscalerSync is --horizontal-pod-autoscaler-sync-period's default.
	AutoscalerSync = 15 * time.Second
	// NodeGrace is --node-monitor-grace-period's default: a node that was silent for so long is NotReady.
	NodeGrace = 50 * time.Second
	// NodeEvictionEvery is the inverse of --node-eviction-rate's default, 0.1 nodes a second. It also holds for a zone
	// that is lost as a whole, as long as others are not (HealthyQPSFunc, pkg/controller/nodelifecycle).
	NodeEvictionEvery = 10 * time.Second
	// Toleration is the tolerationSeconds that admission gives every pod
	// (plugin/pkg/admission/defaulttolerationseconds).
	Toleration = 300 * time.Second
	// ContainersPerPod: Kubernetes is built for 150,000 pods and 300,000 containers (kubernetes.io, "Considerations for
	// large clusters").
	ContainersPerPod = 2
)

// The behaviour of users. Nobody publishes such figures for a cluster of this size, so these are
// assumptions. They assume less rather than more Events, and the page lists each of them.
const (
	Zones              = 3
	NodesPerNamespace  = 5
	PodsPerDeployment  = 10
	RolloutsPerDay     = 0.25 // of each Deployment: every fourth day
	WaveShare          = 0.5  // of the pods, by the default maxSurge and maxUnavailable of 25 % each (of 10: 3 up, 2 down)
	RolloutNeedsPull   = 1.0  // a new version is an image that no node has; of the first container only
	OtherNeedsPull     = 0.25
	StartDelay         = time.Second     // from one step of a pod's start to the next
	PullTakes          = 5 * time.Second // when the registry works
	CronJobsPerNode    = 0.4             // half of them every five minutes, half at the full hour
	JobTakes           = 20 * time.Second
	ShareUnready       = 0.002 // of the pods fail their readiness probe at any time
	UnreadyFor         = 10 * time.Minute
	ShareCrashing      = 0.001 // of the pods are in a crash loop at any time
	CrashingFor        = 2 * time.Hour
	CrashTakes         = 5 * time.Second // from start to crash
	PendingPerNode     = 0.1             // pods that fit nowhere, at any time
	PendingRetry       = time.Minute     // between the 10 s back-off and the 5 min of the scheduler's queues
	ShareAutoscaled    = 0.2             // of the Deployments
	RescalesPerDay     = 4.0             // of an autoscaler, two pods each
	ShareWithoutMetric = 0.01            // of the autoscalers: two events at each sync
)

// The bad day, as shares of the simulated span: of an hour the registry is down for 40 minutes, and for 15 of these a
// zone cannot reach the API server. Of three hours, these are two hours and 45 minutes.
const (
	RegistryFrom, RegistryTo = 1.0 / 6, 5.0 / 6
	ZoneFrom, ZoneTo         = 1.0 / 3, 1.0/3 + 1.0/4
)

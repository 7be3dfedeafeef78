// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

// Package scenario is what happens to a node: pods that come and go, crash or
// have no image, statuses that cannot be read, an event stream that is cut. It
// is made from a seed, so that the same hour can be played twice.
package scenario

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// When things happen, as fractions of the length of a script.
const (
	breakAt   = 0.15 // the status of some pods becomes unreadable
	repairAt  = 0.18
	rolloutAt = 0.30
	CutAt     = 0.40 // the event stream breaks
	RestoreAt = 0.55
)

// Kubelet is what a script does to a kubelet.
type Kubelet interface {
	AddPod(ctx context.Context, pod *corev1.Pod)
	DeletePod(ctx context.Context, pod *corev1.Pod)
}

// Script is a timeline. It is not changed by being played.
type Script struct {
	Length time.Duration
	Images []cri.Image
	Pods   int

	namespace string
	node      string
	seed      uint64
	rand      *rand.Rand
	steps     []step
}

type step struct {
	at time.Duration
	do func(ctx context.Context, node Kubelet, runtime *cri.Runtime)
}

// New writes the script of a node whose pods are in the given namespace. What
// happens follows from the seed and the length alone; the name of the node is in
// the UIDs of its pods.
func New(seed uint64, length time.Duration, namespace, node string) *Script {
	s := &Script{Length: length, namespace: namespace, node: node, seed: seed, rand: rand.New(rand.NewPCG(seed, 1))}
	s.addServices()
	s.addCrashing()
	s.addUnpullable()
	s.addJobs()
	s.at(CutAt, func(_ context.Context, _ Kubelet, runtime *cri.Runtime) { runtime.CutStream() })
	s.at(RestoreAt, func(_ context.Context, _ Kubelet, runtime *cri.Runtime) { runtime.RestoreStream() })
	slices.SortStableFunc(s.steps, func(a, b step) int { return int(a.at - b.at) })
	return s
}

// Play does what the script says, each thing at its time, and returns at the end
// of the script or of ctx.
func (s *Script) Play(ctx context.Context, node Kubelet, runtime *cri.Runtime) {
	began := time.Now()
	for _, step := range append(slices.Clip(s.steps), step{at: s.Length}) {
		select {
		case <-time.After(time.Until(began.Add(step.at))):
		case <-ctx.Done():
			return
		}
		if step.do != nil {
			step.do(ctx, node, runtime)
		}
	}
}

// at adds a step at a fraction of the length.
func (s *Script) at(fraction float64, do func(context.Context, Kubelet, *cri.Runtime)) {
	s.steps = append(s.steps, step{at: time.Duration(fraction * float64(s.Length)), do: do})
}

// between is a time of day between two fractions. No two are alike, so that the
// order of what happens never hangs on which of two equal timers fires first.
func (s *Script) between(from, to float64) float64 {
	return from + s.rand.Float64()*(to-from)
}

// lasting is a duration between two, to the nanosecond for the same reason.
func lasting(r *rand.Rand, from, to time.Duration) time.Duration {
	return from + time.Duration(r.Int64N(int64(to-from)))
}

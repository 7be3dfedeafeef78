// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/kubelet"
)

// How many pods of each kind there are: some 70 that stay, and jobs that come and go.
const (
	services   = 30
	replaced   = 12 // of the services, by a rollout
	crashing   = 22
	unpullable = 10
	flaky      = 5 // pulled at the fourth try
	jobRounds  = 20
	jobs       = 3 // per round
)

// rolloutAt is when a rollout begins, as a fraction of the length of the script.
const rolloutAt = 0.30

// script is what happens to a node. It follows from the options alone, so that it can be played twice. The name of the
// node is in the UIDs of its pods.
type script struct {
	options
	node   types.NodeName
	images []kubelet.Image
	pods   int
	steps  []step
	rand   *rand.Rand
}

type step struct {
	at time.Duration
	do func(context.Context, *kubelet.Kubelet)
}

func newScript(o options, node types.NodeName) *script {
	s := &script{
		options: o,
		node:    node,
		rand:    rand.New(rand.NewPCG(o.seed, 1)),
	}
	s.addServices()
	s.addCrashing()
	s.addUnpullable()
	s.addJobs()
	for _, part := range []float64{0.25, 0.5, 0.75, 1} {
		s.do(part, func(context.Context, *kubelet.Kubelet) { say("%s: %v of %v", node, s.moment(part), s.duration) })
	}
	slices.SortStableFunc(s.steps, func(a, b step) int { return int(a.at - b.at) })
	return s
}

// play does each thing at its time, and returns at the end of the script or of ctx.
func (s *script) play(ctx context.Context, k *kubelet.Kubelet) {
	began := time.Now()
	for _, step := range s.steps {
		select {
		case <-time.After(time.Until(began.Add(step.at))):
			step.do(ctx, k)
		case <-ctx.Done():
			return
		}
	}
}

// addServices adds pods that run until they are stopped. A rollout replaces some of them.
func (s *script) addServices() {
	for i := range services {
		image := s.image(kubelet.Image{Name: fmt.Sprintf("registry.example/service-%d:v1", i%6)})
		old := s.pod(fmt.Sprintf("service-%d-%02d", i%6, i), corev1.RestartPolicyAlways, image)
		s.add(s.between(0, 0.02), old)
		if i < replaced {
			image = s.image(kubelet.Image{Name: fmt.Sprintf("registry.example/service-%d:v2", i%6)})
			s.add(s.between(rolloutAt, rolloutAt+0.02), s.pod(old.Name+"-v2", corev1.RestartPolicyAlways, image))
			s.remove(s.between(rolloutAt+0.02, rolloutAt+0.04), old)
		}
	}
}

// addCrashing adds pods that crash forever: most of them soon after their start, some after minutes.
func (s *script) addCrashing() {
	for i := range crashing {
		least, most := time.Second, 25*time.Second
		if i%4 == 3 {
			least = 90 * time.Second
			most = 4 * time.Minute
		}
		name := fmt.Sprintf("crasher-%02d", i)
		image := s.image(kubelet.Image{Name: "registry.example/" + name + ":latest", Run: s.runs(least, most, 1)})
		s.add(s.between(0, 0.05), s.pod(name, corev1.RestartPolicyAlways, image))
	}
}

// addUnpullable adds pods whose image is never pulled, and some whose image is pulled after a few attempts.
func (s *script) addUnpullable() {
	for i := range unpullable + flaky {
		name := fmt.Sprintf("missing-%02d", i)
		tag := ":v9"
		pullErrors := kubelet.Always
		if i >= unpullable {
			name = fmt.Sprintf("flaky-%02d", i)
			tag = ":v1"
			pullErrors = 3
		}
		at := s.between(0, 0.05)
		image := s.image(kubelet.Image{Name: "registry.example/" + name + tag, PullErrors: pullErrors})
		s.add(at, s.pod(name, corev1.RestartPolicyAlways, image))
	}
}

// addJobs adds pods that end by themselves and are deleted.
func (s *script) addJobs() {
	image := s.image(kubelet.Image{Name: "registry.example/job:v1", Run: s.runs(3*time.Second, 20*time.Second, 0)})
	const round = 1.0 / jobRounds
	for i := range jobRounds * jobs {
		begin := float64(i/jobs) * round
		pod := s.pod(fmt.Sprintf("job-%03d", i), corev1.RestartPolicyNever, image)
		s.add(s.between(begin, begin+round/4), pod)
		s.remove(s.between(begin+round*3/4, begin+round), pod)
	}
}

// image registers an image unless it is registered, and returns its name.
func (s *script) image(image kubelet.Image) string {
	known := func(other kubelet.Image) bool { return other.Name == image.Name }
	if !slices.ContainsFunc(s.images, known) {
		image.PullTime = lasting(s.rand, 400*time.Millisecond, 6*time.Second)
		s.images = append(s.images, image)
	}
	return image.Name
}

// runs returns a Run function for containers that end by themselves. How long a run lasts follows from the pod and the
// number of the run.
func (s *script) runs(least, most time.Duration, code int) func(string, int) (time.Duration, int) {
	return func(pod string, n int) (time.Duration, int) {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, pod, n)
		return lasting(rand.New(rand.NewPCG(s.seed, h.Sum64())), least, most), code
	}
}

func (s *script) pod(name string, restart corev1.RestartPolicy, image string) *corev1.Pod {
	s.pods++
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.namespace,
			Name:      name,
			UID:       types.UID(string(s.node) + "/" + name),
		},
		Spec: corev1.PodSpec{
			RestartPolicy: restart,
			Containers:    []corev1.Container{{Name: "main", Image: image}},
		},
	}
}

func (s *script) add(at float64, pod *corev1.Pod) {
	s.do(at, func(ctx context.Context, k *kubelet.Kubelet) { k.AddPod(ctx, pod) })
}

func (s *script) remove(at float64, pod *corev1.Pod) {
	s.do(at, func(ctx context.Context, k *kubelet.Kubelet) { k.DeletePod(ctx, pod) })
}

// do has something done at a fraction of the script.
func (s *script) do(at float64, what func(context.Context, *kubelet.Kubelet)) {
	s.steps = append(s.steps, step{s.moment(at), what})
}

// moment is the time of a fraction of the script.
func (s *script) moment(fraction float64) time.Duration {
	return time.Duration(fraction * float64(s.duration))
}

// between and lasting return values that differ to the nanosecond. The order of what happens must not depend on which
// of two equal timers fires first.
func (s *script) between(from, to float64) float64 {
	return from + s.rand.Float64()*(to-from)
}

func lasting(r *rand.Rand, from, to time.Duration) time.Duration {
	return from + time.Duration(r.Int64N(int64(to-from)))
}

// Copyright 2026 The eventseries Authors.
// SPDX-License-Identifier: Apache-2.0

package scenario

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/eventseries/eventseries/examples/kubelet-migration/internal/cri"
)

// How many pods of each kind a node has: some 70 that stay, which with the jobs
// that come and go is what a busy node of 110 looks like.
const (
	services   = 30
	replaced   = 12 // of the services, by a rollout
	crashing   = 22
	unreadable = 3 // of the crashing, for a while
	unpullable = 10
	flaky      = 5 // pulled at the fourth try
	jobRounds  = 20
	jobs       = 3 // per round
)

// addServices adds pods that run until they are stopped. A rollout replaces
// some of them.
func (s *Script) addServices() {
	for i := range services {
		image := s.image(cri.Image{Name: fmt.Sprintf("registry.example/service-%d:v1", i%6)})
		pod := s.pod(fmt.Sprintf("service-%d-%02d", i%6, i), corev1.RestartPolicyAlways, image)
		s.add(s.between(0, 0.02), pod)
		if i >= replaced {
			continue
		}
		image = s.image(cri.Image{Name: fmt.Sprintf("registry.example/service-%d:v2", i%6)})
		next := s.pod(pod.Name+"-v2", corev1.RestartPolicyAlways, image)
		s.add(s.between(rolloutAt, rolloutAt+0.02), next)
		s.delete(s.between(rolloutAt+0.02, rolloutAt+0.04), pod)
	}
}

// addCrashing adds pods that crash for ever: most soon after their start, some
// after minutes.
func (s *Script) addCrashing() {
	for i := range crashing {
		least, most := time.Second, 25*time.Second
		if i%4 == 3 {
			least, most = 90*time.Second, 4*time.Minute
		}
		image := s.image(cri.Image{
			Name: fmt.Sprintf("registry.example/crasher-%02d:latest", i),
			Run:  s.ends(least, most, 1),
		})
		pod := s.pod(fmt.Sprintf("crasher-%02d", i), corev1.RestartPolicyAlways, image)
		s.add(s.between(0, 0.05), pod)
		if i < unreadable {
			s.at(breakAt, func(_ context.Context, _ Kubelet, r *cri.Runtime) { r.BreakStatus(pod.UID, true) })
			s.at(repairAt, func(_ context.Context, _ Kubelet, r *cri.Runtime) { r.BreakStatus(pod.UID, false) })
		}
	}
}

// addUnpullable adds pods whose image never arrives, and some whose image does
// after a few attempts.
func (s *Script) addUnpullable() {
	for i := range unpullable + flaky {
		image := cri.Image{Name: fmt.Sprintf("registry.example/missing-%02d:v9", i), PullErrors: cri.Always}
		name := fmt.Sprintf("missing-%02d", i)
		if i >= unpullable {
			image = cri.Image{Name: fmt.Sprintf("registry.example/flaky-%02d:v1", i), PullErrors: 3}
			name = fmt.Sprintf("flaky-%02d", i)
		}
		s.add(s.between(0, 0.05), s.pod(name, corev1.RestartPolicyAlways, s.image(image)))
	}
}

// addJobs adds pods that do their work, end, and are deleted.
func (s *Script) addJobs() {
	image := s.image(cri.Image{
		Name: "registry.example/job:v1",
		Run:  s.ends(3*time.Second, 20*time.Second, 0),
	})
	const round = 1.0 / jobRounds
	for i := range jobRounds * jobs {
		begin := float64(i/jobs) * round
		pod := s.pod(fmt.Sprintf("job-%03d", i), corev1.RestartPolicyNever, image)
		s.add(s.between(begin, begin+round/4), pod)
		s.delete(s.between(begin+round*3/4, begin+round), pod)
	}
}

// ends is a container that ends by itself. How long a run lasts follows from
// the pod and the number of the run alone, not from what ran before.
func (s *Script) ends(least, most time.Duration, code int) func(string, int) (time.Duration, int) {
	return func(pod string, n int) (time.Duration, int) {
		h := fnv.New64a()
		_, _ = fmt.Fprint(h, pod, n)
		return lasting(rand.New(rand.NewPCG(s.seed, h.Sum64())), least, most), code
	}
}

// image registers an image once and returns its name.
func (s *Script) image(image cri.Image) string {
	for _, known := range s.Images {
		if known.Name == image.Name {
			return image.Name
		}
	}
	image.PullTime = lasting(s.rand, 400*time.Millisecond, 6*time.Second)
	s.Images = append(s.Images, image)
	return image.Name
}

func (s *Script) pod(name string, restart corev1.RestartPolicy, image string) *corev1.Pod {
	s.Pods++
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: s.namespace,
			Name:      name,
			UID:       types.UID(s.node + "/" + name),
		},
		Spec: corev1.PodSpec{
			RestartPolicy: restart,
			Containers:    []corev1.Container{{Name: "main", Image: image}},
		},
	}
}

func (s *Script) add(at float64, pod *corev1.Pod) {
	s.at(at, func(ctx context.Context, node Kubelet, _ *cri.Runtime) { node.AddPod(ctx, pod) })
}

func (s *Script) delete(at float64, pod *corev1.Pod) {
	s.at(at, func(ctx context.Context, node Kubelet, _ *cri.Runtime) { node.DeletePod(ctx, pod) })
}
